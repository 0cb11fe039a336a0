import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "./repo-name.ts";

/** As much of a branch as is read here (api-facts 1.7). */
export interface Branch {
  readonly name: string;
  readonly commit: { readonly id: string } | null;
}

/** Branches (api-facts 3.6.3). */
export const branches = (http: Http) => ({
  get: (repo: RepoName, name: string) =>
    http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/branches`, name), { answers: json<Branch>() }),
});
