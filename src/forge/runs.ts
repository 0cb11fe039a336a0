import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { UnknownOperationError } from "../http/errors/unknown-operation-error.ts";
import { type Path, path } from "../http/path.ts";
import { actionsOf } from "./actions-level.ts";
import { describedWrites, filled } from "./described.ts";
import type { Level } from "./level.ts";
import type { Job } from "./records/job.ts";
import type { Run, RunQuery } from "./records/run.ts";
import type { RepoName } from "./repo-name.ts";

const listed = { envelope: "workflow_runs", unique: "id" } as const;

/** Workflow runs (api-facts 3.6.6). `run` is the id, never the number. Forgejo has none of these operations. */
export const runs = (http: Http) => {
  const described = describedWrites(http);
  const below = (repo: RepoName, part: string) => `${actionsOf({ of: "repository", repo })}/${part}` as Path;

  /** Does what no server has an operation for today, as soon as one has it or describes it. */
  async function later(repo: RepoName, id: number, verb: "cancel" | "approve"): Promise<void> {
    try {
      await http.post(below(repo, `runs/${id}/${verb}`), { answers: nothing });
    } catch (error) {
      if (!(error instanceof UnknownOperationError)) throw error;
      const other = await described(new RegExp(`^/repos/[^/]+/[^/]+/actions/runs?/\\{[^}]+\\}/(${verb})$`));
      if (other === undefined) throw error;
      await http.send(other.method, filled(other.template, [repo.owner, repo.name, id]), { answers: nothing });
    }
  }

  return {
    /** Newest first. */
    list: (level: Level, query: RunQuery) =>
      http.list<Run>(`${actionsOf(level)}/runs` as Path, { ...listed, query: { ...query }, since: "1.25" }),

    ofWorkflow: (repo: RepoName, file: string, query: RunQuery) =>
      http.list<Run>(path`/repos/${repo.owner}/${repo.name}/actions/workflows/${file}/runs`, {
        ...listed,
        query: { ...query },
        since: "1.27",
      }),

    get: (repo: RepoName, id: number) => http.get(below(repo, `runs/${id}`), { answers: json<Run>(), since: "1.25" }),

    attempt: (repo: RepoName, id: number, attempt: number) =>
      http.get(below(repo, `runs/${id}/attempts/${attempt}`), { answers: json<Run>(), since: "1.27" }),

    /** Its jobs, logs and artifacts go with it. Only finished ones can. */
    delete: (repo: RepoName, id: number) => http.delete(below(repo, `runs/${id}`), { answers: nothing, since: "1.24" }),

    rerun: (repo: RepoName, id: number) =>
      http.post(below(repo, `runs/${id}/rerun`), { answers: json<Run>(), since: "1.26" }),

    /** The failed and the cancelled jobs, and what needs them. */
    rerunFailed: (repo: RepoName, id: number) =>
      http.post(below(repo, `runs/${id}/rerun-failed-jobs`), { answers: nothing, since: "1.26" }),

    /** One job of the latest attempt, and what needs it. */
    rerunJob: (repo: RepoName, id: number, job: number) =>
      http.post(below(repo, `runs/${id}/jobs/${job}/rerun`), { answers: json<Job>(), since: "1.26" }),

    cancel: (repo: RepoName, id: number) => later(repo, id, "cancel"),

    /** Lets a run of a fork's pull request begin. */
    approve: (repo: RepoName, id: number) => later(repo, id, "approve"),
  };
};
