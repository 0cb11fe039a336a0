import { stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, ServerError, UnknownOperationError } from "../http/errors.ts";
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
import { call, operation, pagesOf } from "./operation.ts";
import { isKnownToHave } from "./server-has.ts";
import { person } from "./users.ts";

const commitUser = serverRecord(
  "a signature",
  {
    name: string,
    email: optional(string),
    date: optional(string),
  },
  {},
);
const commitMeta = serverRecord("a reference to a commit", { sha: optional(string) }, { url: string, created: time });
const verification = serverRecord(
  "a verification",
  {},
  { verified: boolean, reason: string, signature: string, signer: nullable(anything), payload: string },
);

/** A commit. `author` and `committer` are the accounts with that e-mail address, or null. */
export const commit = serverRecord(
  "a commit",
  {
    sha: string,
    created: optional(time),
    html_url: optional(string),
    commit: optional(
      nullable(
        serverRecord(
          "a commit",
          { author: optional(nullable(commitUser)), message: string },
          {
            url: string,
            committer: nullable(commitUser),
            tree: nullable(commitMeta),
            verification: nullable(verification),
          },
        ),
      ),
    ),
    author: optional(nullable(person)),
    parents: optional(nullable(list(commitMeta))),
    files: optional(nullable(list(serverRecord("a file", { filename: string }, { status: string })))),
    stats: optional(
      nullable(
        serverRecord(
          "numbers of lines",
          { additions: optional(integer), deletions: optional(integer) },
          { total: integer },
        ),
      ),
    ),
  },
  { url: string, committer: nullable(person) },
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
  },
  { changes: integer, html_url: optional(string), contents_url: optional(string), raw_url: optional(string) },
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
    context: string,
    updated_at: optional(time),
  },
  { url: string, creator: nullable(person), created_at: time },
);

export type CommitStatus = Infer<typeof commitStatus>;

/** The states of a commit status that have a meaning; servers accept any word. */
export const statusStates = ["pending", "success", "error", "failure", "warning", "skipped"] as const;

/** A note of git (refs/notes/commits) on a commit. */
export const note = serverRecord(
  "a note",
  { message: optional(string) },
  { commit: optional(nullable(using(commit, "sha"))) },
);

export type Note = Infer<typeof note>;

/** All commits between two refs, newest first, without paging. */
const comparison = serverRecord("a comparison", {
  total_commits: optional(integer),
  commits: nullable(list(using(commit, "commit", "parents", "files"))),
});

/** The same, as hashes. */
const hashes = serverRecord("a comparison", { commits: nullable(list(using(commit, "sha"))) });
/** The same, with its commits whole. */
export const wholeComparison = serverRecord("a comparison", {
  total_commits: optional(integer),
  commits: nullable(list(commit)),
});

/** One side of a comparison: a commit, and the branch of the same repository that is at it or leads to it. */
export interface ComparedCommit {
  readonly sha: string;
  readonly branch?: string | undefined;
}

/** A commit by any git revision, including an abbreviated hash. */
export const commitGet = operation("GET", "/repos/{owner}/{repo}/git/commits/{sha}", { answers: commit });

/** Newest first. 409 if the repository is empty. Forgejo ignores `since` and `until`. */
export const commitList = operation("GET", "/repos/{owner}/{repo}/commits", {
  answers: pagesOf(commit, { unique: "sha" }),
});

/** The changes of a commit as text. */
export const commitText = operation("GET", "/repos/{owner}/{repo}/git/commits/{sha}.{diffType}", { answers: stream });

/** 404 if the commit has no note. Takes a hash only. */
export const noteGet = operation("GET", "/repos/{owner}/{repo}/git/notes/{sha}", { answers: note });

/** Replaces a note that the commit has. 404 for an empty text, and if there is no such commit. */
export const noteSet = operation("POST", "/repos/{owner}/{repo}/git/notes/{sha}", {
  answers: note,
  undo: "it replaces a note that the commit has",
});

/** 500 if the commit has no note. */
export const noteDelete = operation("DELETE", "/repos/{owner}/{repo}/git/notes/{sha}");

/** The commits of `HEAD` (`branch`, `owner:branch` or a hash) since the merge base with `BASE`: `BASE...HEAD`. */
export const commitCompare = operation("GET", "/repos/{owner}/{repo}/compare/{basehead}", { answers: comparison });

