import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it("no text that tongs prints names a release by hand: they come from the table", () => {
  const root = join(import.meta.dirname, "../../src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const said = files
    .filter((name) => !/^(sandbox|metrics)\b|\bgenerated\b/.test(name))
    .flatMap((name) =>
      readFileSync(join(root, name), "utf8")
        .split("\n")
        .filter(
          (line) => !/^\s*(\*|\/[/*])/.test(line) && /\b(Gitea|Forgejo) \d+\.\d/.test(line.replace(/\/\/.*$/, "")),
        )
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(said).toEqual([]);
});
