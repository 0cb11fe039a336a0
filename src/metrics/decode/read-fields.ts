import { contentEnd, contentStart } from "../wire/block.ts";
import { readField, skipVarint, WireFault, wireType } from "../wire/fields.ts";
import { invalidUtf8At } from "../wire/text.ts";
import { type Fields, growMetadata, growNames, growValues, kind, type Moment } from "./fields.ts";

// Reads `collectd.types.ValueList` as a conforming decoder does: unknown fields are skipped, the last of a scalar counts, the
// parts of a submessage are merged. Each loop first looks for what encoders usually write, and leaves all else to
// `readField`. The view must extend `slack` bytes past the end of a message.

/** Halves of the varint that was read last, low first. */
const halves = new Int32Array(2);

/**
 * Reads the values and the time that a reading begins with, and returns where they end. What follows is the same in all
 * readings of a series, unless it is written in an unusual order.
 */
export function readStart(fields: Fields, at: number, end: number): number {
  const tail = readHead(fields, at, end);
  fields.tailAt = tail;
  fields.tailEnd = end;
  fields.isWhole = false;
  return tail;
}

function readHead(fields: Fields, at: number, end: number): number {
  const { view, time } = fields;
  fields.count = 0;
  time.isSet = false;
  while (at < end && view.getUint8(at) === 0x0a) {
    const stop = contentEnd(view, at + 1, end);
    if (stop < 0) return at;
    readValue(fields, contentStart(view, at + 1), stop);
    at = stop;
  }
  if (at === end || view.getUint8(at) !== 0x12) return at;
  const stop = contentEnd(view, at + 1, end);
  if (stop < 0) return at;
  readMoment(fields, time, contentStart(view, at + 1), stop);
  return stop;
}

/**
 * Reads what follows `readStart`; returns false if there was a value or time in it. Throws a `WireFault` for anything that
 * a conforming decoder rejects; with `lenient`, accepts strings that are not UTF-8.
 */
export function readRest(fields: Fields, lenient: boolean): boolean {
  const { bytes, view, interval, parts, tailEnd: end } = fields;
  let at = fields.tailAt;
  let isTail = true;
  fields.isWhole = true;
  interval.isSet = false;
  fields.hasIdentifier = false;
  for (let index = 0; index < 10; index += 1) parts[index] = 0;
  fields.nameCount = 0;
  fields.metaCount = 0;
  if (keys.size > 0) keys.clear();
  while (at < end) {
    let tag = view.getUint8(at);
    let stop = isBytes(tag) ? contentEnd(view, at + 1, end) : -1;
    let start = contentStart(view, at + 1);
    if (stop < 0) {
      const field = readField(bytes, at, end);
      ({ start, end: stop } = field);
      tag = tagOf(field);
    }
    if (tag === 0x22) {
      fields.hasIdentifier = true;
      readIdentifier(fields, start, stop, lenient);
    } else if (tag === 0x2a) {
      if (!lenient) checkText(fields, start, stop);
      if (2 * fields.nameCount === fields.names.length) growNames(fields);
      fields.names[2 * fields.nameCount] = start;
      fields.names[2 * fields.nameCount + 1] = stop;
      fields.nameCount += 1;
    } else if (tag === 0x32) readMetadata(fields, start, stop, lenient);
    else if (tag === 0x1a) readMoment(fields, interval, start, stop);
    else if (tag === 0x0a || tag === 0x12) {
      isTail = false;
      if (tag === 0x0a) readValue(fields, start, stop);
      else readMoment(fields, fields.time, start, stop);
    }
    at = stop;
  }
  return isTail;
}

/** Whether a byte is a whole tag of wire type 2. */
function isBytes(tag: number): boolean {
  return (tag & 0x87) === 0x02 && tag > 7;
}

/** A tag as one byte, however it was written; 0 if its number needs more. */
function tagOf({ number, type }: { readonly number: number; readonly type: number }): number {
  return number < 16 ? number * 8 + type : 0;
}

