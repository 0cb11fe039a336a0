import { json, nothing, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, nullable, optional, serverRecord, string } from "../shape/shape.ts";
import { person, user } from "./users.ts";

/** The permissions that a collaborator can be given; servers answer 500 to any other word. */
export const permissions = ["read", "write", "admin"] as const;

/** What a user may do in a repository. Rights by way of a team's units do not count. */
export const collaboratorPermission = serverRecord(
  "a permission",
  { permission: string, role_name: optional(string), user: optional(nullable(person)) },
  ["permission", "role_name", "user"],
);

export type CollaboratorPermission = Infer<typeof collaboratorPermission>;

/** Collaborators of repositories. An unknown user is 422 (docs/server-differences.md, "Repositories"). */
export function collaboratorsApi(http: Http) {
  const one = (repo: RepoName, name: string) => path`/repos/${repo.owner}/${repo.name}/collaborators/${name}`;
  return {
    list: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/collaborators`, { items: user, unique: "id" }),

    has: (repo: RepoName, name: string) => http.get(one(repo, name), { answers: yesNo }),

    permission: (repo: RepoName, name: string) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/collaborators/${name}/permission`, {
        answers: json(collaboratorPermission),
      }),

    /** Also changes the permission of a collaborator. */
    add: (repo: RepoName, name: string, permission: (typeof permissions)[number]) =>
      http.put(one(repo, name), { body: { permission }, answers: nothing }),

    /** 204 also for a user who is not a collaborator. */
    remove: (repo: RepoName, name: string) => http.delete(one(repo, name), { answers: nothing }),
  };
}
