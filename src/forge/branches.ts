import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, integer, list, nullable, optional, serverRecord, string } from "../shape/shape.ts";

/** A branch with the requirements of its protection, which every reader can see. */
export const branch = serverRecord(
  "a branch",
  {
    name: string,
    /** The head commit; only the hash is used. */
    commit: optional(nullable(serverRecord("a commit", { id: string }, ["id"]))),
    protected: boolean,
    required_approvals: integer,
    enable_status_check: optional(boolean),
    /** Required checks, as globs. */
    status_check_contexts: optional(nullable(list(string))),
    user_can_push: boolean,
    user_can_merge: boolean,
    effective_branch_protection_name: string,
  },
  ["commit", "enable_status_check", "status_check_contexts"],
);

export type Branch = Infer<typeof branch>;

/** Branches. */
export const branches = (http: Http) => ({
  get: (repo: RepoName, name: string) =>
    http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/branches`, name), { answers: json(branch) }),
});
