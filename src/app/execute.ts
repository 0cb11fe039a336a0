import { isGiven } from "../command/flags.ts";
import { type Parsed, parseCommand } from "../command/parse.ts";
import { namesJson, usageHint } from "../command/route.ts";
import { codeOf, type Ending, pluginExits } from "../failure/exit-codes.ts";
import { withHint as addHint, Failure, UsageError, withUnread } from "../failure/failure.ts";
import { trackWrites } from "../failure/ignored.ts";
import { Interruption } from "../failure/interruption.ts";
import { DryRun } from "../http/debug.ts";
import type { ListSubject } from "../output/list-heading.ts";
import { type Output, openOutput } from "../output/output.ts";
import { openPalettes } from "../output/palette.ts";
import { asFailure, reportFailure, reportUnknown } from "../output/report-failure.ts";
import { fullName, namesSeveral, type RepoName } from "../repo/repo-name.ts";
import { hasField } from "../shape/select.ts";
import { fieldsOf } from "../shape/shape.ts";
import { refuseLinks } from "../system/files.ts";
import { lostOutput } from "../system/output-stream.ts";
import type { System } from "../system/system.ts";
import type { BaseContext, CommandTable, PlainContext, RepositoryContext, RunLine, ServerContext } from "./context.ts";
import type { Command } from "./define.ts";
import { showDryRun } from "./dry-run.ts";
import type { JournalEntry } from "./journal/observe.ts";
import { resultNames } from "./result.ts";

/** A command that was typed. */
export interface Invocation {
  readonly command: Command;
  /** Its name: `pr merge`. */
  readonly words: readonly string[];
  /** The flags and arguments. */
  readonly typed: readonly string[];
}

/** What is known of a command so far, for the report of its failure. */
interface Started {
  parsed?: Parsed;
  out?: Output;
  close?: () => void;
  /** Its entry in the journal, which it has with the command in other repositories. */
  entry?: JournalEntry;
}

type Commands = CommandTable & { readonly run: RunLine };

/** Runs a command and returns the exit code. Nothing is thrown. */
export async function execute(invocation: Invocation, system: System, commands: Commands): Promise<number> {
  const started: Started = {};
  try {
    const ended = await perform(invocation, system, commands, started);
    if (ended === undefined) await removeSent(invocation, started, system);
    return codeOf(ended ?? "ok");
  } catch (error) {
    return report(error, invocation, system, started);
  } finally {
    started.close?.();
  }
}

/** Runs a command, in one of several repositories if `repo` is given. Returns how it ended; throws its failure. */
async function perform(
  invocation: Invocation,
  system: System,
  allCommands: Commands,
  started: Started,
  repo?: string,
): Promise<Ending | undefined> {
  const { command, words, typed } = invocation;
  const { run, ...commands } = allCommands;
  const asTyped = parseCommand(command, words, typed);
  const parsed = repo === undefined ? asTyped : inOne(asTyped, repo);
  started.parsed = parsed;
  if (parsed.help) {
    const { showCommandHelp } = await import("./help.ts");
    await showCommandHelp(words, command, system);
    return undefined;
  }
  refuseLinkedOutputs(command, parsed, system);
  const plain: PlainContext = {
    system,
    commands,
    run,
    options: parsed.options,
    out: await openOut(parsed, command, system),
  };
  started.out = plain.out;
  if (parsed.options.sudo !== undefined) (await import("./sudo.ts")).refuseSudo(command, words, parsed.flags);
  const { args, flags, namedRepo, missing } = parsed;
  let { typed: named } = parsed;
  let chosen: Parsed["args"] = {};
  let context: PlainContext = plain;
  if (command.on !== "nothing") {
    // Loaded only for commands that use a server: it takes half the time of a short command.
    const { openContext } = await import("./open-context.ts");
    const onlyReads = command.effect === "read";
    const selected = onlyReads ? undefined : severalIn(command, asTyped);
    const selection = repo === undefined ? selected : undefined;
    started.entry ??= {};
    const { entry } = started;
    const journaled = (located?: RepoName) => {
      const place = selected ?? (located && fullName(located));
      return { words, typed, about: aboutOf(named, { ...args, ...chosen }, place), entry };
    };
    const { options } = parsed;
    const opened = openContext(
      selection === undefined ? plain : { ...plain, options: { ...options, repo: undefined } },
      selection === undefined ? namedRepo : undefined,
      { journaled: onlyReads ? undefined : journaled, onlyReads },
    );
    started.close = opened.close;
    if (selection !== undefined) {
      if (missing !== undefined) throw missing.error;
      const { inRepositories } = await import("./in-repositories.ts");
      const runIn = async (name: string, own: System) => {
        const inner: Started = { entry };
        return perform(invocation, own, allCommands, inner, name).finally(() => inner.close?.());
      };
      const [isPlan, destroys] = [flags["plan"] === true, command.effect === "destroy"];
      const base = await opened.on("profiles");
      return aloneIn(command, base, () => inRepositories({ words, selection, destroys, isPlan, runIn }, base));
    }
    if (missing !== undefined && !(await opened.on("profiles")).prompt.able) throw missing.error;
    context = await opened.on(command.on);
    if (missing !== undefined) {
      const { chooseArgument } = await import("./choose.ts");
      const base = await opened.on("profiles");
      const word = await chooseArgument(missing, flags, { ...base, ...(await base.connect()) });
      chosen = { [missing.key]: missing.read([word]) };
      named = { ...named, [missing.key]: word };
    }
  } else if (missing !== undefined) throw missing.error;
  plain.out.describeLists(listSubject(command, flags));
  if (command.result !== undefined) {
    const { repo } = context as Partial<RepositoryContext>;
    plain.out.describeResult(resultNames(command, { ...args, ...chosen }, named, repo), command.result);
  }
  // Writes go on when the reader of the output goes away: a command does not end between two of them. A plugin ends with
  // its own exit codes.
  const keepsGoing = command.effect !== "read" || command.plugin === true;
  if (keepsGoing) system.stdout.keepGoing();
  if (command.fieldsOf !== undefined) {
    const { refuseIgnored } = await import("./refuse-flags.ts");
    await refuseIgnored(command, flags, context as BaseContext & ServerContext);
  }
  const given = { ...context, args: { ...args, ...chosen }, flags } as never;
  const make = async () => command.run(given);
  const work = repo === undefined ? () => aloneIn(command, given, make) : make;
  const { value: ended, failure: ignored } =
    command.effect === "read" ? { value: await work() } : await trackWrites(work);
  if (ignored !== undefined && ended === undefined) throw ignored;
  const lost = keepsGoing ? await system.stdout.flushed() : undefined;
  if (lost !== undefined && lost.code !== "EPIPE" && (ended === undefined || command.plugin)) throw lostOutput(lost);
  if (repo === undefined && mayNotify(words, plain)) {
    started.close?.();
    const { showUpdateNotice } = await import("./update-notice.ts");
    const debug = parsed.options.debug ? (line: string) => void system.stderr.write(`${line}\n`) : undefined;
    await showUpdateNotice(system, plain.out.notePalette, debug);
  }
  return (ended ?? "ok") === "ok" && plain.out.partial ? "partly" : ended;
}

