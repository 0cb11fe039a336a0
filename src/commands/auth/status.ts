import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { currentUserGet } from "../../forge/users.ts";
import { DeniedError } from "../../http/errors.ts";
import { styled, when } from "../../output/cells.ts";
import { asFailure, reportTarget } from "../../output/report-failure.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { serverOf } from "../../profiles/choose.ts";
import { profileNamed } from "../../profiles/profile.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import { addressText, type Server, serverAddress, signInLine } from "../../profiles/server.ts";
import { boolean, either, type Infer, list, nullable, record, string, time } from "../../shape/shape.ts";
import { joinWords } from "../../text/words.ts";

const statusRecord = record({
  profile: nullable(string),
  default: boolean,
  host: string,
  /** The username that the server reports. */
  user: nullable(string),
  accepted: boolean,
  /** Why this server was selected. */
  because: string,
  since: nullable(time),
  scopes: nullable(list(string)),
  /** Where the token is stored. */
  token_in: nullable(string),
  problem: nullable(string),
});
type Status = Infer<typeof statusRecord>;

/** The result of checking one sign-in. */
interface CheckResult {
  readonly status: Status;
  readonly failure: Failure | undefined;
}

const columns = [
  column<Status>("", "default", (it) => (it.default ? styled("good", "*") : "")),
  column<Status>("PROFILE", "profile", (it) => styled("strong", it.profile ?? "")),
  column<Status>("HOST", "host", { style: "link", flexible: true }),
  column<Status>("USER", "user"),
  column<Status>("STATE", "accepted", {
    cell: (it) => (it.accepted ? styled("good", "signed in") : styled("bad", it.problem ?? "")),
    flexible: true,
  }),
  column<Status>("SIGNED IN", "since", { as: "time", rank: "optional" }),
];

/** `tongs auth status`: GET /user, once for each profile checked. */
export const status = defineCommand({
  summary: "Show authentication status",
  details: "Checks the token with the selected server or, with --all-profiles, the tokens of all stored profiles.",
  on: "profiles",
  effect: "read",
  flags: { allProfiles: toggle("check all stored profiles") },
  output: either(statusRecord, list(statusRecord), Array.isArray),
  exits: {
    denied: "not signed in, or the server did not accept the token",
    partly: "with --all-profiles: the check of some profiles failed",
  },
  examples: [
    ["Show the current account and why it was selected", "tongs auth status"],
    ["Check all stored profiles", "tongs auth status --all-profiles"],
  ],
  async run(context) {
    const { flags, options, profiles, out, system, choose } = context;
    if (options.all) out.warn("--all is deprecated here; use --all-profiles");
    if (!flags.allProfiles && !options.all) {
      const result = await checkServer(await choose(), context);
      await out.record(result.status, statusSheet);
      if (result.failure !== undefined) throw result.failure;
      return;
    }
    if (options.profile !== undefined || options.host !== undefined) {
      throw new UsageError("Cannot use --profile or --host with --all-profiles");
    }
    const config = profiles.read();
    const names = Object.keys(config.profiles);
    const results = await Promise.all(names.map((name) => checkProfile(name, context)));
    await out.list(
      results.map((result) => result.status),
      columns,
    );
    const failed = results.flatMap(({ status: { profile, host }, failure }) =>
      failure ? [{ target: profile ?? host, failure }] : [],
    );
    for (const { target, failure } of failed) reportTarget(target, failure, { out, system });
    if (failed.length === 0) return;
    return failed.length === results.length ? failed[0]?.failure.exit : "partly";
  },
});

/** Checks a stored profile. One that cannot be used because plain HTTP is not allowed is reported as failed. */
async function checkProfile(name: string, context: BaseContext): Promise<CheckResult> {
  const config = context.profiles.read();
  try {
    return await checkServer(serverOf(context.profiles, config, name, "--all-profiles"), context);
  } catch (error) {
    const { host = "" } = config.profiles[name] ?? {};
    const base = serverAddress(host);
    return toResult(
      { base, profile: name, because: "--all-profiles", hasToken: false },
      context,
      undefined,
      asFailure(error),
    );
  }
}

/** Asks one server who owns the token. Throws only when the command is interrupted. */
async function checkServer(server: Server, context: BaseContext): Promise<CheckResult> {
  const host = addressText(server.base);
  let hasToken = true;
  try {
    hasToken = (await server.token()) !== undefined;
    if (!hasToken) {
      const hint = `Run: ${signInLine(server)}`;
      throw new Failure("not_signed_in", `Not signed in to ${host}`, { hint });
    }
    const { http } = await context.connectTo(server);
    const login = await call(http, currentUserGet, {}).then((user) => user.login, undefinedWithoutScope);
    if (server.user !== undefined && login !== undefined && server.user !== login) {
      context.out.warn(
        `The token belongs to ${login}, but the profile has user ${server.user}; sign in again to update it`,
      );
    }
    return toResult({ ...server, hasToken }, context, login, undefined);
  } catch (error) {
    if (context.system.signal.aborted) throw error;
    return toResult({ ...server, hasToken }, context, undefined, asFailure(error));
  }
}

/** A token without read:user is accepted: the server says which scope it lacks. */
function undefinedWithoutScope(error: unknown): undefined {
  if (error instanceof DeniedError && error.status === 403 && /scope/.test(error.message)) return undefined;
  throw error;
}

function toResult(
  server: Pick<Server, "base" | "because" | "profile"> & { readonly hasToken: boolean },
  { profiles }: BaseContext,
  login: string | undefined,
  failure: Failure | undefined,
): CheckResult {
  const config = profiles.read();
  const profile = server.profile === undefined ? undefined : config.profiles[server.profile];
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
      token_in: server.hasToken ? tokenSource(server.profile, profiles) : null,
      problem: failure?.message ?? null,
    },
  };
}

function tokenSource(name: string | undefined, profiles: Profiles): string {
  const profile = name === undefined ? undefined : profileNamed(profiles.read(), name);
  if (name === undefined || profile === undefined) return "TONGS_TOKEN in the environment";
  const { token_command: command } = profile;
  return command === undefined ? profiles.credentials.location(name) : `the output of ${joinWords(command)}`;
}

function statusSheet(it: Status): Sheet {
  return {
    title: it.host,
    titleName: "host",
    fields: [
      ["state", it.accepted ? styled("good", "signed in") : styled("bad", it.problem ?? "")],
      ["user", it.user],
      ["signed in", when(it.since)],
      ["scopes", it.scopes?.join(", ") ?? (it.accepted ? "unknown (not reported by the server)" : undefined)],
      ["token source", it.token_in],
      ["profile", it.profile ?? "none"],
      ["selected by", it.because],
    ],
  };
}
