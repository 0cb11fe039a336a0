import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  nullable,
  optional,
  serverRecord,
  string,
  time,
} from "../shape/shape.ts";

/** A deploy key: an SSH key that gives access to one repository. */
export const deployKey = serverRecord(
  "a deploy key",
  {
    id: integer,
    key_id: optional(integer),
    key: optional(string),
    url: optional(string),
    title: optional(string),
    fingerprint: optional(string),
    created_at: optional(time),
    read_only: optional(boolean),
    repository: optional(nullable(anything)),
  },
  ["id", "key", "title", "fingerprint", "created_at", "read_only"],
);

export type DeployKey = Infer<typeof deployKey>;

/** Deploy keys of repositories. */
export function deployKeysApi(http: Http) {
  return {
    list: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/keys`, { items: deployKey, unique: "id" }),

    get: (repo: RepoName, id: number) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/keys/${id}`, { answers: json(deployKey) }),

    add: (repo: RepoName, body: { readonly title: string; readonly key: string; readonly read_only: boolean }) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/keys`, { body, answers: json(deployKey) }),

    /** 204 also for an unknown one, 500 for that of another repository (docs/server-differences.md, "Repositories"). */
    delete: (repo: RepoName, id: number) =>
      http.delete(path`/repos/${repo.owner}/${repo.name}/keys/${id}`, { answers: nothing }),
  };
}
