import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, nullable, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { issue } from "./issues.ts";

/** A time that was tracked for an issue; `time` is in seconds. */
export const trackedTime = serverRecord(
  "a tracked time",
  {
    id: integer,
    created: optional(time),
    time: integer,
    user_id: integer,
    user_name: optional(string),
    issue_id: integer,
    issue: optional(nullable(using(issue, "number"))),
  },
  ["id", "created", "time", "user_name", "issue"],
);

export type TrackedTime = Infer<typeof trackedTime>;

/** A running stopwatch of the caller. */
export const stopwatch = serverRecord(
  "a stopwatch",
  {
    created: time,
    seconds: integer,
    duration: string,
    issue_index: integer,
    issue_title: string,
    repo_owner_name: string,
    repo_name: string,
  },
  ["issue_index", "repo_owner_name", "repo_name"],
);

export type Stopwatch = Infer<typeof stopwatch>;

/** Filters of lists of tracked times. */
export interface TimeQuery {
  readonly user?: string | undefined;
  readonly since?: string | undefined;
  readonly before?: string | undefined;
}

/** Tracked times and stopwatches. Scope `issue`, and `user` for the caller's stopwatches. */
export function timesApi(http: Http) {
  const ofIssue = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}/times`;
  return {
    /** Of an issue: everybody's for writers, else the caller's. */
    list: (repo: RepoName, index: number, query: TimeQuery) =>
      http.list(ofIssue(repo, index), { items: trackedTime, query: { ...query }, unique: "id" }),

    ofRepo: (repo: RepoName, query: TimeQuery) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/times`, {
        items: trackedTime,
        query: { ...query },
        unique: "id",
      }),

    /**
     * Adds a time in seconds. Only administrators of the repository can add it for another user: the servers add it for
     * the caller otherwise (docs/server-differences.md, "Issues").
     */
    add: (
      repo: RepoName,
      index: number,
      body: { readonly time: number; readonly user_name?: string | undefined; readonly created?: string | undefined },
    ) => http.post(ofIssue(repo, index), { body, answers: json(trackedTime) }),

    delete: (repo: RepoName, index: number, id: number) =>
      http.delete(path`/repos/${repo.owner}/${repo.name}/issues/${index}/times/${id}`, { answers: nothing }),

    /** 409 if it runs already. Stops a stopwatch of another issue, and adds its time there. */
    start: (repo: RepoName, index: number) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/issues/${index}/stopwatch/start`, { answers: nothing }),

    /** 409 if none runs. */
    stop: (repo: RepoName, index: number) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/issues/${index}/stopwatch/stop`, { answers: nothing }),

    /** Ends a stopwatch without adding its time. 409 if none runs. */
    discard: (repo: RepoName, index: number) =>
      http.delete(path`/repos/${repo.owner}/${repo.name}/issues/${index}/stopwatch/delete`, { answers: nothing }),

    /** The caller's running stopwatches. */
    stopwatches: () => http.list(path`/user/stopwatches`, { items: stopwatch }),
  };
}
