import { diskFailure } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import { safeLine } from "../text/safe.ts";

/** The archive cannot be read, or what is in it is not what it says: bytes were lost or changed on the way. */
export class DamagedArchive extends Failure {
  override readonly name = "DamagedArchive";
  constructor(message: string) {
    super("damaged_archive", "failure", message, { hint: "Download it again, or let the workflow make it again." });
  }
}

/** The archive is whole, but unpacking it would do harm, or needs what tongs does not have. */
export class UnsafeArchive extends Failure {
  override readonly name = "UnsafeArchive";
  constructor(message: string, hint = "Nothing was unpacked; --zip keeps the archive as it is.") {
    super("unsafe_archive", "failure", message, { hint });
  }
}

/** A name from elsewhere on one line: control characters, line ends among them, are shown as pictures. */
export function shownName(name: string): string {
  return safeLine(name.replace(/[\t\n\r]/g, (one) => String.fromCharCode(0x2400 + one.charCodeAt(0))));
}

/** A name from an archive in quotes, short enough and harmless for a message. */
export function quoted(name: string): string {
  const shown = shownName(name.slice(0, 200));
  return `'${shown.length > 120 ? `${shown.slice(0, 117)}…` : shown}'`;
}

/** An error of the file system with the path as the archive has it, cut where it is long; any other as it is. */
export function atPath(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof Failure || !("code" in error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const bare = Object.assign(new Error(error.message), { code, syscall });
  const message = `Cannot write ${quoted(path)} (${code})`;
  return diskFailure(bare, quoted(path)) ?? new Failure("disk", "failure", message, { cause: error });
}

/** The first few of many names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${names.slice(0, 5).join(", ")}${more}`;
}

/** Files and folders are counted alike. */
export function tooMany(most: number, hint?: string): UnsafeArchive {
  return new UnsafeArchive(`The archive has more than ${most} files and folders`, hint);
}
