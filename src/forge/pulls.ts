import { status, stream, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
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
import type { ReadField } from "./applied.ts";
import { changedFile, commit } from "./commits.ts";
import { onItsDay } from "./due-dates.ts";
import type { CreatePullRequestOption, EditPullRequestOption } from "./generated/operations.ts";
import { assigned, issueReads, unset_due_date, version, writers } from "./issue-reads.ts";
import { label } from "./labels.ts";
import { milestone } from "./milestones.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { releaseOf } from "./support.ts";
import { team } from "./teams.ts";
import { cannot, fieldsOf, hasFields, undoEdit } from "./undo.ts";
import { person } from "./users.ts";

/** The base or head of a pull request. If the fork was deleted, `repo` is null and `ref` is `refs/pull/N/head`. */
const branchInfo = serverRecord("a branch of a pull request", {
  label: optional(string),
  ref: string,
  sha: string,
  repo_id: optional(integer),
  repo: optional(
    nullable(
      using(
        repository,
        "owner",
        "name",
        "full_name",
        "ssh_url",
        "default_branch",
        "default_merge_style",
        "default_delete_branch_after_merge",
        "allow_rebase_update",
        "allow_merge_commits",
        "allow_rebase",
        "allow_rebase_explicit",
        "allow_squash_merge",
        "allow_fast_forward_only_merge",
        "allow_manual_merge",
        "updated_at",
        "archived",
        "permissions",
      ),
    ),
  ),
});

/** A pull request. `url` is the web page; API paths use `number`. */
export const pullRequest = serverRecord(
  "a pull request",
  {
    number: integer,
    user: optional(nullable(person)),
    title: string,
    body: optional(string),
    labels: optional(nullable(list(label))),
    milestone: optional(nullable(milestone)),
    assignees: optional(nullable(list(person))),
    requested_reviewers: optional(nullable(list(person))),
    requested_reviewers_teams: optional(nullable(list(team))),
    state: words("open", "closed"),
    draft: optional(boolean),
    comments: optional(integer),
    review_comments: optional(integer),
    additions: optional(nullable(integer)),
    deletions: optional(nullable(integer)),
    changed_files: optional(nullable(integer)),
    html_url: optional(string),
    mergeable: optional(boolean),
    merged: boolean,
    merged_at: optional(nullable(time)),
    merge_commit_sha: optional(nullable(string)),
    merged_by: optional(nullable(person)),
    allow_maintainer_edit: optional(boolean),
    base: branchInfo,
    head: branchInfo,
    merge_base: optional(string),
    due_date: optional(nullable(time)),
    created_at: optional(nullable(time)),
    updated_at: optional(nullable(time)),
    content_version: optional(integer),
    /** 1: made by a push to refs/for/BASE (AGit). */
    flow: optional(integer),
  },
  {
    id: integer,
    url: string,
    assignee: nullable(person),
    is_locked: boolean,
    diff_url: string,
    patch_url: string,
    closed_at: nullable(time),
    pin_order: integer,
  },
);

export type PullRequest = Infer<typeof pullRequest>;

/** Whether the head is in another repository than the base, deleted ones included. */
export function isFromFork(pull: PullRequest): boolean {
  return pull.head?.repo_id !== pull.base?.repo_id;
}

const unit = "Pull requests";

/**
 * `state` must always be sent (docs/server-differences.md, "Pull requests: listing"). Pull requests with several of the given
 * labels are repeated by the servers; duplicates are dropped.
 */
export const pullList = operation("GET", "/repos/{owner}/{repo}/pulls", {
  answers: pagesOf(pullRequest),
  unit,
});

/** The same list, for the number of their reviews with a text or comments. */
export const pullReviewCountList = operation("GET", "/repos/{owner}/{repo}/pulls", {
  answers: pagesOf(using(pullRequest, "number", "review_comments"), { unique: "number" }),
  unit,
});

const later = "what a server ignores at creation is sent afterwards (create-pull.ts)";

/** The branch of `owner:branch` or `owner/repo:branch`. */
const head: ReadField<PullRequest> = (record, asked) =>
  record.head?.ref === String(asked).split(":").at(-1) ? asked : record.head?.ref;

/** `milestone` and `labels` are ids. Forgejo ignores `reviewers`, `team_reviewers` and `allow_maintainer_edit`. */
export const pullCreate = operation("POST", "/repos/{owner}/{repo}/pulls", {
  answers: pullRequest,
  unit,
  undo: "close the pull request instead",
  arrives: { since: "created_at" },
  applied: {
    reads: { ...issueReads, assignees: assigned, base: ({ base }) => base?.ref, head },
    except: { reviewers: later, team_reviewers: later, allow_maintainer_edit: later },
    hint: `${writers}\nDo not create it again.`,
  },
});

export const pullGet = operation("GET", "/repos/{owner}/{repo}/pulls/{index}", { answers: pullRequest });

/** A pull request by its branches, in any state; `head` is `branch`, `owner:branch` or `owner/repo:branch`. */
export const pullGetByBranches = operation("GET", "/repos/{owner}/{repo}/pulls/{base}/{head}", {
  answers: pullRequest,
  slashes: true,
});

/** Streams the `diff` or the `patch`. */
export const pullDiff = operation("GET", "/repos/{owner}/{repo}/pulls/{index}.{diffType}", {
  answers: stream,
});

/** Absent fields do not change. */
export const pullEdit = operation("PATCH", "/repos/{owner}/{repo}/pulls/{index}", {
  answers: pullRequest,
  // Pull requests ignore that they are to have no milestone.
  undo: undoEdit({
    how: ["content_version"],
    // Only as an issue it can lose its milestone.
    adjust: ({ past, old, request, isChanged }) =>
      isChanged("milestone") && old["milestone"] === null
        ? { request: { ...request, path: past.at("/repos/{owner}/{repo}/issues/{index}") } }
        : {},
  }),
  applied: {
    names: { base: "base.ref" },
    reads: { ...issueReads, unset_due_date },
    except: { content_version: version },
    hint: writers,
  },
});

export const pullMergeCheck = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/merge", {
  answers: yesNo,
});

