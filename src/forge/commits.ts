import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError } from "../http/errors.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  record,
  string,
  time,
} from "../shape/shape.ts";
import { user } from "./users.ts";

const commitUser = record({ name: string, email: string, date: string });
const commitMeta = record({ url: string, sha: string, created: time });
const verification = record({
  verified: boolean,
  reason: string,
  signature: string,
  signer: nullable(anything),
  payload: string,
});

/** A commit. `author` and `committer` are the accounts with that e-mail address, or null. */
export const commit = record({
  url: string,
  sha: string,
  created: time,
  html_url: string,
  commit: nullable(
    record({
      url: string,
      author: nullable(commitUser),
      committer: nullable(commitUser),
      message: string,
      tree: nullable(commitMeta),
      verification: nullable(verification),
    }),
  ),
  author: nullable(user),
  committer: nullable(user),
  parents: nullable(list(commitMeta)),
  files: nullable(list(record({ filename: string, status: string }))),
  stats: nullable(record({ total: integer, additions: integer, deletions: integer })),
});

export type Commit = Infer<typeof commit>;

/** A changed file. The status of an edit is `changed`, not `modified`. */
export const changedFile = record({
  filename: string,
  previous_filename: optional(string),
  status: string,
  additions: integer,
  deletions: integer,
  changes: integer,
  html_url: optional(string),
  contents_url: optional(string),
  raw_url: optional(string),
});

export type ChangedFile = Infer<typeof changedFile>;

/** A commit status. `status` may be empty or any word (docs/server-differences.md, "Commit statuses"). */
export const commitStatus = record({
  id: integer,
  status: string,
  target_url: string,
  description: string,
  url: string,
  context: string,
  creator: nullable(user),
  created_at: time,
  updated_at: time,
});

export type CommitStatus = Infer<typeof commitStatus>;

/** All commits between two refs, newest first, without paging. */
export interface Comparison {
  readonly total_commits: number;
  readonly commits: readonly Commit[] | null;
}

/** One side of a comparison: a commit, and the branch of the same repository that is at it or leads to it. */
export interface ComparedCommit {
  readonly sha: string;
  readonly branch?: string | undefined;
}

/** Commits. */
export const commits = (http: Http) => {
  const compare = (repo: RepoName, base: string, head: string, query: { readonly files?: boolean } = {}) =>
    http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/compare`, `${base}...${head}`), {
      query: { verification: false, ...query },
      answers: json<Comparison>(),
    });

  return {
    /** A commit by any git revision, including an abbreviated hash. */
    get: (repo: RepoName, ref: string) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/git/commits/${ref}`, {
        query: { stat: false, files: false, verification: false },
        answers: json<Commit>(),
      }),

    /** The commits of `head` (`branch`, `owner:branch` or a hash) since the merge base with `base`. */
    compare,

    /**
     * As `compare`, of two commits. Forgejo compares only branches and tags: their branches are compared there
     * (docs/server-differences.md, "Commits and files"). Throws a `NotFoundError` if one has no branch.
     */
    compareCommits: async (
      repo: RepoName,
      base: ComparedCommit,
      head: ComparedCommit,
      query: { readonly files?: boolean } = {},
    ) => {
      try {
        return await compare(repo, base.sha, head.sha, query);
      } catch (error) {
        if (!(error instanceof NotFoundError) || base.branch === undefined || head.branch === undefined) throw error;
        return compare(repo, base.branch, head.branch, query);
      }
    },
  };
};

/** Commit statuses. */
export const statuses = (http: Http) => ({
  /** The latest status of each context. The combined `state` covers one page only, so it is not used. */
  latest: (repo: RepoName, ref: string) =>
    http.list<CommitStatus>(path`/repos/${repo.owner}/${repo.name}/commits/${ref}/status`, {
      envelope: "statuses",
      unique: "id",
    }),
});
