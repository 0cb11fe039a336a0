import type { BaseContext } from "../app/context.ts";
import { defineCommand } from "../app/define.ts";
import { proxyFor } from "../http/proxy-for.ts";
import { styled } from "../output/cells.ts";
import type { Sheet } from "../output/sheet.ts";
import { addressText, type Server } from "../profiles/server.ts";
import { boolean, type Infer, integer, list, nullable, record, string, words } from "../shape/shape.ts";
import { version } from "../system/files.ts";
import { type Finding, thrown } from "./doctor/finding.ts";
import { authorities, choice, configuration, environment, gitProgram, proxy } from "./doctor/here.ts";
import { askServer, type Told } from "./doctor/there.ts";

const report = record({
  ok: boolean,
  version: string,
  config_dir: string,
  profile: nullable(string),
  host: nullable(string),
  because: nullable(string),
  server: nullable(record({ kind: string, version: string })),
  offers: nullable(list(string)),
  user: nullable(string),
  scopes: nullable(list(string)),
  /** Seconds that this machine is ahead of the server. */
  clock_skew: nullable(integer),
  checks: list(record({ check: string, state: words("ok", "note", "problem"), found: string, mend: nullable(string) })),
});
type Report = Infer<typeof report>;

/** `tongs doctor`: looks at this machine's side, then GET /version, /user, /token and what only some servers have. */
export const doctor = defineCommand({
  summary: "Find out what is wrong, and how to mend it",
  details:
    "Looks at the configuration, the server in force and why it is, the way to it, its version and clock, and the " +
    "token with its owner and scopes. Says what is wrong and what to do about it. No secret is shown.",
  on: "profiles",
  effect: "read",
  output: report,
  exits: { ok: "all is well", failure: "something is wrong" },
  examples: [
    ["It does not work", "tongs doctor"],
    ["The same for a profile that is not in force here", "tongs doctor --profile work"],
    ["Only what is wrong", "tongs doctor --jq '.checks[] | select(.state == \"problem\")'"],
  ],
  async run(context) {
    const { out, profiles } = context;
    const { server, told, findings } = await examine(context);
    const result: Report = {
      ok: findings.every((finding) => finding.state !== "problem"),
      ...{ version, config_dir: profiles.folder, profile: server?.profile ?? null },
      ...{ host: server === undefined ? null : addressText(server.base), because: server?.because ?? null },
      server: told?.about === undefined ? null : { kind: told.about.kind, version: told.about.version },
      ...{ offers: told?.abilities ?? null, user: told?.user ?? null, scopes: told?.scopes ?? null },
      clock_skew: told?.skew ?? null,
      checks: findings.map((finding) => ({ ...finding, mend: finding.mend ?? null })),
    };
    await out.record(result, reportSheet);
    return result.ok ? undefined : "failure";
  },
});

async function examine(
  context: BaseContext,
): Promise<{ readonly server?: Server; readonly told?: Told; readonly findings: readonly Finding[] }> {
  const { system, options, profiles, connectTo } = context;
  const here = [...configuration(profiles), ...environment(system.env, options.host !== undefined)];
  const git = await gitProgram(context);
  let server: Server;
  try {
    server = await context.choose();
  } catch (error) {
    // A broken file was reported already, and keeps the server from being chosen with the same words.
    const finding = thrown("server in force", error);
    const known = here.some(({ found }) => found === finding.found);
    return { findings: known ? [...here, git] : [...here, finding, git] };
  }
  const way = [choice(server), await proxy(server, system.env), ...authorities(server, system.now())];
  const findings = [...here, ...way, git];
  if (way.some((finding) => finding.state === "problem")) return { server, findings };
  try {
    const proxied = (await proxyFor(server.base, system.env, server.proxy)) !== undefined;
    const told = await askServer(await connectTo(server), connectTo, { now: system.now, proxied });
    return { server, told, findings: [...findings, ...told.findings] };
  } catch (error) {
    if (system.signal.aborted) throw error;
    return { server, findings: [...findings, thrown("reachable", error)] };
  }
}

const looks = { ok: "good", note: "warn", problem: "bad" } as const;
const marks = { ok: "✓", note: "!", problem: "✗" } as const;

function reportSheet({ checks, ok }: Report): Sheet {
  const mends = checks
    .filter(({ state }) => state !== "ok")
    .flatMap(({ mend, found }) => (mend ? [{ found, mend }] : []));
  return {
    fields: checks.map(({ check, state, found }) => [check, styled(looks[state], `${marks[state]} ${found}`)]),
    sections:
      mends.length === 0
        ? []
        : [
            {
              title: ok ? "Worth knowing" : "What to do",
              body: mends.map(({ found, mend }) => `${found}:\n  ${mend}`).join("\n"),
            },
          ],
  };
}
