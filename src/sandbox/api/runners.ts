import {
  registrationTokenCreate,
  registrationTokenGet,
  runnerDelete,
  runnerEdit,
  runnerGet,
  runnerList,
  serverRegistrationTokenGet,
} from "../../forge/runners.ts";
import { isBusy, newRunner, schedule } from "../actions/schedule.ts";
import { collection } from "../http/collection.ts";
import { actionsReply } from "../http/paging.ts";
import { found, json, notFound } from "../http/reply.ts";
import { type Area, type Call, ownLevels, page, route } from "../http/route.ts";
import { runnerJson } from "../serializers/actions.ts";
import type { Place, RunnerRecord } from "../state/records/actions.ts";

const needs = {
  levels: { ...ownLevels({ repo: "actions", signedIn: true, right: "owner" }), server: { siteAdmin: true } },
} as const;

/** Runners of a repository, an organization, a user and the server (docs/server-differences.md, "Runners"). */
export const runners: Area = [
  route(runnerList, needs, list),
  ...[registrationTokenCreate, registrationTokenGet].map((operation) =>
    route(operation, needs, ({ place }) => json(200, { token: tokenOf(place) })),
  ),
  route(serverRegistrationTokenGet, { siteAdmin: true }, () =>
    json(200, { token: tokenOf({ level: "server", of: 0 }) }),
  ),
  collection({
    table: "runners",
    needs: { read: needs, write: needs },
    get: runnerGet,
    find: findRunner,
    edit: [
      runnerEdit,
      ({ site }, runner, { disabled }) => {
        const next = site.table("runners").put({ ...runner, disabled });
        schedule(site);
        return next;
      },
    ],
    remove: [
      runnerDelete,
      ({ site }, { id }) => {
        site.table("runners").delete(id);
        schedule(site);
      },
    ],
    serialize: runnerJson,
  }),
  route(page("POST /api/actions/runner.v1.RunnerService/Register"), {}, register),
  route(page("POST /api/actions/runner.v1.RunnerService/Declare"), {}, declare),
];

/** The server level includes all runners, the other levels only their own. */
const sees = ({ level, of }: Place, runner: RunnerRecord) =>
  level === "server" || (runner.level === level && runner.of === of);

/** Lists runners: busy ones first, offline ones last, enabled before disabled ones. */
function list(call: Call<typeof needs>) {
  const { site, query, place } = call;
  const disabled = query.get("disabled");
  const rank = (runner: RunnerRecord) => (isBusy(site, runner) ? 0 : runner.online ? 2 : 4) + (runner.disabled ? 1 : 0);
  const items = site
    .table("runners")
    .filter(
      (runner) =>
        (call.flag("visible") || sees(place, runner)) &&
        (disabled === null || runner.disabled === call.flag("disabled")),
    )
    .sort((one, other) => rank(one) - rank(other));
  return actionsReply(call, "runners", items, (runner) => runnerJson(call, runner));
}

function findRunner(call: Call<typeof needs>): RunnerRecord {
  const id = call.number("runner_id");
  const runner = found(call.table("runners").get(id), `runner with id ${id}: resource does not exist`);
  // Forgejo shows the runners of the server everywhere.
  const isShown = call.method === "GET" && call.site.release.product === "forgejo" && runner.level === "server";
  return isShown || sees(call.place, runner) ? runner : notFound("No permission to access this runner");
}

/** The registration token of a level, always the same. */
const tokenOf = ({ level, of }: Place) => `not-a-registration-token-${level}-${of}`;

/** What a runner sends to register itself (RegisterRequest and DeclareRequest of its protocol, as JSON). */
interface Registration {
  readonly token?: string;
  readonly name?: string;
  readonly labels?: readonly string[];
  readonly ephemeral?: boolean;
}

/** Registers a runner at the level of its token. It is offline until it declares itself. */
function register({ site, rawBody }: Call) {
  const { token = "", name = "", labels = [], ephemeral = false } = JSON.parse(rawBody.toString()) as Registration;
  const [, level, of] = /-(server|owner|repository)-(\d+)$/.exec(token) ?? [];
  const place = { level: level as Place["level"], of: Number(of) };
  if (level === undefined || tokenOf(place) !== token) notFound("runner registration token not found");
  const runner = newRunner(site, { name, labels, ...place, ephemeral, online: false });
  return json(200, { runner: { id: runner.id, name, token: runnerToken(runner) } });
}

/** A runner declares itself with its token and comes online. */
function declare({ site, headers, rawBody }: Call) {
  const given = headers["x-runner-token"] ?? (JSON.parse(rawBody.toString()) as Registration).token;
  const runner = found(site.table("runners").find((one) => runnerToken(one) === given));
  site.table("runners").put({ ...runner, online: true, since: site.clock() });
  schedule(site);
  return json(200, { runner: { id: runner.id, name: runner.name } });
}

const runnerToken = ({ id }: RunnerRecord) => `not-a-runner-token-${id}`;
