import { encodeFields, type WireField } from "./wire.ts";

/** Sizes around those at which a length needs one more byte. */
export const boundarySizes = [126, 127, 128, 129, 130, 16_382, 16_383, 16_384, 16_385];

/** A reading with each field of the schema and each type of value and metadata. `text(place)` returns its strings. */
export function fullReading(text: (place: string) => Uint8Array): readonly WireField[] {
  return [
    { number: 1, content: [{ number: 1, content: 2n ** 64n - 1n }] },
    { number: 1, content: [{ number: 2, content: { double: 0.1 } }] },
    { number: 1, content: [{ number: 3, content: -5n }] },
    { number: 1, content: [{ number: 4, content: 300n }] },
    { number: 2, content: moment(1_700_000_000n, 250_000_000n) },
    { number: 3, content: moment(10n, 1000n) },
    { number: 4, content: identityPlaces.map((place, index) => ({ number: index + 1, content: text(place) })) },
    { number: 5, content: text("ds_names[0]") },
    { number: 5, content: text("ds_names[1]") },
    metadata(text("key"), { number: 1, content: text("string_value") }),
    metadata(Buffer.from("int64"), { number: 2, content: -300n }),
    metadata(Buffer.from("uint64"), { number: 3, content: 300n }),
    metadata(Buffer.from("double"), { number: 4, content: { double: -0 } }),
    metadata(Buffer.from("bool"), { number: 5, content: 1n }),
  ];
}

const identityPlaces = ["host", "plugin", "plugin_instance", "type", "type_instance"];

/** The strings of `fullReading`. */
export const textPlaces = [...identityPlaces, "ds_names[0]", "ds_names[1]", "key", "string_value"];

function moment(seconds: bigint, nanos: bigint): readonly WireField[] {
  return [
    { number: 1, content: seconds },
    { number: 2, content: nanos },
  ];
}

function metadata(key: Uint8Array, value: WireField): WireField {
  return {
    number: 6,
    content: [
      { number: 1, content: key },
      { number: 2, content: [value] },
    ],
  };
}

/** Generates a valid reading with strings of around 128 and 16,384 bytes and padded varints. */
export function makeReading(random: () => number): Uint8Array {
  const below = (limit: number) => Math.floor(random() * limit);
  const chance = (probability: number) => random() < probability;
  const [odd, none] = [chance(0.2), chance(0.2)];
  const long = chance(0.05) ? boundarySizes : boundarySizes.filter((size) => size < 1000);
  const text = () => {
    const size = chance(0.2) ? (long[below(long.length)] ?? 0) : none && chance(0.2) ? 0 : 1 + below(12);
    return makeText(size, odd ? below : undefined);
  };
  const number = () => BigInt.asUintN(64, BigInt(below(2 ** 32)) << BigInt(below(33)));
  const fields: WireField[] = [];
  for (let count = below(4); count > 0; count -= 1) {
    const kind = 1 + below(4);
    fields.push({ number: 1, content: [{ number: kind, content: kind === 2 ? { double: random() } : number() }] });
  }
  if (chance(0.9)) fields.push({ number: 2, content: moment(BigInt(below(2 ** 32)), BigInt(below(1e9))) });
  if (chance(0.8))
    fields.push({ number: 3, content: moment(BigInt(below(1000)), BigInt(chance(0.5) ? 0 : below(1e9))) });
  if (chance(0.9)) {
    const parts = [1, 2, 3, 4, 5].filter((part) => !none || part % 2 === 0 || chance(0.5));
    fields.push({ number: 4, content: parts.map((part) => ({ number: part, content: text() })) });
  }
  for (let count = below(4); count > 0; count -= 1) fields.push({ number: 5, content: text() });
  for (let count = chance(0.5) ? 0 : below(4); count > 0; count -= 1) {
    const kind = chance(0.6) ? 1 : 2 + below(4);
    const content = kind === 1 ? text() : kind === 4 ? { double: random() } : kind === 5 ? BigInt(below(2)) : number();
    fields.push(metadata(text(), { number: kind, content }));
  }
  const padded = chance(0.5) ? 0 : chance(0.5) ? 0.05 : 0.5;
  return encodeFields(fields, () => (chance(padded) ? 1 + below(chance(0.9) ? 2 : 9) : 0));
}

/** Letters and, if `below` is given, a character that needs escaping or several bytes, or invalid UTF-8. */
function makeText(size: number, below: ((limit: number) => number) | undefined): Uint8Array {
  const bytes = Buffer.alloc(size, "abcdefghijklmnopqrstuvwxyz");
  if (below === undefined || size === 0) return bytes;
  const piece = oddPieces[below(oddPieces.length)] ?? "";
  bytes.write(piece, below(Math.max(1, size - Buffer.byteLength(piece) + 1)));
  // Sometimes a truncated sequence at the end.
  return below(20) === 0 ? Buffer.concat([bytes.subarray(0, -1), Buffer.from([0xc3])]) : bytes;
}

const oddPieces = ['"', "\\", "\n", "\u0000", "\u007f", ",", "ü", "漢", "😀", "\ufffd"];
