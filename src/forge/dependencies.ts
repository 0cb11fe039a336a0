import type { Http } from "../http/client.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, using } from "../shape/shape.ts";
import type { IssueMeta } from "./generated/operations.ts";
import { issue } from "./issues.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { listHas, sameBody, undoToggle } from "./undo.ts";

/**
 * An issue at the other end of a dependency. A hidden one has the title `HIDDEN` and no number
 * (docs/server-differences.md, "Pull requests: merging").
 */
export const relatedIssue = using(issue, "number", "title", "state", "html_url", "repository", "pull_request");

export type RelatedIssue = Infer<typeof relatedIssue>;

/** How an issue is related to others: it blocks them, or depends on them. */
export type Relation = "blocks" | "dependencies";

/** The related issues of an issue. */
export interface Related {
  readonly of: Relation;
  readonly repo: RepoName;
  readonly index: number;
}

const changed = using(issue, "number");

/** The open and closed issues that an issue blocks, as far as they are visible. */
export const issueBlockList = operation("GET", "/repos/{owner}/{repo}/issues/{index}/blocks", {
  answers: pagesOf(relatedIssue),
});

/** The open and closed issues that an issue depends on. */
export const issueDependencyList = operation("GET", "/repos/{owner}/{repo}/issues/{index}/dependencies", {
  answers: pagesOf(relatedIssue),
});

const which = "names the other issue";
const applied = { except: { index: which, owner: which, repo: which } };

const isRelated = listHas({ number: "index", "repository.owner": "owner", "repository.name": "repo" });

/** The names in the body must be spelled as the server stores them. The answer is the issue of the path. */
export const issueBlockAdd = operation("POST", "/repos/{owner}/{repo}/issues/{index}/blocks", {
  answers: changed,
  undo: undoToggle({ state: isRelated, body: sameBody }),
  applied,
});

/** The names in the body must be spelled as the server stores them. The answer is the issue of the path. */
export const issueDependencyAdd = operation("POST", "/repos/{owner}/{repo}/issues/{index}/dependencies", {
  answers: changed,
  undo: undoToggle({ state: isRelated, body: sameBody }),
  applied,
});

/** The servers read the other issue from the body of the DELETE. */
export const issueBlockRemove = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/blocks", {
  answers: changed,
  undo: undoToggle({ by: "POST", state: isRelated, body: sameBody }),
});

/** The servers read the other issue from the body of the DELETE. */
export const issueDependencyRemove = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/dependencies", {
  answers: changed,
  undo: undoToggle({ by: "POST", state: isRelated, body: sameBody }),
});

/** The issues that an issue blocks, or depends on. */
export function listRelated(http: Http, { of, repo, index }: Related) {
  return call(http, of === "blocks" ? issueBlockList : issueDependencyList, { repo, index });
}

/** Makes an issue block another one, or depend on it. */
export function addRelated(http: Http, { of, repo, index }: Related, other: IssueMeta) {
  return call(http, of === "blocks" ? issueBlockAdd : issueDependencyAdd, { repo, index }, other);
}

/** Ends that an issue blocks another one, or depends on it. */
export function removeRelated(http: Http, { of, repo, index }: Related, other: IssueMeta) {
  return call(http, of === "blocks" ? issueBlockRemove : issueDependencyRemove, { repo, index }, other);
}
