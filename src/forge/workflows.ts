import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  either,
  hasKey,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  serverRecord,
  string,
  time,
} from "../shape/shape.ts";

/**
 * A workflow of the default branch. `id` is the file name; the times are those of the branch
 * (docs/server-differences.md, "Workflows").
 */
export const workflow = serverRecord(
  "a workflow",
  {
    id: string,
    name: string,
    path: string,
    state: optional(string),
    created_at: time,
    updated_at: time,
    url: string,
    html_url: optional(string),
    badge_url: optional(string),
    deleted_at: time,
  },
  ["id", "name", "path", "state", "html_url", "badge_url"],
);

export type Workflow = Infer<typeof workflow>;

/** The run that a dispatch started, if the server returns it. */
const runDetails = either(
  serverRecord("the details of a run", { workflow_run_id: integer, run_url: string, html_url: string }, [
    "workflow_run_id",
  ]),
  serverRecord("the details of a run", { id: integer, run_number: integer, jobs: optional(nullable(list(string))) }, [
    "id",
  ]),
  (value) => hasKey(value, "run_number"),
);

const since = "1.24";

/**
 * Workflows. `file` is the file name without folder. Forgejo has only the dispatch
 * (docs/server-differences.md, "Workflows").
 */
export function workflowsApi(http: Http) {
  const all = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/actions/workflows`;
  const one = (repo: RepoName, file: string) => path`/repos/${repo.owner}/${repo.name}/actions/workflows/${file}`;
  const below = (repo: RepoName, file: string, part: string) => `${one(repo, file)}/${part}` as Path;

  return {
    list: (repo: RepoName) => http.list(all(repo), { items: workflow, envelope: "workflows", unpaged: true, since }),

    get: (repo: RepoName, file: string) => http.get(one(repo, file), { answers: json(workflow), since }),

    enable: (repo: RepoName, file: string) => http.put(below(repo, file, "enable"), { answers: nothing, since }),

    disable: (repo: RepoName, file: string) => http.put(below(repo, file, "disable"), { answers: nothing, since }),

    /**
     * Starts a run and returns its ID, if the server does: Gitea since 1.26, if asked in the query, and Forgejo since
     * 11.0, if asked in the body. Inputs are always strings.
     */
    dispatch: async (
      repo: RepoName,
      file: string,
      dispatch: { readonly ref: string; readonly inputs: Readonly<Record<string, string>> },
      returnRun: "query" | "body",
    ): Promise<number | null> => {
      const details = await http.post(below(repo, file, "dispatches"), {
        query: returnRun === "query" ? { return_run_details: true } : {},
        body: returnRun === "body" ? { ...dispatch, return_run_info: true } : dispatch,
        answers: json(nullable(runDetails)),
        since: "1.24 and Forgejo 8.0",
      });
      return details && ("workflow_run_id" in details ? details.workflow_run_id : details.id);
    },
  };
}
