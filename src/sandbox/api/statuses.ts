import { combinedStatusGet, statusCreate, statusList } from "../../forge/commits.ts";
import type { CreateStatusOption } from "../../forge/generated/operations.ts";
import { commitOf } from "../git/refs.ts";
import { commitStatusList } from "../http/other-operations.ts";
import { listReply, pageHeaders, pageItems, pageOf } from "../http/paging.ts";
import { fail, json, notFound, type Reply } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { mergeSoon } from "../pulls/merging.ts";
import { latestStatuses, newStatus, statusesOf } from "../pulls/statuses.ts";
import { combinedJson, statusJson } from "../serializers/commits.ts";
import { openPulls } from "../state/issues.ts";

const reading = { repo: "code", slashes: true } as const;
const creation = { repo: "code", signedIn: true, right: "write" } as const;

/** Commit statuses (docs/server-differences.md, "Commit statuses"). */
export const statuses: Area = {
  routes: [
    route(statusCreate, creation, create),
    route(commitStatusList, reading, (call) => list(call, call.param("sha"))),
    route(statusList, reading, async (call) => list(call, await resolveCommit(call))),
    route(combinedStatusGet, reading, async (call) => {
      const { site, repo } = call;
      const sha = await resolveCommit(call);
      const latest = latestStatuses(site, repo.id, sha);
      const page = pageOf(call.query);
      const combined = await combinedJson(call, repo, sha, latest, pageItems(latest, page));
      return json(200, combined, pageHeaders(call, latest.length, page, "total and link"));
    }),
  ],
};

/** Creates a status of a commit or of a branch's tip. The state is not validated. */
async function create(call: Call<typeof creation, CreateStatusOption>): Promise<Reply> {
  const { site, repo, currentUser, body } = call;
  const sha = await commitOf(site, repo, call.param("sha"));
  if (sha === undefined) fail(`object does not exist [id: ${call.param("sha")}, rel_path: ]`);
  const { state = "", context = "", target_url = "", description = "" } = body;
  const given = { repoId: repo.id, sha, creatorId: currentUser.id, status: state, context, target_url, description };
  const status = newStatus(site.store, site.now(), given);
  for (const pull of openPulls(site.store)) {
    if (pull.repoId === repo.id && pull.pull.headSha === sha) mergeSoon(site, pull);
  }
  // Numbered together with the statuses of workflow runs.
  const counted = statusesOf(site, repo.id, sha).findLast((one) => one.context === status.context) ?? status;
  return json(201, statusJson(call, repo, { ...status, number: counted.number }));
}

async function resolveCommit(call: Call<typeof reading>): Promise<string> {
  const ref = call.param("ref");
  const sha = await commitOf(call.site, call.repo, ref);
  return sha ?? notFound(`object does not exist [id: ${ref}, rel_path: ]`);
}

const states = ["pending", "success", "error", "failure", "warning", "skipped"];

/**
 * Lists statuses, those of the newest second first; `sort=leastindex` is newest first, `oldest`, `leastupdate` and
 * `highestindex` oldest first. An unknown `state` is ignored.
 */
function list(call: Call<typeof reading>, sha: string): Promise<Reply> {
  const { site, repo, query } = call;
  const state = query.get("state") ?? "";
  const fitting = statusesOf(site, repo.id, sha).filter(({ status }) => !states.includes(state) || status === state);
  const sort = query.get("sort") ?? "";
  if (sort === "leastindex") fitting.reverse();
  else if (!["oldest", "leastupdate", "highestindex"].includes(sort)) {
    fitting.sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at));
  }
  return listReply(call, fitting, (_call, status) => statusJson(call, repo, status));
}
