import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
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

/** The head commit of a branch. */
const headCommit = serverRecord(
  "a commit",
  { id: string, message: optional(string), url: string, timestamp: optional(time) },
  ["id", "message", "timestamp"],
);

/** A branch with the requirements of its protection, which every reader can see. */
export const branch = serverRecord(
  "a branch",
  {
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
  },
  [
    "name",
    "commit",
    "protected",
    "required_approvals",
    "enable_status_check",
    "status_check_contexts",
    "user_can_push",
    "user_can_merge",
    "effective_branch_protection_name",
  ],
);

export type Branch = Infer<typeof branch>;

/** The body of `PUT …/branches/{branch}`. */
export interface UpdateBranchOption {
  readonly new_commit_id: string;
  readonly old_commit_id?: string | undefined;
  readonly force?: boolean | undefined;
}

/** Branches. */
export function branchesApi(http: Http) {
  const all = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/branches`;
  const get = (repo: RepoName, name: string) =>
    http.get(wildcard(all(repo), name), {
      answers: json(using(branch, "commit", "enable_status_check", "status_check_contexts", "required_approvals")),
    });

  return {
    /** The head and the required checks of a branch. */
    get,

    view: (repo: RepoName, name: string) => http.get(wildcard(all(repo), name), { answers: json(branch) }),

    /** By the time of the head commit, newest first. Forgejo ignores `q`. */
    list: (repo: RepoName, q?: string) => http.list(all(repo), { items: branch, query: { q }, unique: "name" }),

    /** From a branch, tag or commit; without one, from the default branch. An unknown ref is 500. */
    create: (repo: RepoName, name: string, ref?: string) =>
      http.post(all(repo), { body: { new_branch_name: name, old_ref_name: ref }, answers: json(branch) }),

    /** Forgejo has no such operation. An unknown commit is 500. */
    update: (repo: RepoName, name: string, body: UpdateBranchOption) =>
      http.put(wildcard(all(repo), name), { body, answers: nothing, since: "1.26" }),

    /** Forgejo has no such operation. */
    rename: (repo: RepoName, name: string, to: string) =>
      http.patch(wildcard(all(repo), name), { body: { name: to }, answers: nothing, since: "1.23 and Forgejo 10.0" }),

    /**
     * Deletes a branch. Reads it first: of a missing branch older servers say that it was deleted, and Forgejo says 500
     * (docs/server-differences.md, "Branches and tags").
     */
    delete: async (repo: RepoName, name: string) => {
      await get(repo, name);
      await http.delete(wildcard(all(repo), name), { answers: nothing });
    },
  };
}
