import { describe, expect, it } from "vitest";
import { type Block, readTopic, topicText } from "../../src/command/topic-text.ts";
import { topics } from "../../src/command/topics.ts";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { fieldsOf, type Shape } from "../../src/shape/shape.ts";
import { commandLines, faultIn } from "../support/command-lines.ts";
import { tongs } from "../support/tongs.ts";

const loaded = await Promise.all(
  Object.entries(topics).map(async ([name, { blocks }]) => ({ name, blocks: await blocks() })),
);

/** The lines and the cells of a topic. */
function texts(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === "rows") return block.rows.flat();
    return block.kind === "lines" ? block.lines : [];
  });
}

describe("help topics", () => {
  it.each(loaded)("$name has only command lines that exist, with flags that exist", async ({ blocks }) => {
    const lines = texts(blocks).flatMap((text) => commandLines(text));
    const faults = await Promise.all(lines.map(faultIn));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it("put at least forty commands of gh and of tea beside those of tongs", () => {
    for (const tool of ["gh", "tea"]) {
      const blocks = loaded.find(({ name }) => name === `coming-from-${tool}`)?.blocks ?? [];
      const pairs = blocks.flatMap((block) => (block.kind === "rows" ? block.rows : []));
      const beside = pairs.filter(([theirs, ours]) => theirs.startsWith(`${tool} `) && ours.startsWith("tongs "));
      expect(beside.length, tool).toBeGreaterThanOrEqual(40);
      for (const [theirs, ours] of pairs) {
        if (theirs.startsWith(`${tool} `)) expect(ours, theirs).toMatch(/^tongs /);
      }
    }
  });

  it("json names the verbs that print records without a result, exactly", async () => {
    const rows = loaded.find(({ name }) => name === "json")?.blocks.flatMap((b) => (b.kind === "rows" ? b.rows : []));
    const writes = (await allCommands(table)).filter(({ command }) => command.effect !== "read");
    const hasField = (output: Shape<unknown> | undefined) => output !== undefined && "result" in fieldsOf(output);
    const nounsOf = (asked: string, hasResult: boolean) =>
      writes.flatMap(({ words, command }) =>
        words.at(-1) === asked && hasResult === hasField(command.output) ? [words.slice(0, -1).join(" ")] : [],
      );
    const switches = ["lock", "unlock", "pin", "unpin", "subscribe", "unsubscribe", "watch"];
    const verbs = new Set(writes.map(({ words }) => words.at(-1) ?? ""));
    const named = [...verbs].filter(
      (verb) => switches.includes(verb) || (nounsOf(verb, true).length > 1 && nounsOf(verb, false).length > 0),
    );
    const expected = named.map((verb) => [verb, nounsOf(verb, false).sort().join(", ")]);
    const said = rows?.filter(([verb]) => verbs.has(verb));
    expect(new Map(said)).toEqual(new Map(expected as [string, string][]));
  });

  it.each(loaded)("$name fits terminals of 50, 80 and 100 columns, whatever is long", ({ blocks }) => {
    for (const width of [50, 80, 100]) {
      const lines = topicText(blocks, width).split("\n");
      // A single word, such as an address, cannot be wrapped.
      const wide = lines.filter((line) => line.length > width && /\S\s\S/.test(line) && !/\S{40}/.test(line));
      expect(wide, String(width)).toEqual([]);
      expect(lines.join("\n")).not.toContain("undefined");
    }
  });

  it("keep command lines whole: a line that is too long goes on behind a backslash", async () => {
    const shown = await tongs(["help", "coming-from-gh"], { terminal: true, columns: 50, env: { NO_COLOR: "1" } });
    expect(shown.code).toBe(0);
    const joined = shown.stdout.replace(/ \\\n +/g, " ");
    expect(joined).toContain("\n  gh pr create --fill\n      tongs pr create --fill --push\n");
    expect(joined).toContain("tongs auth login --host https://git.example.org");
  });

  it("are read from plain text: headings, paragraphs, rows and lines", () => {
    const source =
      "About\nit.\n\nFIRST PART\nMore\nof it.\n\n  -a  one\n      goes on\n  -b  two\n\n  tongs a\n  tongs b\n";
    expect(readTopic(source)).toEqual([
      { kind: "paragraph", text: "About it." },
      { kind: "heading", text: "FIRST PART" },
      { kind: "paragraph", text: "More of it." },
      {
        kind: "rows",
        rows: [
          ["-a", "one goes on"],
          ["-b", "two"],
        ],
      },
      { kind: "lines", lines: ["tongs a", "tongs b"] },
    ]);
    expect(topicText(readTopic(source), 80)).toBe(
      "About it.\n\nFIRST PART\n  More of it.\n\n  -a  one goes on\n  -b  two\n\n    tongs a\n    tongs b\n",
    );
  });
});
