import { isGiven, kebab } from "../command/flags.ts";
import { fieldOf } from "../command/releases.ts";
import type { CommandSpec } from "../command/spec.ts";
import { Failure } from "../failure/failure.ts";
import type { Since } from "../forge/generated/since.ts";
import { availableSince, ignoredField, needsText, type Release } from "../forge/support.ts";
import type { System } from "../system/system.ts";
import type { ServerContext } from "./context.ts";
import { knownRelease } from "./server-release.ts";

/**
 * Throws an `unknown_operation` failure for a flag that sets a field which the release of the server ignores, as recordings
 * prove, or which its operation sends only to releases that have it. Other fields that a release does not describe are sent,
 * and the answer is compared afterwards.
 */
export async function refuseIgnored(
  { fieldsOf, flags }: CommandSpec,
  values: Readonly<Record<string, unknown>>,
  { server: { base }, http, system }: ServerContext & { readonly system: System },
): Promise<void> {
  for (const [key, { field = fieldOf(key), form, read }] of Object.entries(flags)) {
    // A list that '' empties is given, too: it is undefined otherwise.
    const isEmptied = Array.isArray(values[key]) && read([], "") === undefined;
    if (fieldsOf === undefined || (!isGiven(values[key], form) && !isEmptied)) continue;
    const ignored = ignoredField(fieldsOf, field);
    const isStrict = ignored === undefined && fieldsOf.strict?.includes(field) === true;
    const since = isStrict ? (await import("../forge/facts.ts")).fieldSince(fieldsOf, field) : ignored;
    if (since === undefined) continue;
    const release = await knownRelease(base, system).lacks(since, http);
    if (release !== undefined && (ignored === undefined || ignored.by.includes(release.product)))
      throw lacking(release, since, base, `--${kebab(key)}`);
  }
}

/** Throws an `unknown_operation` failure if the release of the server does not have what a flag asks for. */
export async function refuseLacking(
  since: Since,
  flag: string,
  { server: { base }, http, system }: ServerContext & { readonly system: System },
): Promise<void> {
  const release = await knownRelease(base, system).lacks(since, http);
  if (release !== undefined) throw lacking(release, since, base, flag);
}

function lacking(release: Release, since: Since, { host }: URL, flag: string): Failure {
  return new Failure("unknown_operation", needsText(release, since, host, flag), { hint: availableSince(since) });
}
