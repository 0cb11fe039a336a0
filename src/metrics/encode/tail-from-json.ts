import type { MetadataValue } from "../generated/collectd/types.ts";
import type { Reading } from "../reading/codec.ts";
import { identityParts } from "../reading/identity.ts";
import { readDuration } from "./numbers.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads what follows values and time in the JSON of a reading, from a comma or the last brace on: a reading without values
 * and time. Much faster than `readingFromJson`, but only for the form that decode writes: returns undefined for any other
 * form, and for errors, which the generic path reports.
 */
export function tailFromJson(bytes: Uint8Array): Reading | undefined {
  const text = decoded(bytes);
  const members = text === undefined ? undefined : membersOf(text);
  if (text === undefined || members === undefined) return undefined;
  const identifier = isObject(members["identifier"]) ? members["identifier"] : {};
  const metadata = isObject(members["meta_data"]) ? Object.entries(members["meta_data"]) : [];
  // JSON.parse keeps the last of several members of a name.
  const names = Object.keys(members).length + Object.keys(identifier).length + 2 * metadata.length;
  if (names !== text.split('":').length - 1) return undefined;
  const reading: Reading = {
    values: [],
    time: undefined,
    interval: undefined,
    identifier: undefined,
    ds_names: [],
    meta_data: new Map(),
  };
  for (const [name, value] of Object.entries(members)) {
    if (name === "interval" && typeof value === "string") {
      const interval = readDuration(value);
      if (interval === undefined) return undefined;
      reading.interval = { ...interval };
    } else if (name === "identifier" && isObject(value)) {
      reading.identifier = readIdentifier(value);
      if (reading.identifier === undefined) return undefined;
    } else if (name === "ds_names" && Array.isArray(value) && value.every(isText)) reading.ds_names = value;
    else if (name !== "meta_data" || !isObject(value)) return undefined;
  }
  for (const [key, value] of metadata) {
    const read = readMetadata(value);
    // Objects list names that are numbers first, in another order than the text.
    if (read === undefined || !isText(key) || /^\d/.test(key)) return undefined;
    reading.meta_data.set(key, read);
  }
  return reading;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function membersOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text === "}") return {};
  if (!text.startsWith(',"')) return undefined;
  try {
    const parsed: unknown = JSON.parse(`{${text.slice(1)}`);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Half of a surrogate pair is not text; in decoded readings, it stands for a byte that is not UTF-8.
const hasSurrogate = /\p{Surrogate}/u;

function isText(value: unknown): value is string {
  return typeof value === "string" && !hasSurrogate.test(value);
}

function readIdentifier(value: Readonly<Record<string, unknown>>): Reading["identifier"] {
  const identifier = { host: "", plugin: "", plugin_instance: "", type: "", type_instance: "" };
  for (const [name, text] of Object.entries(value)) {
    const part = identityParts.find((known) => known === name);
    if (part === undefined || !isText(text)) return undefined;
    identifier[part] = text;
  }
  return identifier;
}

/** A metadata value that is a string or a boolean, as most are. */
function readMetadata(item: unknown): MetadataValue | undefined {
  const [[name, value] = [], other] = isObject(item) ? Object.entries(item) : [];
  if (other !== undefined) return undefined;
  if (name === "string_value" && isText(value)) return { value: { $case: "string_value", string_value: value } };
  if (name === "bool_value" && typeof value === "boolean") return { value: { $case: "bool_value", bool_value: value } };
  return undefined;
}
