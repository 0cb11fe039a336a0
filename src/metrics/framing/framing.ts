import { varint } from "../wire/fields.ts";

/** How messages lie in a file: one after the other behind varint lengths, one alone, or as gRPC puts them on the wire. */
export type Framing = "delimited" | "raw" | "grpc";

/** A framing, and whether each message is a request or answer with the reading inside. */
export interface Layout {
  readonly framing: Framing;
  readonly wrapped: boolean;
}

/** The longest message that is taken, in bytes: four times what gRPC takes by default, thousands of times a reading. */
export const maxMessageSize = 16 * 1024 * 1024;

/** The layout that a framing means when it is named rather than guessed. */
export function layoutOf(framing: Framing): Layout {
  return { framing, wrapped: framing === "grpc" };
}

/** What comes next in a stream of messages. Indexes are into the buffer that was read. */
export type Frame =
  /** A whole message; `compressed` when gRPC flagged it as compressed. */
  | {
      readonly kind: "message";
      readonly start: number;
      readonly end: number;
      readonly next: number;
      readonly compressed: boolean;
    }
  /** The bytes end inside a message; `needed` is how long the frame is at least. */
  | { readonly kind: "incomplete"; readonly needed: number }
  /** No message can begin here, and where the next begins cannot be known. */
  | { readonly kind: "fault"; readonly message: string };

const lengthCap = 2 ** 40;

/** The varint-delimited message at `at`. */
export function readDelimited(bytes: Uint8Array, at: number, end: number): Frame {
  let length = 0;
  let scale = 1;
  for (let next = at; next < end; next += 1) {
    const byte = bytes[next] ?? 0;
    if (next - at === 10 || (next - at === 9 && byte > 0x7f)) {
      return { kind: "fault", message: "the message length has more than ten bytes" };
    }
    // Beyond any length that is taken, the exact number no longer matters.
    length = Math.min(length + (byte & 0x7f) * scale, lengthCap);
    scale *= 128;
    if (byte < 0x80) return framed(next + 1, length, end, at, false);
  }
  return { kind: "incomplete", needed: end - at + 1 };
}

/** The gRPC frame at `at`: a flag byte, four bytes of length, the message. */
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

/** The bytes that go before a message of `length` bytes: varint length, or a gRPC frame and the request around it. */
export function frameHead(framing: Framing, length: number): Uint8Array {
  if (framing === "raw") return new Uint8Array();
  if (framing === "delimited") return Uint8Array.from(varint(length));
  const request = varint(length, [0x0a]);
  const size = request.length + length;
  return Uint8Array.from([0, size >>> 24, (size >>> 16) & 0xff, (size >>> 8) & 0xff, size & 0xff, ...request]);
}
