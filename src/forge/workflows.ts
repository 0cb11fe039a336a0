import type { Http } from "../http/client.ts";
import { NotFoundError, ServerError } from "../http/errors.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
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
import type { CreateActionWorkflowDispatch } from "./generated/operations.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { cannot, recordHas, undoToggle } from "./undo.ts";

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
    html_url: optional(string),
    badge_url: optional(string),
  },
  { created_at: time, updated_at: time, url: string, deleted_at: time },
);

export type Workflow = Infer<typeof workflow>;

/** The run that a dispatch started, if the server returns it. */
const runDetails = either(
  serverRecord("the details of a run", { workflow_run_id: integer }, { run_url: string, html_url: string }),
  serverRecord(
    "the details of a run",
    { id: integer },
    { run_number: integer, jobs: optional(nullable(list(string))) },
  ),
  (value) => hasKey(value, "run_number"),
);

/**
 * Workflows; `workflow_id` is the file name without folder. Forgejo has only the dispatch
 * (docs/server-differences.md, "Workflows").
 */
export const workflowList = operation("GET", "/repos/{owner}/{repo}/actions/workflows", {
  answers: pagesOf(workflow, { envelope: "workflows", unpaged: true }),
});

export const workflowGet = operation("GET", "/repos/{owner}/{repo}/actions/workflows/{workflow_id}", {
  answers: workflow,
});

const isActive = recordHas("/repos/{owner}/{repo}/actions/workflows/{workflow_id}", ({ state }) => state === "active");

export const workflowEnable = operation("PUT", "/repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable", {
  undo: undoToggle({ by: "PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/disable", state: isActive }),
});

export const workflowDisable = operation("PUT", "/repos/{owner}/{repo}/actions/workflows/{workflow_id}/disable", {
  undo: undoToggle({
    by: "PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable",
    adds: false,
    state: isActive,
  }),
});

const started = "what is started; the answer has its number";

/** Gitea since 1.26 returns the run if asked in the query, and Forgejo since 11.0 if asked in the body. */
export const workflowDispatch = operation("POST", "/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", {
  answers: nullable(runDetails),
  undo: cannot.start,
  applied: { except: { inputs: started, ref: started, return_run_info: started } },
});

const unknownOnForgejo = /^(workflow not found|could not expand reference )/;

/** Starts a run and returns its ID, if the server does. Inputs are always strings. */
export async function dispatchWorkflow(
  http: Http,
  repo: RepoName,
  file: string,
  dispatch: CreateActionWorkflowDispatch,
  returnRun: "query" | "body",
): Promise<number | null> {
  const details = await call(
    http,
    workflowDispatch,
    { repo, workflow_id: file, return_run_details: returnRun === "query" ? true : undefined },
    returnRun === "body" ? { ...dispatch, return_run_info: true } : dispatch,
  ).catch((error: unknown) => {
    // Forgejo answers 500 (docs/server-differences.md, "Workflows").
    if (!(error instanceof ServerError) || !unknownOnForgejo.test(error.serverMessage)) throw error;
    const message = `Workflow ${file} not found at ${dispatch.ref} in ${fullName(repo)} (${error.serverMessage})`;
    throw new NotFoundError(error.exchange, message);
  });
  return details && ("workflow_run_id" in details ? details.workflow_run_id : details.id);
}
