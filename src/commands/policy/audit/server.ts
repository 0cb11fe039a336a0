import pMap from "p-map";
import { allOrgList } from "../../../forge/admin.ts";
import { hookList, listsDefaultHooks } from "../../../forge/hooks.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { runnerList } from "../../../forge/runners.ts";
import { orgName } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { joinWords } from "../../../text/words.ts";
import { type Check, type Finding, found, known, notKnown } from "./finding.ts";
import { plainHook } from "./repositories.ts";

/** What is found of the server itself (its address) and of organizations: webhooks and runners. */
export async function serverFindings(http: Http, server: string, wanted: ReadonlySet<Check>): Promise<Finding[]> {
  const parts = await Promise.all([
    wanted.has("plain-webhook") ? serverHooks(http, server) : [],
    wanted.has("plain-webhook")
      ? known("plain-webhook", "organizations", async () => {
          const orgs = (await collect(call(http, allOrgList, {}))).map(orgName);
          return (await pMap(orgs, (org) => orgHooks(http, org), { concurrency: 8 })).flat();
        })
      : [],
    wanted.has("open-runner") ? runners(http, server) : [],
  ]);
  return parts.flat();
}

function serverHooks(http: Http, server: string): Promise<Finding[]> {
  return known("plain-webhook", server, async () => {
    const all = await collect(call(http, hookList, { level: { of: "server" }, type: "all" }));
    const findings = all.flatMap((hook) => plainHook(hook, server, ["--admin"]));
    if (await listsDefaultHooks(http)) return findings;
    return [...findings, notKnown("plain-webhook", server, "the server does not list its default webhooks")];
  });
}

/** What is found of the webhooks of an organization. */
export function orgHooks(http: Http, org: string): Promise<Finding[]> {
  return known("plain-webhook", org, async () => {
    const all = await collect(call(http, hookList, { level: { of: "organization", org } }));
    return all.flatMap((hook) => plainHook(hook, org, ["--org", org]));
  });
}

/** The list of the server has the runners of all levels; only Forgejo says whose they are. */
function runners(http: Http, server: string): Promise<Finding[]> {
  return known("open-runner", server, async () => {
    const all = await collect(call(http, runnerList, { level: { of: "server" } }));
    return all.flatMap(({ id, name, owner_id, repo_id, disabled }) => {
      if (disabled === true || (owner_id ?? 0) > 0 || (repo_id ?? 0) > 0) return [];
      if (owner_id === undefined) return [notKnown("open-runner", name, "the server does not say whose runner it is")];
      const fix = joinWords(["tongs", "runner", "delete", String(id), "--admin"]);
      return [found("open-runner", name, "runs the jobs of every repository", fix)];
    });
  });
}
