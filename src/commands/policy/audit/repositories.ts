import pMap from "p-map";
import { branchProtectionList } from "../../../forge/branch-protections.ts";
import { deployKeyList } from "../../../forge/deploy-keys.ts";
import { type Hook, hookList } from "../../../forge/hooks.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import type { Repository } from "../../../forge/repos.ts";
import type { Http } from "../../../http/client.ts";
import { hookAddress } from "../../../http/mask.ts";
import { parseRepo } from "../../../repo/repo-name.ts";
import { branchPattern } from "../../../text/glob.ts";
import { joinWords } from "../../../text/words.ts";
import { type Check, type Finding, found, known } from "./finding.ts";

/** What is found of repositories: at most three requests for each. An archived one takes no pushes and sends no events. */
export async function repositoryFindings(
  http: Http,
  repos: readonly Repository[],
  wanted: ReadonlySet<Check>,
): Promise<Finding[]> {
  const one = async (repo: Repository): Promise<Finding[]> => {
    const isOpen = wanted.has("public-repository") && repo.private !== true && repo.internal !== true;
    if (repo.archived === true) return isOpen ? [publicRepository(repo)] : [];
    const parts = await Promise.all([
      isOpen ? [publicRepository(repo)] : [],
      wanted.has("unprotected-branch") && repo.empty !== true ? unprotected(http, repo) : [],
      wanted.has("plain-webhook") ? hooks(http, repo) : [],
      wanted.has("writable-deploy-key") ? deployKeys(http, repo) : [],
    ]);
    return parts.flat();
  };
  return (await pMap(repos, one, { concurrency: 8 })).flat();
}

function publicRepository({ full_name, owner }: Repository): Finding {
  const fix = joinWords(["tongs", "repo", "edit", full_name, "--private"]);
  const who = owner?.visibility === "limited" ? "everybody who is signed in" : "anybody";
  return found("public-repository", full_name, `${who} can read it`, fix);
}

function unprotected(http: Http, { full_name, default_branch: branch = "main" }: Repository): Promise<Finding[]> {
  const subject = `${full_name}: ${branch}`;
  return known("unprotected-branch", subject, async () => {
    const rules = await collect(call(http, branchProtectionList, { repo: parseRepo(full_name) }));
    if (rules.some(({ rule_name }) => branchPattern(rule_name)(branch))) return [];
    const fix = joinWords(["tongs", "branch", "protection", "create", branch, "-R", full_name]);
    return [found("unprotected-branch", subject, "no protection applies to the default branch", fix)];
  });
}

function hooks(http: Http, { full_name }: Repository): Promise<Finding[]> {
  return known("plain-webhook", full_name, async () => {
    const all = await collect(call(http, hookList, { level: { of: "repository", repo: parseRepo(full_name) } }));
    return all.flatMap((hook) => plainHook(hook, full_name, ["-R", full_name]));
  });
}

/** The finding for a webhook that is delivered without encryption; `at` are the flags that say where it is. */
export function plainHook({ id, config, active, type }: Hook, where: string, at: readonly string[]): Finding[] {
  const url = config?.["url"];
  if (active === false || url === undefined || !/^http:/i.test(url) || !URL.canParse(url)) return [];
  const { host, pathname } = new URL(url);
  // An address that can hold a secret is not printed.
  const isPlain = hookAddress(url, type) === url;
  const change = isPlain ? ["--url", `https://${host}${pathname}`] : ["--no-active"];
  const fix = joinWords(["tongs", "hook", "edit", String(id), ...at, ...change]);
  return [found("plain-webhook", `${where}: ${id}`, `delivered to http://${host}`, fix)];
}

function deployKeys(http: Http, { full_name }: Repository): Promise<Finding[]> {
  return known("writable-deploy-key", full_name, async () => {
    const keys = await collect(call(http, deployKeyList, { repo: parseRepo(full_name) }));
    return keys
      .filter(({ read_only }) => read_only === false)
      .map(({ id, title }) => {
        const fix = joinWords(["tongs", "repo", "deploy-key", "delete", String(id), "-R", full_name]);
        return found("writable-deploy-key", `${full_name}: ${title ?? id}`, "the key can push", fix);
      });
  });
}
