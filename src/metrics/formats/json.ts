import type { MetadataValue, Value } from "../generated/collectd/types.ts";
import type { Duration } from "../generated/google/protobuf/duration.ts";
import type { Timestamp } from "../generated/google/protobuf/timestamp.ts";
import type { Reading } from "../reading/codec.ts";
import { identityParts } from "../reading/identity.ts";
import { durationText, timestampText } from "../reading/moments.ts";
import { doubleText, integerOf } from "../reading/values.ts";
import { displayText, hasInvalidUtf8 } from "../wire/text.ts";

/**
 * The canonical JSON of a reading (protobuf's JSON mapping with the schema's own names) on one line. Beyond what that
 * mapping can say: a time or interval outside its range is an object of `seconds` and `nanos`, and with strings that are
 * not UTF-8 a last key `invalid_utf8` lists where `displayText` stands in for them.
 */
export function readingJson(reading: Reading): string {
  return `{${readingMembers(reading)}}`;
}

/** The members of `readingJson` without the braces. */
export function readingMembers(reading: Reading): string {
  const bad: string[] = [];
  const members: string[] = [];
  if (reading.values.length > 0) members.push(`"values":[${reading.values.map(valueJson).join()}]`);
  if (reading.time !== undefined) members.push(`"time":${momentJson(reading.time, timestampText)}`);
  if (reading.interval !== undefined) members.push(`"interval":${momentJson(reading.interval, durationText)}`);
  if (reading.identifier !== undefined) members.push(`"identifier":${identifierJson(reading.identifier, bad)}`);
  if (reading.ds_names.length > 0) {
    const names = reading.ds_names.map((name, index) => stringJson(name, `ds_names[${index}]`, bad));
    members.push(`"ds_names":[${names.join()}]`);
  }
  if (reading.meta_data.size > 0) members.push(`"meta_data":${metadataJson(reading.meta_data, bad)}`);
  if (bad.length > 0) members.push(`"invalid_utf8":${JSON.stringify(bad)}`);
  return members.join();
}

/** The canonical JSON of a metadata map. Places of strings that are not UTF-8 are added to `bad`. */
export function metadataJson(metadata: Reading["meta_data"], bad: string[] = []): string {
  const entries = [...metadata].map(
    ([key, { value }], index) =>
      `${stringJson(key, `meta_data[${index}].key`, bad)}:{${memberJson(value, `meta_data[${index}].value`, bad)}}`,
  );
  return `{${entries.join()}}`;
}

function valueJson({ value }: Value): string {
  if (value === undefined) return "{}";
  if (value.$case === "gauge") return `{"gauge":${doubleJson(value.gauge)}}`;
  return `{"${value.$case}":"${integerOf({ value })}"}`;
}

function doubleJson(value: number): string {
  return Number.isFinite(value) ? doubleText(value) : `"${value}"`;
}

function momentJson<M extends Timestamp | Duration>(moment: M, text: (moment: M) => string | undefined): string {
  const said = text(moment);
  return said === undefined ? `{"seconds":"${moment.seconds}","nanos":${moment.nanos}}` : `"${said}"`;
}

function identifierJson(identifier: NonNullable<Reading["identifier"]>, bad: string[]): string {
  const present = identityParts.filter((key) => identifier[key] !== "");
  return `{${present.map((key) => `"${key}":${stringJson(identifier[key], `identifier.${key}`, bad)}`).join()}}`;
}

function memberJson(value: MetadataValue["value"], place: string, bad: string[]): string {
  switch (value?.$case) {
    case "string_value":
      return `"string_value":${stringJson(value.string_value, place, bad)}`;
    case "int64_value":
      return `"int64_value":"${value.int64_value}"`;
    case "uint64_value":
      return `"uint64_value":"${value.uint64_value}"`;
    case "double_value":
      return `"double_value":${doubleJson(value.double_value)}`;
    case "bool_value":
      return `"bool_value":${value.bool_value}`;
    case undefined:
      return "";
  }
}

function stringJson(text: string, place: string, bad: string[]): string {
  if (!hasInvalidUtf8(text)) return JSON.stringify(text);
  bad.push(place);
  return JSON.stringify(displayText(text));
}
