import { commandHelp, helpWidth } from "../command/help.ts";
import { isHelp, type Route, route } from "../command/route.ts";
import { topics } from "../command/topics.ts";
import { widthOf } from "../output/report-failure.ts";
import { version } from "../system/files.ts";
import type { System } from "../system/system.ts";
import type { CommandTable, RunLine } from "./context.ts";
import type { Command } from "./define.ts";
import { missingVerb, reportUsageError, showHelp, unknownCommand, unknownTopic } from "./help.ts";

/** The help text by name (`root`, `pr`, `pr-merge`, `topic-json`) that the build wrote, if any. */
export type BuiltHelp = (name: string) => string | undefined;

/**
 * Runs a command line and returns its exit code. Only the code of the command is loaded. `isExpanded`: the line comes from
 * an alias, and has no other aliases.
 */
export async function run(
  argv: readonly string[],
  system: System,
  commands: CommandTable<Command>,
  built: BuiltHelp = () => undefined,
  isExpanded = false,
): Promise<number> {
  const first = argv[0];
  if (first === "--version" || (first === "version" && argv.length === 1)) {
    system.stdout.write(`tongs ${version}\n`);
    return 0;
  }
  if (first === "__complete" && commands.loadComplete !== undefined) {
    return (await commands.loadComplete())(argv.slice(1), system, commands);
  }
  const helping = first === "help";
  const found = route(helping ? argv.slice(1) : argv, commands.table, commands.aliases);
  if (found.to === "command") {
    const [only, ...more] = found.rest;
    if (helping || (only !== undefined && isHelp(only) && more.length === 0)) {
      const width = helpWidth(widthOf(system.stdout));
      // The build writes the texts at the default width.
      const text = width === helpWidth(undefined) ? built(found.words.join("-")) : undefined;
      await showHelp(text ?? commandHelp(found.words, await found.load(), width), system);
      return 0;
    }
    const command = await found.load();
    const { execute } = await import("./execute.ts");
    const runLine: RunLine = (line, other) => run(line, other, commands, built);
    return execute({ command, words: found.words, typed: found.rest }, system, { ...commands, run: runLine });
  }
  if (found.to === "group") {
    if (argv.length === 0 && system.stdout.isTTY === true) {
      const { startScreen } = await import("./start-screen.ts");
      await showHelp(await startScreen(system, helpWidth(widthOf(system.stdout))), system);
      return 0;
    }
    if (helping || found.flags.length === 0 || found.flags.some(isHelp)) return show(found, system, commands, built);
    if (found.flags.includes("--version")) return run(["--version"], system, commands);
    return reportUsageError(missingVerb(found), argv, system);
  }
  if (!helping && found.words.length === 0 && !isExpanded) {
    const { runOwn } = await import("./own-commands.ts");
    const code = await runOwn(found, system, (line) => run(line, system, commands, built, true));
    if (code !== undefined) return code;
  }
  // `tongs pr help merge`, as in other tools.
  if (!helping && found.typed === "help") {
    return run(["help", ...found.words, ...argv.slice(argv.indexOf("help") + 1)], system, commands, built);
  }
  const topic = helping && found.words.length === 0 ? await topicHelp(found.typed, system, built) : undefined;
  if (topic !== undefined) {
    await showHelp(topic, system);
    return 0;
  }
  return reportUsageError(helping ? unknownTopic(found) : unknownCommand(found), argv, system);
}

async function show(
  { words }: Route & { readonly to: "group" },
  system: System,
  { table }: CommandTable,
  built: BuiltHelp,
): Promise<number> {
  const name = words.length === 0 ? "root" : words.join("-");
  const width = helpWidth(widthOf(system.stdout));
  const text = width === helpWidth(undefined) ? built(name) : undefined;
  const write = async () => (await import("../command/write-help.ts")).helpText(table, words, width);
  await showHelp(text ?? (await write()) ?? "", system);
  return 0;
}

/** The text of a help topic; undefined if there is none of that name. */
async function topicHelp(name: string, { stdout }: System, built: BuiltHelp): Promise<string | undefined> {
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined) return undefined;
  const width = helpWidth(widthOf(stdout));
  const text = width === helpWidth(undefined) ? built(`topic-${name}`) : undefined;
  if (text !== undefined) return text;
  const { topicText } = await import("../command/topic-text.ts");
  return topicText(await topic.blocks(), width);
}
