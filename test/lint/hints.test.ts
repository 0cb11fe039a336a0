import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { route } from "../../src/command/route.ts";
import { aliases, table } from "../../src/commands/index.ts";

const src = join(import.meta.dirname, "../../src");

/** The command lines in the prose of hints. Those of `commandOn` and `commandIn` have no prose before them. */
const inProse = /(?:[\w)]:|;) tongs ([a-z][\w -]*)/g;

/** What works on a clone, or names what is still to be chosen. */
const ofClones = /^(repo (clone|fork|sync|set-default)|pr (create|push)|tag create|package (prune|unlink))\b|--help$/;

/** Texts of help, and hints where the server is not known. */
const known =
  /^(forge\/.*|profiles\/oauth|app\/runs\/state-errors|commands\/repo\/topic\/topic|commands\/org\/member\/member)\.ts$/;

it("a hint names a command that writes to a server only with what selects the server and the repository", async () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/^(sandbox|docs)\b|\bgenerated\b/.test(name),
  );
  const wrong: string[] = [];
  let reads = 0;
  for (const name of files) {
    const lines = readFileSync(join(src, name), "utf8").split("\n");
    for (const line of lines.filter((text) => !/^\s*(\*|\/[/*])/.test(text)))
      for (const [, words = ""] of line.matchAll(inProse)) {
        const found = await route(words.trim().split(" "), table, aliases);
        const command = found.to === "command" ? await found.load() : undefined;
        if (command?.on !== "server" && command?.on !== "repository") continue;
        if (command.effect === "read") reads += 1;
        else if (!ofClones.test(words) && !known.test(name)) wrong.push(`${name}: tongs ${words}`);
      }
  }
  expect(reads).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});
