import type { ServerContext } from "../../app/context.ts";
import type { Forge } from "../../forge/index.ts";
import type { About } from "../../forge/server.ts";
import { DeniedError } from "../../http/errors.ts";
import { asFailure } from "../../output/report-failure.ts";
import { addressText, type Server } from "../../profiles/server.ts";
import { type Finding, note, ok, problem, thrown } from "./finding.ts";

/** What the server told. */
export interface Told {
  readonly findings: readonly Finding[];
  readonly about?: About | undefined;
  readonly user?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Seconds that this machine is ahead of the server. */
  readonly skew?: number | undefined;
  readonly abilities?: readonly string[] | undefined;
}

/** Asks the server for its version, who the token belongs to, what it may do, and what the server offers. */
export async function askServer(
  { server, forge }: ServerContext,
  connectTo: (server: Server) => Promise<ServerContext>,
  { now, proxied }: { readonly now: () => Date; readonly proxied: boolean },
): Promise<Told> {
  let about: About;
  let skew: number | undefined;
  try {
    about = await version(server, forge, connectTo);
    skew = about.date === undefined ? undefined : Math.round((now().getTime() - about.date.getTime()) / 1000);
  } catch (error) {
    const finding = thrown("reachable", error);
    // Behind a proxy, it may as well be the proxy that does not answer.
    const mend = proxied
      ? `${finding.mend ?? ""} Or is it the proxy? NO_PROXY lists hosts without one.`.trim()
      : finding.mend;
    return { findings: [{ ...finding, mend }] };
  }
  const findings = [ok("reachable", `${about.kind} ${about.version}`)];
  if (skew !== undefined) findings.push(clock(skew));
  const host = addressText(server.base);
  if (server.token === undefined) {
    findings.push(problem("signed in", `There is no token for ${host}`, `tongs auth login --host ${host}`));
    return { findings, about, skew };
  }
  const [me, presented, abilities] = await Promise.allSettled([
    forge.users.me(),
    forge.tokens.presented(),
    forge.server.abilities(),
  ]);
  const token = presented.status === "fulfilled" ? presented.value : undefined;
  const user = me.status === "fulfilled" ? me.value.login : token?.user.login;
  if (me.status === "fulfilled")
    findings.push(ok("signed in", me.value.is_admin ? `${user}, an administrator` : `${user}`));
  else findings.push(problem("signed in", asFailure(me.reason).message, `tongs auth login --host ${host}`));
  if (user === undefined) return { findings, about, skew };
  findings.push(scopesFinding(token?.scopes));
  if (abilities.status === "rejected") return { findings, about, skew, user, scopes: token?.scopes };
  const offers = abilities.value.length === 0 ? "the common operations only" : abilities.value.join(", ");
  findings.push(ok("offers", offers));
  return { findings, about, skew, user, scopes: token?.scopes, abilities: abilities.value };
}

/** The version; asked without the token where that is refused, so that a wrong token does not hide the server. */
async function version(
  server: Server,
  forge: Forge,
  connectTo: (server: Server) => Promise<ServerContext>,
): Promise<About> {
  try {
    return await forge.server.about();
  } catch (error) {
    if (!(error instanceof DeniedError) || server.token === undefined) throw error;
    const anonymous = await connectTo({ ...server, token: undefined });
    return anonymous.forge.server.about();
  }
}

/** A minute does no harm; more makes times in lists, commits and signed addresses wrong. */
function clock(skew: number): Finding {
  const size = Math.abs(skew);
  if (size <= 60) return ok("clock", `within ${Math.max(1, size)} s of the server's`);
  const amount = size < 7200 ? `${Math.round(size / 60)} min` : `${Math.round(size / 3600)} h`;
  const found = `This machine's clock is ${amount} ${skew > 0 ? "ahead of" : "behind"} the server's`;
  return problem("clock", found, "Set whichever clock is wrong; NTP keeps it right.");
}

/** What most commands need. */
const usual = ["repository", "issue", "user"];

function scopesFinding(scopes: readonly string[] | undefined): Finding {
  const check = "scopes";
  if (scopes === undefined) return note(check, "The server does not tell (Gitea does since 1.27)");
  const found = scopes.join(", ");
  const missing = usual.filter((area) => !scopes.includes("all") && !scopes.includes(`write:${area}`));
  if (missing.length === 0) return ok(check, found);
  const lacks = `${found}; lacks ${missing.map((area) => `write:${area}`).join(", ")}`;
  return note(check, lacks, "Commands that need them will be refused.");
}
