import { json, stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, ServerError, UnknownOperationError } from "../http/errors.ts";
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
import { collect } from "./listings.ts";
import { person } from "./users.ts";

const commitUser = serverRecord("a signature", { name: string, email: string, date: optional(string) }, [
  "name",
  "date",
]);
const commitMeta = serverRecord("a reference to a commit", { url: string, sha: optional(string), created: time }, [
  "sha",
]);
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
    html_url: optional(string),
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
    stats: optional(
      nullable(
        serverRecord(
          "numbers of lines",
          { total: integer, additions: optional(integer), deletions: optional(integer) },
          ["additions", "deletions"],
        ),
      ),
    ),
  },
  ["sha", "created", "html_url", "commit", "author", "parents", "files", "stats"],
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

const combinedStatus = serverRecord(
  "a combined status",
  { state: optional(string), statuses: nullable(list(using(commitStatus, "id"))) },
  ["state", "statuses"],
);

/** The states of a commit status that have a meaning; servers accept any word. */
export const statusStates = ["pending", "success", "error", "failure", "warning", "skipped"] as const;

/** The body of `POST …/statuses/{sha}`. */
export interface CreateStatusOption {
  readonly state: string;
  readonly context: string;
  readonly description?: string | undefined;
  readonly target_url?: string | undefined;
}

/** A note of git (refs/notes/commits) on a commit. */
export const note = serverRecord(
  "a note",
  { message: optional(string), commit: optional(nullable(using(commit, "sha"))) },
  ["message"],
);

export type Note = Infer<typeof note>;

/** Filters of a list of commits. Forgejo ignores the times. */
export interface CommitFilters {
  /** A branch, tag or commit to start from. */
  readonly sha?: string | undefined;
  readonly path?: string | undefined;
  /** A ref whose commits are left out. */
  readonly not?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** All commits between two refs, newest first, without paging. */
const comparison = serverRecord(
  "a comparison",
  { total_commits: optional(integer), commits: nullable(list(using(commit, "commit", "parents", "files"))) },
  ["total_commits", "commits"],
);

/** The same, as hashes. */
const hashes = serverRecord("a comparison", { commits: nullable(list(using(commit, "sha"))) }, ["commits"]);
/** The same, with its commits whole. */
export const wholeComparison = serverRecord(
  "a comparison",
  { total_commits: optional(integer), commits: nullable(list(commit)) },
  ["total_commits", "commits"],
);

const compareSince = "1.22 and Forgejo 8.0";

/** One side of a comparison: a commit, and the branch of the same repository that is at it or leads to it. */
export interface ComparedCommit {
  readonly sha: string;
  readonly branch?: string | undefined;
}

const gitCommit = (repo: RepoName, ref: string) => path`/repos/${repo.owner}/${repo.name}/git/commits/${ref}`;

/** Commits. */
export function commitsApi(http: Http) {
  const compare = (repo: RepoName, base: string, head: string, query: { readonly files?: boolean } = {}) =>
    http
      .get(wildcard(path`/repos/${repo.owner}/${repo.name}/compare`, `${base}...${head}`), {
        ...{ query: { verification: false, ...query }, answers: json(comparison), since: compareSince },
      })
      .catch((error: unknown) => commitsOnly(http, { repo, base, head, query, error }));

  return {
    /** A commit by any git revision, including an abbreviated hash. */
    get: (repo: RepoName, ref: string) =>
      http.get(gitCommit(repo, ref), {
        query: { stat: false, files: false, verification: false },
        answers: json(commit),
      }),

    /** A commit with its changed files and numbers of lines. */
    view: (repo: RepoName, ref: string) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/git/commits/${ref}`, {
        query: { verification: false },
        answers: json(commit),
      }),

    /** Newest first. 409 if the repository is empty. */
    list: (repo: RepoName, query: CommitFilters & { readonly verification?: false; readonly files?: false }) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/commits`, {
        items: commit,
        query: { ...query, stat: false },
        unique: "sha",
      }),

    /** The changes of a commit as text. */
    text: (repo: RepoName, sha: string, type: "diff" | "patch") =>
      http.get(path`/repos/${repo.owner}/${repo.name}/git/commits/${`${sha}.${type}`}`, { answers: stream }),

    /** 404 if the commit has no note. Takes a hash only. */
    note: (repo: RepoName, sha: string) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/git/notes/${sha}`, {
        query: { verification: false, files: false },
        answers: json(note),
      }),

    /** The hashes of the commits of `head` since the merge base with `base`. */
    hashes: async (repo: RepoName, base: string, head: string) => {
      const query = { verification: false, files: false };
      const { commits } = await http
        .get(wildcard(path`/repos/${repo.owner}/${repo.name}/compare`, `${base}...${head}`), {
          ...{ query, answers: json(hashes), since: compareSince },
        })
        .catch((error: unknown) => commitsOnly(http, { repo, base, head, query, error }));
      return (commits ?? []).map(({ sha }) => sha);
    },

    /** The commits of `head` (`branch`, `owner:branch` or a hash) since the merge base with `base`. */
    compare,

    /** The records of a comparison, whole. `range` is `BASE...HEAD`, or `BASE..HEAD` without the merge base. */
    comparison: (repo: RepoName, range: string) => {
      const [base = "", head = ""] = range.split(/\.\.\.?/);
      return http
        .get(wildcard(path`/repos/${repo.owner}/${repo.name}/compare`, range), {
          ...{ answers: json(wholeComparison), since: compareSince },
        })
        .catch((error: unknown) => commitsOnly(http, { repo, base, head, query: {}, error }));
    },

    /** The changes of a comparison as text. A server that lacks this answers with JSON (`isDiff`). */
    comparisonText: (repo: RepoName, range: string, output: "diff" | "patch") =>
      http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/compare`, range), {
        ...{ query: { output }, answers: stream, since: compareSince },
      }),

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
}

