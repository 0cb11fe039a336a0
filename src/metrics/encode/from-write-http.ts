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
 * The readings in a body of collectd's write_http plugin: JSON as by `Format "JSON"`, or PUTVAL lines as by `Format
 * "Command"`. Throws a `TextFault`, with its place in the body.
 */
export function readingsFromWriteHttp(body: string, rules: PutvalRules): Reading[] {
  if (/^\s*\[/.test(body))
    return readJson(body, (root) => itemsOf(root, "the body").map((item) => readingFrom(membersByName(item), item)));
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

function membersByName(item: JsonNode): ReadonlyMap<string, JsonNode> {
  return new Map(membersOf(item, "a value list").map((member) => [String(member.name), member]));
}

function readingFrom(members: ReadonlyMap<string, JsonNode>, item: JsonNode): Reading {
  const member = (name: string) => {
    const found = members.get(name);
    if (found === undefined) throw new NodeFault(item, `a value list has no '${name}'`);
    return found;
  };
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
