import type { MetadataValue, Value } from "../generated/collectd/types.ts";
import type { Reading } from "../reading/codec.ts";
import { identityParts } from "../reading/identity.ts";
import { hasInvalidUtf8, parseDisplayText } from "../wire/text.ts";
import { booleanOf, itemsOf, type JsonNode, membersOf, numeral, parseJson, textOf } from "./json-nodes.ts";
import { type Moment, readDouble, readDuration, readInteger, readTimestamp } from "./numbers.ts";
import { TextFault } from "./pieces.ts";

/**
 * Parses the JSON that `decode` writes, and any canonical JSON of `collectd.types.ValueList`: names in both spellings,
 * integers as strings or numbers, optionally in the `value_list` of a request. Throws a `TextFault`.
 */
export function readingFromJson(text: string): Reading {
  const root = parseJson(text);
  const members = membersOf(root, "a reading");
  const [only] = members;
  if (only !== undefined && members.length === 1 && snake(only.name) === "value_list") return read(only.value, text);
  return read(root, text);
}

/** Converts `pluginInstance` to `plugin_instance`; protobuf's JSON allows both. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function read(root: JsonNode, text: string): Reading {
  const reading: Reading = {
    values: [],
    time: undefined,
    interval: undefined,
    identifier: undefined,
    ds_names: [],
    meta_data: new Map(),
  };
  const members = membersOf(root, "a reading");
  const listed = members.find(({ name }) => snake(name) === "invalid_utf8");
  const invalidPaths = new Set(
    listed === undefined
      ? []
      : itemsOf(listed.value, "invalid_utf8").map((item) => textOf(item, "an item of invalid_utf8")),
  );
  const string = (node: JsonNode, what: string, path: string) => {
    const shown = textOf(node, what);
    // It would be another character, or a byte that is not UTF-8.
    if (hasInvalidUtf8(shown))
      throw new TextFault(node.offset, `${what} has half of a surrogate pair, which is no character`);
    const plain = invalidPaths.has(path) ? parseDisplayText(shown) : shown;
    if (plain === undefined)
      throw new TextFault(node.offset, `${what} is listed in invalid_utf8 but is not escaped that way`);
    return plain;
  };
  for (const { name, key, value } of members) {
    switch (snake(name)) {
      case "values":
        reading.values = itemsOf(value, "values").map((item) => readValue(item, text));
        break;
      case "time":
        reading.time = readMoment(value, text, "time", readTimestamp);
        break;
      case "interval":
        reading.interval = readMoment(value, text, "interval", readDuration);
        break;
      case "identifier":
        reading.identifier = readIdentifier(value, string);
        break;
      case "ds_names":
        reading.ds_names = itemsOf(value, "ds_names").map((item, index) =>
          string(item, "a name", `ds_names[${index}]`),
        );
        break;
      case "meta_data":
        membersOf(value, "meta_data").forEach((entry, index) => {
          const path = `meta_data[${index}]`;
          reading.meta_data.set(
            string(entry.key, "a key", `${path}.key`),
            readMetadata(entry.value, text, path, string),
          );
        });
        break;
      case "invalid_utf8":
        break;
      default:
        throw new TextFault(key.offset, `unknown field '${name}' in a reading`);
    }
  }
  return reading;
}

type ReadString = (node: JsonNode, what: string, path: string) => string;

function readIdentifier(node: JsonNode, string: ReadString): NonNullable<Reading["identifier"]> {
  const identifier = { host: "", plugin: "", plugin_instance: "", type: "", type_instance: "" };
  for (const { name, key, value } of membersOf(node, "identifier")) {
    const part = identityParts.find((known) => known === snake(name));
    if (part === undefined) throw new TextFault(key.offset, `unknown field '${name}' in an identifier`);
    identifier[part] = string(value, part, `identifier.${part}`);
  }
  return identifier;
}

function readMoment(
  node: JsonNode,
  text: string,
  what: string,
  fromText: (text: string) => Moment | undefined,
): { seconds: Moment["seconds"]; nanos: number } {
  if (node.node.type === "Object") return readParts(node, text, what);
  const value = textOf(node, what);
  const moment = fromText(value);
  if (moment !== undefined) return { ...moment };
  const example = what === "time" ? "2026-01-31T08:00:00.5Z" : "10s";
  throw new TextFault(node.offset, `invalid ${what} "${value}": expected a value such as "${example}"`);
}

function readParts(node: JsonNode, text: string, what: string) {
  const parts = { seconds: integer("0", node, "int64"), nanos: 0 };
  for (const { name, key, value } of membersOf(node, what)) {
    const whole = integer(numeral(value, text, name), value, "int64");
    if (name === "seconds") parts.seconds = whole;
    else if (name !== "nanos")
      throw new TextFault(key.offset, `unknown field '${name}' in ${what}: expected seconds and nanos`);
    else if (whole.toNumber() !== whole.toInt()) throw new TextFault(value.offset, "nanos must fit in 32 bits");
    else parts.nanos = whole.toInt();
  }
  return parts;
}

function integer(digits: string, node: JsonNode, type: "int64" | "uint64") {
  const value = readInteger(digits, type);
  if (value === undefined) throw new TextFault(node.offset, `'${digits}' is not a valid ${type}`);
  return value;
}

function double(node: JsonNode, text: string): number {
  const digits = numeral(node, text, "a gauge");
  const value = readDouble(digits);
  if (value === undefined) throw new TextFault(node.offset, `'${digits}' is not a valid double`);
  return value;
}

function readValue(node: JsonNode, text: string): Value {
  const member = single(node, "a value");
  if (member === undefined) return { value: undefined };
  const { name, key, value } = member;
  const integerOf = (type: "int64" | "uint64") => integer(numeral(value, text, name), value, type);
  switch (name) {
    case "counter":
      return { value: { $case: "counter", counter: integerOf("uint64") } };
    case "gauge":
      return { value: { $case: "gauge", gauge: double(value, text) } };
    case "derive":
      return { value: { $case: "derive", derive: integerOf("int64") } };
    case "absolute":
      return { value: { $case: "absolute", absolute: integerOf("uint64") } };
    default:
      throw new TextFault(key.offset, `unknown value type '${name}': expected counter, gauge, derive or absolute`);
  }
}

function readMetadata(node: JsonNode, text: string, path: string, string: ReadString): MetadataValue {
  const member = single(node, "a metadata value");
  if (member === undefined) return { value: undefined };
  const { name, key, value } = member;
  switch (snake(name)) {
    case "string_value":
      return { value: { $case: "string_value", string_value: string(value, "string_value", `${path}.value`) } };
    case "int64_value":
      return { value: { $case: "int64_value", int64_value: integer(numeral(value, text, name), value, "int64") } };
    case "uint64_value":
      return { value: { $case: "uint64_value", uint64_value: integer(numeral(value, text, name), value, "uint64") } };
    case "double_value":
      return { value: { $case: "double_value", double_value: double(value, text) } };
    case "bool_value":
      return { value: { $case: "bool_value", bool_value: booleanOf(value, name) } };
    default:
      throw new TextFault(key.offset, `unknown field '${name}' in a metadata value`);
  }
}

function single(node: JsonNode, what: string) {
  const [first, second] = membersOf(node, what);
  if (second !== undefined) throw new TextFault(second.key.offset, `${what} must have one field, not more`);
  return first;
}
