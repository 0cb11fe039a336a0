import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { HttpError, ServerError } from "../http/errors.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { anything, list, nullable, optional, serverRecord, string, using } from "../shape/shape.ts";
import { valueAt } from "./applied.ts";
import { content } from "./contents.ts";
import type {
  ApplyDiffPatchFileOptions,
  ChangeFilesOptions,
  CreateFileOptions,
  DeleteFileOptions,
  UpdateFileOptions,
} from "./generated/operations.ts";
import { call, operation } from "./operation.ts";
import { cannot, fieldsOf, notUndone } from "./undo.ts";

const madeCommit = serverRecord(
  "a commit",
  { sha: string, html_url: optional(string) },
  {
    url: string,
    created: string,
    message: string,
    author: nullable(anything),
    committer: nullable(anything),
    parents: nullable(anything),
    tree: nullable(anything),
  },
);
const made = { commit: nullable(madeCommit) };
const checked = { verification: nullable(anything) };

/** The commit that changed one file, and the file; null if it was deleted. */
export const changedContent = serverRecord(
  "a file change",
  { content: optional(nullable(using(content, "path", "sha"))), ...made },
  checked,
);

/** The commit that changed several files, and the files; null for those that were deleted. */
export const changedContents = serverRecord(
  "a change of files",
  { files: optional(nullable(list(nullable(using(content, "path", "sha"))))), ...made },
  checked,
);

/**
 * What the bodies of all file changes have in common. Without a branch, the default branch is changed; `new_branch` is
 * created at the new commit, which is then not on `branch`.
 */
export type FileOptions = Omit<ChangeFilesOptions, "files">;

/** One change of a commit. `content` is base64; `sha` is that of the file that is replaced, moved or deleted. */
export interface FileChange {
  readonly operation: "create" | "update" | "delete";
  readonly path: string;
  readonly content?: string | undefined;
  readonly sha?: string | undefined;
  /** Where the file was before; only for `update`. */
  readonly from_path?: string | undefined;
}

const commit = "the commit has it";
const branch = "where the commit is made";

/** The answer has the record of the file and the commit, whose message servers complete. */
const aboutCommit = {
  content: "the answer has the record of the file",
  files: "the answer has the records of the files",
  sha: "the version that was read",
  from_path: "where the file was",
  message: commit,
  author: commit,
  committer: commit,
  dates: commit,
  signoff: commit,
  branch,
  new_branch: branch,
  force_push: branch,
  force_overwrite_new_branch: branch,
};

/** A forced push replaces a branch, whose commit says where it was. */
const undo = notUndone(cannot.commit, {
  reads: async ({ body, at }, read) => {
    const { force_push: isForced, new_branch: branch } = fieldsOf(body);
    if (isForced !== true || typeof branch !== "string") return undefined;
    return (await read.record(at("/repos/{owner}/{repo}/branches/{branch}", { branch }))) ?? null;
  },
  why({ before }) {
    const id = valueAt(before, "commit.id");
    const { name } = fieldsOf(before);
    return id === undefined
      ? undefined
      : `it replaces branch ${name}, which was at ${id}: push that commit again instead`;
  },
});

export const fileCreate = operation("POST", "/repos/{owner}/{repo}/contents/{filepath}", {
  answers: changedContent,
  undo,
  applied: { except: aboutCommit },
});

export const fileUpdate = operation("PUT", "/repos/{owner}/{repo}/contents/{filepath}", {
  answers: changedContent,
  undo,
  applied: { except: aboutCommit },
});

export const fileDelete = operation("DELETE", "/repos/{owner}/{repo}/contents/{filepath}", {
  answers: changedContent,
  undo,
});

/** Several changes in one commit. */
export const filesChange = operation("POST", "/repos/{owner}/{repo}/contents", {
  answers: changedContents,
  undo,
  applied: { except: aboutCommit },
});

/** Applies a diff. Forgejo requires a `sha`, which can be any text (docs/server-differences.md, "Commits and files"). */
export const patchApply = operation("POST", "/repos/{owner}/{repo}/diffpatch", {
  answers: changedContent,
  undo: cannot.commit,
  applied: { except: aboutCommit },
});

/** Creates a file by a commit. */
export function createFile(http: Http, repo: RepoName, file: string, body: CreateFileOptions) {
  return call(http, fileCreate, { repo, filepath: file }, body).catch(explainConflict);
}

/** Changes a file by a commit. */
export function updateFile(http: Http, repo: RepoName, file: string, body: UpdateFileOptions) {
  return call(http, fileUpdate, { repo, filepath: file }, body).catch(explainConflict);
}

/** Deletes a file by a commit. */
export function deleteFile(http: Http, repo: RepoName, file: string, body: DeleteFileOptions) {
  return call(http, fileDelete, { repo, filepath: file }, body).catch(explainConflict);
}

/** Makes several changes in one commit. */
export function changeFiles(http: Http, repo: RepoName, body: ChangeFilesOptions) {
  return call(http, filesChange, { repo }, body).catch(explainConflict);
}

/** Applies a diff in one commit. */
export function applyPatch(http: Http, repo: RepoName, body: ApplyDiffPatchFileOptions) {
  return call(http, patchApply, { repo }, { ...body, sha: "0".repeat(40) }).catch(explainPatch);
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
  if (existing !== undefined) throw withCode("exists", `${existing} already exists`, error);
  const branch = /^branch already exists \[name: (.*)\]/.exec(said)?.[1];
  if (branch !== undefined)
    throw withCode(
      "exists",
      `Branch ${branch} already exists`,
      error,
      "Nothing was written. Name another --new-branch, or pass --force-push.",
    );
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

function conflict(message: string, error?: HttpError, hint?: string): Failure {
  return withCode("conflict", message, error, hint);
}

function withCode(code: "conflict" | "exists", message: string, error?: HttpError, hint = getCurrent): Failure {
  const { status, method, path } = error ?? {};
  return new Failure(code, message, { status, method, path, hint });
}

/** Servers answer 500 if a patch does not apply, and say why only to administrators. */
function explainPatch(error: unknown): never {
  if (error instanceof HttpError) explainRace(error);
  if (!(error instanceof ServerError) || error.status !== 500) throw error;
  const reason = error.serverMessage === "" ? "" : `: ${error.serverMessage}`;
  throw new Failure("patch_failed", `The patch does not apply, or is not valid${reason}`, {
    status: error.status,
    method: error.method,
    path: error.path,
    hint: "Nothing was written. Compare the patch with the current files of the branch.",
  });
}
