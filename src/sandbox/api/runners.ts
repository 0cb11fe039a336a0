import { isBusy, newRunner, schedule } from "../actions/schedule.ts";
import { isTrue } from "../http/bind.ts";
import { collection, levels } from "../http/collection.ts";
import { boolean, form, required, string, strings } from "../http/form.ts";
import { envelopeReply } from "../http/paging.ts";
import { found, json, notFound, type Reply } from "../http/reply.ts";
import { type Area, type Call, get, post } from "../http/route.ts";
import type { RunnerRecord } from "../state/records/actions.ts";
import { runnerWire } from "../wire/actions.ts";

const ofRepo = { repo: "actions", signedIn: true, right: "owner" } as const;
const words = ["server", "owner", "repository"] as const;
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

type Place = Pick<RunnerRecord, "level" | "of">;

const places = [
  ...levels(ofRepo),
  { path: "/admin", needs: { siteAdmin: true } as const, place: (): Place => ({ level: "server", of: 0 }) },
];

/** Runners of a repository, an organization, a user and the server (docs/server-differences.md, "Runners"). */
export const runners: Area = {
  routes: places.flatMap(({ path, needs, place }) => [
    get(`${path}/actions/runners`, needs, (call) => list(call, place(call))),
    post(`${path}/actions/runners/registration-token`, needs, (call) => json(200, { token: tokenOf(place(call)) })),
    ...collection(
      `${path}/actions/runners`,
      "runners",
      { read: needs, write: needs },
      {
        parameter: "runner",
        wire: runnerWire,
        find: (call) => findRunner(call, place(call)),
        edit: [
          form("EditActionRunnerOption", { disabled: required(boolean("Disabled")) }),
          ({ site }, runner, { disabled }) => {
            const next = site.table("runners").put({ ...runner, disabled });
            schedule(site, site.clock());
            return next;
          },
        ],
        remove({ site }, { id }) {
          site.table("runners").delete(id);
          schedule(site, site.clock());
        },
      },
    ),
  ]),
  pages: [post(`${service}/Register`, registering, register), post(`${service}/Declare`, declaring, declare)],
};

/** The server level includes all runners, the other levels only their own. */
const sees = ({ level, of }: Place, runner: RunnerRecord) =>
  level === "server" || (runner.level === level && runner.of === of);

/** Lists runners: busy ones first, offline ones last, enabled before disabled ones. */
function list(call: Call, place: Place): Reply {
  const { site, query } = call;
  const disabled = query.get("disabled");
  const rank = (runner: RunnerRecord) => (isBusy(site, runner) ? 0 : runner.online ? 2 : 4) + (runner.disabled ? 1 : 0);
  const items = site
    .table("runners")
    .filter((runner) => sees(place, runner) && (disabled === null || runner.disabled === isTrue(disabled)))
    .sort((one, other) => rank(one) - rank(other));
  return envelopeReply(call, "runners", items, (runner) => runnerWire(call, runner), "none");
}

function findRunner(call: Call, place: Place): RunnerRecord {
  const id = call.number("runner");
  const runner = found(call.table("runners").get(id), `runner with id ${id}: resource does not exist`);
  return sees(place, runner) ? runner : notFound("No permission to access this runner");
}

/** The registration token of a level, always the same. */
const tokenOf = ({ level, of }: Place) => `not-a-registration-token-${level}-${of}`;

/** Registers a runner at the level of its token. It is offline until it declares itself. */
function register({ site, body: { token, name, labels = [], ephemeral = false } }: Call<typeof registering>): Reply {
  const [, level, of] = /-(server|owner|repository)-(\d+)$/.exec(token) ?? [];
  const asked = words.find((one) => one === level);
  if (asked === undefined || tokenOf({ level: asked, of: Number(of) }) !== token)
    notFound("runner registration token not found");
  const runner = newRunner(site, { name, labels, level: asked, of: Number(of), ephemeral, online: false });
  return json(200, { runner: { id: runner.id, name, token: runnerToken(runner) } });
}

/** A runner declares itself with its token and comes online. */
function declare({ site, headers, body: { token } }: Call<typeof declaring>): Reply {
  const given = headers["x-runner-token"] ?? token;
  const runner = found(site.table("runners").find((one) => runnerToken(one) === given));
  site.table("runners").put({ ...runner, online: true, since: site.clock() });
  schedule(site, site.clock());
  return json(200, { runner: { id: runner.id, name: runner.name } });
}

const runnerToken = ({ id }: RunnerRecord) => `not-a-runner-token-${id}`;
