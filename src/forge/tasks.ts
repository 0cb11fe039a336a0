import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { Task } from "./records/task.ts";
import type { RepoName } from "./repo-name.ts";

/** Jobs that a runner took (api-facts 3.6.6, 8.2): newest first, no filters. Both servers have them. */
export const tasks = (http: Http) => ({
  list: (repo: RepoName) =>
    http.list<Task>(path`/repos/${repo.owner}/${repo.name}/actions/tasks`, {
      envelope: "workflow_runs",
      unique: "id",
    }),
});
