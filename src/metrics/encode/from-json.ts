import type { MetadataValue, Value } from "../generated/collectd/types.ts";
import type { Reading } from "../reading/codec.ts";
import { identityParts } from "../reading/identity.ts";
import { hasInvalidUtf8, parseDisplayText } from "../wire/text.ts";
import {
  booleanOf,
  isObject,
  itemsOf,
  type JsonNode,
  membersOf,
  NodeFault,
  numeral,
  readJson,
  textOf,
} from "./json-nodes.ts";
import { type Moment, readDouble, readDuration, readInteger, readTimestamp } from "./numbers.ts";

/**
 * Parses the JSON that `decode` writes, and any canonical JSON of `collectd.types.ValueList`: names in both spellings,
 * integers as strings or numbers, optionally in the `value_list` of a request. Throws a `TextFault`.
 */
export function readingFromJson(text: string): Reading {
  return readJson(text, (root) => {
    const members = membersOf(root, "a reading");
    const [only] = members;
    const isWrapped = only !== undefined && members.length === 1 && snake(only.name) === "value_list";
    return read(isWrapped ? membersOf(only, "a reading") : members);
  });
}

/** Converts `pluginInstance` to `plugin_instance`; protobuf's JSON allows both. */
function snake(name: string | number): string {
  return String(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const usual = new Set(["values", "time", "interval", "identifier", "ds_names", "meta_data"]);

function read(members: readonly JsonNode[]): Reading {
  const reading: Reading = {
    values: [],
    time: undefined,
    interval: undefined,
    identifier: undefined,
    ds_names: [],
    meta_data: new Map(),
  };
  const listed = members.find(({ name }) => !usual.has(String(name)) && snake(name) === "invalid_utf8");
  const invalidPaths =
    listed === undefined ? [] : itemsOf(listed, "invalid_utf8").map((item) => textOf(item, "an item of invalid_utf8"));
  const string: ReadString = (shown, node, what, path, isName = false) => {
    // It would be another character, or a byte that is not UTF-8.
    if (hasInvalidUtf8(shown))
      throw new NodeFault(node, `${what} has half of a surrogate pair, which is no character`, isName);
    if (invalidPaths.length === 0 || !invalidPaths.includes(path())) return shown;
    const plain = parseDisplayText(shown);
    if (plain === undefined)
      throw new NodeFault(node, `${what} is listed in invalid_utf8 but is not escaped that way`, isName);
    return plain;
  };
  for (const member of members) {
    const name = String(member.name);
    switch (usual.has(name) ? name : snake(name)) {
      case "values":
        reading.values = itemsOf(member, "values").map(readValue);
        break;
      case "time":
        reading.time = readMoment(member, "time", readTimestamp);
        break;
      case "interval":
        reading.interval = readMoment(member, "interval", readDuration);
        break;
      case "identifier":
        reading.identifier = readIdentifier(member, string);
        break;
      case "ds_names":
        reading.ds_names = itemsOf(member, "ds_names").map((item, index) =>
          string(textOf(item, "a name"), item, "a name", () => `ds_names[${index}]`),
        );
        break;
      case "meta_data":
        membersOf(member, "meta_data").forEach((entry, index) => {
          const path = `meta_data[${index}]`;
          const key = string(String(entry.name), entry, "a key", () => `${path}.key`, true);
          reading.meta_data.set(key, readMetadata(entry, path, string));
        });
        break;
      case "invalid_utf8":
        break;
      default:
        throw new NodeFault(member, `unknown field '${name}' in a reading`, true);
    }
  }
  return reading;
}

type ReadString = (shown: string, node: JsonNode, what: string, path: () => string, isName?: boolean) => string;

function readIdentifier(node: JsonNode, string: ReadString): NonNullable<Reading["identifier"]> {
  const identifier = { host: "", plugin: "", plugin_instance: "", type: "", type_instance: "" };
  for (const member of membersOf(node, "identifier")) {
    const { name } = member;
    const part = identityParts.find((known) => known === name) ?? identityParts.find((known) => known === snake(name));
    if (part === undefined) throw new NodeFault(member, `unknown field '${name}' in an identifier`, true);
    identifier[part] = string(textOf(member, part), member, part, () => `identifier.${part}`);
  }
  return identifier;
}

function readMoment(
  node: JsonNode,
  what: string,
  fromText: (text: string) => Moment | undefined,
): { seconds: Moment["seconds"]; nanos: number } {
  if (isObject(node.value)) return readParts(node, what);
  const value = textOf(node, what);
  const moment = fromText(value);
  if (moment !== undefined) return { ...moment };
  const example = what === "time" ? "2026-01-31T08:00:00.5Z" : "10s";
  throw new NodeFault(node, `invalid ${what} "${value}": expected a value such as "${example}"`);
}

function readParts(node: JsonNode, what: string) {
  const parts = { seconds: integer("0", node, "int64"), nanos: 0 };
  for (const member of membersOf(node, what)) {
    const { name } = member;
    const whole = integer(numeral(member, String(name)), member, "int64");
    if (name === "seconds") parts.seconds = whole;
    else if (name !== "nanos")
      throw new NodeFault(member, `unknown field '${name}' in ${what}: expected seconds and nanos`, true);
    else if (whole.toNumber() !== whole.toInt()) throw new NodeFault(member, "nanos must fit in 32 bits");
    else parts.nanos = whole.toInt();
  }
  return parts;
}

function integer(digits: string, node: JsonNode, type: "int64" | "uint64") {
  const value = readInteger(digits, type);
  if (value === undefined) throw new NodeFault(node, `'${digits}' is not a valid ${type}`);
  return value;
}

function double(node: JsonNode): number {
  if (Number.isFinite(node.value)) return Number(node.value);
  const digits = numeral(node, "a gauge");
  const value = readDouble(digits);
  if (value === undefined) throw new NodeFault(node, `'${digits}' is not a valid double`);
  return value;
}

function readValue(node: JsonNode): Value {
  const member = single(node, "a value");
  if (member === undefined) return { value: undefined };
  const { name } = member;
  const integerOf = (type: "int64" | "uint64") => integer(numeral(member, String(name)), member, type);
  switch (name) {
    case "counter":
      return { value: { $case: "counter", counter: integerOf("uint64") } };
    case "gauge":
      return { value: { $case: "gauge", gauge: double(member) } };
    case "derive":
      return { value: { $case: "derive", derive: integerOf("int64") } };
    case "absolute":
      return { value: { $case: "absolute", absolute: integerOf("uint64") } };
    default:
      throw new NodeFault(member, `unknown value type '${name}': expected counter, gauge, derive or absolute`, true);
  }
}

function readMetadata(node: JsonNode, path: string, string: ReadString): MetadataValue {
  const member = single(node, "a metadata value");
  if (member === undefined) return { value: undefined };
  const { name } = member;
  const integerOf = (type: "int64" | "uint64") => integer(numeral(member, String(name)), member, type);
  switch (snake(name)) {
    case "string_value":
      return {
        value: {
          $case: "string_value",
          string_value: string(textOf(member, "string_value"), member, "string_value", () => `${path}.value`),
        },
      };
    case "int64_value":
      return { value: { $case: "int64_value", int64_value: integerOf("int64") } };
    case "uint64_value":
      return { value: { $case: "uint64_value", uint64_value: integerOf("uint64") } };
    case "double_value":
      return { value: { $case: "double_value", double_value: double(member) } };
    case "bool_value":
      return { value: { $case: "bool_value", bool_value: booleanOf(member, String(name)) } };
    default:
      throw new NodeFault(member, `unknown field '${name}' in a metadata value`, true);
  }
}

function single(node: JsonNode, what: string) {
  const [first, second] = membersOf(node, what);
  if (second !== undefined) throw new NodeFault(second, `${what} must have one field, not more`, true);
  return first;
}
