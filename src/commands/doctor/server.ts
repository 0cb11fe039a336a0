import type { ServerContext } from "../../app/context.ts";
import { userBadgeList } from "../../forge/admin-users.ts";
import { artifactList } from "../../forge/artifacts.ts";
import { missingFeatures } from "../../forge/features.ts";
import { call } from "../../forge/operation.ts";
import { runList } from "../../forge/runs.ts";
import { aboutServer, type ServerInfo } from "../../forge/server.ts";
import { knownFrom } from "../../forge/server-has.ts";
import { releaseOf } from "../../forge/support.ts";
import { presentedTokenOf } from "../../forge/tokens.ts";
import { currentUserGet } from "../../forge/users.ts";
import { workflowList } from "../../forge/workflows.ts";
import { DeniedError } from "../../http/errors.ts";
import { addressText, type Server, signInLine } from "../../profiles/server.ts";
import { type Finding, ok, problem, problemFromError } from "./finding.ts";
import { scopeFindings } from "./scopes.ts";

/** What the server reported. */
export interface ServerReport {
  readonly findings: readonly Finding[];
  readonly about?: ServerInfo | undefined;
  readonly user?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** How far the local clock is ahead of the server's, in seconds. */
  readonly skew?: number | undefined;
  readonly features?: readonly string[] | undefined;
}

/** Checks the server's version and clock, the token's owner and scopes, and the optional features of the server. */
export async function checkServer(
  { server, http }: ServerContext,
  connectTo: (server: Server) => Promise<ServerContext>,
  { now, proxied }: { readonly now: () => Date; readonly proxied: boolean },
): Promise<ServerReport> {
  let about: ServerInfo;
  let skew: number | undefined;
  const token = await settled(server.token());
  try {
    about = await version({ server, http }, connectTo, token);
    skew = about.date === undefined ? undefined : Math.round((now().getTime() - about.date.getTime()) / 1000);
  } catch (error) {
    const finding = problemFromError("reachable", error);
    // With a proxy, either may be the one that does not respond.
    const fix = proxied
      ? `${finding.fix ?? ""} The proxy may be the cause; to bypass it, add the host to NO_PROXY.`.trim()
      : (finding.fix ?? `Check that it is a Gitea or Forgejo server: curl ${addressText(server.base)}/api/v1/version`);
    return { findings: [{ ...finding, fix }] };
  }
  const source = await knownFrom(http, about.version);
  const isPlain = source === undefined || source === `${about.kind} ${releaseOf(about.version)?.number}`;
  const from = isPlain ? "" : ` (operations known from ${source})`;
  const findings = [ok("reachable", `${about.kind} ${about.version}${from}`)];
  if (skew !== undefined) findings.push(clockFinding(skew));
  const host = addressText(server.base);
  if (token.error !== undefined)
    return { findings: [...findings, problemFromError("signed in", token.error)], about, skew };
  if (token.value === undefined) {
    findings.push(problem("signed in", `No token found for ${host}`, signInLine(server)));
    return { findings, about, skew };
  }
  const [user, presented, missing] = await Promise.allSettled([
    call(http, currentUserGet, {}),
    presentedTokenOf(http),
    missingFeatures(http, about.version, optionalFeatures),
  ]);
  const known = presented.status === "fulfilled" ? presented.value : undefined;
  const login = user.status === "fulfilled" ? user.value.login : known?.user.login;
  if (user.status === "fulfilled")
    findings.push(ok("signed in", user.value.is_admin ? `${login} (administrator)` : `${login}`));
  else findings.push(problemFromError("signed in", user.reason));
  if (login === undefined) return { findings, about, skew };
  const isAdmin = user.status === "fulfilled" && user.value.is_admin === true;
  findings.push(...scopeFindings(known?.scopes, isAdmin, signInLine(server)));
  if (missing.status === "rejected") return { findings, about, skew, user: login, scopes: known?.scopes };
  const features = optionalFeatures.filter((one) => !missing.value.includes(one)).map(({ name }) => name);
  findings.push(ok("optional features", features.join(", ") || "none"));
  return { findings, about, skew, user: login, scopes: known?.scopes, features };
}

/** The version. Asks again without the token if that is rejected, so that an invalid token does not hide the server. */
async function version(
  { server, http }: ServerContext,
  connectTo: (server: Server) => Promise<ServerContext>,
  token: Settled<string | undefined>,
): Promise<ServerInfo> {
  const anonymous = async () => aboutServer((await connectTo({ ...server, token: async () => undefined })).http);
  if (token.error !== undefined) return anonymous();
  try {
    return await aboutServer(http);
  } catch (error) {
    if (!(error instanceof DeniedError) || token.value === undefined) throw error;
    return anonymous();
  }
}

/** What only some servers have. */
const optionalFeatures = [
  { name: "workflows", needs: [workflowList] },
  { name: "runs", needs: [runList] },
  { name: "artifacts", needs: [artifactList] },
  { name: "badges", needs: [userBadgeList] },
];

/** The outcome of a promise. */
interface Settled<T> {
  readonly value?: T;
  readonly error?: unknown;
}

async function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}

/** Up to a minute is harmless; more gives wrong times in lists and commits, and breaks signed URLs. */
function clockFinding(skew: number): Finding {
  const size = Math.abs(skew);
  if (size <= 60) return ok("clock", `within ${Math.max(1, size)} s of the server's clock`);
  const amount = size < 7200 ? `${Math.round(size / 60)} min` : `${Math.round(size / 3600)} h`;
  const found = `The local clock is ${amount} ${skew > 0 ? "ahead of" : "behind"} the server's`;
  const fix = "Synchronize the clock that is wrong, on Linux with: sudo timedatectl set-ntp true";
  return problem("clock", found, fix);
}
