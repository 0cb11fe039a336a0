import { beforeAll, describe, expect, it } from "vitest";
import { kebab } from "../../../src/command/flags.ts";
import { globalFlags } from "../../../src/command/global-flags.ts";
import { allCommands } from "../../../src/command/write-help.ts";
import { table } from "../../../src/commands/index.ts";
import { exitCodes } from "../../../src/failure/exit-codes.ts";
import { tongs } from "../../support/tongs.ts";

let page: string;
beforeAll(async () => {
  const { code, stdout } = await tongs(["mcp", "skill"]);
  expect(code).toBe(0);
  page = stdout;
});

describe("mcp skill", () => {
  it("is a page with front matter, which names every noun and verb and every exit code", async () => {
    expect(page).toMatch(/^---\nname: tongs\ndescription: .+\n---\n/);
    for (const { words } of await allCommands(table)) {
      const [noun = "", ...verb] = words;
      const line = page.split("\n").find((one) => one.startsWith(`- ${noun}: `)) ?? "";
      if (verb.length > 0) expect(`${line},`, words.join(" ")).toContain(` ${verb.join(" ")},`);
      else expect(line, noun).not.toBe("");
    }
    for (const { code, meaning } of Object.values(exitCodes)) expect(page).toContain(`- ${code}: ${meaning}`);
    expect(page).not.toMatch(/\{(exits|nouns)\}/);
  });

  it("shows only commands and flags that exist", async () => {
    const commands = await allCommands(table);
    const shown = page.match(/(?<=^ {4}|`)tongs [a-z][^`\n]*/gm) ?? [];
    expect(shown.length).toBeGreaterThan(15);
    for (const line of shown) {
      const words = line.split(" ").slice(1);
      const found = commands.filter(({ words: of }) => of.every((word, at) => words[at] === word));
      const flags = (line.match(/(?<= )--[a-z-]+/g) ?? []).map((flag) => flag.slice(2));
      const known = [...found.flatMap(({ command }) => Object.keys(command.flags)), ...Object.keys(globalFlags)].map(
        kebab,
      );
      expect(found, line).toHaveLength(1);
      expect(known, line).toEqual(expect.arrayContaining(flags));
    }
  });
});
