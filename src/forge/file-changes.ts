import { Failure } from "../failure/failure.ts";
import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError, ServerError } from "../http/errors.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { anything, list, nullable, optional, serverRecord, string, using } from "../shape/shape.ts";
import { content } from "./contents.ts";

const madeCommit = serverRecord(
  "a commit",
  {
    sha: string,
    url: string,
    html_url: optional(string),
    created: string,
    message: string,
    author: nullable(anything),
    committer: nullable(anything),
    parents: nullable(anything),
    tree: nullable(anything),
  },
  ["sha", "html_url"],
);
const made = { commit: nullable(madeCommit), verification: nullable(anything) };

/** The commit that changed one file, and the file; null if it was deleted. */
export const changedContent = serverRecord(
  "a file change",
  { content: optional(nullable(using(content, "path", "sha"))), ...made },
  ["content", "commit"],
);

/** The commit that changed several files, and the files; null for those that were deleted. */
export const changedContents = serverRecord(
  "a change of files",
  { files: optional(nullable(list(nullable(using(content, "path", "sha"))))), ...made },
  ["files", "commit"],
);

/** What the bodies of all file changes have in common. Without a branch, the default branch is changed. */
export interface FileOptions {
  readonly message?: string | undefined;
  readonly branch?: string | undefined;
  /** Created at the new commit, which is then not on `branch`. */
  readonly new_branch?: string | undefined;
  readonly signoff?: boolean | undefined;
}

/** One change of a commit. `content` is base64; `sha` is that of the file that is replaced, moved or deleted. */
export interface FileChange {
  readonly operation: "create" | "update" | "delete";
  readonly path: string;
  readonly content?: string | undefined;
  readonly sha?: string | undefined;
  /** Where the file was before; only for `update`. */
  readonly from_path?: string | undefined;
}

/** Changes of files: each request makes one commit. */
export function fileChangesApi(http: Http) {
  const root = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/contents`;
  const one = (repo: RepoName, file: string) => wildcard(root(repo), file);
  return {
    create: (repo: RepoName, file: string, body: FileOptions & { readonly content: string }) =>
      http.post(one(repo, file), { body, answers: json(changedContent) }).catch(explainConflict),

    update: (repo: RepoName, file: string, body: FileOptions & { readonly content: string; readonly sha: string }) =>
      http.put(one(repo, file), { body, answers: json(changedContent) }).catch(explainConflict),

    delete: (repo: RepoName, file: string, body: FileOptions & { readonly sha: string }) =>
      http.delete(one(repo, file), { body, answers: json(changedContent) }).catch(explainConflict),

    /** Several changes in one commit. */
    change: (repo: RepoName, body: FileOptions & { readonly files: readonly FileChange[] }) =>
      http.post(root(repo), { body, answers: json(changedContents) }).catch(explainConflict),

    /** Applies a diff. Forgejo requires a `sha`, which can be any text (docs/server-differences.md, "Commits and files"). */
    patch: (repo: RepoName, body: FileOptions & { readonly content: string }) =>
      http
        .post(path`/repos/${repo.owner}/${repo.name}/diffpatch`, {
          body: { ...body, sha: "0".repeat(40) },
          answers: json(changedContent),
        })
        .catch(explainPatch),
  };
}

/**
 * Turns the rejection of a change into the conflict that it is: the file has another hash than expected, or exists
 * already, or the branch got another commit meanwhile (docs/server-differences.md, "Commits and files").
 */
function explainConflict(error: unknown): never {
  if (!(error instanceof HttpError)) throw error;
  explainRace(error);
  const said = error.serverMessage;
  const [, given, expected] = /^sha does not match \[given: (\w*), expected: (\w+)\]/.exec(said) ?? [];
  if (expected !== undefined) throw fileChanged(given ?? "", expected, error);
  const existing = /^repository file already exists \[path: (.*)\]/.exec(said)?.[1];
  if (existing !== undefined) throw conflict(`${existing} already exists`, error);
  throw error;
}

/** Throws the conflict if another commit was made on the branch while the server made this one. */
function explainRace(error: HttpError): void {
  if (!/\bcannot lock ref '.*': is at [0-9a-f]+ but expected /.test(error.serverMessage)) return;
  throw conflict("The branch got another commit at the same time", error, "Nothing was written. Try again.");
}

/** The failure of a change of a file that has another hash than expected, or does not exist. */
export function fileChanged(expected: string, found: string, error?: HttpError): Failure {
  return conflict(`The file has changed: expected ${expected}, but the server has ${found}`, error);
}

const getCurrent = "Nothing was written. Get the current version of the file, and apply the change to it.";

function conflict(message: string, error?: HttpError, hint = getCurrent): Failure {
  const { status, method, path: address } = error ?? {};
  return new Failure("conflict", message, { status, method, path: address, hint });
}

/** Servers answer 500 if a patch does not apply, and say why only to administrators. */
function explainPatch(error: unknown): never {
  if (error instanceof HttpError) explainRace(error);
  if (!(error instanceof ServerError) || error.status !== 500) throw error;
  const reason = error.serverMessage === "" ? "" : `: ${error.serverMessage}`;
  throw new Failure("patch_failed", `The patch does not apply, or is not valid${reason}`, {
    ...{ status: error.status, method: error.method, path: error.path },
    hint: "Nothing was written. Compare the patch with the current files of the branch.",
  });
}
