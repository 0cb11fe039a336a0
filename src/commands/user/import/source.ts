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
import { type Lock, lock } from "../../../download/lock.ts";
import { diskFailure } from "../../../failure/disk.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import type { InputStream, System } from "../../../system/system.ts";
import type { ImportFormat } from "./rows.ts";

/** The file of an import and the files beside it, by their names. */
export interface Named {
  readonly format: ImportFormat;
  readonly journal: string;
  /** For the rows that fail. */
  readonly failed: string;
  /** The flags that resume the import. */
  readonly again: string;
  /** Whether a journal in the current folder stands in for one beside the file, since stdin has no folder. */
  readonly standsIn: boolean;
}

/** A file that can be read more than once. */
export interface Source {
  readonly path: string;
  readonly format: ImportFormat;
  remove(): void;
}

/**
 * Looks at what was named: a path, or `-`. Nothing is read. Throws a usage error where the format is not known, or the
 * journal of an import to resume.
 */
export function nameSource(
  named: string,
  flags: {
    readonly format: ImportFormat | undefined;
    readonly journal: string | undefined;
    readonly resume: boolean;
  },
  system: System,
): Named {
  const format = flags.format ?? formatOf(named);
  if (named !== "-" && !/^\/(dev|proc)\//.test(named)) {
    const journal = flags.journal ?? `${named}.journal`;
    const again = flags.journal === undefined ? "--resume" : `--resume --journal ${journal}`;
    return { format, journal, failed: `${named}.failed`, again, standsIn: false };
  }
  if (flags.resume && flags.journal === undefined) throw new UsageError("--resume of stdin needs --journal FILE");
  const journal = flags.journal ?? join(system.cwd, "stdin.journal");
  const failed = `${flags.journal ?? join(system.cwd, "stdin")}.failed`;
  return { format, journal, failed, again: `--resume --journal ${journal}`, standsIn: flags.journal === undefined };
}

/**
 * Opens what was named. What is no regular file can be read only once, so its bytes are kept aside, 0600: beside the
 * `journal`, or in a private folder where there is none. An interrupted import's are replaced with `resume`.
 */
export async function openSource(
  named: string,
  format: ImportFormat,
  {
    system,
    journal,
    resume,
  }: { readonly system: System; readonly journal: string | undefined; readonly resume: boolean },
): Promise<Source> {
  if (named !== "-" && isRegular(named)) return { path: named, format, remove() {} };
  const folder = journal === undefined ? mkdtempSync(join(tmpdir(), "tongs-import-")) : undefined;
  const path = folder === undefined ? `${journal}.rows` : join(folder, "rows");
  const remove = () => rmSync(folder ?? path, { recursive: folder !== undefined, force: true });
  if (resume && isRegular(path)) rmSync(path, { force: true });
  const aside = openAside(path);
  try {
    await copy(named, path, aside, system);
  } catch (error) {
    remove();
    throw diskFailure(error, path) ?? error;
  }
  return { path, format, remove };
}

/** Whether a path leads to a file that can be read again; what is not there is found out by reading. */
function isRegular(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isFile() || found.isDirectory();
}

function openAside(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw diskFailure(error, path) ?? error;
    const hint = "If an import that was killed left its rows there, remove it; otherwise name another --journal.";
    throw new UsageError(`${path} exists already`, hint);
  }
}

async function copy(named: string, path: string, aside: number, system: System): Promise<void> {
  const { pipeline } = await import("node:stream/promises");
  const { signal } = system;
  // A FIFO that nobody writes to keeps a thread in open(); a writer of our own lets it go.
  const letGo = () => closeSync(openSync(named, constants.O_WRONLY | constants.O_NONBLOCK));
  const opens = !/^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(named);
  const input: InputStream = opens ? createReadStream(named) : system.stdin;
  const isFifo = opens && statSync(named).isFIFO();
  if (isFifo) {
    const opened = () => signal.removeEventListener("abort", letGo);
    input.once("open", opened).once("error", opened);
    signal.addEventListener("abort", letGo, { once: true });
  }
  await pipeline(input, createWriteStream(path, { fd: aside }), { signal });
}

/** By the name; the rows that failed are in `FILE.failed`. */
function formatOf(named: string): ImportFormat {
  if (/\.(jsonl|ndjson)(\.failed)*$/i.test(named)) return "jsonl";
  if (/\.(csv|txt)(\.failed)*$/i.test(named)) return "csv";
  throw new UsageError(
    `Is ${named === "-" ? "stdin" : named} CSV or JSON lines?`,
    "Say --format csv or --format jsonl.",
  );
}

/**
 * Holds files for this process alone until it ends or releases them, whatever path leads to them. Throws a `Failure`
 * when another import holds one.
 */
export async function holdFiles(paths: readonly string[]): Promise<Lock> {
  const held: Lock[] = [];
  const release = () => {
    for (const one of held) one.release();
  };
  for (const [real, path] of new Map(paths.map((one) => [realPath(one), one]))) {
    const one = await lock(`user import ${real}`);
    if (one === undefined) {
      release();
      const hint = "Wait until it has ended; one that was stopped with Ctrl-Z goes on with: fg";
      throw new Failure("in_use", "failure", `Another import is using ${path}`, { hint });
    }
    held.push(one);
  }
  return { release };
}

/** The path without links, also of a file that does not exist yet. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}
