import { actionsReply } from "../http/paging.ts";
import { fail, type Reply, refuse } from "../http/reply.ts";
import type { Call } from "../http/route.ts";
import { branchOf, jobJson, runJson } from "../serializers/actions.ts";
import { userNamed } from "../state/accounts.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import { jobsOf } from "../state/repos.ts";
import { parseStatusFilter, runState, type State, stateOf } from "../state/run-state.ts";

/** The states selected by the query. Throws 400 for an unknown one. */
function statesOf({ query, site: { release } }: Call): ReadonlySet<State> | undefined {
  const states = parseStatusFilter(query.getAll("status"), release.product);
  if (states !== undefined && "unknown" in states) refuse(400, `invalid status ${states.unknown}`);
  return states;
}

/** Lists runs, newest first, filtered by the query (docs/server-differences.md, "Runs and jobs"). */
export function listRuns(call: Call, belongs: (run: RunRecord) => boolean): Reply {
  const { site, query } = call;
  const { store } = site;
  const states = statesOf(call);
  const actor = query.get("actor") ?? "";
  const actorId = actor === "" ? undefined : userNamed(store, actor)?.id;
  if (actor !== "" && actorId === undefined) fail(`user does not exist [name: ${actor}]`);
  const is = (name: string, value: string) => (query.get(name) || value) === value;
  const now = site.clock();
  const fits = (run: RunRecord) =>
    belongs(run) &&
    is("event", run.event) &&
    is("branch", branchOf(run.ref)) &&
    is("head_sha", run.sha) &&
    is("ref", run.ref) &&
    is("workflow_id", run.workflow) &&
    is("run_number", String(run.number)) &&
    (actorId === undefined || run.starters[0] === actorId) &&
    (states === undefined || states.has(runState(jobsOf(store, run), now)));
  const without = call.flag("exclude_pull_requests") ? { pull_requests: [] } : {};
  const runs = store.table("runs").filter(fits).reverse();
  return actionsReply(call, "workflow_runs", runs, (run) => ({ ...runJson(call, run), ...without }));
}

/** Lists jobs, oldest first, filtered by `status`; `sort=id` with `order=desc` reverses the order. */
export function listJobs(call: Call, jobs: readonly JobRecord[]): Reply {
  const { site, query } = call;
  const [sort, order] = [query.get("sort") ?? "", query.get("order") ?? ""];
  if (!["", "id"].includes(sort)) refuse(422, `Invalid sort mode: "${sort}"`);
  if (sort !== "" && !["", "asc", "desc"].includes(order)) refuse(422, `Invalid sort order: "${order}"`);
  const states = statesOf(call);
  const fitting = jobs.filter((job) => states === undefined || states.has(stateOf(job, site.clock())));
  const items = sort === "id" && order === "desc" ? fitting.reverse() : fitting;
  return actionsReply(call, "jobs", items, (job) => jobJson(call, job));
}
