import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, integer, list, nullable, record, string } from "../shape/shape.ts";

/** A branch with the requirements of its protection, which every reader can see. */
export const branch = record({
  name: string,
  /** The head commit; only the hash is used. */
  commit: nullable(record({ id: string })),
  protected: boolean,
  required_approvals: integer,
  enable_status_check: boolean,
  /** Required checks, as globs. */
  status_check_contexts: nullable(list(string)),
  user_can_push: boolean,
  user_can_merge: boolean,
  effective_branch_protection_name: string,
});

export type Branch = Infer<typeof branch>;

/** Branches. */
export const branches = (http: Http) => ({
  get: (repo: RepoName, name: string) =>
    http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/branches`, name), { answers: json<Branch>() }),
});
