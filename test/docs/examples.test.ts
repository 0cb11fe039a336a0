import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { route } from "../../src/command/route.ts";
import { allCommands, helpTexts } from "../../src/command/write-help.ts";
import { aliases, table } from "../../src/commands/index.ts";
import { commandLines, faultIn } from "../support/command-lines.ts";

describe("examples", () => {
  it("of every command are valid command lines, and every command has one", async () => {
    const faults: string[] = [];
    for (const { words, command } of await allCommands(table)) {
      const lines = command.examples.flatMap(([, line]) => commandLines(line));
      const routes = await Promise.all(lines.map((line) => route(line, table, aliases)));
      if (!routes.some(({ to }) => to === "command")) faults.push(`no example: ${words.join(" ")}`);
      for (const line of lines) faults.push((await faultIn(line)) ?? "");
    }
    expect(faults.filter((fault) => fault !== "")).toEqual([]);
  });

  it("in the README are valid command lines", async () => {
    const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
    const shown = readme
      .split("\n")
      .filter((line) => line.startsWith("    "))
      .map((line) => line.trim().replace(/^\$ /, ""));
    const spans = [...readme.matchAll(/`(tongs [^`]*)`/g)].map(([, line]) => line ?? "");
    const lines = commandLines([...shown, ...spans].join("\n"));
    expect(lines.length).toBeGreaterThan(20);
    const faults = await Promise.all(lines.map(faultIn));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it("in help texts use existing commands", async () => {
    // Those of help topics, which have sentences, too, are checked in test/command/topics.test.ts; those of commands above.
    const commands = (await allCommands(table)).map(({ words }) => words.join("-"));
    const texts = Object.entries(await helpTexts(table));
    const shown = texts
      .filter(([name]) => !name.startsWith("topic-") && !commands.includes(name))
      .map(([, text]) => text)
      .join("\n")
      .matchAll(/^ {2}(tongs .*?)(?: {2}.*)?$/gm);
    const lines = commandLines([...shown].map(([, line]) => line).join("\n"));
    const faults = await Promise.all(lines.filter((line) => !/NOUN|VERB|TOPIC/.test(line.join(" "))).map(faultIn));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });
});
