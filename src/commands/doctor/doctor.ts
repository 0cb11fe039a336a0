import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { toggle } from "../../command/flags.ts";
import { proxyFor } from "../../http/proxy-for.ts";
import { styled } from "../../output/cells.ts";
import { asFailure } from "../../output/report-failure.ts";
import type { Sheet } from "../../output/sheet.ts";
import { addressText, type Server } from "../../profiles/server.ts";
import { boolean, type Infer, integer, list, nullable, record, string, words } from "../../shape/shape.ts";
import { version } from "../../system/files.ts";
import { type Finding, problemFromError } from "./finding.ts";
import {
  checkCertificates,
  checkConfiguration,
  checkEnvironment,
  checkGit,
  checkProxy,
  checkSelection,
} from "./local.ts";
import { checkNetwork, checkProxyNetwork } from "./network.ts";
import { checkServer, type ServerReport } from "./server.ts";
import { checkCompletion, checkHelper, checkTerminal } from "./surroundings.ts";

const report = record({
  ok: boolean,
  version: string,
  config_dir: string,
  profile: nullable(string),
  host: nullable(string),
  reason: nullable(string),
  server: nullable(record({ kind: string, version: string })),
  providers: nullable(list(string)),
  user: nullable(string),
  scopes: nullable(list(string)),
  /** How far the local clock is ahead of the server's, in seconds. */
  clock_skew: nullable(integer),
  checks: list(record({ check: string, state: words("ok", "note", "problem"), result: string, fix: nullable(string) })),
});
type Report = Infer<typeof report>;

/** `tongs doctor`: checks the local configuration, then GET /version, /user, /token and the optional operations. */
export const doctor = defineCommand({
  summary: "Diagnose problems with the configuration and the connection",
  details:
    "Checks the configuration, the selected server, the proxy, git, name, port and certificate of the server, its version " +
    "and clock, the token's owner and scopes, completion and the terminal. Reports problems and how to fix them. --fix makes " +
    "the configuration private, makes git ask tongs for the token, and installs completion. Secrets are never printed.",
  on: "profiles",
  effect: "write",
  asTool: "write",
  flags: { fix: toggle("fix what can be fixed safely") },
  output: report,
  exits: { ok: "no problems found", failure: "problems found" },
  examples: [
    ["Check the current configuration", "tongs doctor"],
    ["Check another profile", "tongs doctor --profile work"],
    ["Fix what can be fixed safely", "tongs doctor --fix"],
    ["Print problems only", "tongs doctor --jq '.checks[] | select(.state == \"problem\")'"],
  ],
  async run(context) {
    const { flags, out, profiles } = context;
    const failures = flags.fix ? await fixAll(context) : [];
    const { server, remote, findings: checked } = await runChecks(context);
    const findings = [...failures, ...checked];
    const told: Report = {
      ok: findings.every((finding) => finding.state !== "problem"),
      version,
      config_dir: profiles.folder,
      profile: server?.profile ?? null,
      host: server === undefined ? null : addressText(server.base),
      reason: server?.because ?? null,
      server: remote?.about === undefined ? null : { kind: remote.about.kind, version: remote.about.version },
      providers: remote?.features ?? null,
      user: remote?.user ?? null,
      scopes: remote?.scopes ?? null,
      clock_skew: remote?.skew ?? null,
      checks: findings.map(({ check, state, result, fix }) => ({ check, state, result, fix: fix ?? null })),
    };
    await out.record(told, reportSheet);
    return told.ok ? undefined : "failure";
  },
});

/** Fixes what is safe: who can read the files, git's credential helper, and completion. Returns what could not be fixed. */
async function fixAll(context: BaseContext): Promise<readonly Finding[]> {
  const { options, out, profiles, system } = context;
  const failures: Finding[] = [];
  const apply = async (findings: readonly Finding[]) => {
    for (const { result, repair, fix } of findings) {
      if (repair === undefined || (await reportDryRun({ out, options }, `run: ${fix}`))) continue;
      try {
        await repair();
        out.note(`Fixed: ${result}`);
      } catch (error) {
        if (system.signal.aborted) throw error;
        const { message } = asFailure(error);
        failures.push({ check: "fix", state: "problem", result: `could not fix: ${result}: ${message}`, fix });
      }
    }
  };
  // Before the server is selected: files that other users can change are not read.
  await apply(checkConfiguration(profiles));
  const server = await context.choose().catch(() => undefined);
  if (server !== undefined) await apply(await checkHelper(server, context));
  await apply(checkCompletion(system));
  return failures;
}

async function runChecks(
  context: BaseContext,
): Promise<{ readonly server?: Server; readonly remote?: ServerReport; readonly findings: readonly Finding[] }> {
  const { system, options, profiles, connectTo } = context;
  const local = [...checkConfiguration(profiles), ...checkEnvironment(system.env, options.host !== undefined)];
  const git = await checkGit(context);
  const around = [...checkCompletion(system), ...checkTerminal(system)];
  let server: Server;
  try {
    server = await context.choose();
  } catch (error) {
    // An invalid configuration file was already reported, with the same message.
    const finding = problemFromError("selected server", error);
    const known = local.some(({ result }) => result === finding.result);
    return { findings: [...local, ...(known ? [] : [finding]), git, ...around] };
  }
  const connection = [
    checkSelection(server),
    await checkProxy(server, system.env),
    ...checkCertificates(server, system.now()),
  ];
  const findings = [...local, ...connection, git, ...(await checkHelper(server, context)), ...around];
  if (connection.some((finding) => finding.state === "problem")) return { server, findings };
  try {
    const proxy = await proxyFor(server.base, system.env, server.proxy);
    findings.push(...(await (proxy === undefined ? checkNetwork(server, system) : checkProxyNetwork(proxy, system))));
    const proxied = proxy !== undefined;
    const remote = await checkServer(await connectTo(server), connectTo, { now: system.now, proxied });
    return { server, remote, findings: [...findings, ...remote.findings] };
  } catch (error) {
    if (system.signal.aborted) throw error;
    return { server, findings: [...findings, problemFromError("reachable", error)] };
  }
}

const styles = { ok: "good", note: "warn", problem: "bad" } as const;
const marks = { ok: "✓", note: "!", problem: "✗" } as const;

function reportSheet({ checks, ok }: Report): Sheet {
  // What the same command fixes is listed together.
  const fixes = new Map<string, string[]>();
  for (const { state, fix, result } of checks) {
    if (state !== "ok" && fix) fixes.set(fix, [...(fixes.get(fix) ?? []), result]);
  }
  return {
    fields: checks.map(({ check, state, result }) => [check, styled(styles[state], `${marks[state]} ${result}`)]),
    sections:
      fixes.size === 0
        ? []
        : [
            {
              title: ok ? "Notes" : "How to fix",
              body: [...fixes].map(([fix, result]) => `${result.join("\n")}:\n  ${fix}`).join("\n"),
            },
          ],
  };
}