/** The comparison that a server did not have the operation for; `head` is in the repository, or `owner:branch`. */
interface FailedComparison {
  readonly repo: RepoName;
  readonly base: string;
  readonly head: string;
  readonly query: { readonly files?: boolean; readonly verification?: boolean };
  readonly error: unknown;
}

/**
 * The commits of `head` that `base` does not have, from the list of commits, on a server without comparisons (Forgejo 7.0,
 * docs/server-differences.md, "Commits and files"). Throws `error` if it is another one, or for the branch of a fork.
 */
async function commitsOnly(http: Http, { repo, base, head, query, error }: FailedComparison) {
  if (!(error instanceof UnknownOperationError) || head.includes(":") || base.includes(":")) throw error;
  const listed = http.list(path`/repos/${repo.owner}/${repo.name}/commits`, {
    ...{ items: commit, unique: "sha", query: { sha: head, not: base, stat: false, ...query } },
  });
  const commits = await collect(listed).catch(async (failed: unknown) => {
    // An unknown ref is 500 there: throws the 404 that says which.
    if (failed instanceof ServerError)
      for (const ref of [base, head]) await http.get(gitCommit(repo, ref), { answers: json(commit) });
    throw failed;
  });
  return { total_commits: commits.length, commits };
}

/** One of the latest statuses of a commit, and its place among them. */
interface LatestStatus {
  readonly id: number;
  readonly index: number;
  readonly count: number;
}

/** Commit statuses. */
export function statusesApi(http: Http) {
  return {
    /** The latest status of each context. The combined `state` covers one page only, so it is not used. */
    latest: (repo: RepoName, ref: string) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/commits/${ref}/status`, {
        items: commitStatus,
        envelope: "statuses",
        unique: "id",
      }),

    /**
     * Whether the server counts one of the `count` latest statuses as passed: the combined state of the page that has only
     * this one. `index` is its place in the list; in the pages, the statuses of some servers have another order.
     */
    isPassed: async (repo: RepoName, ref: string, { id, index, count }: LatestStatus): Promise<boolean> => {
      const at = path`/repos/${repo.owner}/${repo.name}/commits/${ref}/status`;
      const every = Array.from({ length: count }, (_, before) => before + 1);
      for (const page of new Set([index + 1, count - index, ...every])) {
        const query = { limit: 1, page };
        const { state, statuses } = await http.get(at, { query, answers: json(combinedStatus) });
        if (statuses?.length === 1 && statuses[0]?.id === id) return state === "success";
      }
      return false;
    },

    /**
     * All statuses, newest first: by default servers list those of one second oldest first. Of an unknown ref, Forgejo
     * returns an empty list.
     */
    list: (repo: RepoName, ref: string, state?: string) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/commits/${ref}/statuses`, {
        items: commitStatus,
        // The servers' name for the highest index first.
        query: { state, sort: "leastindex" },
        unique: "id",
      }),

    /** 500 if the commit does not exist. */
    create: (repo: RepoName, sha: string, body: CreateStatusOption) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/statuses/${sha}`, { body, answers: json(commitStatus) }),
  };
}
