import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const src = join(import.meta.dirname, "../../src");
const read = (file: string) => readFileSync(file, "utf8");

/** What works as the account that is signed in, whatever the header Sudo says: git, and operations outside of the API. */
const beside = new RegExp(
  String.raw`(?<!function )\b(gitAuthConfig|setHelperIn|uploadGenericFile|downloadGenericFile|readManifest)\(` +
    String.raw`|\bcall\([^)]*\b(attachmentDownload|mediaFileGet)\b`,
);

/** The files that a file loads, without what it loads only as another command. Types are not loaded. */
function loaded(file: string): string[] {
  const found = [
    ...read(file).matchAll(/(?:^import (?!type )[^;]*? from |^import |\bawait import\()"(\.[^"]+\.ts)"/gm),
  ];
  return found.map(([, path = ""]) => join(dirname(file), path));
}

/** The files that do such a thing among those that a file loads, in their folder of commands and what commands share. */
function reaches(file: string): string[] {
  const seen = new Set([file]);
  for (const one of seen) for (const next of loaded(one)) seen.add(next);
  return [...seen].filter((one) => beside.test(read(one)));
}

it("every command that can reach git, Git LFS, a registry or a web page says so, and no other does", () => {
  const files = readdirSync(join(src, "commands"), { recursive: true, encoding: "utf8" });
  const commands = files
    .map((name) => join(src, "commands", name))
    .filter(
      (file) => file.endsWith(".ts") && /\b(defineCommand|writeCommand|batchCommand|viewCommand)[(<]/.test(read(file)),
    );
  expect(commands.length).toBeGreaterThan(100);
  const wrong = commands.filter((file) => {
    const says = /external: \{ uses: "(git|Git LFS|the package registry|web pages)"/.test(read(file));
    return reaches(file).length > 0 !== says;
  });
  expect(wrong.map((file) => file.slice(src.length))).toEqual([]);
});
