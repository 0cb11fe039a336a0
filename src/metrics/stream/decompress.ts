import { pipeline, Readable, type Transform } from "node:stream";
import type * as Zlib from "node:zlib";
import { Failure } from "../../failure/failure.ts";
import { peek, type Source, streamSource } from "./source.ts";

/** zlib with what Node 20 does not have. */
export type NewerZlib = typeof Zlib & {
  readonly createZstdCompress?: typeof Zlib.createGzip;
  readonly createZstdDecompress?: typeof Zlib.createGunzip;
};

const chunkSize = 64 * 1024;

/** A source that may be closed before its end. */
export interface ClosingSource extends Source {
  readonly close: () => void;
}

/**
 * Decompresses a source that starts like gzip (RFC 1952) or zstd (RFC 8878); passes on any other. Reading throws a
 * `Failure` if the data is damaged, or if this Node has no zstd. Up to 32 KiB before damage are not read, because an error
 * discards what a stream holds.
 */
export function decompressed(source: Source, name: string, signal: AbortSignal): ClosingSource {
  let opened: Source | undefined;
  let closed = false;

  async function open(): Promise<Source> {
    const { head, whole } = await peek(source, 4);
    const start = Buffer.from(head).toString("hex");
    const format = start.startsWith("1f8b08") ? "gzip" : start === "28b52ffd" ? "zstd" : undefined;
    if (format === undefined) return whole;
    const zlib: NewerZlib = await import("node:zlib");
    const create = format === "gzip" ? zlib.createGunzip : zlib.createZstdDecompress;
    if (create === undefined) {
      const hint = "Use zstd -dc FILE | tongs metrics …, or Node 22.15 or newer.";
      const what = `This is a zstd file, which Node ${process.versions.node} cannot read`;
      throw new Failure("bad_data", `${name}: ${what}`, { hint });
    }
    return through(create(), whole, (reason) => {
      const hint = `Use ${format} -dc FILE | tongs metrics … to read what can be read.`;
      return new Failure("bad_data", `${name}: cannot decompress this ${format} file: ${reason}`, { hint });
    });
  }

  function through(transform: Transform & Zlib.Zlib, whole: Source, failed: (reason: string) => Failure): Source {
    let taken = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      while (!closed) {
        const chunk = new Uint8Array(chunkSize);
        const size = await whole.read(chunk, 0, chunkSize);
        if (size === 0) return;
        taken += size;
        yield chunk.subarray(0, size);
      }
    }
    // Errors come out of the last stream.
    pipeline(Readable.from(chunks()), transform, () => {});
    const plain = streamSource(transform, signal);
    const read = async (into: Uint8Array, at: number, room: number) => {
      try {
        const size = await plain.read(into, at, room);
        // Node's decompressor of zstd ends after the first frame.
        if (size === 0 && transform.bytesWritten < taken) throw failed("more data follows its end");
        return size;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        throw code?.startsWith("Z") ? failed(message) : error;
      }
    };
    return { read };
  }

  async function first(into: Uint8Array, at: number, room: number): Promise<number> {
    opened = await open();
    return opened.read(into, at, room);
  }

  return {
    read: (into, at, room) => (opened ?? { read: first }).read(into, at, room),
    close: () => {
      closed = true;
    },
  };
}
