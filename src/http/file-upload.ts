import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { diskFailure } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import type { RawContent } from "./client.ts";

/** A file to upload. */
export interface FileToUpload {
  readonly path: string;
  /** The size in bytes, as it was looked up before. */
  readonly size: number;
  /** The content, if it is not read from `path`. */
  readonly bytes?: Buffer | undefined;
  /** Receives the bytes that were sent so far. */
  readonly onProgress?: (done: number) => void;
}

/**
 * A form with one file (multipart/form-data), read from disk while it is sent. Throws a failure if the file cannot be
 * read, or if its size changes meanwhile.
 */
export function fileUpload(field: string, file: FileToUpload): RawContent {
  const { path, size } = file;
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  const boundary = `tongs-${randomBytes(16).toString("hex")}`;
  const name = basename(path).replace(/["\r\n]/g, (character) => encodeURIComponent(character));
  const disposition = `Content-Disposition: form-data; name="${field}"; filename="${name}"`;
  const head = Buffer.from(`--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    content: {
      size: head.length + size + tail.length,
      async *read() {
        yield head;
        yield* contentOf(file);
        yield tail;
      },
    },
  };
}

/** The bytes of a file as a body, and their hash. */
export interface FileBytes {
  readonly raw: RawContent;
  /** The SHA-256 in hexadecimal of what was sent by the last attempt. */
  readonly sha256: () => string;
}

/**
 * A file as the whole body, read from disk while it is sent. Throws a failure if the file cannot be read, or if its size
 * changes meanwhile.
 */
export function fileBytes(file: FileToUpload): FileBytes {
  const { createHash } = process.getBuiltinModule("node:crypto");
  let hash = createHash("sha256");
  return {
    raw: {
      type: "application/octet-stream",
      content: {
        size: file.size,
        async *read() {
          hash = createHash("sha256");
          for await (const piece of contentOf(file)) {
            hash.update(piece);
            yield piece;
          }
        },
      },
    },
    sha256: () => hash.copy().digest("hex"),
  };
}

/** The content of a file. Throws if it is not as long as it was. */
async function* contentOf({ path, size, bytes, onProgress }: FileToUpload): AsyncGenerator<Buffer, void, undefined> {
  let done = 0;
  for await (const piece of bytes === undefined ? piecesOf(path) : [bytes]) {
    done += piece.length;
    if (done > size) throw changed(path);
    yield piece;
    onProgress?.(done);
  }
  if (done < size) throw changed(path);
}

async function* piecesOf(path: string): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) yield Buffer.from(piece);
  } catch (error) {
    throw diskFailure(error, path, { tried: "read" }) ?? error;
  }
}

function changed(path: string): Failure {
  return new Failure("changed", `${path} changed while it was uploaded`);
}
