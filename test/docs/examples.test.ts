import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCommand } from "../../src/command/parse.ts";
import { isHelp, route } from "../../src/command/route.ts";
import { topics } from "../../src/command/topics.ts";
import { allCommands, helpTexts } from "../../src/command/write-help.ts";
import { aliases, table } from "../../src/commands/index.ts";

/** The `tongs` command lines in shell lines, split into words. */
function commandLines(text: string): string[][] {
  return text.split("\n").flatMap((line) => {
    const parts: string[][] = [[]];
    for (const [word] of line.matchAll(/'[^']*'|"[^"]*"|<\(|[|;&<>()]+|[^\s|;&<>()'"]+(?:"[^"]*"|'[^']*')?/g)) {
      if (word === "#" || word.startsWith("# ")) break;
      if (/^(<\(|[|;&<>()]+)$/.test(word)) parts.push([]);
      else parts.at(-1)?.push(word.replace(/^'(.*)'$|^"(.*)"$/, "$1$2"));
    }
    const bare = parts.map((words) =>
      words.slice(words.findIndex((word) => !/^(if|while|then|do|!|\w+=.*)$/.test(word))),
    );
    return bare.filter(([program]) => program === "tongs").map((words) => words.slice(1));
  });
}

/** The usage error of a command line, if any. */
async function wrong(argv: readonly string[]): Promise<string | undefined> {
  if (argv[0] === "help")
    return argv[1] === undefined || Object.hasOwn(topics, argv[1]) ? undefined : wrong(argv.slice(1));
  const found = route(argv, table, aliases);
  if (found.to === "unknown") return `no command: ${argv.join(" ")}`;
  if (found.to === "group")
    return found.flags.every((flag) => isHelp(flag) || flag === "--version") ? undefined : "no verb";
  try {
    parseCommand(await found.load(), found.words, found.rest);
    return undefined;
  } catch (error) {
    return `${argv.join(" ")}: ${error instanceof Error ? error.message : error}`;
  }
}

describe("examples", () => {
  it("of every command are valid command lines, and every command has one", async () => {
    const faults: string[] = [];
    for (const { words, command } of await allCommands(table)) {
      const lines = command.examples.flatMap(([, line]) => commandLines(line));
      const own = lines.filter((line) => route(line, table, aliases).to === "command");
      if (own.length === 0) faults.push(`no example: ${words.join(" ")}`);
      for (const line of lines) faults.push((await wrong(line)) ?? "");
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
    const faults = await Promise.all(lines.map(wrong));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it("in help texts use existing commands", async () => {
    const shown = Object.values(await helpTexts(table))
      .join("\n")
      .matchAll(/^ {2}(tongs .*?)(?: {2}.*)?$/gm);
    const lines = commandLines([...shown].map(([, line]) => line).join("\n"));
    const faults = await Promise.all(lines.filter((line) => !/NOUN|VERB/.test(line.join(" "))).map(wrong));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });
});