/** Reads a varint into `halves`, without bits above the 64th, and returns its end. */
function readVarint({ bytes, view }: Fields, at: number, end: number): number {
  let byte = view.getUint8(at);
  let low = byte & 0x7f;
  let high = 0;
  let shift = 7;
  let next = at + 1;
  while (byte > 0x7f && shift < 28) {
    byte = view.getUint8(next++);
    low |= (byte & 0x7f) << shift;
    shift += 7;
  }
  if (byte > 0x7f) {
    byte = view.getUint8(next++);
    low |= (byte & 0x7f) << 28;
    high = (byte & 0x7f) >> 4;
    shift = 3;
    while (byte > 0x7f && shift < 32) {
      byte = view.getUint8(next++);
      high |= (byte & 0x7f) << shift;
      shift += 7;
    }
  }
  // Throws.
  if (byte > 0x7f || next > end) return skipVarint(bytes, at, end);
  halves[0] = low;
  halves[1] = high;
  return next;
}

function readValue(fields: Fields, at: number, stop: number): void {
  const { bytes, view } = fields;
  const index = fields.count;
  if (index === fields.kinds.length) growValues(fields);
  fields.count = index + 1;
  fields.kinds[index] = 0;
  while (at < stop) {
    let tag = view.getUint8(at);
    let start = at + 1;
    if (tag === 0x11 && stop - start >= 8) at = start + 8;
    else if (tag === 0x08 || tag === 0x18 || tag === 0x20) at = readVarint(fields, start, stop);
    else {
      const field = readField(bytes, at, stop);
      tag = tagOf(field);
      ({ start, end: at } = field);
      if (field.type === wireType.varint) readVarint(fields, start, stop);
    }
    if (tag === 0x11) {
      fields.gauges[index] = view.getFloat64(start, true);
      fields.kinds[index] = kind.gauge;
    } else if (tag === 0x08 || tag === 0x18 || tag === 0x20) {
      fields.low[index] = halves[0] ?? 0;
      fields.high[index] = halves[1] ?? 0;
      fields.kinds[index] = tag >> 3;
    }
  }
}

function readMoment(fields: Fields, moment: Moment, at: number, stop: number): void {
  const { bytes, view } = fields;
  if (!moment.isSet) {
    moment.isSet = true;
    moment.seconds = 0;
    moment.high = 0;
    moment.low = 0;
    moment.nanos = 0;
  }
  while (at < stop) {
    let tag = view.getUint8(at);
    if (tag === 0x08 || tag === 0x10) at = readVarint(fields, at + 1, stop);
    else {
      const field = readField(bytes, at, stop);
      tag = tagOf(field);
      at = field.end;
      if (field.type === wireType.varint) readVarint(fields, field.start, stop);
    }
    const low = halves[0] ?? 0;
    if (tag === 0x10) moment.nanos = low;
    else if (tag === 0x08) {
      const high = halves[1] ?? 0;
      moment.high = high;
      moment.low = low;
      moment.seconds = high * 4294967296 + (low >>> 0);
    }
  }
}

function readIdentifier(fields: Fields, at: number, stop: number, lenient: boolean): void {
  const { bytes, view, parts } = fields;
  while (at < stop) {
    let tag = view.getUint8(at);
    let after = isBytes(tag) ? contentEnd(view, at + 1, stop) : -1;
    let start = contentStart(view, at + 1);
    if (after < 0) {
      const field = readField(bytes, at, stop);
      ({ start, end: after } = field);
      tag = tagOf(field);
    }
    if (isBytes(tag) && tag <= 0x2a) {
      if (!lenient) checkText(fields, start, after);
      const part = (tag >> 3) - 1;
      parts[2 * part] = start;
      parts[2 * part + 1] = after;
    }
    at = after;
  }
}

