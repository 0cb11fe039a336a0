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
  serverRecord,
  string,
  time,
  using,
} from "../shape/shape.ts";
import { person } from "./users.ts";

const commitUser = serverRecord("a signature", { name: string, email: string, date: optional(string) }, [
  "name",
  "date",
]);
const commitMeta = serverRecord("a reference to a commit", { url: string, sha: string, created: time }, []);
const verification = serverRecord(
  "a verification",
  {
    verified: boolean,
    reason: string,
    signature: string,
    signer: nullable(anything),
    payload: string,
  },
  [],
);

/** A commit. `author` and `committer` are the accounts with that e-mail address, or null. */
export const commit = serverRecord(
  "a commit",
  {
    url: string,
    sha: string,
    created: optional(time),
    html_url: string,
    commit: optional(
      nullable(
        serverRecord(
          "a commit",
          {
            url: string,
            author: optional(nullable(commitUser)),
            committer: nullable(commitUser),
            message: string,
            tree: nullable(commitMeta),
            verification: nullable(verification),
          },
          ["author", "message"],
        ),
      ),
    ),
    author: optional(nullable(person)),
    committer: nullable(person),
    parents: optional(nullable(list(commitMeta))),
    files: optional(nullable(list(serverRecord("a file", { filename: string, status: string }, ["filename"])))),
    stats: nullable(serverRecord("numbers of lines", { total: integer, additions: integer, deletions: integer }, [])),
  },
  ["sha", "created", "commit", "author", "parents", "files"],
);

export type Commit = Infer<typeof commit>;

/** A changed file. The status of an edit is `changed`, not `modified`. */
export const changedFile = serverRecord(
  "a changed file",
  {
    filename: string,
    previous_filename: optional(string),
    status: optional(string),
    additions: optional(integer),
    deletions: optional(integer),
    changes: integer,
    html_url: optional(string),
    contents_url: optional(string),
    raw_url: optional(string),
  },
  ["filename", "previous_filename", "status", "additions", "deletions"],
);

export type ChangedFile = Infer<typeof changedFile>;

/** A commit status. `status` may be empty or any word (docs/server-differences.md, "Commit statuses"). */
export const commitStatus = serverRecord(
  "a commit status",
  {
    id: integer,
    status: string,
    target_url: optional(string),
    description: optional(string),
    url: string,
    context: string,
    creator: nullable(person),
    created_at: time,
    updated_at: optional(time),
  },
  ["id", "status", "target_url", "description", "context", "updated_at"],
);

export type CommitStatus = Infer<typeof commitStatus>;

/** All commits between two refs, newest first, without paging. */
const comparison = serverRecord(
  "a comparison",
  { total_commits: optional(integer), commits: nullable(list(using(commit, "commit", "parents", "files"))) },
  ["total_commits", "commits"],
);

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
      answers: json(comparison),
    });

  return {
    /** A commit by any git revision, including an abbreviated hash. */
    get: (repo: RepoName, ref: string) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/git/commits/${ref}`, {
        query: { stat: false, files: false, verification: false },
        answers: json(commit),
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
    http.list(path`/repos/${repo.owner}/${repo.name}/commits/${ref}/status`, {
      items: commitStatus,
      envelope: "statuses",
      unique: "id",
    }),
});
