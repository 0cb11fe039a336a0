import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { CommitStatus } from "./records/commit-status.ts";
import type { RepoName } from "./repo-name.ts";

/** Commit statuses (api-facts 3.5.5). */
export const statuses = (http: Http) => ({
  /** The latest of each context. The envelope's own `state` covers one page only, so it is not read. */
  latest: (repo: RepoName, ref: string) =>
    http.list<CommitStatus>(path`/repos/${repo.owner}/${repo.name}/commits/${ref}/status`, {
      envelope: "statuses",
      unique: "id",
    }),
});
