import { workflowRunList } from "../../forge/runs.ts";
import { workflowDisable, workflowDispatch, workflowEnable, workflowGet, workflowList } from "../../forge/workflows.ts";
import { startRun } from "../actions/runs.ts";
import { isMapping, triggerOf, workflowsAt } from "../actions/workflow-file.ts";
import { readCommit } from "../git/commits.ts";
import { branchTip, commitOf } from "../git/refs.ts";
import { fail, found, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { zeroTime } from "../http/time.ts";
import { runPage, workflowJson } from "../serializers/actions.ts";
import { isDisabled, jobsOf } from "../state/repos.ts";
import { listRuns } from "./runs.ts";

const reading = { repo: "actions", signedIn: true } as const;
const writing = { ...reading, right: "write" } as const;

/** Workflows, their dispatch, and runs triggered by pushes (docs/server-differences.md, "Workflows"). */
export const workflows: Area = [
  route(workflowList, reading, async (call) => {
    const { files, date } = await workflowFiles(call);
    const workflows = files.map((file) => workflowJson(call, call.repo, file, date));
    return { workflows, total_count: files.length };
  }),
  route(workflowGet, reading, async (call) => {
    const { file, date } = await findWorkflow(call);
    return workflowJson(call, call.repo, file, date);
  }),
  route(workflowEnable, writing, async (call) => {
    const { file } = (await findWorkflow(call)).file;
    call.table("disabledWorkflows").delete(`${call.repo.id}/${file}`);
  }),
  route(workflowDisable, writing, async (call) => {
    const { file } = (await findWorkflow(call)).file;
    call.table("disabledWorkflows").put({ repoId: call.repo.id, file });
  }),
  route(workflowDispatch, writing, dispatch),
  route(workflowRunList, reading, async (call) => {
    const file = call.param("workflow_id");
    const fits = (run: { workflow: string; repoId: number }) => run.repoId === call.repo.id && run.workflow === file;
    if (call.table("runs").find(fits) === undefined) await findWorkflow(call);
    return listRuns(call, fits);
  }),
];

/** The workflows of the default branch, and the date of its tip. */
async function workflowFiles(call: Call<typeof reading>) {
  const tip = await branchTip(call, call.repo.default_branch);
  if (tip === undefined) return { files: [], date: zeroTime };
  return { files: await workflowsAt(call, tip), date: (await readCommit(call, tip)).committer.date };
}

async function findWorkflow(call: Call<typeof reading>) {
  const id = call.param("workflow_id");
  const { files, date } = await workflowFiles(call);
  const file = files.find((one) => one.file === id);
  return { file: found(file, `workflow "${id}" not found`), date };
}

async function dispatch(call: Call<typeof writing, typeof workflowDispatch>) {
  const { site, repo, currentUser, body } = call;
  const id = call.param("workflow_id");
  if (isDisabled(site.store, repo.id, id)) refuse(403, "workflow is disabled");
  const ref = body.ref.startsWith("refs/") ? body.ref : `refs/heads/${body.ref}`;
  const sha = await commitOf(call, ref);
  const isForgejo = site.release.product === "forgejo";
  if (sha === undefined) {
    return isForgejo ? fail(`could not expand reference '${body.ref}'`) : notFound(`ref "${body.ref}" doesn't exist`);
  }
  const file = (await workflowsAt(call, sha)).find((one) => one.file === id);
  if (file === undefined) return isForgejo ? fail("workflow not found") : notFound(`workflow "${id}" doesn't exist`);
  if (file.content === undefined) fail(`${id} does not parse`);
  const trigger = triggerOf(file, "workflow_dispatch");
  if (trigger === undefined) refuse(422, `workflow "${id}" has no workflow_dispatch event trigger`);
  const inputs = inputsOf(trigger["inputs"], body.inputs ?? {});
  const run = await startRun(call, currentUser, file, { event: "workflow_dispatch", ref, sha, inputs });
  if (isForgejo && body.return_run_info) {
    const keys = new Set(jobsOf(site.store, run).map(({ key }) => key));
    return { id: run.id, run_number: run.number, jobs: [...keys] };
  }
  if (!call.flag("return_run_details")) return undefined;
  const run_url = `${pathOf(call, repo).api}/actions/runs/${run.id}`;
  return json(200, { workflow_run_id: run.id, run_url, html_url: runPage(call, run) });
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
