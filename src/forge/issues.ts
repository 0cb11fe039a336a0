import type { Http } from "../http/client.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  serverRecord,
  string,
  time,
  using,
  words,
} from "../shape/shape.ts";
import { attachment } from "./attachments.ts";
import { onItsDay } from "./due-dates.ts";
import type { CreateIssueOption, EditIssueOption } from "./generated/operations.ts";
import { assigned, issueReads, planReads, unset_due_date, version, writers } from "./issue-reads.ts";
import { label } from "./labels.ts";
import { milestone } from "./milestones.ts";
import { call, operation, pagesOf, type QueryOf } from "./operation.ts";
import { undoEdit, undoMembers } from "./undo.ts";
import { person } from "./users.ts";

/** The repository of an issue, spelled as the server stores it. */
const repositoryMeta = serverRecord(
  "a repository",
  { name: string, owner: string, full_name: string },
  { id: integer },
);

/** What an issue that is a pull request says about it. */
const pullMeta = serverRecord(
  "a pull request",
  { merged: optional(boolean) },
  { merged_at: nullable(time), draft: boolean, html_url: string },
);

/** An issue or a pull request, which share the numbers of a repository. */
export const issue = serverRecord(
  "an issue",
  {
    html_url: optional(string),
    number: integer,
    user: optional(nullable(person)),
    original_author: optional(string),
    title: string,
    body: optional(string),
    assets: optional(nullable(list(attachment))),
    labels: optional(nullable(list(label))),
    milestone: optional(nullable(milestone)),
    assignees: optional(nullable(list(person))),
    state: words("open", "closed"),
    is_locked: optional(boolean),
    comments: optional(integer),
    created_at: optional(time),
    updated_at: optional(time),
    closed_at: optional(nullable(time)),
    due_date: optional(nullable(time)),
    pull_request: optional(nullable(pullMeta)),
    repository: optional(nullable(repositoryMeta)),
    pin_order: optional(integer),
    content_version: optional(integer),
    ref: optional(string),
  },
  {
    id: integer,
    url: string,
    original_author_id: integer,
    projects: optional(nullable(anything)),
    assignee: nullable(person),
    time_estimate: optional(integer),
  },
);

export type Issue = Infer<typeof issue>;

/** The part of an issue that tongs checks in the answers of operations that also apply to pull requests. */
const changed = using(issue, "assignees", "milestone");

const unit = "Issues";

/**
 * Newest first; the operation has no other order. `labels` (names) and `milestones` (titles or ids) are comma-separated; the
 * servers ignore unknown ones. `q`: words in title, body or comments.
 */
export const issueList = operation("GET", "/repos/{owner}/{repo}/issues", {
  answers: pagesOf(issue),
  unit,
});

/** Names for the query of a list; those with a comma cannot be sent. */
export function namesQuery(names: readonly string[]): string | undefined {
  return names.filter((name) => !name.includes(",")).join(",") || undefined;
}

/** The numbers of matching pull requests, newest first, for filters that `GET /pulls` does not have. */
export const issuePullList = operation("GET", "/repos/{owner}/{repo}/issues", {
  answers: pagesOf(using(issue, "number"), { unique: "number" }),
  unit,
});

/**
 * The issues and pull requests of every repository that the caller can see, newest first. Filters without a name are about the
 * caller.
 */
export const issueSearch = operation("GET", "/repos/issues/search", { answers: pagesOf(issue) });

/** Without write access the servers ignore labels, milestone and assignees. */
const { labels: _, ...edited } = issueReads;

export const issueCreate = operation("POST", "/repos/{owner}/{repo}/issues", {
  answers: issue,
  unit,
  arrives: { since: "created_at" },
  applied: {
    reads: { ...issueReads, assignees: assigned, closed: ({ state }) => state === "closed" },
    hint: `${writers}\nDo not create it again.`,
  },
});

export const issueGet = operation("GET", "/repos/{owner}/{repo}/issues/{index}", { answers: issue });

/**
 * `milestone: 0` removes the milestone. `content_version` is the version that was read: Gitea refuses an edit of an older body
 * with 409.
 */
export const issueEdit = operation("PATCH", "/repos/{owner}/{repo}/issues/{index}", {
  answers: issue,
  undo: undoEdit({ how: ["content_version"] }),
  applied: {
    reads: { ...edited, unset_due_date },
    except: { content_version: version },
    hint: writers,
  },
});

/** `milestone: 0` removes the milestone; `PATCH /pulls` cannot (docs/server-differences.md, "Pull requests: editing"). */
export const issueMilestoneSet = operation("PATCH", "/repos/{owner}/{repo}/issues/{index}", {
  answers: changed,
  undo: undoEdit({ how: ["content_version"] }),
  applied: {
    reads: { ...planReads, unset_due_date },
    except: { content_version: version },
    hint: writers,
  },
});

/** Deletes an issue, or a pull request. Needs an administrator of the repository. */
export const issueDelete = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}");

export const issueAssigneeAdd = operation("POST", "/repos/{owner}/{repo}/issues/{index}/assignees", {
  answers: changed,
  undo: undoMembers({ assignees: "assignees" }, { at: "/repos/{owner}/{repo}/issues/{index}" }),
  applied: { reads: { assignees: assigned }, hint: writers },
});

export const issueAssigneeRemove = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/assignees", {
  answers: changed,
  undo: undoMembers({ assignees: "assignees" }, { at: "/repos/{owner}/{repo}/issues/{index}", by: "POST" }),
});

export type IssueQuery = QueryOf<typeof issueList>;

/** Creates an issue with its due date on the day that was asked for. */
export async function createIssue(http: Http, repo: RepoName, body: CreateIssueOption) {
  const made = await call(http, issueCreate, { repo }, body);
  return onItsDay(made, body.due_date, made.due_date, (due_date) =>
    call(http, issueEdit, { repo, index: made.number }, { due_date }),
  );
}

/** Edits an issue, with its due date on the day that was asked for. */
export async function editIssue(http: Http, repo: RepoName, index: number, body: EditIssueOption) {
  const edited = await call(http, issueEdit, { repo, index }, body);
  return onItsDay(edited, body.due_date, edited.due_date, (due_date) =>
    call(http, issueEdit, { repo, index }, { due_date }),
  );
}
