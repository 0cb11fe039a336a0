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

/** A name from an archive in quotes, short enough and harmless for a message. */
export function quoted(name: string): string {
  const shown = safeLine(name);
  return `'${shown.length > 120 ? `${shown.slice(0, 117)}…` : shown}'`;
}

/** The first few of many names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${names.slice(0, 5).join(", ")}${more}`;
}