function readMetadata(fields: Fields, at: number, stop: number, lenient: boolean): void {
  const { bytes, view } = fields;
  if (fields.metaCount === fields.metaKinds.length) growMetadata(fields);
  const { metadata, metaCount } = fields;
  const place = 4 * metaCount;
  for (let index = place; index < place + 4; index += 1) metadata[index] = 0;
  fields.metaKinds[metaCount] = 0;
  while (at < stop) {
    let tag = view.getUint8(at);
    let after = isBytes(tag) ? contentEnd(view, at + 1, stop) : -1;
    let start = contentStart(view, at + 1);
    if (after < 0) {
      const field = readField(bytes, at, stop);
      ({ start, end: after } = field);
      tag = tagOf(field);
    }
    if (tag === 0x0a) {
      if (!lenient) checkText(fields, start, after);
      metadata[place] = start;
      metadata[place + 1] = after;
    } else if (tag === 0x12) readMetadataValue(fields, start, after, lenient);
    at = after;
  }
  const earlier = sameKey(fields, metaCount);
  if (earlier < 0) fields.metaCount = metaCount + 1;
  else {
    metadata.copyWithin(4 * earlier, place, place + 4);
    fields.metaKinds[earlier] = fields.metaKinds[metaCount] ?? 0;
  }
}

function readMetadataValue(fields: Fields, at: number, stop: number, lenient: boolean): void {
  const { bytes, view, metadata, metaKinds, metaCount } = fields;
  const place = 4 * metaCount + 2;
  while (at < stop) {
    let tag = view.getUint8(at);
    let after = tag === 0x0a ? contentEnd(view, at + 1, stop) : -1;
    let start = contentStart(view, at + 1);
    if (after < 0) {
      const field = readField(bytes, at, stop);
      ({ start, end: after } = field);
      tag = tagOf(field);
    }
    at = after;
    if (tag === 0x0a || tag === 0x21) {
      if (tag === 0x0a && !lenient) checkText(fields, start, after);
      metadata[place] = start;
      metadata[place + 1] = after;
    } else if (tag === 0x10 || tag === 0x18 || tag === 0x28) {
      readVarint(fields, start, stop);
      metadata[place] = halves[0] ?? 0;
      metadata[place + 1] = halves[1] ?? 0;
    } else continue;
    metaKinds[metaCount] = tag >> 3;
  }
}

// Of more entries, keys are compared in a map.
const fewEntries = 16;
const keys = new Map<string, number>();

/** The entry before `index` with the same key; -1 without one. */
function sameKey(fields: Fields, index: number): number {
  const { bytes, metadata } = fields;
  const from = metadata[4 * index] ?? 0;
  const length = (metadata[4 * index + 1] ?? 0) - from;
  if (index < fewEntries) {
    for (let entry = 0; entry < index; entry += 1) {
      const start = metadata[4 * entry] ?? 0;
      let same = (metadata[4 * entry + 1] ?? 0) - start === length ? 0 : -1;
      while (same >= 0 && same < length && bytes[start + same] === bytes[from + same]) same += 1;
      if (same === length) return entry;
    }
    return -1;
  }
  if (keys.size === 0) {
    for (let entry = 0; entry < index; entry += 1) keys.set(keyText(fields, entry), entry);
  }
  const text = keyText(fields, index);
  const known = keys.get(text);
  if (known !== undefined) return known;
  keys.set(text, index);
  return -1;
}

function keyText({ bytes, metadata }: Fields, entry: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    "latin1",
    metadata[4 * entry],
    metadata[4 * entry + 1],
  );
}

/** Throws a `WireFault` if a string is not UTF-8. */
function checkText({ bytes, view }: Fields, start: number, end: number): void {
  let at = start;
  while (at + 4 <= end && (view.getInt32(at, true) & 0x80808080) === 0) at += 4;
  const bad = invalidUtf8At(bytes, at, end);
  if (bad < 0) return;
  const byte = (bytes[bad] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  throw new WireFault(bad, `a string is not valid UTF-8 (byte 0x${byte})`);
}
