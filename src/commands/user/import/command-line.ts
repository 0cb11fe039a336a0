import { closeSync, existsSync, readSync } from "node:fs";
import { UsageError } from "../../../failure/failure.ts";
import { commandOn, type Server } from "../../../profiles/server.ts";
import { followLinks, fullPath } from "../../../system/files.ts";
import { openBeside } from "../../../system/open-beside.ts";
import type { System } from "../../../system/system.ts";
import { quoted } from "../../../text/words.ts";
import type { OnExisting } from "./outcome.ts";
import type { ImportFormat } from "./rows.ts";

/** The arguments of an import that its journal keeps: paths and options, no secrets. Paths are absolute; `-` is stdin. */
export interface KeptCommand {
  readonly input: string;
  readonly format: ImportFormat;
  readonly on_existing: OnExisting;
  readonly generate_passwords?: string | undefined;
  readonly jobs?: number | undefined;
}

/** The flags of `tongs user import` as they were typed. */
export interface TypedFlags {
  readonly format: ImportFormat | undefined;
  readonly onExisting: OnExisting | undefined;
  readonly generatePasswords: string | undefined;
  readonly jobs: number | undefined;
  readonly journal: string | undefined;
  readonly resume: boolean;
}

/** What an import works with: the typed arguments, completed from the journal with `--resume`. */
export interface ImportCommand {
  readonly input: string;
  readonly format: ImportFormat;
  readonly onExisting: OnExisting;
  readonly generatePasswords: string | undefined;
  readonly jobs: number | undefined;
  readonly journal: string;
  /** The file that failed rows are written to. */
  readonly failed: string;
  /** Whether the journal is in the current folder because the input (stdin or a pipe) has no folder. */
  readonly journalInCwd: boolean;
  readonly resume: boolean;
  /** What the journal keeps. */
  readonly kept: KeptCommand;
  /** The whole command that continues the import. */
  readonly continuing: string;
}

/**
 * The arguments of an import of `typed`, a path or `-`. With `--resume`, what is not given comes from the journal; journals
 * of older versions keep nothing. Throws a usage error for missing or contradicting arguments.
 */
export function importCommand(
  typed: string | undefined,
  flags: TypedFlags,
  { system, server }: { readonly system: System; readonly server: Server },
): ImportCommand {
  const named = flags.journal === undefined ? undefined : followLinks(flags.journal);
  const journal = named ?? defaultJournal(typed, flags.resume, system);
  const first = flags.resume ? readKept(journal) : undefined;
  const input = typed ?? first?.input;
  if (input === undefined) throw missingFile(journal, flags.resume);
  const { generatePasswords = first?.generate_passwords } = flags;
  const other = first?.generate_passwords;
  if (other !== undefined && generatePasswords !== undefined && fullPath(generatePasswords, system) !== other) {
    const hint = "Omit --generate-passwords to continue with that file.";
    throw new UsageError(`The import was started with --generate-passwords ${other}`, hint);
  }
  const format = flags.format ?? first?.format ?? formatFromName(input);
  const { onExisting = first?.on_existing ?? "fail", jobs = first?.jobs } = flags;
  const absolute = (path: string) => fullPath(path, system);
  const kept: KeptCommand = {
    input: input === "-" ? input : absolute(input),
    format,
    on_existing: onExisting,
    ...(generatePasswords === undefined ? {} : { generate_passwords: absolute(generatePasswords) }),
    ...(jobs === undefined ? {} : { jobs }),
  };
  return {
    input,
    format,
    onExisting,
    generatePasswords,
    jobs,
    journal,
    resume: flags.resume,
    kept,
    failed: `${isStream(input) ? (flags.journal ?? absolute("stdin")) : input}.failed`,
    journalInCwd: isStream(input) && flags.journal === undefined,
    continuing: continuing({ input, journal, server, kept: flags.resume && first === undefined ? kept : undefined }),
  };
}

/** Whether an input can be read only once: stdin or a device. */
function isStream(input: string): boolean {
  return input === "-" || /^\/(dev|proc)\//.test(input);
}

function defaultJournal(typed: string | undefined, resume: boolean, system: System): string {
  if (typed === undefined) throw missingFile(undefined, resume);
  if (!isStream(typed)) return `${typed}.journal`;
  if (resume) throw new UsageError("--resume requires --journal when reading from stdin");
  return fullPath("stdin.journal", system);
}

function missingFile(journal: string | undefined, resume: boolean): UsageError {
  if (journal === undefined || !resume) return new UsageError("Missing argument FILE (file to import)");
  if (!existsSync(journal)) return new UsageError(`Journal ${journal} not found`);
  const hint = `Pass the file: tongs user import FILE --resume --journal ${quoted(journal)}`;
  return new UsageError(`${journal} does not name the file of its import`, hint);
}

/** The command that continues an import. `kept` are arguments to repeat because the journal does not have them. */
function continuing(about: {
  readonly input: string;
  readonly journal: string;
  readonly server: Server;
  readonly kept: KeptCommand | undefined;
}): string {
  const { input, journal, server, kept } = about;
  const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [name, quoted(value)]);
  const words = [
    ...["tongs", "user", "import", quoted(input), "--resume"],
    ...flag("--journal", journal === `${input}.journal` ? undefined : journal),
    ...flag("--format", kept?.format),
    ...flag("--on-existing", kept?.on_existing),
    ...flag("--generate-passwords", kept?.generate_passwords),
  ];
  return `${commandOn(server, words.join(" "))}${isStream(input) ? " < FILE" : ""}`;
}

/** The longest first line of a journal that is read, in bytes. */
const maxHeader = 64 * 1024;

/** The arguments in the first line of a journal; undefined if it has none. Other problems are found when it is opened. */
function readKept(journal: string): KeptCommand | undefined {
  if (!existsSync(journal)) return undefined;
  const file = openBeside(journal, "r");
  try {
    const bytes = Buffer.alloc(maxHeader);
    const [line, ...rest] = bytes.subarray(0, readSync(file, bytes)).toString("utf8").split("\n");
    if (rest.length === 0) return undefined;
    const { command } = JSON.parse(line ?? "") as { readonly command?: Partial<KeptCommand> };
    return command === undefined ? undefined : checkKept(command);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

function checkKept(command: Partial<Record<keyof KeptCommand, unknown>>): KeptCommand | undefined {
  const { input, format, on_existing, generate_passwords: passwords, jobs } = command;
  if (typeof input !== "string" || (format !== "csv" && format !== "jsonl")) return undefined;
  if (on_existing !== "skip" && on_existing !== "update" && on_existing !== "fail") return undefined;
  return {
    input,
    format,
    on_existing,
    ...(typeof passwords === "string" ? { generate_passwords: passwords } : {}),
    ...(typeof jobs === "number" ? { jobs } : {}),
  };
}

/** The format of a file by its extension; `FILE.failed` has the format of `FILE`. */
function formatFromName(input: string): ImportFormat {
  if (/\.(jsonl|ndjson)(\.failed)*$/i.test(input)) return "jsonl";
  if (/\.(csv|txt)(\.failed)*$/i.test(input)) return "csv";
  throw new UsageError(
    `Cannot tell the format of ${input === "-" ? "stdin" : input}`,
    "Pass --format csv or --format jsonl.",
  );
}
