import type { Transform } from "node:stream";
import type * as Zlib from "node:zlib";
import { Failure } from "../../failure/failure.ts";
import { opening, peek, type Source } from "./source.ts";

/** zlib with what Node 20 does not have. */
export type NewerZlib = typeof Zlib & {
  readonly createZstdCompress?: typeof Zlib.createGzip;
  readonly createZstdDecompress?: typeof Zlib.createGunzip;
  readonly zstdCompressSync?: (bytes: Uint8Array) => Uint8Array;
  readonly zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array;
};

const pieceSize = 16 * 1024;

type Decompressor = Transform & Zlib.Zlib;

/** A source that may be closed before its end. */
export interface ClosingSource extends Source {
  readonly close: () => void;
}

/**
 * Decompresses a source that starts like gzip (RFC 1952) or zstd (RFC 8878); passes on any other. Reading throws a
 * `Failure` if the data is damaged, or if this Node has no zstd. All bytes before the damage are read if `again` opens the
 * source once more from its start; otherwise up to 16 KiB are not, because an error discards what zlib made last.
 */
export function decompressed(source: Source, name: string, signal: AbortSignal, again?: () => Source): ClosingSource {
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
    return through(create, whole, (reason) => {
      const isAllRead = format === "gzip" && again !== undefined;
      const hint = isAllRead ? undefined : `Use ${format} -dc FILE | tongs metrics … to read what can be read.`;
      return new Failure("bad_data", `${name}: cannot decompress this ${format} file: ${reason}`, { hint });
    });
  }

  function through(create: () => Decompressor, whole: Source, failed: (reason: string) => Failure): Source {
    const decompression = decompress(create());
    const { chunks } = decompression;
    let taken = 0;
    let [given, isRead] = [0, false];

    async function readMore(): Promise<void> {
      const piece = new Uint8Array(pieceSize);
      const size = await whole.read(piece, 0, pieceSize);
      isRead = size === 0;
      await (isRead ? decompression.end() : decompression.write(piece.subarray(0, size)));
      signal.throwIfAborted();
      if (decompression.error !== undefined && again !== undefined)
        chunks.push(...(await decompressSlowly(create(), again(), { until: taken, given: given + sizeOf(chunks) })));
      taken += size;
    }

    async function read(into: Uint8Array, at: number, room: number): Promise<number> {
      for (;;) {
        const chunk = chunks.shift();
        if (chunk !== undefined) {
          const part = chunk.subarray(0, room);
          into.set(part, at);
          if (part.length < chunk.length) chunks.unshift(chunk.subarray(room));
          given += part.length;
          return part.length;
        }
        if (decompression.error !== undefined) throw failed(decompression.error.message);
        if (isRead || closed) break;
        await readMore();
      }
      // Node's decompressor of zstd ends after the first frame.
      if (decompression.bytesRead() < taken) throw failed("more data follows its end");
      return 0;
    }
    return { read };
  }

  return {
    ...opening(open),
    close: () => {
      closed = true;
    },
  };
}

/** Decompresses pieces. What comes out is in `chunks`, also if a later piece has an error. */
function decompress(stream: Decompressor) {
  const chunks: Uint8Array[] = [];
  let error: Error | undefined;
  let settle = () => {};
  stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  stream.on("error", (thrown) => {
    error = thrown;
    settle();
  });
  // Also before its last piece is taken, if more data follows the end.
  stream.on("end", () => settle());
  const step = (start: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      settle = resolve;
      if (error !== undefined || stream.readableEnded) resolve();
      else start(resolve);
    });
  return {
    chunks,
    get error() {
      return error;
    },
    write: (piece: Uint8Array) => step((done) => stream.write(piece, done)),
    end: () => step(() => stream.end()),
    bytesRead: () => stream.bytesWritten,
  };
}

/** What comes out before an error after the first `given` bytes; from the input's byte `until` on, byte by byte. */
async function decompressSlowly(
  stream: Decompressor,
  source: Source,
  { until, given }: { readonly until: number; readonly given: number },
): Promise<Uint8Array[]> {
  const decompression = decompress(stream);
  const found: Uint8Array[] = [];
  let [taken, skipped, size] = [0, 0, 1];
  for (; size > 0 && decompression.error === undefined; taken += size) {
    const piece = new Uint8Array(taken < until ? Math.min(pieceSize, until - taken) : 1);
    size = await source.read(piece, 0, piece.length);
    if (size > 0) await decompression.write(piece.subarray(0, size));
    for (const chunk of decompression.chunks.splice(0)) {
      const known = Math.min(chunk.length, given - skipped);
      skipped += known;
      if (known < chunk.length) found.push(chunk.subarray(known));
    }
  }
  return found;
}

function sizeOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
