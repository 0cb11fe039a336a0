import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { table } from "../../src/commands/index.ts";
import { docFiles } from "../../src/docs/reference.ts";

const top = join(import.meta.dirname, "../..");
const { version, man } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as {
  readonly version: string;
  readonly man: readonly string[];
};

describe("the committed man pages and reference", () => {
  it("are up to date with the command table; `npm run generate` updates them", async () => {
    const made = await docFiles(table, version);
    const committed = ["man", "docs/reference"].flatMap((folder) =>
      readdirSync(join(top, folder)).map((name): [string, string] => [
        `${folder}/${name}`,
        readFileSync(join(top, folder, name), "utf8"),
      ]),
    );
    const stale = Object.keys(made).filter((path) => committed.find(([name]) => name === path)?.[1] !== made[path]);
    const left = committed.map(([path]) => path).filter((path) => made[path] === undefined);
    expect({ stale, left }, "run: npm run generate").toEqual({ stale: [], left: [] });
    expect(man, "run: npm run generate").toEqual(Object.keys(made).filter((path) => path.startsWith("man/")));
  });
});
