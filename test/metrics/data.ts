import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "data", "metrics");

/** The path of a data file. */
export function dataPath(name: string): string {
  return join(folder, name);
}

/** The path of a copy of a data file, in a folder of its own. */
export function dataCopy(name: string): string {
  const copy = join(mkdtempSync(join(tmpdir(), "tongs-data-")), name);
  copyFileSync(dataPath(name), copy);
  return copy;
}

/** The bytes of a data file. */
export function dataBytes(name: string): Buffer {
  return readFileSync(dataPath(name));
}

/** The lines of a data file. */
export function dataLines(name: string): string[] {
  return readFileSync(dataPath(name), "utf8").trimEnd().split("\n");
}

/** One line of edge-cases.ndjson. */
export interface EdgeCase {
  readonly name: string;
  readonly decodes: boolean;
  readonly has_json?: boolean;
  readonly json?: unknown;
  readonly hex: string;
}

/** Constructed raw messages, valid and invalid. */
export function edgeCases(): EdgeCase[] {
  return dataLines("edge-cases.ndjson").map((line) => JSON.parse(line) as EdgeCase);
}

/** One line of edge-cases-framing.ndjson. */
export interface FramingCase {
  readonly name: string;
  readonly framing: "delimited" | "grpc";
  readonly messages: readonly unknown[];
  readonly end: "ok" | "truncated" | "bad-length" | "bad-frame" | "bad-message";
  readonly hex: string;
}

/** Constructed streams. */
export function framingCases(): FramingCase[] {
  return dataLines("edge-cases-framing.ndjson").map((line) => JSON.parse(line) as FramingCase);
}

/** The messages of a varint-delimited file. */
export function delimitedMessages(bytes: Uint8Array): Uint8Array[] {
  const messages: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      length += (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    messages.push(bytes.subarray(at, at + length));
    at += length;
  }
  return messages;
}

/** The messages of a recording of uncompressed gRPC frames. */
export function grpcMessages(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 5 + bytes.readUInt32BE(at + 1)) {
    messages.push(bytes.subarray(at + 5, at + 5 + bytes.readUInt32BE(at + 1)));
  }
  return messages;
}
