import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ignoredSoFar, watchWrites } from "../../src/failure/ignored.ts";
import { allOperations } from "../../src/forge/all-operations.ts";
import type { Applied } from "../../src/forge/applied.ts";
import { factsAt } from "../../src/forge/facts.ts";
import { recordFacts } from "../../src/forge/generated/facts.ts";
import { call } from "../../src/forge/operation.ts";
import { hasOperation, placed, sinceOf } from "../../src/forge/support.ts";
import { HttpError } from "../../src/http/errors.ts";
import { clientFor } from "../http/client-for.ts";
import { openTarget, type Person, type Target, targetRelease } from "./support.ts";

const hook = { type: "gitea", config: { url: "http://127.0.0.1:1/", content_type: "json" } };

/** What the writes are of. The numbers are IDs. */
interface Stage {
  readonly login: string;
  readonly other: string;
  readonly org: string;
  readonly label: number;
  readonly milestone: number;
  readonly release: number;
  readonly pull: number;
}

/** The writes: their parameters, and the fields without which a server refuses them. `#` is a number, new each time. */
function writesOf({ login, other, org, ...ids }: Stage): Readonly<Record<string, readonly [object, needed: object]>> {
  const repo = { owner: login, name: "trip" };
  const level = { of: "repository", repo } as const;
  return {
    labelCreate: [{ level }, { name: "label #", color: "00aabb" }],
    labelEdit: [{ level, id: ids.label }, {}],
    milestoneCreate: [{ repo }, { title: "milestone #" }],
    milestoneEdit: [{ repo, id: ids.milestone }, {}],
    issueCreate: [{ repo }, { title: "issue #" }],
    issueEdit: [{ repo, index: 1 }, {}],
    pullCreate: [{ repo }, { title: "pull #", base: "main", head: "side-#" }],
    pullEdit: [{ repo, index: ids.pull }, {}],
    commentCreate: [{ repo, index: 1 }, { body: "comment #" }],
    releaseCreate: [{ repo }, { tag_name: "v#" }],
    releaseEdit: [{ repo, id: ids.release }, {}],
    repoCreate: [{}, { name: "trip-#" }],
    orgRepoCreate: [{ org }, { name: "trip-#" }],
    repoEdit: [{ repo }, {}],
    orgCreate: [{}, { username: "org-#" }],
    orgEdit: [{ org }, {}],
    teamCreate: [{ org }, { name: "team-#", permission: "read", units: ["repo.code"] }],
    userCreate: [{}, { username: "user-#", email: "user-#@example.org", password: "not-a-secret-1" }],
    userEdit: [{ username: other }, { source_id: 0, login_name: other }],
    hookCreate: [{ level }, hook],
    branchProtectionCreate: [{ repo }, { rule_name: "rule-#" }],
    branchProtectionEdit: [{ repo, name: "main" }, {}],
    tagProtectionCreate: [{ repo }, { name_pattern: "v#-*", whitelist_usernames: [login] }],
    branchCreate: [{ repo }, { new_branch_name: "branch-#" }],
    tagCreate: [{ repo }, { tag_name: "tag-#" }],
  };
}

/** Values of fields that are not any text. */
function valuesOf({ login, label, milestone }: Stage): Readonly<Record<string, unknown>> {
  return {
    // Nothing else could be changed afterwards.
    archived: false,
    assignee: login,
    assignees: [login],
    base: "main",
    color: "0A0",
    config: hook.config,
    default_branch: "main",
    default_merge_style: "squash",
    default_update_style: "rebase",
    diff_view_style: "split",
    email: "#trip@example.org",
    events: ["push", "issues"],
    external_tracker: {
      external_tracker_url: "https://a.example.org",
      external_tracker_format: "https://a.example.org/{index}",
    },
    external_wiki: { external_wiki_url: "https://w.example.org" },
    internal_tracker: { enable_time_tracker: false },
    labels: [label],
    milestone,
    name: "trip",
    object_format_name: "sha1",
    permission: "write",
    projects_mode: "all",
    source_id: 0,
    state: "closed",
    target_commitish: "main",
    type: "slack",
    units: ["repo.code", "repo.wiki"],
    units_map: { "repo.code": "write" },
    website: "https://example.org/#",
  };
}

/** Lists of people: those who can be in them. */
const people = /_(usernames?|whitelist_username)$/;

