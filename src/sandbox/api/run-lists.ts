import { parseStatusFilter, runState, type State, stateOf } from "../actions/run-state.ts";
import { envelopeReply } from "../http/paging.ts";
import { fail, type Reply, refuse } from "../http/reply.ts";
import type { Call } from "../http/route.ts";
import { userNamed } from "../state/accounts.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import { jobsOf } from "../state/repos.ts";
import { branchOf, jobWire, runWire } from "../wire/actions.ts";

/** The states selected by the query. Throws 400 for an unknown one. */
function statesOf(query: URLSearchParams): ReadonlySet<State> | undefined {
  const states = parseStatusFilter(query.getAll("status"));
  if (states !== undefined && "unknown" in states) refuse(400, `invalid status ${states.unknown}`);
  return states;
}

/** Lists runs, newest first, filtered by the query (docs/server-differences.md, "Runs and jobs"). */
export function listRuns(call: Call, belongs: (run: RunRecord) => boolean): Reply {
  const { site, query } = call;
  const { store } = site;
  const states = statesOf(query);
  const actor = query.get("actor") ?? "";
  const actorId = actor === "" ? undefined : userNamed(store, actor)?.id;
  if (actor !== "" && actorId === undefined) fail(`user does not exist [name: ${actor}]`);
  const [event, branch, sha] = [query.get("event") ?? "", query.get("branch") ?? "", query.get("head_sha") ?? ""];
  const now = site.clock();
  const fits = (run: RunRecord) =>
    belongs(run) &&
    (event === "" || run.event === event) &&
    (branch === "" || branchOf(run.ref) === branch) &&
    (sha === "" || run.sha === sha) &&
    (actorId === undefined || run.starters[0] === actorId) &&
    (states === undefined || states.has(runState(jobsOf(store, run), now)));
  const without = call.flag("exclude_pull_requests") ? { pull_requests: [] } : {};
  const runs = store.table("runs").filter(fits).reverse();
  return envelopeReply(call, "workflow_runs", runs, (run) => ({ ...runWire(call, run), ...without }));
}

/** Lists jobs, oldest first, filtered by `status`; `sort=id` with `order=desc` reverses the order. */
export function listJobs(call: Call, jobs: readonly JobRecord[]): Reply {
  const { site, query } = call;
  const [sort, order] = [query.get("sort") ?? "", query.get("order") ?? ""];
  if (!["", "id"].includes(sort)) refuse(422, `Invalid sort mode: "${sort}"`);
  if (sort !== "" && !["", "asc", "desc"].includes(order)) refuse(422, `Invalid sort order: "${order}"`);
  const states = statesOf(query);
  const fitting = jobs.filter((job) => states === undefined || states.has(stateOf(job, site.clock())));
  const items = sort === "id" && order === "desc" ? fitting.reverse() : fitting;
  return envelopeReply(call, "jobs", items, (job) => jobWire(call, job));
}
