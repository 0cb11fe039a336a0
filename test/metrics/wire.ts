/** An encoded field: its number, and a varint, a double, a string or the fields of a submessage. */
export interface WireField {
  readonly number: number;
  readonly content: bigint | Double | Uint8Array | readonly WireField[];
}

/** A double, encoded as eight bytes. */
export interface Double {
  readonly double: number;
}

/** The number of padding bytes for each varint; varints are numbered in their order in the output. */
export type Padding = (index: number) => number;

/** The maximum size of tags and of other varints, including padding. */
const maxVarintSize = { tag: 5, other: 10 } as const;

/** Encodes fields in the given order, with padded varints. */
export function encodeFields(fields: readonly WireField[], padding: Padding = () => 0): Uint8Array {
  let count = 0;
  const next = () => {
    count += 1;
    return padding(count - 1);
  };
  const encode = (some: readonly WireField[]): Buffer => Buffer.concat(some.flatMap(encodeField));
  const encodeField = ({ number, content }: WireField): Buffer[] => {
    const type = typeof content === "bigint" ? 0 : "double" in content ? 1 : 2;
    const tag = varint(BigInt(number * 8 + type), next(), maxVarintSize.tag);
    if (typeof content === "bigint") return [tag, varint(content, next(), maxVarintSize.other)];
    if ("double" in content) {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(content.double);
      return [tag, bytes];
    }
    const lengthPadding = next();
    const bytes = content instanceof Uint8Array ? content : encode(content);
    return [tag, varint(BigInt(bytes.length), lengthPadding, maxVarintSize.other), Buffer.from(bytes)];
  };
  return encode(fields);
}

/** A varint with up to `padding` extra bytes and at most `longest` bytes in total. Negative numbers have ten bytes. */
export function varint(value: bigint, padding = 0, longest: number = maxVarintSize.other): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  for (let left = Math.min(padding, longest - bytes.length); left > 0; left -= 1) {
    bytes.push((bytes.pop() ?? 0) | 0x80, 0);
  }
  return Buffer.from(bytes);
}
