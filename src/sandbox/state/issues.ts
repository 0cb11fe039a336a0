import type { CommentRecord, IssueRecord, PullRecord } from "./records/issues.ts";
import type { Maker, Store } from "./store.ts";

/** The issue or pull request with a number. */
export function issueAt(store: Store, repoId: number, index: number): IssueRecord | undefined {
  return store.table("issues").get(`${repoId}/${index}`);
}

/** The issues and pull requests of a repository. */
export function issuesOf(store: Store, repoId: number): IssueRecord[] {
  return store.table("issues").filter((issue) => issue.repoId === repoId);
}

/** Creates an issue with the next number of the repository. */
export function newIssue(
  { store, now }: Maker,
  given: Partial<IssueRecord> & Pick<IssueRecord, "repoId" | "posterId" | "title">,
): IssueRecord {
  return saveIssue(store, {
    id: store.nextId("issues"),
    index: given.index ?? store.nextId(`issues of ${given.repoId}`),
    body: "",
    labels: [],
    milestoneId: null,
    assignees: [],
    state: "open",
    is_locked: false,
    due_date: null,
    created_at: now(),
    updated_at: now(),
    closed_at: null,
    content_version: 0,
    pull: null,
    ...given,
  });
}

/** Stores an issue and returns it. */
export function saveIssue<T extends IssueRecord>(store: Store, issue: T): T {
  store.table("issues").put(issue);
  return issue;
}

/** Changes fields of an issue, and with them when it was last changed. */
export function changeIssue<T extends IssueRecord>({ store, now }: Maker, issue: T, fields: Partial<IssueRecord>): T {
  return saveIssue(store, { ...issue, ...fields, updated_at: now() });
}

/** Closes an issue or a pull request; no-op if it is closed. */
export function closeIssue<T extends IssueRecord>(site: Maker, issue: T): T {
  return issue.state === "closed" ? issue : changeIssue(site, issue, { state: "closed", closed_at: site.now() });
}

/** Whether an issue is a pull request. */
export function isPull(issue: IssueRecord | undefined): issue is PullRecord {
  return issue !== undefined && issue.pull !== null;
}

/** The pull request with a number. */
export function pullAt(store: Store, repoId: number, index: number): PullRecord | undefined {
  const issue = issueAt(store, repoId, index);
  return isPull(issue) ? issue : undefined;
}

/** The pull requests of a repository. */
export function pullsOf(store: Store, repoId: number): PullRecord[] {
  return issuesOf(store, repoId).filter(isPull);
}

/** Open pull requests in any repository whose head is a branch. */
export function openPullsFrom(store: Store, headRepoId: number, head: string): PullRecord[] {
  return openPulls(store).filter(({ pull }) => pull.headRepoId === headRepoId && pull.head === head);
}

/** Open pull requests into a branch. */
export function openPullsInto(store: Store, repoId: number, base: string): PullRecord[] {
  return openPulls(store).filter((one) => one.repoId === repoId && one.pull.base === base);
}

/** The open pull requests of all repositories. */
export function openPulls(store: Store): PullRecord[] {
  return store
    .table("issues")
    .filter((one) => one.state === "open")
    .filter(isPull);
}

/** Title prefixes that mark a draft, ignoring case. */
const draftPrefixes = ["wip:", "[wip]"];

/** Whether a pull request is a draft. */
export function isDraft({ title }: Pick<IssueRecord, "title">): boolean {
  return draftPrefixes.some((prefix) => title.toLowerCase().startsWith(prefix));
}

/** Oldest first. */
export function commentsOf(store: Store, repoId: number, index: number): CommentRecord[] {
  return store.table("comments").filter((comment) => comment.repoId === repoId && comment.index === index);
}
