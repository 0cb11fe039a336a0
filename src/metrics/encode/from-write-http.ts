import { kindNames } from "../decode/series.ts";
import type { Value } from "../generated/collectd/types.ts";
import type { Reading } from "../reading/codec.ts";
import { type IdentityPart, identityParts } from "../reading/identity.ts";
import type { SourceKind } from "../reading/values.ts";
import { type PutvalRules, readingsFromPutval, valueFromText } from "./from-putval.ts";
import { eachItem, eachMember, isObject, numeral, readAt, readJson, textOf, ValueFault } from "./json-values.ts";
import { readSeconds } from "./numbers.ts";
import { createSplitter } from "./pieces.ts";

// As much as is split before others get their turn.
const sliceSize = 64 * 1024;

/**
 * Reads a body of collectd's write_http plugin, one part after the other: JSON as by `Format "JSON"`, PUTVAL lines as by
 * `Format "Command"`, or notifications, JSON in both, which become text: `FAILURE of edge-01: no readings`. Throws a
 * `TextError`, with its place in the body.
 */
export function* readWriteHttp(body: string, rules: PutvalRules): Generator<Reading | string> {
  const found: (Reading | string)[] = [];
  const splitter = createSplitter({
    object: (text) => void found.push(readJson(text, itemFrom)),
    line: (text) => void found.push(...readingsFromPutval(text, rules)),
  });
  for (let at = 0; at < body.length; at += sliceSize) {
    splitter.feed(body.slice(at, at + sliceSize));
    yield* found.splice(0);
  }
  splitter.end();
  yield* found;
}

function itemFrom(item: unknown): Reading | string {
  return isObject(item) && Object.hasOwn(item, "labels") ? notificationFrom(item) : readingFrom(item);
}

/** What reads a member that must be there. */
function required(value: unknown, what: string) {
  const members = new Map<string, unknown>();
  eachMember(value, what, (one, name) => void members.set(name, one));
  return <T>(name: string, read: (value: unknown) => T): T => {
    if (!members.has(name)) throw new ValueFault(`${what} has no '${name}'`);
    return readAt(name, () => read(members.get(name)));
  };
}

/** Notifications have the form of alerts of Prometheus. */
function notificationFrom(item: unknown): string {
  const member = required(item, "a notification");
  const textIn = (group: string, name: string) =>
    member(group, (value) => required(value, group)(name, (one) => textOf(one, name)));
  return `${textIn("labels", "severity")} of ${textIn("labels", "instance")}: ${textIn("annotations", "summary")}`;
}

function readingFrom(item: unknown): Reading {
  const member = required(item, "a value list");
  const text = (name: string) => (one: unknown) => textOf(one, name);
  const moment = (name: string, type: "time" | "span") =>
    member(name, (value) => {
      const read = readSeconds(numeral(value, name), type);
      if (read === undefined) throw new ValueFault(`'${name}' is not a number of seconds`);
      return { ...read };
    });
  const items = <T>(name: string, read: (one: unknown, index: number) => T) =>
    member(name, (value) => eachItem(value, name, read));
  const types = items("dstypes", (one) => kindOf(textOf(one, "dstypes")));
  const names = items("dsnames", text("dsnames"));
  const values = items("values", (one, index) => readValue(one, types[index]));
  if (types.length !== values.length || names.length !== values.length)
    throw new ValueFault("'values', 'dstypes' and 'dsnames' differ in their number");
  const identifier = Object.fromEntries(identityParts.map((part) => [part, member(part, text(part))]));
  const meta_data: Reading["meta_data"] = new Map();
  if (isObject(item) && isObject(item["meta"])) member("meta", (value) => readMetadata(value, meta_data));
  return {
    values,
    time: moment("time", "time"),
    interval: moment("interval", "span"),
    identifier: identifier as Record<IdentityPart, string>,
    ds_names: names,
    meta_data,
  };
}

function kindOf(type: string): SourceKind {
  const kind = kindNames.find((one): one is SourceKind => one !== "" && one === type);
  if (kind === undefined) throw new ValueFault(`unknown type of a value '${type}'`);
  return kind;
}

function readValue(value: unknown, kind: SourceKind = "gauge"): Value {
  const text = value === null ? "null" : numeral(value, "a value");
  // As write_http prints what is no number.
  const read = valueFromText(value === null && kind === "gauge" ? "NaN" : text, kind);
  if (read !== undefined) return read;
  const rates = kind === "gauge" ? "" : "; if it is a rate, set StoreRates to false";
  throw new ValueFault(`'${text}' is not a valid ${kind}${rates}`);
}

function readMetadata(value: unknown, into: Reading["meta_data"]): void {
  eachMember(value, "meta", (one, name) => {
    if (typeof one === "string") into.set(name, { value: { $case: "string_value", string_value: one } });
    else if (typeof one === "boolean") into.set(name, { value: { $case: "bool_value", bool_value: one } });
    else into.set(name, { value: { $case: "double_value", double_value: Number(numeral(one, name)) } });
  });
}
