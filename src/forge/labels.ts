import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, integer, list, serverRecord, string } from "../shape/shape.ts";

/** A label of a repository or an organization; `color` is six hex digits without `#`. */
export const label = serverRecord(
  "a label",
  {
    id: integer,
    name: string,
    exclusive: boolean,
    is_archived: boolean,
    color: string,
    description: string,
    url: string,
  },
  ["id", "name"],
);

export type Label = Infer<typeof label>;

/** Labels of repositories, organizations, issues and pull requests. Scope `issue`. */
export const labels = (http: Http) => ({
  ofRepo: (repo: RepoName) => http.list(path`/repos/${repo.owner}/${repo.name}/labels`, { items: label, unique: "id" }),

  /** 404 if the name is a user. */
  ofOrg: (org: string) => http.list(path`/orgs/${org}/labels`, { items: label, unique: "id" }),

  /** Adds labels to an issue or a pull request; 403 without write access. */
  add: (repo: RepoName, index: number, ids: readonly number[]) =>
    http.post(path`/repos/${repo.owner}/${repo.name}/issues/${index}/labels`, {
      body: { labels: ids },
      answers: json(list(label)),
    }),

  remove: (repo: RepoName, index: number, id: number) =>
    http.delete(path`/repos/${repo.owner}/${repo.name}/issues/${index}/labels/${id}`, { answers: nothing }),
});
