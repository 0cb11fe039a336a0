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
 * Reads a body of collectd's write_http plugin, one item after the other: JSON as by `Format "JSON"`, PUTVAL lines as by
 * `Format "Command"`, or notifications, JSON in both, which become text: `FAILURE of edge-01: no readings`. Throws a
 * `TextFault`, with its place in the body.
 */
export function* readWriteHttp(body: string, rules: PutvalRules): Generator<Reading | string> {
  const isJson = /^\s*\[/.test(body);
  for (const { at, text } of isJson ? itemsIn(body) : linesIn(body)) {
    try {
      if (isJson) yield readJson(text, itemFrom);
      else yield* readingsFromPutval(text, rules);
    } catch (error) {
      throw error instanceof TextFault ? new TextFault(at + error.at, error.message) : error;
    }
  }
}

interface Piece {
  readonly at: number;
  readonly text: string;
}

function* linesIn(body: string): Generator<Piece> {
  let at = 0;
  for (const text of body.split("\n")) {
    if (text.trim() !== "") yield { at, text };
    at += text.length + 1;
  }
}

const [quote, comma, open, backslash, close, begin, end] = [...'",[\\]{}'].map((one) => one.charCodeAt(0));

/** The items of a JSON array, which are not checked: parsing all at once would keep others waiting. */
function* itemsIn(body: string): Generator<Piece> {
  const first = body.indexOf("[") + 1;
  let [depth, start, isText] = [1, first, false];
  for (let at = first; depth > 0; at += 1) {
    const code = body.charCodeAt(at);
    if (at >= body.length) throw new TextFault(start, "invalid JSON: the array has no end");
    if (code === quote) isText = !isText;
    else if (isText) at += code === backslash ? 1 : 0;
    else if (code === open || code === begin) depth += 1;
    else if (code === close || code === end) depth -= 1;
    if (isText || (depth > 0 && (depth > 1 || code !== comma))) continue;
    if (depth === 0 && code !== close) throw new TextFault(at, "invalid JSON: expected ]");
    const text = body.slice(start, at);
    if (depth > 0 || start > first || text.trim() !== "") yield { at: start, text };
    start = at + 1;
  }
  if (body.slice(start).trim() !== "") throw new TextFault(start, "invalid JSON: more follows the array");
}

function itemFrom(item: JsonNode): Reading | string {
  const members = membersByName(item, "a value list");
  return members.has("labels") ? notificationFrom(members, item) : readingFrom(members, item);
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
