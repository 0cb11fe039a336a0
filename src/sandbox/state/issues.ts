import type { PullPart } from "./pulls.ts";
import type { Store } from "./store.ts";

/** An issue or a pull request: they share numbers and most of their fields. Times are RFC 3339. */
export interface IssueRecord {
  readonly id: number;
  readonly repoId: number;
  /** The number in the repository. */
  readonly index: number;
  readonly posterId: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly number[];
  readonly milestoneId: number | null;
  readonly assignees: readonly number[];
  readonly state: "open" | "closed";
  readonly is_locked: boolean;
  readonly due_date: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly content_version: number;
  /** Issues that must be closed first, by id. */
  readonly dependsOn: readonly number[];
  /** What a pull request has besides. */
  readonly pull: PullPart | null;
}

export function issueAt(store: Store, repoId: number, index: number): IssueRecord | undefined {
  return store.table("issues").get(`${repoId}/${index}`);
}

export function issuesOf(store: Store, repoId: number): IssueRecord[] {
  return store.table("issues").filter((issue) => issue.repoId === repoId);
}

/** Records a new issue under the repository's next number. */
export function newIssue(
  store: Store,
  now: string,
  given: Partial<IssueRecord> & Pick<IssueRecord, "repoId" | "posterId" | "title">,
): IssueRecord {
  return saveIssue(store, {
    id: store.nextId("issues"),
    index: store.nextId(`issues of ${given.repoId}`),
    body: "",
    labels: [],
    milestoneId: null,
    assignees: [],
    state: "open",
    is_locked: false,
    due_date: null,
    created_at: now,
    updated_at: now,
    closed_at: null,
    content_version: 0,
    dependsOn: [],
    pull: null,
    ...given,
  });
}

export function saveIssue<T extends IssueRecord>(store: Store, issue: T): T {
  store.table("issues").put(`${issue.repoId}/${issue.index}`, issue);
  return issue;
}
