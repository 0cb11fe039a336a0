import type { ArtifactRecord, JobRecord, RunnerRecord, RunRecord } from "./actions.ts";
import type { CommentRecord } from "./comments.ts";
import type { HookRecord } from "./hooks.ts";
import type { IssueRecord } from "./issues.ts";
import type { LabelRecord, MilestoneRecord } from "./labels.ts";
import type { BadgeRecord, KeyRecord, PackageRecord, PairRecord, StarRecord } from "./people.ts";
import type { BranchRule, TagRule } from "./protections.ts";
import type { Collaboration, RepoRecord } from "./repos.ts";
import type { ReviewCommentRecord, ReviewRecord } from "./reviews.ts";
import type { StatusRecord } from "./statuses.ts";
import type { TeamRecord } from "./teams.ts";
import type { TokenRecord } from "./tokens.ts";
import type { Redirect, UserRecord } from "./users.ts";

/**
 * All that the sandbox remembers besides git, by table. An area adds its own lines here. The key is the record's id
 * unless a comment says otherwise.
 */
export interface Tables {
  /** People and organizations. */
  users: UserRecord;
  /** Former names of users; the key is the name in small letters. */
  userRedirects: Redirect;
  tokens: TokenRecord;
  repos: RepoRecord;
  /** Former names of repositories; the key is `ownerId/name in small letters`. */
  repoRedirects: Redirect;
  /** The key is `repoId/userId`. */
  collaborations: Collaboration;
  teams: TeamRecord;
  /** Of repositories and of organizations. */
  labels: LabelRecord;
  milestones: MilestoneRecord;
  branchRules: BranchRule;
  tagRules: TagRule;
  /** Issues and pull requests; the key is `repoId/number`. */
  issues: IssueRecord;
  comments: CommentRecord;
  reviews: ReviewRecord;
  reviewComments: ReviewCommentRecord;
  /** The key is `repoId/sha/number`. */
  statuses: StatusRecord;
  /** The key is `userId/repoId`. */
  stars: StarRecord;
  /** The key is `userId/targetId`. */
  follows: PairRecord;
  /** The same. */
  blocks: PairRecord;
  keys: KeyRecord;
  badges: BadgeRecord;
  packages: PackageRecord;
  hooks: HookRecord;
  runs: RunRecord;
  jobs: JobRecord;
  runners: RunnerRecord;
  artifacts: ArtifactRecord;
  /** The key is `repoId/file`. */
  disabledWorkflows: { readonly repoId: number; readonly file: string };
}

export type TableName = keyof Tables;
