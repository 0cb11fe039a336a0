/** A time or a duration: whole seconds, exact as two 32-bit halves and as the nearest double, and nanoseconds. */
export interface Moment {
  isSet: boolean;
  seconds: number;
  high: number;
  low: number;
  nanos: number;
}

/**
 * What was read of one reading: values and time as numbers, and where its strings are in `bytes`. The arrays are reused for
 * each reading, so that none is an object, and grow with the largest one.
 */
export interface Fields {
  bytes: Uint8Array;
  view: DataView;
  /** Where what follows values and time starts and ends, and whether it was read; see `readSeries`. */
  tailAt: number;
  tailEnd: number;
  isWhole: boolean;
  /** The number of values. */
  count: number;
  /** Types of values, see `kind`; 0 without one. */
  kinds: Uint8Array;
  /** Halves of the integers. */
  low: Uint32Array;
  high: Uint32Array;
  gauges: Float64Array;
  readonly time: Moment;
  readonly interval: Moment;
  hasIdentifier: boolean;
  /** Start and end of each part of the identifier; both 0 without it. */
  readonly parts: Int32Array;
  /** The number of names, and start and end of each. */
  nameCount: number;
  names: Int32Array;
  /** The number of metadata entries, the types of their values (field numbers, 0 without one), and four numbers for each. */
  metaCount: number;
  metaKinds: Uint8Array;
  /** Start and end of the key; then start and end of a string, the start of a double, or the halves of an integer, low first. */
  metadata: Int32Array;
}

/** Types of values: the field numbers of `collectd.types.Value`. */
export const kind = { counter: 1, gauge: 2, derive: 3, absolute: 4 } as const;

/** Types of metadata values: the field numbers of `collectd.types.MetadataValue`. */
export const metaKind = { text: 1, signed: 2, unsigned: 3, double: 4, bool: 5 } as const;

/** Creates the arrays. */
export function createFields(): Fields {
  const bytes = new Uint8Array();
  return {
    bytes,
    view: new DataView(bytes.buffer),
    tailAt: 0,
    tailEnd: 0,
    isWhole: true,
    count: 0,
    kinds: new Uint8Array(64),
    low: new Uint32Array(64),
    high: new Uint32Array(64),
    gauges: new Float64Array(64),
    time: noMoment(),
    interval: noMoment(),
    hasIdentifier: false,
    parts: new Int32Array(10),
    nameCount: 0,
    names: new Int32Array(128),
    metaCount: 0,
    metaKinds: new Uint8Array(16),
    metadata: new Int32Array(64),
  };
}

function noMoment(): Moment {
  return { isSet: false, seconds: 0, high: 0, low: 0, nanos: 0 };
}

/** Makes room for one more value. */
export function growValues(fields: Fields): void {
  fields.kinds = twice(fields.kinds, Uint8Array);
  fields.low = twice(fields.low, Uint32Array);
  fields.high = twice(fields.high, Uint32Array);
  fields.gauges = twice(fields.gauges, Float64Array);
}

/** Makes room for one more name. */
export function growNames(fields: Fields): void {
  fields.names = twice(fields.names, Int32Array);
}

/** Makes room for one more metadata entry. */
export function growMetadata(fields: Fields): void {
  fields.metaKinds = twice(fields.metaKinds, Uint8Array);
  fields.metadata = twice(fields.metadata, Int32Array);
}

function twice<A extends { readonly length: number; set(from: A): void }>(array: A, make: new (size: number) => A): A {
  const larger = new make(array.length * 2);
  larger.set(array);
  return larger;
}