function sample(name: string, type: string, stage: Stage): unknown {
  const values = valuesOf(stage);
  if (Object.hasOwn(values, name)) return values[name];
  if (people.test(name)) return [stage.login];
  if (type === "boolean") return true;
  if (type.startsWith("integer")) return 1;
  if (type === "string[]") return [];
  if (type.includes("date-time")) return "2027-03-04T05:06:07Z";
  const words = /^string\(([^)]*)\)/.exec(type)?.[1]?.split("|");
  return words?.at(-1) ?? `${name} #`;
}

/** Sets each field of each write alone, and returns `OPERATION FIELD` of those that the server did not apply. */
async function ignoredBy(target: Target, mara: Person, trudy: Person): Promise<string[]> {
  const release = await targetRelease();
  const { http, close } = clientFor(target.url, { authorization: async () => `token ${mara.token}` });
  const ask = async (method: string, path: string, body: object) =>
    (await target.ask(method, path, body, mara)) as { readonly id: number; readonly number: number };
  await ask("POST", "/user/repos", { name: "trip", auto_init: true, default_branch: "main" });
  const org = target.unique("tripping");
  await ask("POST", "/orgs", { username: org });
  const at = `/repos/${mara.login}/trip`;
  const branch = (name: string) =>
    ask("POST", `${at}/contents/${name}.txt`, { content: "", message: name, branch: "main", new_branch: name });
  const { id: label } = await ask("POST", `${at}/labels`, { name: "first", color: "#00aabb" });
  const { id: milestone } = await ask("POST", `${at}/milestones`, { title: "first" });
  await ask("POST", `${at}/issues`, { title: "first" });
  const made = await ask("POST", `${at}/releases`, { tag_name: "v0" });
  await branch("pulled");
  const { number: pull } = await ask("POST", `${at}/pulls`, { title: "first", base: "main", head: "pulled" });
  await ask("POST", `${at}/branch_protections`, { rule_name: "main" });
  const stage = { login: mara.login, other: trudy.login, org, label, milestone, release: made.id, pull };

  let count = 0;
  const ignored: string[] = [];
  for (const [name, [parameters, needed]] of Object.entries(writesOf(stage))) {
    const operation = allOperations.get(name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    const [key = ""] = placed(operation);
    if (hasOperation(release, sinceOf(key) ?? {}) === "no") continue;
    const [method = "", path = ""] = key.split(" ");
    const fields = recordFacts[factsAt(method, path)?.body ?? ""]?.fields ?? {};
    const { except = {} } = (operation.applied ?? {}) as Applied<object>;
    for (const [field, facts] of Object.entries(fields)) {
      const isThere = typeof facts === "string" || hasOperation(release, facts) !== "no";
      if (Object.hasOwn(except, field) || !isThere) continue;
      count += 1;
      const number = target.unique(String(count));
      const filled = (value: object) => JSON.parse(JSON.stringify(value).replaceAll("#", number)) as object;
      if (name === "pullCreate") await branch(`side-${number}`);
      const body = filled({ [field]: sample(field, typeof facts === "string" ? facts : facts.type, stage), ...needed });
      await watchWrites(async () => {
        try {
          await call(http, operation, parameters as never, body as never);
        } catch (error) {
          if (!(error instanceof HttpError)) throw error;
          ignored.push(`${name} ${field}: ${error.status}`);
        }
        ignored.push(...ignoredSoFar().map((one) => `${name} ${one.name}`));
      });
    }
  }
  close();
  return [...new Set(ignored)];
}

/** What servers do not apply, or refuse without other fields: `gitea 1.26`. */
const known = JSON.parse(readFileSync(join(import.meta.dirname, "../data/not-applied.json"), "utf8")) as Readonly<
  Record<string, readonly string[]>
>;

describe("the fields of writes", () => {
  it("hold when each is set alone, but for those that are known", async ({ skip }) => {
    const target = await openTarget();
    const { product, number } = await targetRelease();
    const server = target.kind === "sandbox" ? `sandbox ${product}` : `${product} ${number}`;
    const mara = await target.person("mara", { admin: true });
    const trudy = await target.person("trudy");
    try {
      const ignored = await ignoredBy(target, mara, trudy);
      const expected = known[server];
      if (expected === undefined) skip(`what ${server} does not apply is not known: ${ignored.join(", ")}`);
      expect(ignored).toEqual(expected);
    } finally {
      await target.close();
    }
  }, 300_000);
});
