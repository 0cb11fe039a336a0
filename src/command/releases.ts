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

async function flagsWithReleases(flags: Flags, { fieldsOf }: CommandSpec): Promise<Flags> {
  const fieldSince = fieldsOf && (await import("../forge/facts.ts")).fieldSince;
  const since = (key: string, { needs, field = fieldOf(key) }: Flag<unknown>): Since | undefined => {
    if (needs !== undefined) return sinceOfNeeds(needs);
    if (fieldsOf === undefined) return undefined;
    return fieldSince?.(fieldsOf, field);
  };
  return Object.fromEntries(
    Object.entries(flags).map(([key, flag]) => {
      const releases = since(key, flag);
      const description = `${flag.description}${releases === undefined ? "" : ` (${firstReleases(releases)})`}`;
      return [key, { ...flag, description }];
    }),
  );
}
