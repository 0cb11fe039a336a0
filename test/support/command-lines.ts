import { parseCommand } from "../../src/command/parse.ts";
import { isHelp, route } from "../../src/command/route.ts";
import { topics } from "../../src/command/topics.ts";
import { aliases, table } from "../../src/commands/index.ts";

/** The `tongs` command lines in shell lines, split into words. */
export function commandLines(text: string): string[][] {
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

/** What is wrong with a command line, by the command table; undefined if it can be run. */
export async function faultIn(argv: readonly string[]): Promise<string | undefined> {
  if (argv[0] === "help")
    return argv[1] === undefined || Object.hasOwn(topics, argv[1]) ? undefined : faultIn(argv.slice(1));
  const found = await route(argv, table, aliases);
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
