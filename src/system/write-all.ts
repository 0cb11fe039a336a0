import { writeSync } from "node:fs";

/** Writes all of some bytes to an open file, where it stands; the system may take a part only. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}
