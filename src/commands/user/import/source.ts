import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { diskFailure, reasonOf } from "../../../failure/disk.ts";
import { UsageError } from "../../../failure/failure.ts";
import { tempFolder } from "../../../system/base-folders.ts";
import { largestNamed, limitedPieces, openPipe, tooLarge } from "../../../system/read-limited.ts";
import type { System } from "../../../system/system.ts";
import type { ImportFormat } from "./rows.ts";

/** The input of an import, as a file. */
export interface Source {
  readonly path: string;
  readonly format: ImportFormat;
  readonly remove: () => void;
}

/**
 * Opens the input of an import. Stdin and pipes are copied to a private temporary file with mode 0600. Throws a usage error
 * for what cannot be read, or is too large.
 */
export async function openSource(input: string, format: ImportFormat, system: System): Promise<Source> {
  const found = input === "-" ? undefined : statSync(input, { throwIfNoEntry: false });
  if (found !== undefined && found.size > largestNamed) throw unreadable(input, tooLarge(largestNamed));
  // Reading what does not exist fails later.
  if (input !== "-" && (found === undefined || found.isFile() || found.isDirectory()))
    return { path: input, format, remove() {} };
  const folder = mkdtempSync(join(tempFolder(), "tongs-import-"));
  const path = join(folder, "rows");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await copyInput(input, path, system);
  } catch (error) {
    remove();
    throw diskFailure(error, path) ?? error;
  }
  return { path, format, remove };
}

/** The format of a file by its extension. */
export function formatOf(input: string): ImportFormat {
  if (/\.(jsonl|ndjson)$/i.test(input)) return "jsonl";
  if (/\.(csv|txt)$/i.test(input)) return "csv";
  const name = input === "-" ? "stdin" : input;
  throw new UsageError(`Cannot tell the format of ${name}`, "Pass --format csv or --format jsonl.");
}

function unreadable(input: string, error: unknown): UsageError {
  return new UsageError(`Could not read ${input === "-" ? "stdin" : input}: ${reasonOf(error)}`);
}

async function copyInput(path: string, copyPath: string, system: System): Promise<void> {
  const { pipeline } = await import("node:stream/promises");
  const { signal } = system;
  const isStdin = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(path);
  const isPipe = !isStdin && statSync(path).isFIFO();
  const input = isStdin ? system.stdin : isPipe ? openPipe(path, signal) : createReadStream(path);
  const pieces = limitedPieces(largestNamed, input, (error) => unreadable(path, error));
  await pipeline(pieces, createWriteStream(copyPath, { flags: "wx", mode: 0o600 }), { signal });
}
