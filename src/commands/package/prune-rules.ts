import type { Package } from "../../forge/packages.ts";
import { relative } from "../../text/format.ts";
import { contextPattern } from "../../text/glob.ts";

/** What `package prune` was asked to keep and to delete. */
export interface PruneRules {
  /** How many of the newest versions of each package are kept; undefined if it was not given. */
  readonly keep: number | undefined;
  /** In milliseconds. */
  readonly olderThan: number | undefined;
  readonly keepPatterns: readonly string[];
  /** Whether container manifests are deleted that have no tag. */
  readonly untagged: boolean;
  readonly now: Date;
}

/** What becomes of a version, and why. */
export interface Verdict {
  readonly deletes: boolean;
  readonly reason: string;
}

export interface Decision extends Verdict {
  readonly version: Package;
  /** The versions that are deleted before this one, because they need it. */
  readonly after?: readonly Package[];
  /** Those with lower ranks are deleted before. */
  readonly rank?: number;
}

export const keep = (reason: string): Verdict => ({ deletes: false, reason });
export const remove = (reason: string): Verdict => ({ deletes: true, reason });

/** Whether versions are deleted that are no untagged manifests. */
export function prunesVersions({ keep: count, olderThan, untagged }: PruneRules): boolean {
  return count !== undefined || (olderThan !== undefined && !untagged);
}

/** Newest first. */
export function newestFirst(versions: readonly Package[]): Package[] {
  const age = ({ created_at }: Package) => Date.parse(created_at ?? "");
  return versions.toSorted((one, other) => age(other) - age(one) || other.id - one.id);
}

/** The pattern of --keep-pattern that a version matches. */
export function keptByPattern({ version }: Package, { keepPatterns }: PruneRules): Verdict | undefined {
  const pattern = keepPatterns.find((one) => contextPattern(one)(version));
  return pattern === undefined ? undefined : keep(`matches '${pattern}'`);
}

/** Keeps a version that is not older than `age`, in milliseconds, or has no time. */
export function keptByAge({ created_at }: Package, age: number | undefined, now: Date): Verdict | undefined {
  if (age === undefined || now.getTime() - Date.parse(created_at ?? "") >= age) return undefined;
  return keep(`created ${relative(created_at ?? "", now)}`);
}

/** Decides about versions that are no untagged manifests, which are sorted: newest first. */
export function decideVersions(versions: readonly Package[], rules: PruneRules): Verdict[] {
  const { keep: count = 1, olderThan, now } = rules;
  const some = rules.keep === undefined || count === 0 ? [] : [`not among the newest ${count}`];
  return versions.map((one, index) => {
    if (!prunesVersions(rules)) return keep("only untagged manifests are deleted");
    if (index < count) return keep(count === 1 ? "newest" : `among the newest ${count}`);
    const isLatest = one.type === "container" && one.version === "latest" && count > 0;
    const age = olderThan === undefined ? [] : [`created ${relative(one.created_at ?? "", now)}`];
    return (
      keptByPattern(one, rules) ??
      (isLatest ? keep("tag latest") : keptByAge(one, olderThan, now)) ??
      remove([...some, ...age].join(", ") || "no version is kept")
    );
  });
}
