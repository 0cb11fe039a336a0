import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { Branch } from "./records/branch.ts";
import type { RepoName } from "./repo-name.ts";

/** Branches (api-facts 3.6.3). */
export const branches = (http: Http) => ({
  get: (repo: RepoName, name: string) =>
    http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/branches`, name), { answers: json<Branch>() }),
});
