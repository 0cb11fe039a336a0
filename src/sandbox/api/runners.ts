import { isBusy, newRunner, schedule } from "../actions/schedule.ts";
import { isTrue } from "../http/bind.ts";
import { boolean, form, required, string, strings } from "../http/form.ts";
import { envelopeReply } from "../http/paging.ts";
import { empty, found, json, notFound, type Reply } from "../http/reply.ts";
import { type Area, type Call, del, get, patch, post } from "../http/route.ts";
import type { RunnerRecord } from "../state/records/actions.ts";
import { runnerWire } from "../wire/actions.ts";

const option = form("EditActionRunnerOption", { disabled: required(boolean("Disabled")) });
const edits = { body: option } as const;
const ofRepo = { repo: "actions", signedIn: true, right: "owner" } as const;
const ofOrg = { org: true, signedIn: true, orgOwner: true } as const;
const mine = { signedIn: true } as const;
const ofServer = { siteAdmin: true } as const;

const levels = ["server", "owner", "repository"] as const;
const registering = {
  body: form("RegisterRequest", {
    token: required(string("Token")),
    name: required(string("Name")),
    labels: strings("Labels"),
    ephemeral: boolean("Ephemeral"),
  }),
} as const;
const declaring = { body: form("DeclareRequest", { token: string("Token") }) } as const;
const service = "/api/actions/runner.v1.RunnerService";

/** The level of runners. */
type Level = Pick<RunnerRecord, "level" | "of">;
const inRepo = ({ repo }: Call<typeof ofRepo>): Level => ({ level: "repository", of: repo.id });
const inOrg = ({ org }: Call<typeof ofOrg>): Level => ({ level: "owner", of: org.id });
const inMine = ({ currentUser }: Call<typeof mine>): Level => ({ level: "owner", of: currentUser.id });
const server: Level = { level: "server", of: 0 };

const repoRunners = "/repos/{owner}/{repo}/actions/runners";
const orgRunners = "/orgs/{org}/actions/runners";
const myRunners = "/user/actions/runners";
const allRunners = "/admin/actions/runners";

/** Runners of a repository, an organization, a user and the server (docs/server-differences.md, "Runners"). */
export const runners: Area = {
  routes: [
    get(repoRunners, ofRepo, (call) => list(call, inRepo(call))),
    get(`${repoRunners}/{runner}`, ofRepo, (call) => show(call, inRepo(call))),
    patch(`${repoRunners}/{runner}`, { ...ofRepo, ...edits }, (call) => edit(call, inRepo(call), call.body.disabled)),
    del(`${repoRunners}/{runner}`, ofRepo, (call) => remove(call, inRepo(call))),
    post(`${repoRunners}/registration-token`, ofRepo, (call) => token(inRepo(call))),
    get(orgRunners, ofOrg, (call) => list(call, inOrg(call))),
    get(`${orgRunners}/{runner}`, ofOrg, (call) => show(call, inOrg(call))),
    patch(`${orgRunners}/{runner}`, { ...ofOrg, ...edits }, (call) => edit(call, inOrg(call), call.body.disabled)),
    del(`${orgRunners}/{runner}`, ofOrg, (call) => remove(call, inOrg(call))),
    post(`${orgRunners}/registration-token`, ofOrg, (call) => token(inOrg(call))),
    get(myRunners, mine, (call) => list(call, inMine(call))),
    get(`${myRunners}/{runner}`, mine, (call) => show(call, inMine(call))),
    patch(`${myRunners}/{runner}`, { ...mine, ...edits }, (call) => edit(call, inMine(call), call.body.disabled)),
    del(`${myRunners}/{runner}`, mine, (call) => remove(call, inMine(call))),
    post(`${myRunners}/registration-token`, mine, (call) => token(inMine(call))),
    get(allRunners, ofServer, (call) => list(call, server)),
    get(`${allRunners}/{runner}`, ofServer, (call) => show(call, server)),
    patch(`${allRunners}/{runner}`, { ...ofServer, ...edits }, (call) => edit(call, server, call.body.disabled)),
    del(`${allRunners}/{runner}`, ofServer, (call) => remove(call, server)),
    post(`${allRunners}/registration-token`, ofServer, () => token(server)),
  ],
  pages: [post(`${service}/Register`, registering, register), post(`${service}/Declare`, declaring, declare)],
};

/** The server level includes all runners, the other levels only their own. */
const sees = ({ level, of }: Level, runner: RunnerRecord) =>
  level === "server" || (runner.level === level && runner.of === of);

/** Lists runners: busy ones first, offline ones last, enabled before disabled ones. */
function list(call: Call, level: Level): Reply {
  const { site, query } = call;
  const disabled = query.get("disabled");
  const rank = (runner: RunnerRecord) => (isBusy(site, runner) ? 0 : runner.online ? 2 : 4) + (runner.disabled ? 1 : 0);
  const items = site.store
    .table("runners")
    .filter((runner) => sees(level, runner) && (disabled === null || runner.disabled === isTrue(disabled)))
    .sort((one, other) => rank(one) - rank(other));
  return envelopeReply(call, "runners", items, (runner) => runnerWire(call, runner), "none");
}

function findRunner(call: Call, level: Level): RunnerRecord {
  const id = call.number("runner");
  const runner = found(call.site.store.table("runners").get(id), `runner with id ${id}: resource does not exist`);
  return sees(level, runner) ? runner : notFound("No permission to access this runner");
}

const show = (call: Call, level: Level) => json(200, runnerWire(call, findRunner(call, level)));

function edit(call: Call, level: Level, disabled: boolean): Reply {
  const runner = findRunner(call, level);
  const next = call.site.store.table("runners").put({ ...runner, disabled });
  schedule(call.site, call.site.clock());
  return json(200, runnerWire(call, next));
}

function remove(call: Call, level: Level): Reply {
  call.site.store.table("runners").delete(findRunner(call, level).id);
  schedule(call.site, call.site.clock());
  return empty(204);
}

const tokenOf = ({ level, of }: Level) => `not-a-registration-token-${level}-${of}`;

/** The registration token of a level, always the same. */
const token = (level: Level) => json(200, { token: tokenOf(level) });

/** Registers a runner at the level of its token. It is offline until it declares itself. */
function register({ site, body: { token, name, labels = [], ephemeral = false } }: Call<typeof registering>): Reply {
  const [, level, of] = /-(server|owner|repository)-(\d+)$/.exec(token) ?? [];
  const asked = levels.find((one) => one === level);
  if (asked === undefined || tokenOf({ level: asked, of: Number(of) }) !== token)
    notFound("runner registration token not found");
  const runner = newRunner(site, { name, labels, level: asked, of: Number(of), ephemeral, online: false });
  return json(200, { runner: { id: runner.id, name, token: runnerToken(runner) } });
}

/** A runner declares itself with its token and comes online. */
function declare({ site, headers, body: { token } }: Call<typeof declaring>): Reply {
  const given = headers["x-runner-token"] ?? token;
  const runner = found(site.store.table("runners").find((one) => runnerToken(one) === given));
  site.store.table("runners").put({ ...runner, online: true, since: site.clock() });
  schedule(site, site.clock());
  return json(200, { runner: { id: runner.id, name: runner.name } });
}

const runnerToken = ({ id }: RunnerRecord) => `not-a-runner-token-${id}`;
