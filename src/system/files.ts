import { existsSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** The path of a file of the package, from `dist` and from `src`. */
export function packageFile(...parts: readonly string[]): string {
  let top = __dirname;
  while (!existsSync(join(top, "package.json")) && top !== dirname(top)) top = dirname(top);
  return join(top, ...parts);
}

declare const TONGS_VERSION: string | undefined;

/** The version of tongs, set by the build. */
export const version: string = typeof TONGS_VERSION === "string" ? TONGS_VERSION : "0.0.0-source";

/**
 * Writes all bytes at the current position of a file descriptor; a single write may be partial. Throws the error of the
 * system: a full disk, for example.
 */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}
