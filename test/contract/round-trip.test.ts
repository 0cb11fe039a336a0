import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ignoredSoFar, trackWrites } from "../../src/failure/ignored.ts";
import { allOperations } from "../../src/forge/all-operations.ts";
import type { Applied } from "../../src/forge/applied.ts";
import { uploadAttachment } from "../../src/forge/attachments.ts";
import { factsAt } from "../../src/forge/facts.ts";
import { recordFacts } from "../../src/forge/generated/facts.ts";
import { call } from "../../src/forge/operation.ts";
import { hasOperation, placed, sinceOf } from "../../src/forge/support.ts";
import { HttpError, UnknownOperationError } from "../../src/http/errors.ts";
import { clientFor } from "../http/client-for.ts";
import { freshPublicKey } from "../support/ssh-key.ts";
import { openTarget, type Person, type Target, targetRelease } from "./support.ts";

const hook = { type: "gitea", config: { url: "http://127.0.0.1:1/", content_type: "json" } };

const app = { name: "app #", redirect_uris: ["http://127.0.0.1:1/#"], confidential_client: true };

/** The writes with fields that an answer shows, and that are not tried here, with the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  commentAttachmentEdit: "as issueAttachmentEdit",
  commentReactionAdd: "as issueReactionAdd",
  gitHookEdit: "only for users who may run programs on the server",
  gpgKeyVerify: "needs a key that gpg made",
  issueLabelAdd: "answers with a list",
  issueMilestoneSet: "as issueEdit",
  quotaGroupCreate: "needs a server with quotas: test/commands/quota",
  quotaRuleCreate: "needs a server with quotas: test/commands/quota",
  quotaRuleEdit: "needs a server with quotas: test/commands/quota",
  repoMigrate: "copies a repository: repo-settings.test.ts",
  reviewCommentReply: "needs a comment on a line: test/commands/pr/thread.test.ts",
  reviewSubmit: "needs a pending review: reviews.test.ts",
  reviewerRequest: "answers with a list",
  runnerEdit: "needs a runner: actions-runners.test.ts",
  tokenCreate: "needs a password: sign-in.test.ts",
  userTokenCreate: "needs a password: sign-in.test.ts",
};

/** What the writes are of. The numbers are IDs. */
interface Stage {
  readonly login: string;
  readonly other: string;
  readonly org: string;
  readonly label: number;
  readonly milestone: number;
  readonly release: number;
  readonly pull: number;
  readonly team: number;
  readonly comment: number;
  readonly hook: number;
  readonly app: number;
  readonly tagProtection: number;
  readonly attachment: number;
  /** The commit of `main`. */
  readonly sha: string;
}

