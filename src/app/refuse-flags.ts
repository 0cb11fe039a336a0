import { isGiven, kebab } from "../command/flags.ts";
import { fieldOf } from "../command/releases.ts";
import type { CommandSpec } from "../command/spec.ts";
import { Failure } from "../failure/failure.ts";
import { type Asked, lacks } from "../forge/server-has.ts";
import { ignoredField, placed } from "../forge/support.ts";
import type { ServerContext } from "./context.ts";

/**
 * Throws an `unknown_operation` failure for a flag that sets a field which the release of the server ignores, as recordings
 * prove, or which its operation sends only to releases that have it. Other fields that a release does not describe are sent,
 * and the answer is compared afterwards.
 */
export async function refuseIgnored(
  { fieldsOf, flags }: CommandSpec,
  values: Readonly<Record<string, unknown>>,
  context: ServerContext,
): Promise<void> {
  for (const [key, { field = fieldOf(key), form, read }] of Object.entries(flags)) {
    // A list that '' empties is given, too: it is undefined otherwise.
    const isEmptied = Array.isArray(values[key]) && read([], "") === undefined;
    if (fieldsOf === undefined || (!isGiven(values[key], form) && !isEmptied)) continue;
    const ignored = ignoredField(fieldsOf, field);
    const isStrict = ignored === undefined && fieldsOf.strict?.includes(field) === true;
    const since = isStrict ? (await import("../forge/facts.ts")).fieldSince(fieldsOf, field) : ignored;
    if (since === undefined) continue;
    const [operation] = placed(fieldsOf);
    await refuseLacking({ since, operation, field }, `--${kebab(key)}`, context, ignored?.by);
  }
}

/** Throws an `unknown_operation` failure if the server, of one of the products, does not have what a flag asks for. */
export async function refuseLacking(
  asked: Asked,
  flag: string,
  { server: { base }, http }: ServerContext,
  products?: readonly ("gitea" | "forgejo")[],
): Promise<void> {
  const lacking = await lacks(http, asked, { server: base.host, what: flag });
  if (lacking === undefined || (lacking.product && products?.includes(lacking.product) === false)) return;
  throw new Failure("unknown_operation", lacking.message, { hint: lacking.hint });
}