export const hashCompare = operation("GET", "/repos/{owner}/{repo}/compare/{basehead}", { answers: hashes });

/** The same, whole. */
export const wholeCompare = operation("GET", "/repos/{owner}/{repo}/compare/{basehead}", { answers: wholeComparison });

/** The changes of a comparison as text. A server that lacks this answers with JSON (`isDiff`). */
export const compareText = operation("GET", "/repos/{owner}/{repo}/compare/{basehead}", { answers: stream });

/** Whether a comparison has the files of its commits. */
export interface ComparisonQuery {
  readonly files?: boolean;
}

/** The commits of `head` (`branch`, `owner:branch` or a hash) since the merge base with `base`. */
export function compareRefs(http: Http, repo: RepoName, base: string, head: string, query: ComparisonQuery = {}) {
  return call(http, commitCompare, { repo, basehead: `${base}...${head}`, verification: false, ...query }).catch(
    (error: unknown) => commitsOnly(http, { repo, base, head, query, error }),
  );
}

/** The hashes of the commits of `head` since the merge base with `base`. */
export async function hashesBetween(http: Http, repo: RepoName, base: string, head: string): Promise<string[]> {
  const query = { verification: false, files: false };
  const { commits } = await call(http, hashCompare, { repo, basehead: `${base}...${head}`, ...query }).catch(
    (error: unknown) => commitsOnly(http, { repo, base, head, query, error }),
  );
  return (commits ?? []).map(({ sha }) => sha);
}

/** The records of a comparison, whole. `range` is `BASE...HEAD`, or `BASE..HEAD` without the merge base. */
export function compareRange(http: Http, repo: RepoName, range: string) {
  const [base = "", head = ""] = range.split(/\.\.\.?/);
  return call(http, wholeCompare, { repo, basehead: range }).catch((error: unknown) =>
    commitsOnly(http, { repo, base, head, query: {}, error }),
  );
}

/**
 * As `compareRefs`, of two commits. Forgejo compares only branches and tags: their branches are compared there
 * (docs/server-differences.md, "Commits and files"). Throws a `NotFoundError` if one has no branch.
 */
export async function compareCommits(
  http: Http,
  repo: RepoName,
  base: ComparedCommit,
  head: ComparedCommit,
  query: ComparisonQuery = {},
) {
  try {
    return await compareRefs(http, repo, base.sha, head.sha, query);
  } catch (error) {
    if (!(error instanceof NotFoundError) || base.branch === undefined || head.branch === undefined) throw error;
    return compareRefs(http, repo, base.branch, head.branch, query);
  }
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
  // An unknown ref is 500 on Forgejo 7 and 10: throws the 404 that says which.
  const orUnknownRef = async (failed: unknown): Promise<never> => {
    const own = [base, head].filter((ref) => !ref.includes(":"));
    if (failed instanceof ServerError) for (const sha of own) await call(http, commitGet, { repo, sha });
    throw failed;
  };
  if (!(error instanceof UnknownOperationError) || head.includes(":") || base.includes(":")) return orUnknownRef(error);
  const listed = call(http, commitList, { repo, sha: head, not: base, stat: false, ...query });
  const commits = await collect(listed).catch(orUnknownRef);
  return { total_commits: commits.length, commits };
}

/** The latest status of each context. The combined `state` covers one page only, so it is not used. */
export const latestStatusList = operation("GET", "/repos/{owner}/{repo}/commits/{ref}/status", {
  answers: pagesOf(commitStatus, { envelope: "statuses" }),
});

/** By default servers list statuses of one second oldest first. Of an unknown ref, Forgejo returns an empty list. */
export const statusList = operation("GET", "/repos/{owner}/{repo}/commits/{ref}/statuses", {
  answers: pagesOf(commitStatus),
});

/** 500 if the commit does not exist. */
export const statusCreate = operation("POST", "/repos/{owner}/{repo}/statuses/{sha}", {
  answers: commitStatus,
  undo: "servers do not delete statuses",
  applied: { reads: { state: ({ status }) => status } },
});

/**
 * Whether a required check with the state `warning` passes (docs/server-differences.md, "Commit statuses"). A server that does not
 * say its version is not known to let it pass.
 */
export async function passesWarnings(http: Http): Promise<boolean> {
  const isSince = (gitea: string) => isKnownToHave(http, { gitea, forgejo: "-" });
  return (await isSince("1.25")) && !(await isSince("1.26"));
}
