import { commandHelp, usageHint } from "../command/help.ts";
import { type Parsed, parseCommand } from "../command/parse.ts";
import { exitCodes } from "../failure/exit-codes.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import { DryRun } from "../http/debug.ts";
import { type Output, openOutput } from "../output/output.ts";
import { openPalettes } from "../output/palette.ts";
import { asFailure, reportFailure } from "../output/report-failure.ts";
import { fieldsOf } from "../shape/shape.ts";
import type { System } from "../system/system.ts";
import type { CommandTable, PlainContext } from "./context.ts";
import type { Command } from "./define.ts";
import { showDryRun } from "./dry-run.ts";
import { namesJson, showHelp } from "./help.ts";

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
  commands: CommandTable,
): Promise<number> {
  let parsed: Parsed | undefined;
  let close = () => {};
  try {
    parsed = parseCommand(command, words, typed);
    if (parsed.help) {
      await showHelp(commandHelp(words, command), system);
      return 0;
    }
    const plain: PlainContext = {
      system,
      commands,
      options: parsed.options,
      out: await openOut(parsed, command, system),
    };
    const { args, flags, namedRepo } = parsed;
    let context: PlainContext = plain;
    if (command.on !== "nothing") {
      // Loaded only for commands that use a server: it takes half the time of a short command.
      const { openContext } = await import("./open-context.ts");
      const opened = openContext(plain, namedRepo);
      close = opened.close;
      context = await opened.on(command.on);
    }
    const ended = await command.run({ ...context, args, flags } as never);
    return exitCodes[ended ?? "ok"].code;
  } catch (error) {
    if (error instanceof DryRun) {
      await showDryRun(error, system, isJson(parsed, typed));
      return 0;
    }
    const failure =
      system.signal.aborted && system.signal.reason instanceof Failure ? system.signal.reason : asFailure(error);
    const color = parsed?.options.color;
    await reportFailure(withHint(failure, words), system, { json: isJson(parsed, typed), color });
    return exitCodes[failure.exit].code;
  } finally {
    close();
  }
}

async function openOut({ options, fields }: Parsed, command: Command, system: System): Promise<Output> {
  const palettes = await openPalettes(system, options.color);
  return openOutput({
    ...{ system, format: formatOf(options), palettes, fields, jq: options.jq, quiet: options.quiet },
    limit: options.all ? Number.POSITIVE_INFINITY : (options.limit ?? 30),
    csvFields: command.output === undefined ? [] : Object.keys(fieldsOf(command.output)),
  });
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

/** Whether errors are printed as JSON; when the command line could not be parsed, its words decide. */
function isJson(parsed: Parsed | undefined, typed: readonly string[]): boolean {
  return parsed === undefined ? namesJson(typed) : ["json", "jsonl", "jq"].includes(formatOf(parsed.options));
}
