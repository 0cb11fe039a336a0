import { accessTo } from "../http/access.ts";
import { found, notFound } from "../http/refusal.ts";
import type { Call } from "../http/route.ts";
import { type IssueRecord, issueAt } from "../state/issues.ts";

export const issuesPath = "/repos/{owner}/{repo}/issues";
export const reading = { repo: "any" } as const;
export const writing = { repo: "any", signedIn: true } as const;

/** Whether the unit that an issue belongs to, issues or pull requests, lets the caller do something. */
export function may(
  { access }: Pick<Call<typeof reading>, "access">,
  issue: IssueRecord,
  word: "read" | "write",
): boolean {
  return access.atLeast(word, issue.pull === null ? "issues" : "pulls");
}

/** The issue or pull request that a path names; 404 where it cannot be read. */
export function named(call: Call<typeof reading>, message?: string): IssueRecord {
  const issue = found(issueAt(call.site.store, call.repo.id, call.number("index")), message);
  return may(call, issue, "read") ? issue : notFound();
}

/** How some operations say that there is no such issue. */
export function absentIssue(call: Call<typeof reading>): string {
  return `issue does not exist [id: 0, repo_id: ${call.repo.id}, index: ${call.number("index")}]`;
}

/** Whether somebody can read an issue, wherever it lies. */
export function sees({ site, me }: Call, issue: IssueRecord): boolean {
  const repo = site.store.table("repos").get(issue.repoId);
  return repo !== undefined && may({ access: accessTo(site, me, repo) }, issue, "read");
}
