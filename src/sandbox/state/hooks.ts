import type { Store } from "./store.ts";

/** Whose a webhook is: of a repository, of a user or an organization, or of the server. */
export type HookKind = "repository" | "owner" | "system" | "default";

/** A webhook. The sandbox keeps it and delivers nothing. */
export interface HookRecord {
  readonly id: number;
  readonly kind: HookKind;
  /** The repository or the owner; 0 for those of the server. */
  readonly of: number;
  readonly name: string;
  readonly type: string;
  readonly branch_filter: string;
  readonly config: Readonly<Record<string, string>>;
  /** The events as answers name them, kinds spelled out. */
  readonly events: readonly string[];
  readonly active: boolean;
  readonly created: string;
  readonly updated: string;
}

export function newHook(store: Store, given: Omit<HookRecord, "id">): HookRecord {
  const id = store.nextId("hooks");
  return store.table("hooks").put(id, { id, ...given });
}

/** Removes the hooks of a repository or an owner. */
export function forgetHooks(store: Store, kind: HookKind, of: number): void {
  for (const { id } of store.table("hooks").filter((hook) => hook.kind === kind && hook.of === of)) {
    store.table("hooks").delete(id);
  }
}

const single =
  "create delete fork push repository release package wiki status workflow_run workflow_job issue_assign issue_label " +
  "issue_milestone issue_comment pull_request_assign pull_request_label pull_request_milestone pull_request_comment " +
  "pull_request_review pull_request_sync pull_request_review_request";
const issueEvents = "issues issue_assign issue_label issue_milestone issue_comment";
const pullEvents =
  "pull_request pull_request_assign pull_request_label pull_request_milestone pull_request_comment " +
  "pull_request_review pull_request_sync pull_request_review_request";

const meaning: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...single.split(" ").map((word) => [word, [word]] as const),
  ["issues", issueEvents.split(" ")],
  ["issues_only", ["issues"]],
  ["pull_request", pullEvents.split(" ")],
  ["pull_request_only", ["pull_request"]],
]);

/** The events of a hook: none named means push, unknown ones are dropped, some words stand for several. */
export function eventsOf(named: readonly string[] | undefined): readonly string[] {
  const words = named === undefined || named.length === 0 ? ["push"] : named;
  return [...new Set(words.flatMap((word) => meaning.get(word) ?? []))];
}
