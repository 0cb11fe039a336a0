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

/** What makes an issue a pull request. Branches are short names; the base lies in the issue's repository. */
export interface PullPart {
  readonly id: number;
  readonly base: string;
  /** Nothing once the head repository is gone. */
  readonly headRepoId: number | null;
  readonly head: string;
  /** The head's commit at the last push: what `refs/pull/N/head` names. */
  readonly headSha: string;
  /** Where they parted; the base's commit for histories that have nothing in common. */
  readonly mergeBase: string;
  readonly check: Check;
  readonly allowsMaintainers: boolean;
  readonly merged: { readonly at: string; readonly commit: string; readonly byId: number } | null;
  readonly schedule: Schedule | null;
}

export type PullRecord = IssueRecord & { readonly pull: PullPart };

/** What the last check of mergeability found, and whether another one is due. */
export interface Check {
  readonly result: "mergeable" | "conflict" | "empty";
  /** Changed files that the base's rule protects. */
  readonly protectedFiles: readonly string[];
  /** The commits that those files were looked for in. */
  readonly range: string;
  /** When something happened that the check does not know of yet, in milliseconds. */
  readonly dueSince: number | null;
}

/** A merge that waits for the checks. */
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
  /** The issue's number. */
  readonly index: number;
  readonly posterId: number;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ReviewState = "APPROVED" | "REQUEST_CHANGES" | "COMMENT" | "PENDING" | "REQUEST_REVIEW";

/** A review, or the request of one. */
export interface ReviewRecord {
  readonly id: number;
  readonly repoId: number;
  /** The pull request's number. */
  readonly index: number;
  /** A person or, for requests, a team; the other is null. */
  readonly userId: number | null;
  readonly teamId: number | null;
  readonly state: ReviewState;
  readonly body: string;
  /** The head when it was written; empty for requests. */
  readonly commit: string;
  readonly stale: boolean;
  /** Counts for the rule of the base branch. */
  readonly official: boolean;
  readonly dismissed: boolean;
  /** The number of its entry in the conversation; 0 while pending, and for requests. */
  readonly commentId: number;
  readonly submitted_at: string;
  readonly updated_at: string;
}

/** A comment on a line, part of a review. */
export interface ReviewCommentRecord {
  readonly id: number;
  readonly reviewId: number;
  readonly posterId: number;
  readonly path: string;
  readonly body: string;
  /** Line of the new file, or the negative of one of the old file. */
  readonly line: number;
  readonly commit: string;
  readonly diff_hunk: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What a check said of a commit. The key is `repoId/sha/number`. */
export interface StatusRecord {
  readonly repoId: number;
  readonly sha: string;
  /** Counts from 1 for each commit: what the API gives as `id`. */
  readonly number: number;
  /** Any text: the servers do not look at it when it arrives. */
  readonly status: string;
  readonly context: string;
  readonly target_url: string;
  readonly description: string;
  /** Nobody for what runs say. */
  readonly creatorId: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}