/** Does the work of a command, alone if it has to be. */
async function aloneIn<T>({ alone: what }: Command, { choose }: BaseContext, work: () => Promise<T>): Promise<T> {
  if (what === undefined) return work();
  const { alone } = await import("./alone.ts");
  return alone(what, await choose(), work);
}

/** Throws a usage error if an argument or flag names a file or directory to write that is reached through a symbolic link. */
function refuseLinkedOutputs({ args, flags }: Command, parsed: Parsed, system: System): void {
  for (const [key, one] of [...Object.entries(args), ...Object.entries(flags)]) {
    if (one.names !== "output file") continue;
    for (const typed of [parsed.flags[key] ?? parsed.args[key]].flat()) {
      if (typeof typed !== "string" || (typed === "-" && one.dash !== undefined)) continue;
      refuseLinks(typed, system, "followsLink" in one && one.followsLink);
    }
  }
}

/** Removes texts of an earlier failure that the line names, once they were sent. */
async function removeSent({ command, typed }: Invocation, { parsed }: Started, system: System): Promise<void> {
  if (command.effect === "read" || !typed.join().includes("tongs-kept-")) return;
  if (parsed === undefined || parsed.help || parsed.options.dryRun || parsed.flags["plan"] === true) return;
  await (await import("../prompts/keep-text.ts")).removeKept(typed, system.cwd);
}

/**
 * What selects several repositories for a command that changes one, which is the current one by default: a pattern, or `-` for
 * the lines of stdin.
 */
function severalIn({ on, args, flags }: Command, { namedRepo, options }: Parsed): string | undefined {
  const isOfOne =
    on === "repository" ||
    Object.values(flags).some(({ insteadOfRepository }) => insteadOfRepository) ||
    Object.values(args).some(({ locate, count }) => locate !== undefined && (count === "any" || count === "optional"));
  if (!isOfOne) return undefined;
  const typed = (on === "repository" ? namedRepo : undefined) ?? options.repo;
  return typed !== undefined && namesSeveral(typed) ? typed : undefined;
}

/** What was typed, for one of several repositories: all was asked before, and JSON is collected. */
function inOne(parsed: Parsed, repo: string): Parsed {
  const { options, namedRepo } = parsed;
  const json = formatOf(options) === "text" ? undefined : "";
  const output = { json, jsonl: false, csv: false, jq: undefined };
  return {
    ...parsed,
    fields: [],
    namedRepo: namedRepo === undefined ? undefined : repo,
    options: { ...options, ...output, repo, yes: true, noInput: true },
  };
}

