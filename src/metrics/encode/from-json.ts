import type { MetadataValue, Value } from "../generated/collectd/types.ts";
import type { Reading } from "../reading/codec.ts";
import { identityParts } from "../reading/identity.ts";
import { hasInvalidUtf8, parseDisplayText } from "../wire/text.ts";
import {
  booleanOf,
  eachItem,
  eachMember,
  isObject,
  numeral,
  readAt,
  readJson,
  textOf,
  ValueFault,
} from "./json-values.ts";
import { type Moment, readDouble, readDuration, readInteger, readTimestamp } from "./numbers.ts";

/**
 * Parses the JSON that `decode` writes, and any canonical JSON of `collectd.types.ValueList`: names in both spellings,
 * integers as strings or numbers, optionally in the `value_list` of a request. Throws a `TextFault`.
 */
export function readingFromJson(text: string): Reading {
  return readJson(text, (root) => {
    const [only = "", other] = isObject(root) ? Object.keys(root) : [];
    const isWrapped = other === undefined && snake(only) === "value_list";
    return isWrapped && isObject(root) ? readAt(only, () => read(root[only])) : read(root);
  });
}

/** Converts `pluginInstance` to `plugin_instance`; protobuf's JSON allows both. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const usual = new Set(["values", "time", "interval", "identifier", "ds_names", "meta_data"]);

function read(root: unknown): Reading {
  const reading: Reading = {
    values: [],
    time: undefined,
    interval: undefined,
    identifier: undefined,
    ds_names: [],
    meta_data: new Map(),
  };
  const key = isObject(root) && "invalidUtf8" in root ? "invalidUtf8" : "invalid_utf8";
  const listed = (isObject(root) && root[key]) || [];
  const readPath = (item: unknown) => textOf(item, "an item of invalid_utf8");
  const invalidPaths = readAt(key, () => eachItem(listed, "invalid_utf8", readPath));
  const string: ReadString = (shown, what, path, isName = false) => {
    // It would be another character, or a byte that is not UTF-8.
    if (hasInvalidUtf8(shown))
      throw new ValueFault(`${what} has half of a surrogate pair, which is no character`, isName);
    if (invalidPaths.length === 0 || !invalidPaths.includes(path())) return shown;
    const plain = parseDisplayText(shown);
    if (plain === undefined)
      throw new ValueFault(`${what} is listed in invalid_utf8 but is not escaped that way`, isName);
    return plain;
  };
  eachMember(root, "a reading", (value, name) => {
    switch (usual.has(name) ? name : snake(name)) {
      case "values":
        reading.values = eachItem(value, "values", readValue);
        break;
      case "time":
        reading.time = readMoment(value, "time", readTimestamp);
        break;
      case "interval":
        reading.interval = readMoment(value, "interval", readDuration);
        break;
      case "identifier":
        reading.identifier = readIdentifier(value, string);
        break;
      case "ds_names":
        reading.ds_names = eachItem(value, "ds_names", (item, index) =>
          string(textOf(item, "a name"), "a name", () => `ds_names[${index}]`),
        );
        break;
      case "meta_data": {
        let index = 0;
        eachMember(value, "meta_data", (one, key) => {
          const path = `meta_data[${index}]`;
          index += 1;
          const plain = string(key, "a key", () => `${path}.key`, true);
          reading.meta_data.set(plain, readMetadata(one, path, string));
        });
        break;
      }
      case "invalid_utf8":
        break;
      default:
        throw new ValueFault(`unknown field '${name}' in a reading`, true);
    }
  });
  return reading;
}

type ReadString = (shown: string, what: string, path: () => string, isName?: boolean) => string;

function readIdentifier(value: unknown, string: ReadString): NonNullable<Reading["identifier"]> {
  const identifier = { host: "", plugin: "", plugin_instance: "", type: "", type_instance: "" };
  eachMember(value, "identifier", (one, name) => {
    const part = identityParts.find((known) => known === name) ?? identityParts.find((known) => known === snake(name));
    if (part === undefined) throw new ValueFault(`unknown field '${name}' in an identifier`, true);
    identifier[part] = string(textOf(one, part), part, () => `identifier.${part}`);
  });
  return identifier;
}

function readMoment(
  value: unknown,
  what: string,
  fromText: (text: string) => Moment | undefined,
): { seconds: Moment["seconds"]; nanos: number } {
  if (isObject(value)) return readParts(value, what);
  const text = textOf(value, what);
  const moment = fromText(text);
  if (moment !== undefined) return { ...moment };
  const example = what === "time" ? "2026-01-31T08:00:00.5Z" : "10s";
  throw new ValueFault(`invalid ${what} "${text}": expected a value such as "${example}"`);
}

function readParts(value: unknown, what: string) {
  const parts = { seconds: integer("0", "int64"), nanos: 0 };
  eachMember(value, what, (one, name) => {
    const whole = integer(numeral(one, name), "int64");
    if (name === "seconds") parts.seconds = whole;
    else if (name !== "nanos")
      throw new ValueFault(`unknown field '${name}' in ${what}: expected seconds and nanos`, true);
    else if (whole.toNumber() !== whole.toInt()) throw new ValueFault("nanos must fit in 32 bits");
    else parts.nanos = whole.toInt();
  });
  return parts;
}

function integer(digits: string, type: "int64" | "uint64") {
  const value = readInteger(digits, type);
  if (value === undefined) throw new ValueFault(`'${digits}' is not a valid ${type}`);
  return value;
}

function double(value: unknown): number {
  if (Number.isFinite(value)) return Number(value);
  const digits = numeral(value, "a gauge");
  const read = readDouble(digits);
  if (read === undefined) throw new ValueFault(`'${digits}' is not a valid double`);
  return read;
}

function readValue(value: unknown): Value {
  const read = single(value, "a value", (one, name): Value["value"] => {
    switch (name) {
      case "counter":
        return { $case: "counter", counter: integer(numeral(one, name), "uint64") };
      case "gauge":
        return { $case: "gauge", gauge: double(one) };
      case "derive":
        return { $case: "derive", derive: integer(numeral(one, name), "int64") };
      case "absolute":
        return { $case: "absolute", absolute: integer(numeral(one, name), "uint64") };
      default:
        throw new ValueFault(`unknown value type '${name}': expected counter, gauge, derive or absolute`, true);
    }
  });
  return { value: read };
}

function readMetadata(value: unknown, path: string, string: ReadString): MetadataValue {
  const read = single(value, "a metadata value", (one, name): MetadataValue["value"] => {
    const text = () => string(textOf(one, "string_value"), "string_value", () => `${path}.value`);
    switch (snake(name)) {
      case "string_value":
        return { $case: "string_value", string_value: text() };
      case "int64_value":
        return { $case: "int64_value", int64_value: integer(numeral(one, name), "int64") };
      case "uint64_value":
        return { $case: "uint64_value", uint64_value: integer(numeral(one, name), "uint64") };
      case "double_value":
        return { $case: "double_value", double_value: double(one) };
      case "bool_value":
        return { $case: "bool_value", bool_value: booleanOf(one, name) };
      default:
        throw new ValueFault(`unknown field '${name}' in a metadata value`, true);
    }
  });
  return { value: read };
}

/** Reads the only member of an object; undefined without one. */
function single<T>(value: unknown, what: string, read: (value: unknown, name: string) => T): T | undefined {
  let found: T | undefined;
  let isRead = false;
  eachMember(value, what, (one, name) => {
    if (isRead) throw new ValueFault(`${what} must have one field, not more`, true);
    isRead = true;
    found = read(one, name);
  });
  return found;
}
