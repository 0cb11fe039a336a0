import { varint } from "../wire/fields.ts";

/** How messages are framed in a file: preceded by varint lengths, a single bare message, or gRPC frames. */
export type Framing = "delimited" | "raw" | "grpc";

/** A framing, and whether each message is a request or response that wraps a reading. */
export interface Layout {
  readonly framing: Framing;
  readonly wrapped: boolean;
}

/** The maximum size of a message in bytes: four times the default limit of gRPC, thousands of times a usual reading. */
export const maxMessageSize = 16 * 1024 * 1024;

/** The layout for a framing that was given rather than detected. */
export function layoutOf(framing: Framing): Layout {
  return { framing, wrapped: framing === "grpc" };
}

/** The next frame in a stream of messages. Indexes refer to the buffer that was read. */
export type Frame =
  /** A complete message; `compressed` if its gRPC flag says so. */
  | {
      readonly kind: "message";
      readonly start: number;
      readonly end: number;
      readonly next: number;
      readonly compressed: boolean;
    }
  /** The buffer ends inside the frame, which has at least `needed` bytes. */
  | { readonly kind: "incomplete"; readonly needed: number }
  /** Not a valid frame; the start of the next one is unknown. */
  | { readonly kind: "fault"; readonly message: string };

const lengthCap = 2 ** 40;

/** Reads the varint-delimited message at `at`. */
export function readDelimited(bytes: Uint8Array, at: number, end: number): Frame {
  let length = 0;
  let scale = 1;
  for (let next = at; next < end; next += 1) {
    const byte = bytes[next] ?? 0;
    if (next - at === 10 || (next - at === 9 && byte > 0x7f)) {
      return { kind: "fault", message: "the message length has more than ten bytes" };
    }
    // Far above the maximum size, so the exact number does not matter.
    length = Math.min(length + (byte & 0x7f) * scale, lengthCap);
    scale *= 128;
    if (byte < 0x80) return framed(next + 1, length, end, at, false);
  }
  return { kind: "incomplete", needed: end - at + 1 };
}

/** Reads the gRPC frame at `at`: a flag byte, a four-byte length, the message. */
export function readGrpc(bytes: Uint8Array, at: number, end: number): Frame {
  const flag = bytes[at] ?? 0;
  if (at < end && flag > 1) {
    return { kind: "fault", message: `the flag byte of a gRPC frame must be 0 or 1, not ${flag}` };
  }
  if (end - at < 5) return { kind: "incomplete", needed: 5 };
  const length = [1, 2, 3, 4].reduce((sum, index) => sum * 256 + (bytes[at + index] ?? 0), 0);
  return framed(at + 5, length, end, at, flag === 1);
}

function framed(start: number, length: number, end: number, at: number, compressed: boolean): Frame {
  if (length > maxMessageSize) {
    const size = length === lengthCap ? "1 TiB or more" : `${length} bytes`;
    return { kind: "fault", message: `the message length, ${size}, exceeds the limit of ${maxMessageSize} bytes` };
  }
  if (length > end - start) return { kind: "incomplete", needed: start - at + length };
  return { kind: "message", start, end: start + length, next: start + length, compressed };
}

/** The bytes that precede a message of `length` bytes: its varint length, or a gRPC header and the start of a request. */
export function frameHead(framing: Framing, length: number): Uint8Array {
  if (framing === "raw") return new Uint8Array();
  if (framing === "delimited") return Uint8Array.from(varint(length));
  const request = varint(length, [0x0a]);
  const size = request.length + length;
  return Uint8Array.from([0, size >>> 24, (size >>> 16) & 0xff, (size >>> 8) & 0xff, size & 0xff, ...request]);
}
