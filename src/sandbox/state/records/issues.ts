import type { MergeStyle } from "../../../forge/repos.ts";
import type { Flags, Numbers, Texts, Timed } from "./fields.ts";
import type { StoredFile } from "./repos.ts";

/**
 * An issue or a pull request. Both share one number sequence, the index in the repository, and most fields. Times are RFC 3339.
 */
export interface IssueRecord
  extends Timed,
    Numbers<"id" | "repoId" | "index" | "posterId" | "content_version">,
    Texts<"title" | "body">,
    Flags<"is_locked"> {
  readonly labels: readonly number[];
  readonly milestoneId: number | null;
  readonly assignees: readonly number[];
  readonly state: "open" | "closed";
  readonly due_date: string | null;
  /** The branch or tag that the issue is about. */
  readonly ref?: string;
  readonly closed_at: string | null;
  /** The fields of a pull request, null for an issue. */
  readonly pull: PullPart | null;
}

/**
 * The pull request fields of an issue. Branches are short names; the base branch is in the issue's repository. The head commit
 * is the one after the last push, the target of `refs/pull/N/head`; the merge base is the base commit for unrelated histories.
 */
export interface PullPart
  extends Numbers<"id">,
    Texts<"base" | "head" | "headSha" | "mergeBase">,
    Flags<"allowsMaintainers"> {
  /** Null after the head repository was deleted. */
  readonly headRepoId: number | null;
  readonly check: Check;
  readonly merged: { readonly at: string; readonly commit: string; readonly byId: number } | null;
  readonly schedule: Schedule | null;
}

export type PullRecord = IssueRecord & { readonly pull: PullPart };

/** The result of the mergeability check. */
export interface Check {
  readonly result: "mergeable" | "conflict" | "empty";
  /** The changed files that the base branch protects. */
  readonly protectedFiles: readonly string[];
  /** The commit range searched for those files. */
  readonly range: string;
}

/** A merge scheduled for when the checks succeed. */
export interface Schedule extends Numbers<"byId">, Texts<"message">, Flags<"deleteBranch"> {
  readonly style: MergeStyle;
}

/** A comment on an issue or a pull request, by its index. */
export type CommentRecord = Timed & Numbers<"id" | "repoId" | "index" | "posterId"> & Texts<"body">;

/** A file of an issue, of a pull request or, with `commentId`, of a comment on one. */
export interface AttachmentRecord extends StoredFile, Numbers<"repoId" | "index"> {
  readonly commentId: number | null;
}

/** A notification of a user about an issue or a pull request, by its index, and the last comment on it. */
export interface NotificationRecord extends Numbers<"id" | "userId" | "repoId" | "index">, Texts<"updated_at"> {
  readonly status: "unread" | "read" | "pinned";
  readonly commentId: number | null;
}

export type ReviewState = "APPROVED" | "REQUEST_CHANGES" | "COMMENT" | "PENDING" | "REQUEST_REVIEW";

/**
 * A review or a review request. Its commit is the head that it was written for, empty for requests; `official`: it counts for
 * the protection of the base branch. `commentId` is its entry in the timeline, 0 for pending reviews and requests.
 */
export interface ReviewRecord
  extends Numbers<"id" | "repoId" | "index" | "commentId">,
    Texts<"body" | "commit" | "submitted_at" | "updated_at">,
    Flags<"stale" | "official" | "dismissed"> {
  /** The reviewer: a user or, for requests only, a team; the other id is null. */
  readonly userId: number | null;
  readonly teamId: number | null;
  readonly state: ReviewState;
}

/** A line comment of a review, on a line of the new file, or the negated line of the old one, and on more after it. */
export interface ReviewCommentRecord
  extends Timed,
    Numbers<"id" | "reviewId" | "posterId" | "line">,
    Texts<"path" | "body" | "commit" | "diff_hunk"> {
  readonly extra_lines_count?: number;
}

/**
 * A commit status. The key is `repoId/sha/number`, which counts from 1 for each commit: the `id` in the API. Any text is a
 * status: Gitea does not validate it. The creator is null for statuses of workflow runs.
 */
export interface StatusRecord
  extends Timed,
    Numbers<"repoId" | "number">,
    Texts<"sha" | "status" | "context" | "target_url" | "description"> {
  readonly creatorId: number | null;
}
