import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTarget, type Person, type Target } from "./support.ts";

describe("policies and the journal", () => {
  let target: Target;
  let owner: Person;
  let helper: Person;
  let org: string;
  let repo: string;
  let cwd: string;
  beforeAll(async () => {
    target = await openTarget();
    owner = await target.person("policy-owner");
    helper = await target.person("policy-helper");
    org = target.unique("policy-fleet");
    cwd = mkdtempSync(join(tmpdir(), "tongs-policy-"));
    await target.ask("POST", "/orgs", { username: org }, owner);
    const team = { name: "pilots", permission: "write", units: ["repo.code"], units_map: { "repo.code": "write" } };
    await target.ask("POST", `/orgs/${org}/teams`, team, owner);
    repo = `${org}/charts`;
    for (const name of ["charts", "logs"]) {
      const body = { name, auto_init: true, default_branch: "main" };
      await target.ask("POST", `/orgs/${org}/repos`, body, owner);
    }
    writeFileSync(join(cwd, "policy.yml"), policy());
  });
  afterAll(async () => {
    for (const name of ["charts", "logs"]) await target.ask("DELETE", `/repos/${org}/${name}`, undefined, owner);
    await target.ask("DELETE", `/orgs/${org}`, undefined, owner);
  });

  const hasTags = () => target.has("GET", "/repos/{owner}/{repo}/tag_protections");
  const hasSecrets = () => target.has("GET", "/repos/{owner}/{repo}/actions/secrets");
  const hasVariables = () => target.has("GET", "/repos/{owner}/{repo}/actions/variables");

  /** One of each kind that the server has. */
  function policy(): string {
    return `
defaults:
  settings:
    description: Charts of the coast
    website: https://example.org
    has_wiki: false
    has_projects: false
    allow_rebase: false
    allow_merge_commits: false
    default_merge_style: squash
    default_delete_branch_after_merge: true
  topics: [charts, sea]
  collaborators: {${helper.login}: write}
  teams: [pilots]
  labels:
    "0.10": {color: 000000, description: a number}
    prio/high: {color: "#F00", exclusive: true}
  milestones:
    1.0: {description: first, due_on: 2026-12-24}
    old: {state: closed}
  branch_protections:
    release/**: {required_approvals: 2, enable_push: false, enable_status_check: true, status_check_contexts: [lint, test]}
    main: {enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: [${helper.login}], apply_to_admins: true, block_admin_merge_override: true}
${hasTags() ? `  tag_protections: {v*: {whitelist_usernames: [${helper.login}]}}` : ""}
  hooks:
    https://ci.example.org/hook: {events: [push, pull_request, issues], secret_env: HOOK_SECRET, branch_filter: "main"}
${hasVariables() ? "  variables: {PORT: 8080, ZONE: a b}" : ""}
${hasSecrets() ? "  secrets: {DEPLOY: DEPLOY_TOKEN}" : ""}
`;
  }

  function run(line: readonly string[]) {
    const secrets = { HOOK_SECRET: "not-a-secret-hook", DEPLOY_TOKEN: "not-a-secret-deploy" };
    return owner.tongs(line, { cwd, env: { XDG_STATE_HOME: join(cwd, "state"), ...secrets } });
  }

  it("applies every kind to an organization, and changes nothing the second time", async () => {
    const applied = await run(["policy", "apply", "policy.yml", "--org", org, "--yes"]);
    // Each server drops one of the two settings for administrators, Gitea 1.22 both, and says nothing.
    expect([0, 11], applied.stderr).toContain(applied.code);
    const failed = applied.stderr.split("\n").filter((line) => line.startsWith("✗"));
    for (const line of failed)
      expect(line).toMatch(/did not apply (?:(?:apply_to_admins|block_admin_merge_override)(?:, )?)+ to /);
    const again = await run(["policy", "apply", "policy.yml", "--org", org, "--yes"]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("No changes in 2 repositories")]);
    const check = await run(["policy", "check", "policy.yml", "--org", org, "--json", "action,field"]);
    // Of the two, each server lacks one: that is not checked.
    const unchecked = check.json() as readonly { readonly action: string }[];
    expect(unchecked.filter(({ action }) => action !== "unchecked")).toEqual([]);
    expect(check.code, check.stderr).toBe(unchecked.length === 0 ? 0 : 11);
  });

  it("exports what a check finds no drift in, and finds a change made elsewhere", async () => {
    const exported = await run(["policy", "export", "out.yml", "--org", org]);
    expect(exported.code, exported.stderr).toBe(0);
    for (const [has, kind] of [
      [hasTags(), "tag_protections"],
      [hasVariables(), "variables"],
    ] as const) {
      const count = exported.stderr.split(`Left out ${kind}: `).length - 1;
      expect([kind, count]).toEqual([kind, has ? 0 : 1]);
    }
    expect(readFileSync(join(cwd, "out.yml"), "utf8")).not.toContain("not-a-secret");
    const check = await run(["policy", "check", "out.yml"]);
    expect([check.code, check.stdout], check.stderr).toEqual([0, ""]);
    await target.ask("PATCH", `/repos/${repo}`, { description: "Changed" }, owner);
    const drift = await run(["policy", "check", "out.yml", "--json", "field,old,new"]);
    expect(drift.code).toBe(1);
    expect(drift.json()).toEqual([{ field: "description", old: "Changed", new: "Charts of the coast" }]);
    expect((await run(["policy", "apply", "out.yml", "--yes"])).code).toBe(0);
  });

  it("says since when servers have what a policy describes", async ({ skip }) => {
    if (hasTags() && hasVariables()) skip("the server has all of it");
    for (const [has, text, since] of [
      [hasTags(), "tag_protections: {v*: {}}", "Gitea 1.23 and Forgejo 8.0"],
      [hasVariables(), "variables: {PORT: 9}", "Gitea 1.22 and Forgejo 8.0"],
      [hasSecrets(), "secrets: {DEPLOY: DEPLOY_TOKEN}", "Gitea 1.22 and Forgejo 8.0"],
    ] as const) {
      if (has) continue;
      writeFileSync(join(cwd, "lacking.yml"), `defaults: {${text}}\n`);
      const applied = await run(["policy", "apply", "lacking.yml", "--repo", repo, "--yes"]);
      expect(applied).toMatchObject({ code: 5, stderr: expect.stringContaining(`Available since ${since}.`) });
    }
  });

  it("undoes what a policy changed, but for what has changed since", async ({ skip }) => {
    if (!hasVariables()) skip("the server has no variables");
    writeFileSync(
      join(cwd, "edit.yml"),
      "defaults: {labels: {prio/high: 00ff00}, variables: {PORT: 9}, topics: [tides]}\n",
    );
    const applied = await run(["policy", "apply", "edit.yml", "--repo", repo, "--yes"]);
    expect(applied.code, applied.stderr).toBe(0);
    const [last] = (await run(["journal", "list", "--limit", "1", "--json"])).json() as { number: number }[];
    await target.ask("PUT", `/repos/${repo}/actions/variables/PORT`, { value: "10" }, owner);
    const undone = await run(["journal", "undo", `${last?.number}`, "--yes"]);
    expect([undone.code, undone.stderr]).toEqual([11, expect.stringMatching(/PORT: .*has changed since/)]);
    const check = await run(["policy", "check", "policy.yml", "--repo", repo, "--json", "name,old"]);
    expect(check.json()).toContainEqual({ name: "PORT", old: "10" });
    expect(check.stdout).not.toContain("prio/high");
  });

  it("applies what an organization has itself, and changes nothing the second time", async () => {
    const variables = target.has("GET", "/orgs/{org}/actions/variables") ? "    variables: {PORT: 8080}\n" : "";
    const secrets = target.has("GET", "/orgs/{org}/actions/secrets") ? "    secrets: {DEPLOY: DEPLOY_TOKEN}\n" : "";
    const file = (color: string) => `organizations:
  ${org}:
    labels: {org-bug: {color: ${color}, description: everywhere}}
    teams:
      owners: {members: [${owner.login}]}
      Watch: {units_map: {issues: write, code: read}, members: [${helper.login}], includes_all_repositories: true}
      bosses: {permission: admin}
    hooks: {"https://ci.example.org/org": {events: [push], secret_env: HOOK_SECRET}}
${variables}${secrets}`;
    writeFileSync(join(cwd, "organization.yml"), file("ff0000"));
    const applied = await run(["policy", "apply", "organization.yml", "--yes"]);
    expect(applied.code, applied.stderr).toBe(0);
    const labels = () => target.ask("GET", `/orgs/${org}/labels`, undefined, owner);
    expect(await labels()).toEqual([expect.objectContaining({ name: "org-bug", color: "ff0000" })]);
    expect(await target.ask("GET", `/orgs/${org}/hooks`, undefined, owner)).toHaveLength(1);
    const again = await run(["policy", "check", "organization.yml", "--json"]);
    expect([again.code, again.json()], again.stderr).toEqual([0, []]);
    writeFileSync(join(cwd, "organization.yml"), file("00ff00"));
    expect(await run(["policy", "check", "organization.yml"])).toMatchObject({ code: 1 });
    expect(await run(["policy", "apply", "organization.yml", "--yes"])).toMatchObject({ code: 0 });
    expect(await labels()).toEqual([expect.objectContaining({ color: "00ff00" })]);
    const less = file("00ff00").replace("issues: write, code: read", "code: write").replace(`[${helper.login}]`, "[]");
    writeFileSync(join(cwd, "organization.yml"), less);
    const changed = await run(["policy", "apply", "organization.yml", "--yes"]);
    expect(changed.code, changed.stderr).toBe(0);
    const teams = (await target.ask("GET", `/orgs/${org}/teams`, undefined, owner)) as { id: number; name: string }[];
    const watch = teams.find(({ name }) => name === "Watch");
    expect(watch).toMatchObject({ units_map: { "repo.code": "write" } });
    const members = () => target.ask("GET", `/teams/${watch?.id}/members`, undefined, owner);
    // Members that the file does not have are only removed with prune.
    expect(await members()).toHaveLength(1);
    const exported = await run(["policy", "export", "org-out.yml", "--org", org]);
    expect(exported.code, exported.stderr).toBe(0);
    const drift = await run(["policy", "check", "org-out.yml", "--json"]);
    expect([drift.code, drift.json()], drift.stderr).toEqual([0, []]);
    const pruned = `prune: true\norganizations: {${org}: {teams: {Watch: {members: []}, pilots: {}}}}\n`;
    writeFileSync(join(cwd, "organization.yml"), pruned);
    const plan = await run(["policy", "plan", "organization.yml", "--json", "action,name"]);
    expect(plan.json()).toEqual([
      { action: "update", name: "Watch" },
      { action: "delete", name: "bosses" },
    ]);
    expect(await run(["policy", "apply", "organization.yml", "--yes"])).toMatchObject({ code: 0 });
    expect(await members()).toEqual([]);
  });
});
