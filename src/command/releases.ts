import type { Since } from "../forge/generated/since.ts";
import { availableSince, firstReleases, sinceOfNeeds } from "../forge/support.ts";
import { type Flag, type Flags, snake } from "./flags.ts";
import type { CommandSpec } from "./spec.ts";

/** A command whose details and flags say which releases of servers have what they need, if not all do. */
export async function withReleases(command: CommandSpec): Promise<CommandSpec> {
  const { details, flags, needs = [] } = command;
  const since = sinceOfNeeds(needs);
  const available = since === undefined ? [] : [availableSince(since)];
  const text = [...(details === undefined ? [] : [details]), ...available].join("\n\n");
  return { ...command, ...(text === "" ? {} : { details: text }), flags: await flagsWithReleases(flags, command) };
}

/** The field that a flag sets: `--mirror-password-file` reads it from a file, `--add-X` and `--remove-X` change a list. */
export function fieldOf(key: string): string {
  return snake(key).replace(/^(add|remove)_|_file$/, "");
}

/** Which releases have the operations that a flag needs, or the field that it sets; undefined if all have it. */
export async function sinceOfFlag(
  key: string,
  { needs, field = fieldOf(key) }: Flag<unknown>,
  { fieldsOf }: Pick<CommandSpec, "fieldsOf">,
): Promise<Since | undefined> {
  if (needs !== undefined) return sinceOfNeeds(needs);
  return fieldsOf && (await import("../forge/facts.ts")).fieldSince(fieldsOf, field);
}

async function flagsWithReleases(flags: Flags, command: CommandSpec): Promise<Flags> {
  const described = Object.entries(flags).map(async ([key, flag]) => {
    const releases = await sinceOfFlag(key, flag, command);
    const description = `${flag.description}${releases === undefined ? "" : ` (${firstReleases(releases)})`}`;
    return [key, { ...flag, description }] as const;
  });
  return Object.fromEntries(await Promise.all(described));
}
