import Long from "long";
import type { MetadataValue, Value } from "../generated/collectd/types.ts";
import type { Reading } from "../reading/codec.ts";
import { type Fields, kind, type Moment, metaKind } from "./fields.ts";
import { seriesOf, textAt } from "./series.ts";

/** A reading as an object, for what encodes it again. */
export function readingOf(fields: Fields): Reading {
  const { identifier, ds_names } = seriesOf(fields);
  const { count, time, interval, metaCount, metadata } = fields;
  const meta_data: Reading["meta_data"] = new Map();
  for (let entry = 0; entry < metaCount; entry += 1)
    meta_data.set(textAt(fields, metadata[4 * entry] ?? 0, metadata[4 * entry + 1] ?? 0), metadataAt(fields, entry));
  return {
    values: Array.from({ length: count }, (_, index) => valueAt(fields, index)),
    time: time.isSet ? momentOf(time) : undefined,
    interval: interval.isSet ? momentOf(interval) : undefined,
    identifier: identifier && { ...identifier },
    ds_names: [...ds_names],
    meta_data,
  };
}

function momentOf({ high, low, nanos }: Moment) {
  return { seconds: new Long(low, high), nanos };
}

function valueAt({ kinds, low, high, gauges }: Fields, index: number): Value {
  const [lower, upper] = [low[index] ?? 0, high[index] ?? 0];
  switch (kinds[index]) {
    case kind.gauge:
      return { value: { $case: "gauge", gauge: gauges[index] ?? 0 } };
    case kind.counter:
      return { value: { $case: "counter", counter: new Long(lower, upper, true) } };
    case kind.derive:
      return { value: { $case: "derive", derive: new Long(lower, upper) } };
    case kind.absolute:
      return { value: { $case: "absolute", absolute: new Long(lower, upper, true) } };
    default:
      return { value: undefined };
  }
}

function metadataAt(fields: Fields, entry: number): MetadataValue {
  const { view, metaKinds, metadata } = fields;
  const [one = 0, other = 0] = metadata.subarray(4 * entry + 2, 4 * entry + 4);
  switch (metaKinds[entry]) {
    case metaKind.text:
      return { value: { $case: "string_value", string_value: textAt(fields, one, other) } };
    case metaKind.signed:
      return { value: { $case: "int64_value", int64_value: new Long(one, other) } };
    case metaKind.unsigned:
      return { value: { $case: "uint64_value", uint64_value: new Long(one, other, true) } };
    case metaKind.double:
      return { value: { $case: "double_value", double_value: view.getFloat64(one, true) } };
    case metaKind.bool:
      return { value: { $case: "bool_value", bool_value: (one | other) !== 0 } };
    default:
      return { value: undefined };
  }
}
