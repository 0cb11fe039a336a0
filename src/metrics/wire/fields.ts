/** An error in encoded bytes; `at` is its index in the buffer. */
export class WireFault extends Error {
  override readonly name = "WireFault";
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

/** Wire types of the protobuf encoding; 3 and 4 are the groups of proto2. */
export const wireType = { varint: 0, fixed64: 1, bytes: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const;

/** Maximum nesting of unknown groups, the same as in other implementations. */
export const maxGroupDepth = 100;

/** The end of the varint at `at`. Throws a `WireFault` if it is truncated or longer than ten bytes. */
export function skipVarint(bytes: Uint8Array, at: number, end: number): number {
  for (let next = at; next < end; next += 1) {
    if (next - at === 10) throw new WireFault(at, "a varint is longer than ten bytes");
    if ((bytes[next] ?? 0) < 0x80) return next + 1;
  }
  if (end - at >= 10) throw new WireFault(at, "a varint is longer than ten bytes");
  throw new WireFault(at, "the message ends in the middle of a varint");
}

/** The value of the varint from `at` to `next`, rounded above 2^53. For tags and lengths, which must be small anyway. */
export function varintValue(bytes: Uint8Array, at: number, next: number): number {
  let value = 0;
  for (let index = next - 1; index >= at; index -= 1) value = value * 128 + ((bytes[index] ?? 0) & 0x7f);
  return value;
}

/** Appends a number below 2^53 to `bytes` as the shortest varint, and returns `bytes`. */
export function varint(number: number, bytes: number[] = []): number[] {
  let rest = number;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 0x80);
  bytes.push(rest);
  return bytes;
}

/** A field of a message: the start of its tag, and the range of its content without the length. */
export interface Field {
  readonly number: number;
  readonly type: number;
  readonly tagAt: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the field whose tag is at `at`. The content of a group includes its end tag. Throws a `WireFault` for anything
 * that a conforming decoder rejects.
 */
export function readField(bytes: Uint8Array, at: number, end: number): Field {
  const tag = readTag(bytes, at, end);
  if (tag.type === wireType.groupEnd) throw new WireFault(at, `end of group ${tag.number} without a start`);
  if (tag.type === wireType.groupStart) {
    const after = skipGroup(bytes, tag.next, end, tag.number, at);
    return { number: tag.number, type: tag.type, tagAt: at, start: tag.next, end: after };
  }
  const [start, after] = content(bytes, tag.next, end, tag.type, at);
  return { number: tag.number, type: tag.type, tagAt: at, start, end: after };
}

function readTag(bytes: Uint8Array, at: number, end: number): { number: number; type: number; next: number } {
  const next = skipVarint(bytes, at, end);
  // A tag may be padded to five bytes; like libprotobuf, drop bits above the 32nd.
  if (next - at > 5) throw new WireFault(at, "a field tag is longer than five bytes");
  const tag = varintValue(bytes, at, next) % 2 ** 32;
  const number = Math.floor(tag / 8);
  const type = tag % 8;
  if (number === 0) throw new WireFault(at, "a field has the number 0");
  if (type > 5) throw new WireFault(at, `field ${number} has the unknown wire type ${type}`);
  return { number, type, next };
}

function content(bytes: Uint8Array, at: number, end: number, type: number, tagAt: number): readonly [number, number] {
  if (type === wireType.varint) return [at, skipVarint(bytes, at, end)];
  if (type === wireType.bytes) {
    const start = skipVarint(bytes, at, end);
    const length = varintValue(bytes, at, start);
    if (length > end - start) {
      throw new WireFault(at, `a length of ${length} exceeds the ${end - start} bytes left`);
    }
    return [start, start + length];
  }
  const size = type === wireType.fixed64 ? 8 : 4;
  if (size > end - at) throw new WireFault(tagAt, `the message ends in the middle of a ${size}-byte number`);
  return [at, at + size];
}

function skipGroup(bytes: Uint8Array, at: number, end: number, number: number, tagAt: number): number {
  // Not recursive, because the sender controls the depth.
  const open = [number];
  while (at < end) {
    const tag = readTag(bytes, at, end);
    if (tag.type === wireType.groupEnd) {
      if (tag.number !== open.pop()) throw new WireFault(at, `end of group ${tag.number} inside another group`);
      if (open.length === 0) return tag.next;
      at = tag.next;
    } else if (tag.type === wireType.groupStart) {
      if (open.length >= maxGroupDepth) throw new WireFault(at, `groups are nested more than ${maxGroupDepth} deep`);
      open.push(tag.number);
      at = tag.next;
    } else {
      at = content(bytes, tag.next, end, tag.type, at)[1];
    }
  }
  throw new WireFault(tagAt, `group ${number} is not terminated`);
}
