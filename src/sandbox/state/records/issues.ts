import type { StoredFile } from "./repos.ts";

/** An issue or a pull request. Both share one number sequence and most fields. Times are RFC 3339. */
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
  /** The position among the pinned issues or pull requests; absent if it is not pinned. */
  readonly pin_order?: number;
  readonly due_date: string | null;
  /** The branch or tag that the issue is about. */
  readonly ref?: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly content_version: number;
  /** The ids of issues that block this one. */
  readonly dependsOn: readonly number[];
  /** The fields of a pull request, null for an issue. */
  readonly pull: PullPart | null;
}

/** The pull request fields of an issue. Branches are short names; the base branch is in the issue's repository. */
export interface PullPart {
  readonly id: number;
  readonly base: string;
  /** Null after the head repository was deleted. */
  readonly headRepoId: number | null;
  readonly head: string;
  /** The head commit after the last push, the target of `refs/pull/N/head`. */
  readonly headSha: string;
  /** The merge base, or the base commit for unrelated histories. */
  readonly mergeBase: string;
  readonly check: Check;
  readonly allowsMaintainers: boolean;
  readonly merged: { readonly at: string; readonly commit: string; readonly byId: number } | null;
  readonly schedule: Schedule | null;
}

export type PullRecord = IssueRecord & { readonly pull: PullPart };

/** The result of the last mergeability check, and since when another one is due. */
export interface Check {
  readonly result: "mergeable" | "conflict" | "empty";
  /** The changed files that the base branch protects. */
  readonly protectedFiles: readonly string[];
  /** The commit range searched for those files. */
  readonly range: string;
  /** When a change made the result outdated, in milliseconds since the epoch. */
  readonly dueSince: number | null;
}

/** A merge scheduled for when the checks succeed. */
export interface Schedule {
  readonly byId: number;
  readonly style: MergeStyle;
  readonly message: string;
  readonly deleteBranch: boolean;
}

export const mergeStyles = [
  "merge",
  "rebase",
  "rebase-merge",
  "squash",
  "fast-forward-only",
  "manually-merged",
] as const;

export type MergeStyle = (typeof mergeStyles)[number];

/** A comment on an issue or a pull request. */
export interface CommentRecord {
  readonly id: number;
  readonly repoId: number;
  /** The issue number. */
  readonly index: number;
  readonly posterId: number;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A file of an issue, of a pull request or, with `commentId`, of a comment on one. */
export interface AttachmentRecord extends StoredFile {
  readonly repoId: number;
  readonly index: number;
  readonly commentId: number | null;
}

/** A notification of a user about an issue or a pull request. */
export interface NotificationRecord {
  readonly id: number;
  readonly userId: number;
  readonly repoId: number;
  /** The issue number. */
  readonly index: number;
  readonly status: "unread" | "read" | "pinned";
  /** The last comment that it is about. */
  readonly commentId: number | null;
  readonly updated_at: string;
}

export type ReviewState = "APPROVED" | "REQUEST_CHANGES" | "COMMENT" | "PENDING" | "REQUEST_REVIEW";

/** A review or a review request. */
export interface ReviewRecord {
  readonly id: number;
  readonly repoId: number;
  /** The pull request number. */
  readonly index: number;
  /** The reviewer: a user or, for requests only, a team; the other id is null. */
  readonly userId: number | null;
  readonly teamId: number | null;
  readonly state: ReviewState;
  readonly body: string;
  /** The head commit it was written for; empty for requests. */
  readonly commit: string;
  readonly stale: boolean;
  /** Whether it counts for the protection of the base branch. */
  readonly official: boolean;
  readonly dismissed: boolean;
  /** The id of its entry in the timeline; 0 for pending reviews and requests. */
  readonly commentId: number;
  readonly submitted_at: string;
  readonly updated_at: string;
}

/** A line comment of a review. */
export interface ReviewCommentRecord {
  readonly id: number;
  readonly reviewId: number;
  readonly posterId: number;
  readonly path: string;
  readonly body: string;
  /** The line in the new file, or the negated line in the old file. */
  readonly line: number;
  /** How many more lines it is about. */
  readonly extra_lines_count?: number;
  readonly commit: string;
  readonly diff_hunk: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A commit status. The key is `repoId/sha/number`. */
export interface StatusRecord {
  readonly repoId: number;
  readonly sha: string;
  /** Counts from 1 for each commit; the `id` in the API. */
  readonly number: number;
  /** Any text: Gitea does not validate it. */
  readonly status: string;
  readonly context: string;
  readonly target_url: string;
  readonly description: string;
  /** Null for statuses of workflow runs. */
  readonly creatorId: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}
