import type { Branch } from "../../forge/branches.ts";
import type { MergeRule } from "../../forge/merge-rules.ts";
import { boolean, type Infer, integer, list, nullable, record, string, words } from "../../shape/shape.ts";

/** A check that keeps a pull request from being merged, with the lines of its log that explain why it failed. */
export const blockingCheck = record({
  context: string,
  state: string,
  url: nullable(string),
  run_id: nullable(integer),
  lines: list(string),
});

/** The codes of the reasons. They are never renamed. */
export const reasonCodes = [
  "already_merged",
  "closed",
  "archived",
  "draft",
  "conflict",
  "head_missing",
  "base_missing",
  "base_merged",
  "nothing_to_merge",
  "no_permission",
  "merge_allowlist",
  "missing_approvals",
  "changes_requested",
  "review_requested",
  "checks_failed",
  "checks_pending",
  "checks_missing",
  "behind",
  "protected_files",
  "unsigned_commits",
  "no_signing_key",
  "dependencies",
] as const;

/** A reason why a pull request cannot be merged. */
export const reasonShape = record({
  code: words(...reasonCodes),
  message: string,
  /** What would clear it. */
  clear: string,
  files: list(string),
  /** Who can clear it; teams as `team NAME`. */
  users: list(string),
  checks: list(blockingCheck),
});

export type Reason = Infer<typeof reasonShape>;
export type BlockingCheck = Infer<typeof blockingCheck>;

export const explanationShape = record({
  number: integer,
  title: string,
  /** Null while the server is still checking. */
  mergeable: nullable(boolean),
  reasons: list(reasonShape),
  /**
   * What may also block the merge: rules of the base branch that only administrators of the repository can read,
   * `conflict` if the server does not say whether it conflicts, and git has not both commits, and `files` if the server
   * fails to list those that it changes.
   */
  unchecked: list(string),
});

export type Explanation = Infer<typeof explanationShape>;

/** The rules of the base branch: what every reader sees, and the rest if the caller can read it. */
export interface Rules {
  readonly branch: Branch;
  readonly protection: MergeRule | undefined;
}

/** A reason, with what it does not have left empty. */
export function reason(code: Reason["code"], message: string, clear: string, more: Partial<Reason> = {}): Reason {
  return { code, message, clear, files: [], users: [], checks: [], ...more };
}

/** Users and teams of an allowlist. */
export function accounts(users: readonly string[] | null | undefined, teams: readonly string[] | null | undefined) {
  return [...(users ?? []), ...(teams ?? []).map((team) => `team ${team}`)];
}
