import type { Http } from "../http/client.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
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
import { call, operation, pagesOf } from "./operation.ts";
import { cannot, notCreatedAgain, undoRename } from "./undo.ts";

/** The head commit of a branch. */
const headCommit = serverRecord(
  "a commit",
  { id: string, message: optional(string), timestamp: optional(time) },
  { url: string },
);

/** A branch with the requirements of its protection, which every reader can see. */
export const branch = serverRecord("a branch", {
  name: string,
  commit: optional(nullable(headCommit)),
  protected: optional(boolean),
  required_approvals: optional(integer),
  enable_status_check: optional(boolean),
  /** Required checks, as globs. */
  status_check_contexts: optional(nullable(list(string))),
  user_can_push: optional(boolean),
  user_can_merge: optional(boolean),
  effective_branch_protection_name: optional(string),
});

export type Branch = Infer<typeof branch>;

/** The head and the required checks of a branch. */
export const branchHeadGet = operation("GET", "/repos/{owner}/{repo}/branches/{branch}", {
  answers: using(branch, "commit", "enable_status_check", "status_check_contexts", "required_approvals"),
});

export const branchGet = operation("GET", "/repos/{owner}/{repo}/branches/{branch}", { answers: branch });

/** By the time of the head commit, newest first. Forgejo ignores `q`. */
export const branchList = operation("GET", "/repos/{owner}/{repo}/branches", {
  answers: pagesOf(branch, { unique: "name" }),
});

const from = "the branch has the commit of it";

/** From a branch, tag or commit; without one, from the default branch. An unknown ref is 500. */
export const branchCreate = operation("POST", "/repos/{owner}/{repo}/branches", {
  answers: branch,
  applied: { reads: { new_branch_name: ({ name }) => name }, except: { old_branch_name: from, old_ref_name: from } },
});

/** Forgejo has no such operation. An unknown commit is 500. */
export const branchUpdate = operation("PUT", "/repos/{owner}/{repo}/branches/{branch}", { undo: cannot.commit });

export const branchRename = operation("PATCH", "/repos/{owner}/{repo}/branches/{branch}", {
  effect: "destroy",
  undo: undoRename("name", "name"),
});

/** Of a missing branch older servers say that it was deleted, and Forgejo says 500. */
export const branchDelete = operation("DELETE", "/repos/{owner}/{repo}/branches/{branch}", {
  undo: notCreatedAgain("commit.id"),
});

/** Deletes a branch, and returns the commit that it was at. Reads it first (docs/server-differences.md, "Branches and tags"). */
export async function deleteBranch(http: Http, repo: RepoName, name: string): Promise<string | undefined> {
  const { commit } = await call(http, branchHeadGet, { repo, branch: name });
  await call(http, branchDelete, { repo, branch: name });
  return commit?.id;
}

/** ` (was 140d5cf2a1)`, after the name of a branch or a tag that was deleted. */
export function wasAt(commit: string | null | undefined): string {
  return commit == null || commit === "" ? "" : ` (was ${commit.slice(0, 10)})`;
}
