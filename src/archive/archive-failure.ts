import { diskFailure } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import { safeLine } from "../text/safe.ts";

/** The file is not a readable zip archive, or its content does not match its directory. */
export class DamagedArchive extends Failure {
  override readonly name = "DamagedArchive";
  constructor(message: string) {
    super("damaged_archive", message, {
      hint: "Download it again. If it is still damaged, rerun the workflow.",
    });
  }
}

/** The archive is intact, but unpacking it could do harm, or is not supported. */
export class UnsafeArchive extends Failure {
  override readonly name = "UnsafeArchive";
  constructor(message: string, hint = "Nothing was unpacked. Pass --zip to keep the archive without unpacking it.") {
    super("unsafe_archive", message, { hint });
  }
}

/** A name from the server or an archive, safe to print on one line: control characters are shown as pictures. */
export function displayName(name: string): string {
  return safeLine(name.replace(/[\t\n\r]/g, (one) => String.fromCharCode(0x2400 + one.charCodeAt(0))));
}

/** A name from an archive, quoted and shortened for a message. */
export function quoted(name: string): string {
  const shown = displayName(name.slice(0, 200));
  return `'${shown.length > 120 ? `${shown.slice(0, 117)}…` : shown}'`;
}

/**
 * Turns a file system error into a `Failure` that names the path in the archive, shortened, instead of the path on disk.
 * Returns any other error unchanged.
 */
export function withPath(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof Failure || !("code" in error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const bare = Object.assign(new Error(error.message), { code, syscall });
  const message = `Cannot write ${quoted(path)} (${code})`;
  return diskFailure(bare, quoted(path)) ?? new Failure("disk", message, { cause: error });
}

/** The first five of a list of names, and how many more there are. */
export function firstFew(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${names.slice(0, 5).join(", ")}${more}`;
}

/** The failure for an archive with more than `max` files and folders. */
export function tooManyEntries(max: number, hint?: string): UnsafeArchive {
  return new UnsafeArchive(`The archive has more than ${max} files and directories`, hint);
}
