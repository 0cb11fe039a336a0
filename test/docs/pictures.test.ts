import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const top = join(import.meta.dirname, "../..");
const readme = readFileSync(join(top, "README.md"), "utf8");
const names = readdirSync(join(top, "docs/pictures")).sort();

/**
 * Why a text is not well-formed XML, as far as these pictures use it: elements, attributes and the five entities, without
 * comments, CDATA or declarations. Undefined if it is.
 */
function faultInXml(xml: string): string | undefined {
  const open: string[] = [];
  let at = 0;
  let roots = 0;
  const tag = /<(\/?)([a-z]+)((?: [A-Za-z:-]+="[^"<&]*(?:&(?:amp|lt|gt|quot|apos);[^"<&]*)*")*)(\/?)>/g;
  for (const match of xml.matchAll(tag)) {
    const text = xml.slice(at, match.index);
    if (/<|&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) return `not text: ${text.slice(0, 80)}`;
    if (open.length === 0 && text.trim() !== "") return `text outside of the root: ${text.slice(0, 80)}`;
    const [, closing, name = "", attributes = "", empty] = match;
    const given = [...attributes.matchAll(/ ([A-Za-z:-]+)=/g)].map(([, attribute]) => attribute);
    if (new Set(given).size < given.length) return `an attribute twice: ${match[0]}`;
    if (closing === "/" && open.pop() !== name) return `closes what is not open: ${match[0]}`;
    if (closing === "" && open.length === 0) roots += 1;
    if (closing === "" && empty === "") open.push(name);
    at = match.index + match[0].length;
  }
  if (open.length > 0) return `not closed: ${open.join(", ")}`;
  // Characters that XML 1.0 does not allow.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml)) return "control characters";
  return roots === 1 && xml.slice(at).trim() === "" ? undefined : "not one root element";
}

describe("the pictures of the README", () => {
  it("are those of signing in, a pull request, an import, a failed run and a plot", () => {
    expect(names).toEqual(["import.svg", "plot.svg", "pull-request.svg", "run-why.svg", "sign-in.svg"]);
    const shown = [...readme.matchAll(/!\[([^\]]+)\]\(docs\/pictures\/([\w-]+\.svg)\)/g)];
    expect(shown.map(([, , name]) => name).sort()).toEqual(names);
  });

  it.each(names)("%s is well-formed, has a title, and loads and runs nothing", (name) => {
    const svg = readFileSync(join(top, "docs/pictures", name), "utf8");
    expect(faultInXml(svg)).toBeUndefined();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>\n<title>[^<]{20,}<\/title>/);
    const elements = new Set([...svg.matchAll(/<([a-z]+)/g)].map(([, element]) => element));
    expect([...elements].sort()).toEqual(["g", "rect", "svg", "text", "title"]);
    expect(svg).not.toMatch(/href|style=|url\(|\son[a-z]+=/);
    expect(svg.length).toBeLessThan(40_000);
  });

  it.each(names)("%s shows neither a token nor a path of the machine that made it", (name) => {
    const svg = readFileSync(join(top, "docs/pictures", name), "utf8");
    const text = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, part]) => part).join("\n");
    expect(text).not.toMatch(/\b[0-9a-f]{40}\b|\/tmp\/|\/home\/|✗ (?!failure)/);
    expect(text).toContain("tongs ");
  });

  it("are checked by a test that finds faults", () => {
    const faulty = ["<a>", "<a></b>", "<a>&nbsp;</a>", "<a/><a/>", '<a x="1" x="2"/>', "<a>\u0007</a>", "<a><b</a>"];
    for (const xml of faulty) expect(faultInXml(xml), xml).toBeDefined();
    expect(faultInXml('<a x="1 &lt; 2"><b/>c &amp; d</a>')).toBeUndefined();
  });
});
