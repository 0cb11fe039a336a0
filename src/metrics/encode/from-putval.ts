import Long from "long";
import type { Value } from "../generated/collectd/types.ts";
import type { Reading } from "../reading/codec.ts";
import type { SourceKind } from "../reading/values.ts";
import { readDouble, readInteger, readSeconds } from "./numbers.ts";
import { TextFault } from "./pieces.ts";
import { defaultTypesDb, type TypesDb } from "./types-db.ts";

/** What PUTVAL lines do not specify. */
export interface PutvalRules {
  /** Types and names of data sources; undefined if there is no types.db. */
  readonly types: TypesDb | undefined;
  /** The time for `N`, in milliseconds since 1970. */
  readonly now: () => number;
}

interface Word {
  readonly text: string;
  readonly at: number;
}

/**
 * Parses a line of collectd's plain text protocol, `PUTVAL "host/plugin-instance/type-instance"
 * [interval=SECONDS] [meta:KEY="TEXT"] TIME:VALUE[:VALUE]…`; each group of values is a reading. Throws a `TextFault`.
 */
export function readingsFromPutval(line: string, rules: PutvalRules): Reading[] {
  const [command, identifier, ...rest] = words(line);
  if (command === undefined || command.text.toUpperCase() !== "PUTVAL") {
    throw new TextFault(command?.at ?? 0, "expected a JSON object or a PUTVAL line");
  }
  if (identifier === undefined) throw new TextFault(line.length, "missing identifier");
  const base = { identifier: readIdentifier(identifier), interval: undefined as Reading["interval"] };
  const metadata: Reading["meta_data"] = new Map();
  const readings: Reading[] = [];
  for (const word of rest) {
    const option = /^([A-Za-z][^=:]*|meta:[^=]+)=(.*)$/s.exec(word.text);
    if (option === null) {
      readings.push({
        ...base,
        ...readValues(word, base.identifier.type, identifier.at, rules),
        meta_data: new Map(metadata),
      });
    } else if (option[1] === "interval") {
      const interval = readSeconds(option[2] ?? "", "span");
      if (interval === undefined) throw new TextFault(word.at, `'${option[2]}' is not a number of seconds`);
      base.interval = { ...interval };
    } else if (option[1]?.startsWith("meta:") === true) {
      metadata.set(option[1].slice(5), { value: { $case: "string_value", string_value: option[2] ?? "" } });
    } else throw new TextFault(word.at, `unknown PUTVAL option '${option[1]}'`);
  }
  if (readings.length === 0) throw new TextFault(line.length, "missing values");
  return readings;
}

/** Splits at whitespace outside quotes; in quotes, a backslash escapes the next character. */
function words(line: string): Word[] {
  const found: Word[] = [];
  for (const match of line.matchAll(/(?:"(?:[^"\\]|\\.)*"|[^\s"])+|"/gs)) {
    if (match[0] === '"') throw new TextFault(match.index, "unterminated quote");
    const text = match[0].replace(/"((?:[^"\\]|\\.)*)"/gs, (_, inner: string) => inner.replace(/\\(.)/gs, "$1"));
    found.push({ text, at: match.index });
  }
  return found;
}

function readIdentifier({ text, at }: Word): NonNullable<Reading["identifier"]> {
  const identifier = identifierOf(text);
  if (identifier !== undefined) return identifier;
  throw new TextFault(at, `invalid identifier '${text}': expected host/plugin-instance/type-instance`);
}

/** Parses `host/plugin-instance/type-instance`; undefined if it has not three parts. */
export function identifierOf(text: string): Reading["identifier"] {
  const [, host = "", plugin = "", type = ""] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (type === "") return undefined;
  const [pluginName, pluginInstance] = atDash(plugin);
  const [typeName, typeInstance] = atDash(type);
  return { host, plugin: pluginName, plugin_instance: pluginInstance, type: typeName, type_instance: typeInstance };
}

function atDash(text: string): readonly [string, string] {
  const dash = text.indexOf("-");
  return dash < 0 ? [text, ""] : [text.slice(0, dash), text.slice(dash + 1)];
}

function readValues({ text, at }: Word, type: string, typeAt: number, { types, now }: PutvalRules) {
  const [time = "", ...values] = text.split(":");
  if (types === undefined) throw new TextFault(typeAt, `type '${type}' is unknown: ${defaultTypesDb} does not exist`);
  const sources = types.get(type);
  if (sources === undefined) throw new TextFault(typeAt, `type '${type}' is not in types.db`);
  if (values.length !== sources.length) {
    throw new TextFault(at, `wrong number of values for type '${type}': ${values.length} instead of ${sources.length}`);
  }
  const moment = time === "N" ? momentOf(now()) : readSeconds(time, "time");
  if (moment === undefined)
    throw new TextFault(at, `invalid time '${time}': expected seconds since 1970, or N for now`);
  let from = at + time.length + 1;
  return {
    time: { ...moment },
    ds_names: sources.map(({ name }) => name),
    values: values.map((value, index) => {
      const read = valueFromText(value, sources[index]?.kind ?? "gauge");
      if (read === undefined) throw new TextFault(from, `'${value}' is not a valid ${sources[index]?.kind}`);
      from += value.length + 1;
      return read;
    }),
  };
}

function momentOf(milliseconds: number) {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: Long.fromNumber(seconds), nanos: Math.round((milliseconds - seconds * 1000) * 1_000_000) };
}

/** Parses a value as collectd writes it; undefined if it is not valid. */
export function valueFromText(text: string, kind: SourceKind): Value | undefined {
  if (kind === "gauge") {
    const named = /^[+-]?inf(inity)?$/i.test(text) ? (text.startsWith("-") ? "-Infinity" : "Infinity") : text;
    const gauge = readDouble(/^(U|[+-]?nan(\(.*\))?)$/i.test(text) ? "NaN" : named.replace(/^\+/, ""));
    return gauge === undefined ? undefined : { value: { $case: "gauge", gauge } };
  }
  const number = readInteger(text, kind === "derive" ? "int64" : "uint64");
  if (number === undefined) return undefined;
  if (kind === "derive") return { value: { $case: "derive", derive: number } };
  return {
    value: kind === "counter" ? { $case: "counter", counter: number } : { $case: "absolute", absolute: number },
  };
}
