import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { diskFailure } from "../../../failure/disk.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { type Lock, lock } from "../../../system/lock.ts";
import type { InputStream, System } from "../../../system/system.ts";
import type { ImportFormat } from "./rows.ts";

/** The files next to the file of an import. */
export interface ImportFiles {
  readonly format: ImportFormat;
  readonly journal: string;
  /** The file that failed rows are written to. */
  readonly failed: string;
  /** The flags that resume the import. */
  readonly resumeFlags: string;
  /** Whether the journal is in the current folder because the input (stdin or a pipe) has no folder. */
  readonly journalInCwd: boolean;
}

/** A file that can be read more than once. */
export interface Source {
  readonly path: string;
  readonly format: ImportFormat;
  remove(): void;
}

/**
 * The format and the files of an import of `input`, a path or `-`. Reads nothing. Throws a usage error if the format is
 * not known, or if the journal to resume from is not given.
 */
export function importFiles(
  input: string,
  flags: {
    readonly format: ImportFormat | undefined;
    readonly journal: string | undefined;
    readonly resume: boolean;
  },
  system: System,
): ImportFiles {
  const format = flags.format ?? formatFromName(input);
  if (input !== "-" && !/^\/(dev|proc)\//.test(input)) {
    const journal = flags.journal ?? `${input}.journal`;
    const resumeFlags = flags.journal === undefined ? "--resume" : `--resume --journal ${journal}`;
    return { format, journal, failed: `${input}.failed`, resumeFlags, journalInCwd: false };
  }
  if (flags.resume && flags.journal === undefined) {
    throw new UsageError("--resume requires --journal when reading from stdin");
  }
  const journal = flags.journal ?? join(system.cwd, "stdin.journal");
  const failed = `${flags.journal ?? join(system.cwd, "stdin")}.failed`;
  const resumeFlags = `--resume --journal ${journal}`;
  return { format, journal, failed, resumeFlags, journalInCwd: flags.journal === undefined };
}

/**
 * Opens the input of an import. Stdin and pipes can be read only once, so they are copied to a file with mode 0600:
 * next to the `journal`, or in a private temporary folder without one. `resume` replaces an earlier copy.
 */
export async function openSource(
  input: string,
  format: ImportFormat,
  {
    system,
    journal,
    resume,
  }: { readonly system: System; readonly journal: string | undefined; readonly resume: boolean },
): Promise<Source> {
  if (input !== "-" && isRegular(input)) return { path: input, format, remove() {} };
  const folder = journal === undefined ? mkdtempSync(join(tmpdir(), "tongs-import-")) : undefined;
  const path = folder === undefined ? `${journal}.rows` : join(folder, "rows");
  const remove = () => rmSync(folder ?? path, { recursive: folder !== undefined, force: true });
  if (resume && isRegular(path)) rmSync(path, { force: true });
  const copy = createCopy(path);
  try {
    await copyInput(input, path, copy, system);
  } catch (error) {
    remove();
    throw diskFailure(error, path) ?? error;
  }
  return { path, format, remove };
}

/** Whether a file can be read more than once. A missing file counts as regular: reading it fails later. */
function isRegular(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isFile() || found.isDirectory();
}

function createCopy(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw diskFailure(error, path) ?? error;
    const hint = "Remove it if it was left by an interrupted import; otherwise pass another --journal.";
    throw new UsageError(`${path} already exists`, hint);
  }
}

async function copyInput(path: string, copyPath: string, copy: number, system: System): Promise<void> {
  const { pipeline } = await import("node:stream/promises");
  const { signal } = system;
  // Opening a FIFO without a writer blocks a thread; opening it for writing unblocks that.
  const unblock = () => closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  const isStdin = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(path);
  const input: InputStream = isStdin ? system.stdin : createReadStream(path);
  const isFifo = !isStdin && statSync(path).isFIFO();
  if (isFifo) {
    const opened = () => signal.removeEventListener("abort", unblock);
    input.once("open", opened).once("error", opened);
    signal.addEventListener("abort", unblock, { once: true });
  }
  await pipeline(input, createWriteStream(copyPath, { fd: copy }), { signal });
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

/**
 * Locks files, by their real paths, until this process ends or releases them. Throws a `Failure` if another import has
 * locked one of them.
 */
export async function lockFiles(paths: readonly string[]): Promise<Lock> {
  const locks: Lock[] = [];
  const release = () => {
    for (const one of locks) one.release();
  };
  for (const [real, path] of new Map(paths.map((one) => [realPath(one), one]))) {
    const one = await lock(`user import ${real}`);
    if (one === undefined) {
      release();
      const hint = "Wait until it has finished. If it was suspended with Ctrl-Z, continue it with: fg";
      throw new Failure("in_use", "failure", `Another import is using ${path}`, { hint });
    }
    locks.push(one);
  }
  return { release };
}

/** The path without symbolic links. The file may not exist yet. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}
