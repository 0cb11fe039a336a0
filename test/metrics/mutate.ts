import { readField } from "../../src/metrics/wire/fields.ts";

/** Bytes with a meaning in messages: tags, lengths, ends of varints, starts of UTF-8 sequences. */
const interestingBytes = [
  0x00, 0x01, 0x02, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x10, 0x11, 0x12, 0x18, 0x1a, 0x20, 0x22, 0x28, 0x2a, 0x32,
  0x3a, 0x7f, 0x80, 0x81, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xf8, 0xfe, 0xff, 0x22, 0x5c, 0x1f,
];

const unknownFields = ["980607", "9a0602fffe", "7b08021201787c", "9d0607000000", "2001", "0801", "15000000ff", "1b1c"];

/** A message with fields dropped, repeated, moved, taken from another message, or unknown. */
export function rearrange(message: Uint8Array, other: Uint8Array, random: () => number): Uint8Array {
  const below = (limit: number) => Math.floor(random() * limit);
  const fields = fieldsIn(message);
  const more = fieldsIn(other);
  for (let change = 1 + below(3); change > 0; change -= 1) {
    const at = below(fields.length + 1);
    const [one] = fields.slice(at, at + 1);
    const kind = below(6);
    if (kind === 0) fields.splice(at, 1);
    else if (kind === 1 && one !== undefined) fields.splice(below(fields.length), 0, one);
    else if (kind === 2 && one !== undefined) fields.splice(below(fields.length), 0, ...fields.splice(at, 1));
    else if (kind === 3) fields.splice(at, 0, Buffer.from(unknownFields[below(unknownFields.length)] ?? "", "hex"));
    else if (kind === 4 && one !== undefined && one.length > 2 && (one[1] ?? 0) === one.length - 2) {
      // Rearrange a submessage, and adjust its length.
      const inner = rearrange(one.subarray(2), one.subarray(2), random);
      if (inner.length < 0x80) fields[at] = Buffer.concat([Uint8Array.from([one[0] ?? 0, inner.length]), inner]);
    } else fields.splice(at, 0, ...more.slice(below(more.length + 1)).slice(0, 1 + below(3)));
  }
  return Buffer.concat(fields).subarray(0, 4000);
}

function fieldsIn(message: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  try {
    for (let at = 0; at < message.length; at = readField(message, at, message.length).end) {
      fields.push(message.subarray(at, readField(message, at, message.length).end));
    }
  } catch {
    // Ignore the rest of an invalid message.
  }
  return fields;
}

/** A message with one to four changes: bytes set, flipped, inserted, removed, repeated, or copied from another one. */
export function mutate(message: Uint8Array, other: Uint8Array, random: () => number): Uint8Array {
  const below = (limit: number) => Math.floor(random() * limit);
  const byte = () => (random() < 0.7 ? (interestingBytes[below(interestingBytes.length)] ?? 0) : below(256));
  let bytes = Buffer.from(message);
  for (let change = random() < 0.6 ? 1 : 2 + below(3); change > 0; change -= 1) {
    const at = below(bytes.length + 1);
    const length = Math.min(bytes.length - at, 1 + below(random() < 0.8 ? 4 : 40));
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)];
    switch (below(8)) {
      case 0:
        bytes = Buffer.concat([before, part.map((old) => old ^ (1 << below(8))), after]);
        break;
      case 1:
      case 2:
        bytes = Buffer.concat([before, part.map(byte), after]);
        break;
      case 3:
        bytes = Buffer.concat([before, Buffer.from(Array.from({ length: 1 + below(12) }, byte)), part, after]);
        break;
      case 4:
        bytes = Buffer.concat([before, after]);
        break;
      case 5:
        bytes = Buffer.concat([before, part, part, after]);
        break;
      case 6: {
        const from = below(other.length);
        bytes = Buffer.concat([before, other.subarray(from, from + 1 + below(other.length - from)), after]);
        break;
      }
      default:
        bytes = random() < 0.3 ? Buffer.from(before) : Buffer.concat([bytes, other]);
    }
  }
  return bytes.subarray(0, 4000);
}
