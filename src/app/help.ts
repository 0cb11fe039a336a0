import { kebab } from "../command/flags.ts";
import { globalFlags } from "../command/global-flags.ts";
import { commandHelp, helpWidth } from "../command/help.ts";
import { isHelp, namesJson, type Route, usageHint } from "../command/route.ts";
import type { CommandSpec } from "../command/spec.ts";
import { isGroup } from "../command/table.ts";
import { type Topic, topics } from "../command/topics.ts";
import { exitCodes } from "../failure/exit-codes.ts";
import { UsageError } from "../failure/failure.ts";
import { openPalettes } from "../output/palette.ts";
import { reportFailure, widthOf } from "../output/report-failure.ts";
import type { System } from "../system/system.ts";
import { nearest } from "../text/nearest.ts";
import { Styled } from "../text/styled.ts";
import type { CommandTable } from "./context.ts";

/** The help text by name (`root`, `pr`, `pr-merge`, `topic-json`) that the build wrote, if any. */
export type BuiltHelp = (name: string) => string | undefined;

/** The command line that selected no command to run. */
interface HelpRequest {
  readonly argv: readonly string[];
  /** Whether it begins with `help`. */
  readonly helping: boolean;
  readonly system: System;
  readonly commands: CommandTable;
  readonly built: BuiltHelp;
}

/** Prints the help that a command line asks for, or the error for one that selects no command. Returns the exit code. */
export async function help(found: Route, request: HelpRequest): Promise<number> {
  const { argv, helping, system } = request;
  const width = helpWidth(widthOf(system.stdout));
  const topic = helping ? topicOf(found) : undefined;
  if (topic !== undefined) {
    const write = async () => (await import("../command/topic-text.ts")).topicText(await topic.blocks(), width);
    return show(`topic-${topic.name}`, write, width, request);
  }
  if (found.to === "command") {
    const write = async () => helpOf(found.words, await found.load(), width);
    return show(found.words.join("-"), write, width, request);
  }
  if (found.to === "group") {
    if (argv.length === 0 && system.stdout.isTTY === true) {
      const { startScreen } = await import("./start-screen.ts");
      await showHelp(await startScreen(system, width), system);
      return 0;
    }
    if (!helping && found.flags.length > 0 && !found.flags.some(isHelp)) {
      return reportUsageError(await missingVerb(found), argv, system);
    }
    const write = async () =>
      (await import("../command/write-help.ts")).helpText(request.commands.table, found.words, width);
    return show(found.words.length === 0 ? "root" : found.words.join("-"), write, width, request);
  }
  if (!helping) return reportUsageError(await unknownCommand(found), argv, system);
  return reportUsageError(await unknownTopic(found), argv, system);
}

/** The topic that `help` is asked for. It precedes a noun of the same name, whose help is that of `tongs NOUN --help`. */
function topicOf(found: Route): (Topic & { readonly name: string }) | undefined {
  const [name = "", ...more] = found.to === "unknown" ? [...found.words, found.typed] : found.words;
  const topic = more.length === 0 && Object.hasOwn(topics, name) ? topics[name] : undefined;
  return topic && { ...topic, name };
}

/** Prints the help of a command whose `--help` is among other words. Returns the exit code. */
export async function showCommandHelp(words: readonly string[], command: CommandSpec, system: System): Promise<number> {
  await showHelp(await helpOf(words, command, helpWidth(widthOf(system.stdout))), system);
  return 0;
}

async function helpOf(words: readonly string[], command: CommandSpec, width: number): Promise<string> {
  const { withReleases } = await import("../command/releases.ts");
  return commandHelp(words, await withReleases(command), width);
}

/** Prints a help text: the one that the build wrote at the default width, or the one that `write` writes. */
async function show(
  name: string,
  write: () => Promise<string | undefined>,
  width: number,
  { built, system }: HelpRequest,
): Promise<number> {
  const text = width === helpWidth(undefined) ? built(name) : undefined;
  await showHelp(text ?? (await write()) ?? "", system);
  return 0;
}

/** The error for an unknown command, with suggestions: similar names, and nouns that have the verb. */
export async function unknownCommand({ words, typed, group }: Route & { readonly to: "unknown" }): Promise<UsageError> {
  const line = ["tongs", ...words].join(" ");
  const verbs = await group.verbs();
  const near = nearest(typed, Object.keys(verbs)).map((word) => `${line} ${word}`);
  const below: string[] = [];
  for (const [noun, entry] of Object.entries(verbs))
    if (isGroup(entry) && Object.hasOwn(await entry.verbs(), typed)) below.push(`${line} ${noun} ${typed}`);
  const topic = words.length === 0 && Object.hasOwn(topics, typed) ? [`tongs help ${typed}`] : [];
  const hint = didYouMean([...topic, ...near, ...below]) ?? usageHint(line);
  return new UsageError(`Unknown command '${typed}' for '${line}'`, hint);
}

/** The error for an unknown help topic, with suggestions. */
async function unknownTopic({ words, typed, group }: Route & { readonly to: "unknown" }): Promise<UsageError> {
  const line = ["tongs", "help", ...words].join(" ");
  const known = [...Object.keys(await group.verbs()), ...(words.length === 0 ? Object.keys(topics) : [])];
  const near = nearest(typed, known).map((word) => `${line} ${word}`);
  const hint =
    didYouMean(near) ?? `Available topics: ${Object.keys(topics).join(", ")}. Run 'tongs --help' for the commands.`;
  return new UsageError(`Unknown help topic '${[...words, typed].join(" ")}'`, hint);
}

/** The error for flags without a command: an unknown flag, or a missing verb. */
async function missingVerb({ words, group, flags }: Route & { readonly to: "group" }): Promise<UsageError> {
  const line = ["tongs", ...words].join(" ");
  const known = [...Object.keys(globalFlags).map((key) => `--${kebab(key)}`), "--help", "--version"];
  const shorts = Object.values(globalFlags).map((flag) => `-${flag.short}`);
  const wrong =
    words.length > 0
      ? undefined
      : flags
          .map((flag) => flag.split("=")[0] ?? "")
          .find((flag) => flag.startsWith("-") && !known.includes(flag) && !shorts.includes(flag));
  if (wrong !== undefined) {
    return new UsageError(`Unknown flag '${wrong}'`, didYouMean(nearest(wrong, known)) ?? usageHint("tongs"));
  }
  const what = words.length === 0 ? "command" : "verb";
  const verbs = Object.keys(await group.verbs()).join(", ");
  return new UsageError(`Missing ${what} after '${line}'`, `Available: ${verbs}`);
}

/** Prints a usage error, as JSON if the command line asks for JSON, and returns the exit code. */
async function reportUsageError(error: UsageError, argv: readonly string[], system: System): Promise<number> {
  await reportFailure(error, system, { json: namesJson(argv) });
  return exitCodes.usage.code;
}

function didYouMean(lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : `Did you mean: ${lines.slice(0, 3).join(", ")}?`;
}

/** Prints help, with bold headings and flags if stdout has colors. */
async function showHelp(text: string, system: System): Promise<void> {
  const { stdout: palette } = await openPalettes(system);
  // Headings, and the flags at the start of their lines.
  const parts = text.split(/^([A-Z][A-Z ]+$|(?: {2}-\w,| {6}) --(?:\[no-\])?[\w-]+)/m);
  system.stdout.write(Styled.join(parts.map((part, index) => (index % 2 === 1 ? palette("strong", part) : part))));
}
