import { createReadStream, createWriteStream, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../../failure/failure.ts";
import { removeScratch, scratchPath } from "../scratch.ts";
import type { NewerZlib } from "../stream/decompress.ts";
import type { Conversion } from "./converter.ts";
import { type Compression, compressions } from "./rotation.ts";

/** A conversion that replaces a recording by a compressed file. Throws a usage error if this Node has no zstd. */
export async function compressing(format: Compression): Promise<Conversion> {
  const zlib: NewerZlib = await import("node:zlib");
  const create = format === "gzip" ? zlib.createGzip : zlib.createZstdCompress;
  if (create === undefined) {
    const hint = "Use --compress gzip, or Node 22.15 or newer.";
    throw new UsageError(`Node ${process.versions.node} has no zstd`, hint);
  }
  return {
    targetOf: (recording) => `${recording}${compressions[format]}`,
    convert: async ({ recording, target, signal }) => {
      removeScratch(target);
      const scratch = scratchPath(target);
      try {
        // It is on the disk before the recording is removed.
        const file = createWriteStream(scratch, { flags: "wx", flush: true });
        await pipeline(createReadStream(recording), create(), file, { signal });
        renameSync(scratch, target);
        // It may have been removed meanwhile as one of the oldest.
        rmSync(recording, { force: true });
      } catch (error) {
        rmSync(scratch, { force: true });
        throw error;
      }
    },
  };
}
