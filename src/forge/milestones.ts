import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { Milestone } from "./records/milestone.ts";
import type { RepoName } from "./repo-name.ts";

/** Milestones of a repository (api-facts 3.6.20). Scope `issue`. */
export const milestones = (http: Http) => ({
  /** The server's own default is `open`, so the state is always sent. */
  list: (repo: RepoName, state: "open" | "closed" | "all") =>
    http.list<Milestone>(path`/repos/${repo.owner}/${repo.name}/milestones`, { query: { state }, unique: "id" }),
});
