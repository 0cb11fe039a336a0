import { type IdentityPart, identityParts } from "../reading/identity.ts";
import { decodeText } from "../wire/text.ts";
import type { Fields, Moment } from "./fields.ts";
import { readRest } from "./read-fields.ts";

/** Names of the types of values; see `kind`. */
export const kindNames = ["", "counter", "gauge", "derive", "absolute"] as const;

/** The identifier of a reading. */
export type Identity = Readonly<Record<IdentityPart, string>>;

/** What the readings of a series have in common, as text that `decodeText` made. */
export interface Series {
  readonly identifier: Identity | undefined;
  readonly interval: Moment | undefined;
  readonly ds_names: readonly string[];
}

/** The identifier, interval and names of a reading. They are read again if the decoder has seen them before. */
export function seriesOf(fields: Fields): Series {
  // Strings that are not UTF-8 were rejected then, unless they are accepted.
  if (!fields.isWhole) readRest(fields, true);
  const { interval, names, nameCount } = fields;
  const ds_names: string[] = [];
  for (let index = 0; index < nameCount; index += 1)
    ds_names.push(textAt(fields, names[2 * index] ?? 0, names[2 * index + 1] ?? 0));
  return { identifier: identityOf(fields), interval: interval.isSet ? { ...interval } : undefined, ds_names };
}

function identityOf(fields: Fields): Identity | undefined {
  if (!fields.hasIdentifier) return undefined;
  const identity = { host: "", plugin: "", plugin_instance: "", type: "", type_instance: "" };
  identityParts.forEach((part, index) => {
    identity[part] = textAt(fields, fields.parts[2 * index] ?? 0, fields.parts[2 * index + 1] ?? 0);
  });
  return identity;
}

/** The text of some bytes of a reading. */
export function textAt({ bytes }: Fields, start: number, end: number): string {
  return start === end ? "" : decodeText(bytes.subarray(start, end));
}
