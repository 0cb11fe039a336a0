import type { Entry } from "../../../app/rows/journal-file.ts";
import { UsageError } from "../../../failure/failure.ts";
import { mismatch } from "../../../shape/mismatch.ts";
import { boolean, type Infer, list, optional, record, string } from "../../../shape/shape.ts";

/** What an import was asked for, as its journal keeps it for --resume: no secrets. */
export const importSettings = record({
  /** The address of the owner; absent with --list. */
  source: optional(string),
  /** The repositories of --list. */
  entries: optional(list(record({ address: string, name: string }))),
  service: optional(string),
  /** The owner of the new repositories. */
  to: string,
  include: list(string),
  exclude: list(string),
  forks: optional(boolean),
  archived: optional(boolean),
  visibility: optional(string),
  /** The fields of the migration that are true: `issues`, `lfs`. */
  items: list(string),
  mirror: boolean,
  mirror_interval: optional(string),
  private: optional(boolean),
  /** Whether it began with a token for the source, which is not kept. */
  signed_in: optional(boolean),
  /** The user that an administrator acts as. */
  sudo: optional(string),
});
export type ImportSettings = Infer<typeof importSettings>;

/** The settings in the first line of a journal. Throws a usage error if there are none. */
export function keptSettings(header: Entry | undefined, path: string): ImportSettings {
  const kept = header?.["command"];
  if (mismatch(importSettings, kept) !== undefined) throw new UsageError(`${path} does not say what is imported`);
  return kept as ImportSettings;
}