/** Prints the failure of a command, and returns its exit code. */
async function report(
  error: unknown,
  { command, words, typed }: Invocation,
  system: System,
  { parsed, out, close }: Started,
): Promise<number> {
  // Before the failure is printed, so that it is the last thing said.
  close?.();
  if (error instanceof DryRun) {
    await showDryRun(error, system, isJson(parsed, typed));
    return 0;
  }
  const { aborted, reason: stopped } = system.signal;
  // It can say more than the signal. A command with --resume looks itself what its writes did.
  const saysMore = error instanceof Interruption && !Object.hasOwn(command.flags, "resume");
  const reason = aborted && stopped instanceof Failure && !saysMore ? stopped : asFailure(error);
  const explained = withFields(withHint(reason, words), command, typed);
  // What was not found among the records of a list can be one that could not be read.
  const isUnsure = out?.partial && reason.status === undefined && ["notFound", "invalid"].includes(reason.exit);
  const known = out?.named(explained) ?? explained;
  const failure = isUnsure ? withUnread(known) : known;
  const look = { json: isJson(parsed, typed), color: parsed?.options.color };
  if (command.plugin && !system.signal.aborted) {
    system.stdout.keepGoing();
    await (failure.code === "output" ? reportFailure : reportUnknown)(failure, system, look);
    return pluginExits.unknown.code;
  }
  await reportFailure(failure, system, look);
  return codeOf(failure.exit);
}

/** What a command is about: the repository, or the pattern of several, and the arguments; of several, the first one and how many others there are. */
function aboutOf(typed: Parsed["typed"], args: Parsed["args"], repository: string | undefined): string[] {
  const named = Object.entries(typed).map(([key, word]) => {
    const value = args[key];
    return Array.isArray(value) && value.length > 1 ? `${word} (+${value.length - 1})` : word;
  });
  return [...(repository === undefined ? [] : [repository]), ...named];
}

/** Whether a command may end with a notice about a new version: on a terminal, outside of CI, with text output. */
function mayNotify(words: readonly string[], { system, out, options }: PlainContext): boolean {
  const { env, stdout, stderr } = system;
  const isOff = [env["TONGS_NO_UPDATE_NOTIFIER"], env["CI"]].some((value) => !["", "0", "false"].includes(value ?? ""));
  if (isOff || options.quiet || out.records || words[0] === "upgrade") return false;
  return stdout.isTTY === true && stderr.isTTY === true && !system.signal.aborted;
}

async function openOut({ options, fields }: Parsed, command: Command, system: System): Promise<Output> {
  const palettes = await openPalettes(system, options.color);
  return openOutput({
    system,
    format: formatOf(options),
    palettes,
    fields,
    jq: options.jq,
    quiet: options.quiet,
    limit: options.all ? Number.POSITIVE_INFINITY : (options.limit ?? 30),
    csvFields: command.output === undefined ? [] : Object.keys(fieldsOf(command.output)),
  });
}

/** What the lists of a command have, and the state and the filters that were given. */
function listSubject({ lists, args, flags: declared }: Command, flags: Parsed["flags"]): ListSubject {
  const given = Object.entries(flags).filter(([key, value]) => isGiven(value, declared[key]?.form));
  const filtersBy = (kind: true | "state") => given.filter(([key]) => declared[key]?.filters === kind);
  const state = filtersBy("state").find(([, value]) => value !== "all")?.[1];
  return {
    ...(lists === undefined ? {} : { lists }),
    state: typeof state === "string" ? state : undefined,
    filtered: filtersBy(true).length > 0 || Object.values(args).some(({ filters }) => filters === true),
  };
}

function formatOf(options: Parsed["options"]) {
  if (options.jq !== undefined) return "jq";
  if (options.jsonl) return "jsonl";
  if (options.csv) return "csv";
  return options.json === undefined ? "text" : "json";
}

/** Adds the hint that every usage error has. */
function withHint(failure: Failure, words: readonly string[]): Failure {
  if (failure.exit !== "usage" || failure.hint !== undefined) return failure;
  return new UsageError(failure.message, usageHint(`tongs ${words.join(" ")}`));
}

/**
 * Adds the fields of `--json` to the hint of a 'not found': the word after `--json` is read as an argument, such as a
 * branch, unless it is a field, and may be a mistyped one.
 */
function withFields(failure: Failure, command: Command, typed: readonly string[]): Failure {
  const word = typed[typed.indexOf("--json") + 1];
  if (failure.exit !== "notFound" || !typed.includes("--json") || word === undefined) return failure;
  if (command.output === undefined || !/^[a-z][\w.]*$/i.test(word) || hasField(command.output, word)) return failure;
  const known = Object.keys(fieldsOf(command.output)).join(", ");
  return addHint(failure, `'${word}' is not a field of --json. Available fields: ${known}`);
}

/** Whether errors are printed as JSON; when the command line could not be parsed, its words decide. */
function isJson(parsed: Parsed | undefined, typed: readonly string[]): boolean {
  return parsed === undefined ? namesJson(typed) : ["json", "jsonl", "jq"].includes(formatOf(parsed.options));
}
