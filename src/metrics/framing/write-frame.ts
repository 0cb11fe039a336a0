import type { Framing } from "./framing.ts";

/** The bytes that go before a message of `length` bytes: varint length, or a gRPC frame and the request around it. */
export function frameHead(framing: Framing, length: number): Uint8Array {
  if (framing === "raw") return new Uint8Array();
  if (framing === "delimited") return Uint8Array.from(varint(length));
  const request = [0x0a, ...varint(length)];
  const size = request.length + length;
  return Uint8Array.from([0, size >>> 24, (size >>> 16) & 0xff, (size >>> 8) & 0xff, size & 0xff, ...request]);
}

function varint(number: number): number[] {
  const bytes: number[] = [];
  for (; number > 0x7f; number >>>= 7) bytes.push((number & 0x7f) | 0x80);
  return [...bytes, number];
}
