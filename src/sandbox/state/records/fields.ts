import { type FieldFacts, recordFacts } from "../../../forge/generated/facts.ts";

/** A body with all of its fields. */
export type Filled<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** Fields of one type. */
export type Numbers<K extends string> = Readonly<Record<K, number>>;
export type Texts<K extends string> = Readonly<Record<K, string>>;
export type Flags<K extends string> = Readonly<Record<K, boolean>>;

/** When a record was created and last changed (RFC 3339). */
export type Timed = Texts<"created_at" | "updated_at">;

const zeroValues: Readonly<Record<string, unknown>> = { integer: 0, boolean: false, string: "" };

/** What a field is where nothing is set: no text, off, zero. */
export function zeroValue(field: FieldFacts): unknown {
  const type = typeof field === "string" ? field : field.type;
  if (type.endsWith("[]") || type.endsWith(":date-time")) return null;
  return zeroValues[type.split(/[:(]/)[0] ?? ""] ?? null;
}

/** The fields of a body, with nothing set. */
export function unset(body: string): Record<string, unknown> {
  const fields = Object.entries(recordFacts[body]?.fields ?? {});
  return Object.fromEntries(fields.map(([name, facts]) => [name, zeroValue(facts)]));
}
