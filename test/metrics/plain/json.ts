import type { MetadataValue, Value } from "../../../src/metrics/generated/collectd/types.ts";
import type { Duration } from "../../../src/metrics/generated/google/protobuf/duration.ts";
import type { Timestamp } from "../../../src/metrics/generated/google/protobuf/timestamp.ts";
import type { Reading } from "../../../src/metrics/reading/codec.ts";
import { identityParts } from "../../../src/metrics/reading/identity.ts";
import { displayText, hasInvalidUtf8 } from "../../../src/metrics/wire/text.ts";
import { durationText, timestampText } from "./moments.ts";
import { doubleText, integerOf } from "./values.ts";

/**
 * The canonical JSON of a reading on one line: protobuf's JSON mapping with the original field names. As extensions, a time
 * or interval out of range is an object with `seconds` and `nanos`, and a last key `invalid_utf8` lists the strings that
 * are not UTF-8 and were written with `displayText`.
 */
export function readingJson(reading: Reading): string {
  return `{${readingMembers(reading)}}`;
}

/** The members of `readingJson` without the braces. */
export function readingMembers(reading: Reading): string {
  const invalidPaths: string[] = [];
  const members: string[] = [];
  if (reading.values.length > 0) members.push(`"values":[${reading.values.map(valueJson).join()}]`);
  if (reading.time !== undefined) members.push(`"time":${momentJson(reading.time, timestampText)}`);
  if (reading.interval !== undefined) members.push(`"interval":${momentJson(reading.interval, durationText)}`);
  if (reading.identifier !== undefined)
    members.push(`"identifier":${identifierJson(reading.identifier, invalidPaths)}`);
  if (reading.ds_names.length > 0) {
    const names = reading.ds_names.map((name, index) => stringJson(name, `ds_names[${index}]`, invalidPaths));
    members.push(`"ds_names":[${names.join()}]`);
  }
  if (reading.meta_data.size > 0) members.push(`"meta_data":${metadataJson(reading.meta_data, invalidPaths)}`);
  if (invalidPaths.length > 0) members.push(`"invalid_utf8":${JSON.stringify(invalidPaths)}`);
  return members.join();
}

/** The canonical JSON of metadata. Adds the paths of strings that are not UTF-8 to `invalidPaths`. */
export function metadataJson(metadata: Reading["meta_data"], invalidPaths: string[] = []): string {
  const entries = [...metadata].map(
    ([key, { value }], index) =>
      `${stringJson(key, `meta_data[${index}].key`, invalidPaths)}:{${memberJson(value, `meta_data[${index}].value`, invalidPaths)}}`,
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
  const formatted = text(moment);
  return formatted === undefined ? `{"seconds":"${moment.seconds}","nanos":${moment.nanos}}` : `"${formatted}"`;
}

function identifierJson(identifier: NonNullable<Reading["identifier"]>, invalidPaths: string[]): string {
  const present = identityParts.filter((key) => identifier[key] !== "");
  return `{${present.map((key) => `"${key}":${stringJson(identifier[key], `identifier.${key}`, invalidPaths)}`).join()}}`;
}

function memberJson(value: MetadataValue["value"], path: string, invalidPaths: string[]): string {
  switch (value?.$case) {
    case "string_value":
      return `"string_value":${stringJson(value.string_value, path, invalidPaths)}`;
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

function stringJson(text: string, path: string, invalidPaths: string[]): string {
  if (!hasInvalidUtf8(text)) return JSON.stringify(text);
  invalidPaths.push(path);
  return JSON.stringify(displayText(text));
}
