import { isGiven } from "../command/flags.ts";
import { type Parsed, parseCommand } from "../command/parse.ts";
import { namesJson, usageHint } from "../command/route.ts";
import { codeOf, pluginExits } from "../failure/exit-codes.ts";
import { withHint as addHint, Failure, UsageError, withUnread } from "../failure/failure.ts";
import { watchWrites } from "../failure/ignored.ts";
import { Interruption } from "../failure/interruption.ts";
import { DryRun } from "../http/debug.ts";
import type { ListSubject } from "../output/list-heading.ts";
import { type Output, openOutput } from "../output/output.ts";
import { openPalettes } from "../output/palette.ts";
import { asFailure, reportFailure, reportUnknown } from "../output/report-failure.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { hasField } from "../shape/select.ts";
import { fieldsOf } from "../shape/shape.ts";
import { lostOutput } from "../system/output-stream.ts";
import type { System } from "../system/system.ts";
import type { BaseContext, CommandTable, PlainContext, RepositoryContext, RunLine, ServerContext } from "./context.ts";
import type { Command } from "./define.ts";
import { showDryRun } from "./dry-run.ts";
import { resultNames } from "./result.ts";

/** A command that was typed. */
export interface Invocation {
  readonly command: Command;
  /** Its name: `pr merge`. */
  readonly words: readonly string[];
  /** The flags and arguments. */
  readonly typed: readonly string[];
}

/** Runs a command and returns the exit code. Nothing is thrown. */
export async function execute(
  { command, words, typed }: Invocation,
  system: System,
  { run, ...commands }: CommandTable & { readonly run: RunLine },
): Promise<number> {
  let parsed: Parsed | undefined;
  let out: Output | undefined;
  let close = () => {};
  try {
    parsed = parseCommand(command, words, typed);
    if (parsed.help) {
      const { showCommandHelp } = await import("./help.ts");
      return showCommandHelp(words, command, system);
    }
    const plain: PlainContext = {
      system,
      commands,
      run,
      options: parsed.options,
      out: await openOut(parsed, command, system),
    };
    out = plain.out;
    if (parsed.options.sudo !== undefined) (await import("./sudo.ts")).refuseSudo(command, words, parsed.flags);
    const { args, flags, namedRepo, missing } = parsed;
    let { typed: named } = parsed;
    let chosen: Parsed["args"] = {};
    let context: PlainContext = plain;
    if (command.on !== "nothing") {
      // Loaded only for commands that use a server: it takes half the time of a short command.
      const { openContext } = await import("./open-context.ts");
      const onlyReads = command.effect === "read";
      const journaled = (repo?: RepoName) => {
        return { words, typed, about: aboutOf(named, { ...args, ...chosen }, repo) };
      };
      const opened = openContext(plain, namedRepo, { journaled: onlyReads ? undefined : journaled, onlyReads });
      close = opened.close;
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
    const work = async () => command.run(given);
    const { value: ended, failure: ignored } =
      command.effect === "read" ? { value: await work() } : await watchWrites(work);
    if (ignored !== undefined && ended === undefined) throw ignored;
    const isSent = command.effect !== "read" && ended === undefined && !parsed.options.dryRun;
    if (isSent && typed.join().includes("tongs-kept-"))
      await (await import("../prompts/keep-text.ts")).removeKept(typed);
    const lost = keepsGoing ? await system.stdout.flushed() : undefined;
    if (lost !== undefined && lost.code !== "EPIPE" && (ended === undefined || command.plugin)) throw lostOutput(lost);
    if (mayNotify(words, plain)) {
      close();
      const { showUpdateNotice } = await import("./update-notice.ts");
      const debug = parsed.options.debug ? (line: string) => void system.stderr.write(`${line}\n`) : undefined;
      await showUpdateNotice(system, plain.out.notePalette, debug);
    }
    return codeOf((ended ?? "ok") === "ok" && plain.out.partial ? "partly" : (ended ?? "ok"));
  } catch (error) {
    // Before the failure is printed, so that it is the last thing said.
    close();
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
  } finally {
    close();
  }
}

/** What a command is about: the repository and the arguments; of several, the first one and how many others there are. */
function aboutOf(typed: Parsed["typed"], args: Parsed["args"], repo: RepoName | undefined): string[] {
  const named = Object.entries(typed).map(([key, word]) => {
    const value = args[key];
    return Array.isArray(value) && value.length > 1 ? `${word} (+${value.length - 1})` : word;
  });
  return [...(repo === undefined ? [] : [fullName(repo)]), ...named];
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
