import type { Value } from "../generated/collectd/types.ts";
import type { Reading } from "../reading/codec.ts";
import { type IdentityPart, identityParts } from "../reading/identity.ts";
import type { SourceKind } from "../reading/values.ts";
import { type PutvalRules, readingsFromPutval, valueFromText } from "./from-putval.ts";
import { itemsOf, type JsonNode, membersOf, NodeFault, numeral, readJson, textOf } from "./json-nodes.ts";
import { readSeconds } from "./numbers.ts";
import { TextFault } from "./pieces.ts";

const kinds: readonly string[] = ["counter", "gauge", "derive", "absolute"] satisfies readonly SourceKind[];

/**
 * Reads a body of collectd's write_http plugin: JSON as by `Format "JSON"`, PUTVAL lines as by `Format "Command"`, or
 * notifications, JSON in both, which become text: `FAILURE of edge-01: no readings`. Throws a `TextFault`, with its place in the body.
 */
export function readWriteHttp(body: string, rules: PutvalRules) {
  if (!/^\s*\[/.test(body)) return { readings: readingsFromLines(body, rules), notifications: [] as string[] };
  return readJson(body, (root) => {
    const [readings, notifications]: [Reading[], string[]] = [[], []];
    for (const item of itemsOf(root, "the body")) {
      const members = membersByName(item, "a value list");
      if (members.has("labels")) notifications.push(notificationFrom(members, item));
      else readings.push(readingFrom(members, item));
    }
    return { readings, notifications };
  });
}

function readingsFromLines(body: string, rules: PutvalRules): Reading[] {
  let at = 0;
  return body.split("\n").flatMap((line) => {
    const start = at;
    at += line.length + 1;
    if (line.trim() === "") return [];
    try {
      return readingsFromPutval(line, rules);
    } catch (error) {
      throw error instanceof TextFault ? new TextFault(start + error.at, error.message) : error;
    }
  });
}

type Members = ReadonlyMap<string, JsonNode>;

function membersByName(item: JsonNode, what: string): Members {
  return new Map(membersOf(item, what).map((member) => [String(member.name), member]));
}

/** What finds a member that must be there. */
function required(members: Members, item: JsonNode, what: string): (name: string) => JsonNode {
  return (name) => {
    const found = members.get(name);
    if (found === undefined) throw new NodeFault(item, `${what} has no '${name}'`);
    return found;
  };
}

/** Notifications have the form of alerts of Prometheus. */
function notificationFrom(members: Members, item: JsonNode): string {
  const textIn = (group: string, name: string) => {
    const node = required(members, item, "a notification")(group);
    return textOf(required(membersByName(node, group), node, group)(name), name);
  };
  return `${textIn("labels", "severity")} of ${textIn("labels", "instance")}: ${textIn("annotations", "summary")}`;
}

function readingFrom(members: Members, item: JsonNode): Reading {
  const member = required(members, item, "a value list");
  const texts = (name: string) => itemsOf(member(name), name).map((one) => ({ text: textOf(one, name), node: one }));
  const moment = (name: string, type: "time" | "span") => {
    const node = member(name);
    const read = readSeconds(numeral(node, name), type);
    if (read === undefined) throw new NodeFault(node, `'${name}' is not a number of seconds`);
    return { ...read };
  };
  const types = texts("dstypes");
  const names = texts("dsnames");
  const values = itemsOf(member("values"), "values");
  if (types.length !== values.length || names.length !== values.length)
    throw new NodeFault(item, "'values', 'dstypes' and 'dsnames' differ in their number");
  const identifier = Object.fromEntries(identityParts.map((part) => [part, textOf(member(part), part)]));
  return {
    values: values.map((node, index) => readValue(node, types[index])),
    time: moment("time", "time"),
    interval: moment("interval", "span"),
    identifier: identifier as Record<IdentityPart, string>,
    ds_names: names.map(({ text }) => text),
    meta_data: metadataOf(members.get("meta")),
  };
}

function readValue(node: JsonNode, type: { readonly text: string; readonly node: JsonNode } | undefined): Value {
  const kind = kinds.find((one) => one === type?.text) as SourceKind | undefined;
  if (kind === undefined) throw new NodeFault(type?.node ?? node, `unknown type of a value '${type?.text}'`);
  const isNull = node.value === null;
  const text = isNull ? "null" : numeral(node, "a value");
  // As write_http prints what is no number.
  const value = valueFromText(isNull && kind === "gauge" ? "NaN" : text, kind);
  if (value !== undefined) return value;
  const rates = kind === "gauge" ? "" : "; if it is a rate, set StoreRates to false";
  throw new NodeFault(node, `'${text}' is not a valid ${kind}${rates}`);
}

function metadataOf(node: JsonNode | undefined): Reading["meta_data"] {
  const found: Reading["meta_data"] = new Map();
  for (const member of node === undefined ? [] : membersOf(node, "meta")) {
    const name = String(member.name);
    const { value } = member;
    if (typeof value === "string") found.set(name, { value: { $case: "string_value", string_value: value } });
    else if (typeof value === "boolean") found.set(name, { value: { $case: "bool_value", bool_value: value } });
    else found.set(name, { value: { $case: "double_value", double_value: Number(numeral(member, name)) } });
  }
  return found;
}