/**
 * The writes: their parameters, and the fields without which a server refuses them. `#` is a number, and `@key` an SSH key, new each
 * time.
 */
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
    commentEdit: [{ repo, id: ids.comment }, { body: "comment #" }],
    issueAttachmentEdit: [{ repo, index: 1, attachment_id: ids.attachment }, { name: "#.txt" }],
    issueTimeAdd: [
      { repo, index: 1 },
      { time: 60, user_name: login },
    ],
    issueAssigneeAdd: [{ repo, index: 1 }, {}],
    issueReactionAdd: [{ repo, index: 1 }, { content: "heart" }],
    reviewCreate: [
      { repo, index: ids.pull },
      { event: "COMMENT", body: "review #" },
    ],
    noteSet: [{ repo, sha: ids.sha }, {}],
    statusCreate: [
      { repo, sha: ids.sha },
      { state: "success", context: "context #" },
    ],
    releaseCreate: [{ repo }, { tag_name: "v#" }],
    releaseEdit: [{ repo, id: ids.release }, {}],
    repoCreate: [{}, { name: "trip-#" }],
    orgRepoCreate: [{ org }, { name: "trip-#" }],
    repoEdit: [{ repo }, {}],
    repoGenerate: [
      { template_owner: other, template_repo: "lent" },
      { owner: login, name: "made-#", git_content: true },
    ],
    forkCreate: [{ repo: { owner: other, name: "lent" } }, { name: "fork-#", organization: "org-#" }],
    pushMirrorCreate: [{ repo }, { remote_address: "http://127.0.0.1:1/mara/#.git", interval: "0s" }],
    wikiPageCreate: [{ repo }, { title: "page #", content_base64: "dGV4dA==" }],
    wikiPageEdit: [{ repo, pageName: "Home" }, { content_base64: "dGV4dCAj" }],
    variableCreate: [{ level, variablename: "VARIABLE_#" }, { value: "value #" }],
    variableUpdate: [
      { level, variablename: "FIRST" },
      { name: "FIRST", value: "value #" },
    ],
    secretSet: [{ level, secretname: "SECRET_#" }, { data: "not-a-secret" }],
    deployKeyAdd: [{ repo }, { key: "@key", title: "key #" }],
    orgCreate: [{}, { username: "org-#" }],
    orgEdit: [{ org }, {}],
    teamCreate: [{ org }, { name: "team-#", permission: "read", units: ["repo.code"] }],
    teamEdit: [{ id: ids.team }, { name: "team-#", permission: "read", units: ["repo.code"] }],
    userCreate: [{}, { username: "user-#", email: "user-#@example.org", password: "not-a-secret-1" }],
    userEdit: [{ username: other }, { source_id: 0, login_name: other }],
    userOrgCreate: [{ username: other }, { username: "org-#" }],
    userKeyAdd: [{ username: other }, { key: "@key", title: "key #" }],
    userSettingsEdit: [{}, {}],
    keyAdd: [{}, { key: "@key", title: "key #" }],
    ownEmailAdd: [{}, { emails: ["#@trip.example.org"] }],
    oauthAppCreate: [{}, app],
    oauthAppEdit: [{ id: ids.app }, app],
    hookCreate: [{ level }, hook],
    hookEdit: [{ level, id: ids.hook }, {}],
    branchProtectionCreate: [{ repo }, { rule_name: "rule-#" }],
    branchProtectionEdit: [{ repo, name: "main" }, {}],
    tagProtectionCreate: [{ repo }, { name_pattern: "v#-*", whitelist_usernames: [login] }],
    tagProtectionEdit: [{ repo, id: ids.tagProtection }, {}],
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
    branch_filter: "main",
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
    wiki_branch: "wiki-#",
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
  await target.ask("POST", "/user/repos", { name: "lent", auto_init: true, template: true }, trudy);
  const isSandbox = target.kind === "sandbox";
  // Gitea 1.22 reads no wiki whose branch is main.
  const hasWiki = !isSandbox && !(release.product === "gitea" && release.number === "1.22");
  if (hasWiki) await ask("POST", `${at}/wiki/new`, { title: "Home", content_base64: "dGV4dA==" });
  await ask("POST", `${at}/actions/variables/FIRST`, { value: "first" });
  const { commit } = (await target.ask("GET", `${at}/branches/main`, undefined, mara)) as {
    readonly commit: { readonly id: string };
  };
  const attached = { of: "issue", repo: { owner: mara.login, name: "trip" }, id: 1 } as const;
  const file = { path: knownPath, size: statSync(knownPath).size };
  const tags = { name_pattern: "v*", whitelist_usernames: [mara.login] };
  const hasTagProtections = hasOperation(release, sinceOf("POST /repos/{owner}/{repo}/tag_protections") ?? {}) !== "no";
  const stage: Stage = {
    login: mara.login,
    other: trudy.login,
    org,
    label,
    milestone,
    release: made.id,
    pull,
    team: (await ask("POST", `/orgs/${org}/teams`, { name: "first", permission: "read", units: ["repo.code"] })).id,
    comment: (await ask("POST", `${at}/issues/1/comments`, { body: "first" })).id,
    hook: (await ask("POST", `${at}/hooks`, hook)).id,
    app: isSandbox ? 0 : (await ask("POST", "/user/applications/oauth2", app)).id,
    tagProtection: hasTagProtections ? (await ask("POST", `${at}/tag_protections`, tags)).id : 0,
    attachment: (await uploadAttachment(http, attached, "first.txt", file)).id,
    sha: commit.id,
  };

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
      // Names of variables have no hyphens.
      const number = target.unique(String(count)).replaceAll("-", "_");
      const filled = (value: object) =>
        JSON.parse(JSON.stringify(value).replaceAll("#", number).replace("@key", freshPublicKey())) as object;
      if (name === "pullCreate") await branch(`side-${number}`);
      if (name === "forkCreate") await ask("POST", "/orgs", { username: `org-${number}` });
      const body = filled({ [field]: sample(field, typeof facts === "string" ? facts : facts.type, stage), ...needed });
      await trackWrites(async () => {
        try {
          await call(http, operation, filled(parameters) as never, body as never);
        } catch (error) {
          // Cassettes test what the sandbox does not have.
          if (error instanceof UnknownOperationError && isSandbox) return;
          if (!(error instanceof HttpError)) throw error;
          ignored.push(`${name} ${field}: ${error.status}`);
        }
        ignored.push(...ignoredSoFar().map((one) => `${name} ${one.name}`));
      });
    }
  }
  close();
  return [...new Set(ignored)].sort();
}

const knownPath = join(import.meta.dirname, "../data/not-applied.json");

/** What servers do not apply, or refuse without other fields: `gitea 1.26`. */
const known = JSON.parse(readFileSync(knownPath, "utf8")) as Readonly<Record<string, readonly string[]>>;

describe("the fields of writes", () => {
  it("that an answer shows are tried here, or there is a reason", () => {
    const ids = { label: 1, milestone: 1, release: 1, pull: 1, team: 1, comment: 1, hook: 1, app: 1 };
    const stage = { login: "mara", other: "trudy", org: "acme", ...ids, tagProtection: 1, attachment: 1, sha: "" };
    const tried = Object.keys(writesOf(stage));
    const shown = [...allOperations].flatMap(([name, operation]) => {
      const [method = "", path = ""] = (placed(operation)[0] ?? "").split(" ");
      const fields = Object.keys(recordFacts[factsAt(method, path)?.body ?? ""]?.fields ?? {});
      const { except = {} } = (operation.applied ?? {}) as Applied<object>;
      const isShown = !("kind" in operation.answers) || operation.applied?.after !== undefined;
      const isCompared = fields.some((field) => !Object.hasOwn(except, field));
      return operation.effect === "write" && isCompared && isShown ? [name] : [];
    });
    expect(shown.filter((name) => !tried.includes(name)).sort()).toEqual(Object.keys(elsewhere).sort());
  });

  it("hold when each is set alone, but for those that are known", async ({ skip }) => {
    const target = await openTarget();
    const { product, number } = await targetRelease();
    const server = target.kind === "sandbox" ? `sandbox ${product}` : `${product} ${number}`;
    const mara = await target.person("mara", { admin: true });
    const trudy = await target.person("trudy");
    const ignored = await ignoredBy(target, mara, trudy);
    const expected = known[server];
    if (expected === undefined) skip(`what ${server} does not apply is not known: ${ignored.join(", ")}`);
    expect(ignored).toEqual(expected);
  }, 300_000);
});