/** 200: merged. 201: automatic merge scheduled. The first keys of the body are capitalized, which every server accepts. */
export const pullMerge = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/merge", {
  answers: status,
  effect: "destroy",
  // A merge that waits for checks is cancelled, as long as it was not made.
  undo: {
    inverse: ({ body, path, at }) =>
      fieldsOf(body)["merge_when_checks_succeed"] === true
        ? {
            request: { method: "DELETE", path },
            isAsLeft: hasFields(at("/repos/{owner}/{repo}/pulls/{index}"), { merged: false }),
          }
        : cannot.commit,
  },
});

/**
 * Whether a 500 to a merge can mean that it merged and could not delete the head branch, as on Forgejo: Gitea ignores that, and
 * returns 500 if another request merged it meanwhile (docs/server-differences.md, "Pull requests: merging").
 */
export async function failsToDelete(http: Http): Promise<boolean> {
  return releaseOf((await http.version()) ?? "")?.product === "forgejo";
}

export const pullMergeCancel = operation("DELETE", "/repos/{owner}/{repo}/pulls/{index}/merge", {
  undo: "schedule the merge again instead",
});

export const pullUpdate = operation("POST", "/repos/{owner}/{repo}/pulls/{index}/update", {
  undo: cannot.commit,
});

/** Newest first. */
export const pullCommitList = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/commits", {
  answers: pagesOf(commit, { unique: "sha" }),
});

export const pullFileList = operation("GET", "/repos/{owner}/{repo}/pulls/{index}/files", {
  answers: pagesOf(changedFile, { unique: "filename" }),
});

/** Creates a pull request with its due date on the day that was asked for. */
export async function createPullRequest(http: Http, repo: RepoName, body: CreatePullRequestOption) {
  const made = await call(http, pullCreate, { repo }, body);
  return onItsDay(made, body.due_date, made.due_date, (due_date) =>
    call(http, pullEdit, { repo, index: made.number }, { due_date }),
  );
}

/** Edits a pull request, with its due date on the day that was asked for. */
export async function editPullRequest(http: Http, repo: RepoName, index: number, body: EditPullRequestOption) {
  const edited = await call(http, pullEdit, { repo, index }, body);
  return onItsDay(edited, body.due_date, edited.due_date, (due_date) =>
    call(http, pullEdit, { repo, index }, { due_date }),
  );
}
