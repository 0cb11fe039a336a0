import { type Infer, integer, nullable, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { asName } from "./applied.ts";
import { issue } from "./issues.ts";
import { operation, pagesOf } from "./operation.ts";
import { listHas, undoToggle } from "./undo.ts";

/** A time that was tracked for an issue; `time` is in seconds. */
export const trackedTime = serverRecord(
  "a tracked time",
  {
    id: integer,
    created: optional(time),
    time: integer,
    user_name: optional(string),
    issue: optional(nullable(using(issue, "number"))),
  },
  { user_id: integer, issue_id: integer },
);

export type TrackedTime = Infer<typeof trackedTime>;

/** A running stopwatch of the caller. */
export const stopwatch = serverRecord(
  "a stopwatch",
  { issue_index: integer, repo_owner_name: string, repo_name: string },
  { created: time, seconds: integer, duration: string, issue_title: string },
);

export type Stopwatch = Infer<typeof stopwatch>;

/** Of an issue: everybody's for writers, else the caller's. */
export const issueTimeList = operation("GET", "/repos/{owner}/{repo}/issues/{index}/times", {
  answers: pagesOf(trackedTime),
});

export const repoTimeList = operation("GET", "/repos/{owner}/{repo}/times", { answers: pagesOf(trackedTime) });

/**
 * Adds a time in seconds. Only administrators of the repository can add it for another user: the servers add it for the caller
 * otherwise (docs/server-differences.md, "Issues").
 */
export const issueTimeAdd = operation("POST", "/repos/{owner}/{repo}/issues/{index}/times", {
  answers: trackedTime,
  applied: {
    reads: { user_name: asName(({ user_name }) => user_name) },
    hint: (_, { id }: { readonly id: number }) =>
      `Only administrators can add it for others: it was added for you, with ID ${id}.`,
  },
});

export const issueTimeDelete = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/times/{id}");

/** 409 if it runs already. Stops a stopwatch of another issue, and adds its time there. */
export const stopwatchStart = operation("POST", "/repos/{owner}/{repo}/issues/{index}/stopwatch/start", {
  undo: undoToggle({
    by: "DELETE /repos/{owner}/{repo}/issues/{index}/stopwatch/delete",
    state: listHas({ issue_index: "{index}", repo_owner_name: "{owner}", repo_name: "{repo}" }, "/user/stopwatches"),
  }),
});

/** 409 if none runs. */
export const stopwatchStop = operation("POST", "/repos/{owner}/{repo}/issues/{index}/stopwatch/stop", {
  undo: "delete the time that it recorded instead",
});

/** Ends a stopwatch without adding its time. 409 if none runs. */
export const stopwatchDelete = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/stopwatch/delete");

/** The caller's running stopwatches. */
export const stopwatchList = operation("GET", "/user/stopwatches", { answers: pagesOf(stopwatch) });
