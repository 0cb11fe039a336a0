import type { CreateActionWorkflowDispatch } from "../../forge/generated/operations.ts";
import { workflowRunList } from "../../forge/runs.ts";
import { workflowDisable, workflowDispatch, workflowEnable, workflowGet, workflowList } from "../../forge/workflows.ts";
import { startRun, startRunsOnPull, startRunsOnPush } from "../actions/runs.ts";
import { resumeJobs } from "../actions/schedule.ts";
import { isMapping, triggerOf, type WorkflowFile, workflowsAt } from "../actions/workflow-file.ts";
import { readCommit } from "../git/commits.ts";
import { branchTip, commitOf } from "../git/refs.ts";
import { empty, fail, found, json, notFound, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, type RepoPart, route, type View } from "../http/route.ts";
import { disabledWorkflowKey } from "../state/repos.ts";
import { pathOf, zeroTime } from "../wire/values.ts";
import { listRuns } from "./run-lists.ts";

const reading = { repo: "actions", signedIn: true } as const;
const writing = { ...reading, right: "write" } as const;

/** Workflows, their dispatch, and runs triggered by pushes (docs/server-differences.md, "Workflows"). */
export const workflows: Area = {
  routes: [
    route(workflowList, reading, async (call) => {
      const files = await workflowFiles(call);
      const records = await Promise.all(files.map((file) => workflowWire(call, file)));
      return json(200, { workflows: records, total_count: files.length });
    }),
    route(workflowGet, reading, async (call) => json(200, await workflowWire(call, await findWorkflow(call)))),
    route(workflowEnable, writing, async (call) => {
      const { file } = await findWorkflow(call);
      call.table("disabledWorkflows").delete(disabledWorkflowKey(call.repo.id, file));
      return empty(204);
    }),
    route(workflowDisable, writing, async (call) => {
      const { file } = await findWorkflow(call);
      call.table("disabledWorkflows").put({ repoId: call.repo.id, file });
      return empty(204);
    }),
    route(workflowDispatch, writing, dispatch),
    route(workflowRunList, reading, async (call) => {
      const file = call.param("workflow_id");
      const fits = (run: { workflow: string; repoId: number }) => run.repoId === call.repo.id && run.workflow === file;
      if (call.table("runs").find(fits) === undefined) await findWorkflow(call);
      return listRuns(call, fits);
    }),
  ],
  refsChanged: startRunsOnPush,
  pullOpened: startRunsOnPull,
  started: resumeJobs,
};

type Reading = View & RepoPart;

async function workflowFiles({ site, repo }: Pick<Reading, "site" | "repo">): Promise<WorkflowFile[]> {
  const tip = await branchTip(site, repo, repo.default_branch);
  return tip === undefined ? [] : workflowsAt(site, repo, tip);
}

async function findWorkflow(call: Call<typeof reading>): Promise<WorkflowFile> {
  const id = call.param("workflow_id");
  const files = await workflowFiles(call);
  return found(
    files.find(({ file }) => file === id),
    `workflow "${id}" not found`,
  );
}

/** `ActionWorkflow`. Its dates are those of the tip of the default branch. */
async function workflowWire(call: Reading, { file, name, path }: WorkflowFile): Promise<Record<string, unknown>> {
  const { site, repo } = call;
  const { api, web } = pathOf(call, repo);
  const tip = (await branchTip(site, repo, repo.default_branch)) ?? "";
  const { date } = (await readCommit(site, repo, tip)).committer;
  const branch = repo.default_branch;
  const isDisabled = site.table("disabledWorkflows").get(disabledWorkflowKey(repo.id, file)) !== undefined;
  return {
    id: file,
    name,
    path,
    state: isDisabled ? "disabled_manually" : "active",
    created_at: date,
    updated_at: date,
    url: `${api}/actions/workflows/${encodeURIComponent(file)}`,
    html_url: `${web}/src/branch/${branch}/${path}`,
    badge_url: `${web}/actions/workflows/${encodeURIComponent(file)}/badge.svg?branch=${encodeURIComponent(branch)}`,
    deleted_at: zeroTime,
  };
}

async function dispatch(call: Call<typeof writing, CreateActionWorkflowDispatch>): Promise<Reply> {
  const { site, repo, currentUser, body } = call;
  const id = call.param("workflow_id");
  if (site.table("disabledWorkflows").get(disabledWorkflowKey(repo.id, id))) refuse(403, "workflow is disabled");
  const ref = body.ref.startsWith("refs/") ? body.ref : `refs/heads/${body.ref}`;
  const sha = await commitOf(site, repo, ref);
  if (sha === undefined) notFound(`ref "${body.ref}" doesn't exist`);
  const files = await workflowsAt(site, repo, sha);
  const file = found(
    files.find((one) => one.file === id),
    `workflow "${id}" doesn't exist`,
  );
  if (file.content === undefined) fail(`${id} does not parse`);
  const trigger = triggerOf(file, "workflow_dispatch");
  if (trigger === undefined) refuse(422, `workflow "${id}" has no workflow_dispatch event trigger`);
  const inputs = inputsOf(trigger["inputs"], body.inputs ?? {});
  const run = await startRun(site, repo, currentUser, file, { event: "workflow_dispatch", ref, sha, inputs });
  if (!call.flag("return_run_details")) return empty(204);
  const { api, web } = pathOf(call, repo);
  const below = `actions/runs/${run.id}`;
  return json(200, { workflow_run_id: run.id, run_url: `${api}/${below}`, html_url: `${web}/${below}` });
}

/** The declared inputs with the given or default values. Values are not validated, undeclared inputs are dropped. */
function inputsOf(declared: unknown, given: Readonly<Record<string, string>>): Record<string, unknown> {
  if (!isMapping(declared)) return {};
  const entries = Object.entries(declared).map(([name, facts]) => {
    const value = given[name] ?? (isMapping(facts) ? String(facts["default"] ?? "") : "");
    return [name, isMapping(facts) && facts["type"] === "boolean" ? value === "true" : value] as const;
  });
  return Object.fromEntries(entries);
}
