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
import { basename, dirname, join } from "node:path";
import { diskFailure, hasCode } from "../../../failure/disk.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { tempFolder } from "../../../system/base-folders.ts";
import { type Lock, lock } from "../../../system/lock.ts";
import type { InputStream, System } from "../../../system/system.ts";
import type { ImportFormat } from "./rows.ts";

/** A file that can be read more than once. */
export interface Source {
  readonly path: string;
  readonly format: ImportFormat;
  remove(): void;
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
  const folder = journal === undefined ? mkdtempSync(join(tempFolder(), "tongs-import-")) : undefined;
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

/**
 * Throws a usage error for a path of something that is not a regular file. Journals and password files are read, truncated
 * and appended to: a pipe would wait for ever, and a device such as /dev/full keeps nothing.
 */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? "is a directory" : "is not a regular file";
  throw new UsageError(`${path} ${what}`, "Pass the path of a file to --journal and --generate-passwords.");
}

function createCopy(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw diskFailure(error, path) ?? error;
    const hint = "Remove it if it was left by an interrupted import; otherwise pass another --journal.";
    throw new Failure("exists", `${path} already exists`, { hint });
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

/**
 * Locks files, by their real paths, until this process ends or releases them. Throws a `Failure` if another import, or
 * what else `noun` says, has locked one of them.
 */
export async function lockFiles(paths: readonly string[], noun = "import"): Promise<Lock> {
  const locks: Lock[] = [];
  const release = () => {
    for (const one of locks) one.release();
  };
  for (const [real, path] of new Map(paths.map((one) => [realPath(one), one]))) {
    const one = await lock(`user import ${real}`);
    if (one === undefined) {
      release();
      const hint = "Wait until it has finished. If it was suspended with Ctrl-Z, continue it with: fg";
      throw new Failure("in_use", `Another ${noun} is using ${path}`, { hint });
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
