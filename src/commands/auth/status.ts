import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { Failure } from "../../failure/failure.ts";
import { styled, when } from "../../output/cells.ts";
import { asFailure, failureJson, failureText } from "../../output/report-failure.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { serverOf } from "../../profiles/choose.ts";
import { addressText, type Server, serverAddress } from "../../profiles/server.ts";
import { boolean, type Infer, list, nullable, record, string, time } from "../../shape/shape.ts";

const statusRecord = record({
  profile: nullable(string),
  default: boolean,
  host: string,
  /** Who the server says it is. */
  user: nullable(string),
  accepted: boolean,
  /** Why this profile. */
  because: string,
  since: nullable(time),
  scopes: nullable(list(string)),
  /** Where the token lives. */
  token_in: nullable(string),
  problem: nullable(string),
});
type Status = Infer<typeof statusRecord>;

/** How one sign-in stands. */
interface Looked {
  readonly status: Status;
  readonly failure: Failure | undefined;
}

const columns = [
  column<Status>("", (it) => (it.default ? styled("good", "*") : "")),
  column<Status>("PROFILE", (it) => styled("strong", it.profile ?? "")),
  column<Status>("HOST", (it) => styled("link", it.host), true),
  column<Status>("USER", (it) => it.user),
  column<Status>("STATE", (it) => (it.accepted ? styled("good", "signed in") : styled("bad", it.problem ?? "")), true),
  column<Status>("SIGNED IN", (it) => when(it.since)),
];

/** `tongs auth status`: GET /user, once for each profile that is looked at. */
export const status = defineCommand({
  summary: "Show who you are, where, and why there",
  details: "Asks the server in force, or with --all every stored profile's, all at once.",
  on: "profiles",
  effect: "read",
  output: statusRecord,
  exits: { denied: "the server refused the token, or there is none", partly: "with --all: some are refused or silent" },
  examples: [
    ["Who am I here, and why", "tongs auth status"],
    ["Every server that I am signed in to", "tongs auth status --all"],
  ],
  async run(context) {
    const { options, profiles, out, system, choose } = context;
    if (!options.all) {
      const looked = await look(await choose(), context);
      await out.record(looked.status, statusSheet);
      if (looked.failure !== undefined) throw looked.failure;
      return;
    }
    const config = profiles.read();
    const names = Object.keys(config.profiles);
    const all = await Promise.all(names.map((name) => lookStored(name, context)));
    await out.list(
      all.map((looked) => looked.status),
      columns,
    );
    const failed = all.flatMap(({ status: { profile }, failure }) => (failure ? [{ profile, failure }] : []));
    for (const { profile, failure } of failed) {
      const text = out.records ? failureJson(failure) : failureText(failure, out.notePalette, profile ?? undefined);
      system.stderr.write(text);
    }
    if (failed.length === 0) return;
    return failed.length === all.length ? failed[0]?.failure.exit : "partly";
  },
});

/** A stored profile that cannot even be used (plain http that was not allowed) is shown, too. */
async function lookStored(name: string, context: BaseContext): Promise<Looked> {
  const config = context.profiles.read();
  try {
    return await look(serverOf(context.profiles, config, name, "--all"), context);
  } catch (error) {
    const { host = "" } = config.profiles[name] ?? {};
    const base = serverAddress(host);
    return outcome({ base, profile: name, because: "--all" }, context, undefined, asFailure(error));
  }
}

/** Asks one server who it takes the token for. An interruption ends everything. */
async function look(server: Server, context: BaseContext): Promise<Looked> {
  const host = addressText(server.base);
  if (server.token === undefined) {
    const hint = `Sign in with: tongs auth login --host ${host}`;
    return outcome(
      server,
      context,
      undefined,
      new Failure("not_signed_in", "denied", `Not signed in to ${host}`, { hint }),
    );
  }
  try {
    const { forge } = await context.connectTo(server);
    const { login } = await forge.users.me();
    if (server.user !== undefined && server.user !== login) {
      context.out.warn(`${host} calls you ${login}, the profile ${server.user}; sign in again to set that right`);
    }
    return outcome(server, context, login, undefined);
  } catch (error) {
    if (context.system.signal.aborted) throw error;
    return outcome(server, context, undefined, asFailure(error));
  }
}

function outcome(
  server: Pick<Server, "base" | "because" | "profile"> & { readonly token?: string | undefined },
  { profiles }: BaseContext,
  login: string | undefined,
  failure: Failure | undefined,
): Looked {
  const config = profiles.read();
  const profile = server.profile === undefined ? undefined : config.profiles[server.profile];
  const place = profile === undefined ? "TONGS_TOKEN in the environment" : profiles.credentials.location;
  return {
    failure,
    status: {
      profile: server.profile ?? null,
      default: server.profile !== undefined && server.profile === config.default,
      host: addressText(server.base),
      user: login ?? profile?.user ?? null,
      accepted: failure === undefined,
      because: server.because,
      since: profile?.since ?? null,
      scopes: profile?.scopes ?? null,
      token_in: server.token === undefined ? null : place,
      problem: failure?.message ?? null,
    },
  };
}

function statusSheet(it: Status): Sheet {
  return {
    title: it.host,
    fields: [
      ["state", it.accepted ? styled("good", "signed in") : styled("bad", it.problem ?? "")],
      ["user", it.user],
      ["signed in", when(it.since)],
      ["scopes", it.scopes?.join(", ") ?? (it.accepted ? "unknown: the server did not tell" : undefined)],
      ["token in", it.token_in],
      ["profile", it.profile ?? "none"],
      ["chosen by", it.because],
    ],
  };
}
