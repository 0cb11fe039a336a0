import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { emptyFolder, type Ran, type World } from "../../support/tongs.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";
import { unknownRoute } from "../run/forge.ts";

/** One of each kind. */
const everything = `
defaults:
  settings:
    has_wiki: false
    allow_rebase: false
    default_merge_style: squash
    description: "Charts: \\u202e and more"
  topics: [Charts, sea]
  labels:
    "0.10": {color: 000000, description: a name that YAML reads as a number}
    urgent: ff0000
  milestones:
    1.0: {description: first, due_on: 2026-12-24, state: open}
    old: {state: closed}
  branch_protections:
    release/**: {required_approvals: 2, enable_push: false, status_check_contexts: [lint, test]}
  tag_protections:
    v*: {whitelist_usernames: [mara]}
  hooks:
    https://ci.example.org/hook: {events: [push, pull_request], secret_env: HOOK_SECRET, active: true}
  collaborators: {mara: write}
  teams: [pilots]
  variables: {PORT: 8080, zone: a b}
  secrets: {DEPLOY: DEPLOY_TOKEN}
`;

describe("policy", () => {
  let box: OnSandbox;
  let cwd: string;
  beforeAll(async () => {
    box = await onSandbox();
    await ask("POST", "/orgs", { username: "fleet" });
    await ask("POST", "/orgs/fleet/teams", { name: "pilots", permission: "write", units: ["repo.code"] });
  });

  const ask = (method: string, path: string, body?: unknown) => askAsAdmin(box, method, path, body);

  /** A new repository of the organization, and a folder with a policy. */
  async function fresh(name: string, policy: string): Promise<string> {
    cwd = emptyFolder();
    await ask("POST", "/orgs/fleet/repos", { name, auto_init: true, default_branch: "main" });
    writeFileSync(join(cwd, "policy.yml"), policy);
    return `fleet/${name}`;
  }

  const secrets = { HOOK_SECRET: "not-a-secret-hook", DEPLOY_TOKEN: "not-a-secret-deploy" };

  function run(line: readonly string[], { env, ...world }: World = {}): Promise<Ran> {
    const own = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state") };
    return box.run(line, { cwd, ...world, env: { ...own, ...secrets, ...env } });
  }

  it("applies every kind, and changes nothing the second time", async () => {
    const repo = await fresh("every", everything);
    const planned = await run(["policy", "plan", "policy.yml", "--repo", repo, "--json"]);
    expect(planned.code, planned.stderr).toBe(0);
    const kinds = new Set((planned.json() as { kind: string }[]).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(
      [..."settings topics collaborators teams labels milestones branch_protections".split(" ")]
        .concat(["tag_protections", "hooks", "variables", "secrets"])
        .sort(),
    );
    const checked = await run(["policy", "check", "policy.yml", "--repo", repo]);
    expect(checked.code).toBe(1);
    const applied = await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    expect(applied.code, applied.stderr).toBe(0);
    box.writes();
    const again = await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    expect(again.stderr).toBe("No changes in 1 repository.\n");
    expect(again.code).toBe(0);
    expect(box.writes()).toEqual([]);
    const clean = await run(["policy", "check", "policy.yml", "--repo", repo]);
    expect([clean.code, clean.stdout, clean.stderr]).toEqual([0, "", "No changes in 1 repository.\n"]);
    const labels = (await ask("GET", `/repos/${repo}/labels`)) as { name: string; color: string }[];
    expect(labels.map(({ name, color }) => `${name} ${color}`)).toEqual(["0.10 000000", "urgent ff0000"]);
    const milestones = (await ask("GET", `/repos/${repo}/milestones?state=all`)) as { title: string; due_on: string }[];
    expect(milestones.find(({ title }) => title === "1.0")?.due_on).toMatch(/^2026-12-2/);
  });

  it("exports what applying again does not change, without secrets", async () => {
    const repo = await fresh("exported", everything);
    await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    const other = await fresh("other", everything);
    const exported = await run(["policy", "export", "out.yml", "--repo", `${repo},${other}`]);
    expect([exported.code, exported.stdout], exported.stderr).toEqual([0, "out.yml\n"]);
    const text = readFileSync(join(cwd, "out.yml"), "utf8");
    expect(text).not.toContain("not-a-secret");
    expect(text).toContain("defaults:");
    const checked = await run(["policy", "check", "out.yml"]);
    expect([checked.code, checked.stdout], checked.stderr).toEqual([0, ""]);
    const twice = await run(["policy", "export", "out.yml", "--repo", repo]);
    expect([twice.code, twice.stderr]).toEqual([9, expect.stringContaining("out.yml already exists")]);
  });

  it("says what a file cannot describe, and exports the rest", async () => {
    await fresh("odd", "");
    const server = await serve(({ url }) => {
      if (/\/repos\/a\/b$/.test(url)) return { body: { full_name: "a/b", has_wiki: true } };
      const odd = { id: 1, url: "", name: "odd", title: "odd", color: "no color", due_on: "no date", state: "open" };
      if (/\/labels|\/milestones/.test(url))
        return { body: [odd, { ...odd, id: 2, name: "good", title: "good", color: "ff0000", due_on: null }] };
      const hook = { type: "gitea", events: ["push"], active: true, branch_filter: "*" };
      const at = (id: number, events: string[]) => ({ ...hook, id, events, config: { url: "https://ci.example.org" } });
      if (/\/hooks/.test(url)) return { body: [at(1, ["push"]), at(2, ["release"])] };
      return { body: url.includes("topics") ? { topics: [] } : [] };
    });
    const exported = await run(["policy", "export", "-", "--repo", "a/b"], { env: { TONGS_HOST: server.url } });
    await server.close();
    expect(exported.code, exported.stderr).toBe(0);
    expect(exported.stderr).toContain("Left out label 'odd' in a/b");
    expect(exported.stderr).toContain("Left out milestone 'odd' in a/b");
    expect(exported.stderr).toContain("Left out hook 'https://ci.example.org' in a/b: another one has the same name");
    expect(exported.stdout).not.toContain("release");
    expect(exported.stdout).toContain("good:");
    expect(exported.stdout).not.toContain("odd");
  });

  it("exports a hook for Slack so that it can be created elsewhere, and finds another channel", async () => {
    const slack = { url: "https://chat.example.org/x", content_type: "json", channel: "#ops", username: "tide" };
    const from = await fresh("chatty", "");
    await ask("POST", `/repos/${from}/hooks`, { type: "slack", config: slack, events: ["push"], active: true });
    const { stdout } = await run(["policy", "export", "-", "--repo", from]);
    const to = await fresh("quiet", stdout.replaceAll(from, "fleet/quiet"));
    const applied = await run(["policy", "apply", "policy.yml", "--repo", to, "--yes"]);
    expect(applied.code, applied.stderr).toBe(0);
    const [created] = (await ask("GET", `/repos/${to}/hooks`)) as { config: unknown }[];
    expect(created?.config).toMatchObject(slack);
    writeFileSync(join(cwd, "policy.yml"), stdout.replaceAll(from, to).replace("#ops", "#all"));
    const checked = await run(["policy", "check", "policy.yml", "--repo", to, "--json", "field,old,new"]);
    expect([checked.code, checked.json()]).toEqual([1, [{ field: "channel", old: "#ops", new: "#all" }]]);
  });

  it("exports without the kinds that an older server does not have, and says so once", async () => {
    await fresh("older", "");
    const server = await serve(({ url }) => {
      if (/tag_protections|variables/.test(url)) return unknownRoute;
      if (/\/repos\/a\/[bc]$/.test(url)) return { body: { full_name: "a/b", has_wiki: true } };
      return { body: url.includes("topics") ? { topics: [] } : [] };
    });
    const exported = await run(["policy", "export", "-", "--repo", "a/b,a/c"], { env: { TONGS_HOST: server.url } });
    await server.close();
    expect(exported.code, exported.stderr).toBe(0);
    expect(exported.stderr).toMatch(/tag_protections: .* Available since Gitea 1\.23 and Forgejo 8\.0\./);
    for (const kind of ["tag_protections", "variables"])
      expect(exported.stderr.split(`Left out ${kind}: `)).toHaveLength(2);
    expect(exported.stdout).toContain("has_wiki: true");
  });

  it("shows each field, old and new, and finds drift", async () => {
    const repo = await fresh("drift", "defaults: {settings: {has_wiki: true}, labels: {bug: {color: ff0000}}}\n");
    await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    await ask("PATCH", `/repos/${repo}/labels/1`.replace("1", String(await labelId(repo))), { color: "00ff00" });
    const found = await run(["policy", "check", "policy.yml", "--repo", repo, "--json"]);
    expect(found.code).toBe(1);
    expect(found.json()).toEqual([
      { repository: repo, action: "update", kind: "labels", name: "bug", field: "color", old: "00ff00", new: "ff0000" },
    ]);
  });

  async function labelId(repo: string): Promise<number> {
    const [label] = (await ask("GET", `/repos/${repo}/labels`)) as { id: number }[];
    return label?.id ?? 0;
  }

  it("removes what the file does not have only with prune, in the kinds that it has", async () => {
    const repo = await fresh("pruned", "defaults: {labels: {bug: ff0000}}\n");
    for (const name of ["bug", "bug", "old"]) await ask("POST", `/repos/${repo}/labels`, { name, color: "ff0000" });
    await ask("POST", `/repos/${repo}/milestones`, { title: "kept" });
    expect((await run(["policy", "check", "policy.yml", "--repo", repo])).code).toBe(1);
    writeFileSync(join(cwd, "policy.yml"), "prune: true\ndefaults: {labels: {bug: ff0000}}\n");
    const planned = await run(["policy", "plan", "policy.yml", "--repo", repo, "--json", "action,name"]);
    expect(planned.json()).toEqual([
      { action: "delete", name: "bug" },
      { action: "delete", name: "old" },
    ]);
    expect((await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"])).code).toBe(0);
    expect(await ask("GET", `/repos/${repo}/labels`)).toHaveLength(1);
    expect(await ask("GET", `/repos/${repo}/milestones`)).toHaveLength(1);
  });

  it("lets later patterns override earlier ones and the defaults, and null claims nothing", async () => {
    const policy = `
prune: true
defaults: {labels: {bug: ff0000, wish: 00ff00}, settings: {has_wiki: false}}
repositories:
  fleet/*: {labels: {bug: {description: all}, wish: null}, prune: false}
  FLEET/Layered: {labels: {bug: {color: 0000ff}}}
`;
    const repo = await fresh("layered", policy);
    const planned = await run(["policy", "plan", "policy.yml", "--repo", repo, "--json", "kind,name,field,new"]);
    expect(planned.json()).toEqual([
      { kind: "settings", name: "", field: "has_wiki", new: false },
      { kind: "labels", name: "bug", field: "color", new: "0000ff" },
      { kind: "labels", name: "bug", field: "description", new: "all" },
    ]);
  });

  it("compares a secret with what was applied last, and calls it unchecked when it was not applied from here", async () => {
    const hook = "https://ci:not-a-secret-password@a.example.org";
    const repo = await fresh("secret", `defaults: {hooks: {'${hook}': {secret_env: HOOK_SECRET}}}\n`);
    await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    const same = await run(["policy", "check", "policy.yml", "--repo", repo]);
    expect([same.code, same.stdout]).toEqual([0, ""]);
    const changed = await run(["policy", "check", "policy.yml", "--repo", repo, "--json"], {
      env: { HOOK_SECRET: "other" },
    });
    expect(changed.code).toBe(1);
    expect(changed.json()).toMatchObject([{ action: "update", field: "secret", new: "HOOK_SECRET" }]);
    const state = { XDG_STATE_HOME: join(cwd, "elsewhere") };
    const unknown = await run(["policy", "check", "policy.yml", "--repo", repo, "--json"], { env: state });
    expect(unknown.code).toBe(11);
    expect(unknown.json()).toMatchObject([{ action: "unchecked", field: "secret" }]);
    const folder = join(cwd, "state", "tongs");
    const stored = join(folder, readdirSync(folder).find((name) => name.startsWith("policy-secrets-")) ?? "");
    expect(readFileSync(stored, "utf8")).not.toContain("not-a-secret");
    expect(statSync(stored).mode & 0o777).toBe(0o600);
    const missing = await run(["policy", "apply", "policy.yml", "--repo", await anotherRepo(), "--yes"], {
      env: { HOOK_SECRET: "" },
    });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("HOOK_SECRET is not set")]);
  });

  it("sets a secret of Actions again when it cannot be checked", async () => {
    const repo = await fresh("actions-secret", "defaults: {secrets: {DEPLOY: DEPLOY_TOKEN}}\n");
    const line = ["policy", "check", "policy.yml", "--repo", repo, "--json", "action,kind,name,field,new"];
    await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    expect((await run(line)).json()).toEqual([]);
    const env = { XDG_STATE_HOME: join(cwd, "elsewhere") };
    const row = { action: "unchecked", kind: "secrets", name: "DEPLOY", field: "data", new: "DEPLOY_TOKEN" };
    expect((await run(line, { env })).json()).toEqual([row]);
    box.writes();
    expect((await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"], { env })).code).toBe(0);
    expect(box.writes()).toEqual([`PUT /repos/${repo}/actions/secrets/DEPLOY`]);
    expect((await run(line, { env })).json()).toEqual([]);
  });

  it("changes the fields of a hook and sets its unknown secret in one edit, so that neither is reverted", async () => {
    const url = "https://ci.example.org/one-edit";
    const repo = await fresh(
      "one-edit",
      `defaults: {hooks: {'${url}': {events: [push, release], branch_filter: main, secret_env: HOOK_SECRET}}}\n`,
    );
    const config = { url, content_type: "json" };
    await ask("POST", `/repos/${repo}/hooks`, { type: "gitea", config, events: ["push"], active: true });
    box.writes();
    const applied = await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes", "--json"]);
    expect(applied.code, applied.stderr).toBe(0);
    expect(box.writes()).toHaveLength(1);
    expect(applied.json()).toMatchObject([{ action: "update", kind: "hooks", name: url }]);
    const [hook] = (await ask("GET", `/repos/${repo}/hooks`)) as { events: string[] }[];
    expect(hook).toMatchObject({ branch_filter: "main", active: true });
    expect(hook?.events.toSorted()).toEqual(["push", "release"]);
    const again = await run(["policy", "check", "policy.yml", "--repo", repo, "--json"]);
    expect([again.code, again.json()]).toEqual([0, []]);
  });

  it("does not clear the Authorization header that a file names, and warns if it names none", async () => {
    const url = "https://ci.example.org/header";
    const policy = (more: string) => `defaults: {hooks: {'${url}': {events: [push, release]${more}}}}\n`;
    const repo = await fresh("header", policy(", authorization_header_env: HOOK_HEADER"));
    const config = { url, content_type: "json" };
    const authorization_header = "Bearer not-a-secret";
    await ask("POST", `/repos/${repo}/hooks`, { type: "gitea", config, events: ["push"], authorization_header });
    const line = ["policy", "apply", "policy.yml", "--repo", repo, "--yes"];
    box.writes();
    const unset = await run(line);
    expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining("HOOK_HEADER is not set: Update hook")]);
    expect(unset.stderr).toContain("clears authorization_header");
    expect(box.writes()).toEqual([]);
    writeFileSync(join(cwd, "policy.yml"), policy(""));
    const warned = await run([...line, "--dry-run"]);
    expect(warned.stderr).toContain(`clears authorization_header of hook '${url}' in ${repo}`);
    writeFileSync(join(cwd, "policy.yml"), policy(", authorization_header_env: HOOK_HEADER"));
    const sent = await run(line, { env: { HOOK_HEADER: authorization_header } });
    expect([sent.code, sent.stderr], sent.stderr).toEqual([0, expect.not.stringContaining("clears")]);
  });

  it("prints no secret in the address of a webhook, and leaves such a one out of an export", async () => {
    const secret = "https://ci.example.org/hook?token=not-a-secret-anchor";
    const file = `defaults:\n  hooks:\n    ${secret}: {events: [push]}\n    https://chat.example.org/not-a-secret-anchor: {type: slack, channel: a}\n`;
    const repo = await fresh("addressed", file);
    const lines = [
      ["plan", "policy.yml"],
      ["check", "policy.yml", "--json"],
      ["apply", "policy.yml", "--yes", "--json"],
    ];
    for (const [verb = "", ...rest] of lines) {
      const ran = await run(["policy", verb, ...rest, "--repo", repo]);
      expect(`${ran.stdout}${ran.stderr}`).not.toContain("anchor");
      expect(ran.stdout).toContain("https://ci.example.org/hook?token=***");
      expect(ran.stdout).toContain("https://chat.example.org/***");
    }
    expect(await ask("GET", `/repos/${repo}/hooks`)).toMatchObject([{ config: { url: secret } }, { type: "slack" }]);
    const exported = await run(["policy", "export", "-", "--repo", repo]);
    expect(exported.stderr).toContain("Left out hook 'https://ci.example.org/hook?token=***' in ");
    expect(exported.stderr).toContain("Wrote hook 'https://chat.example.org/***' in ");
    expect(exported.stdout).not.toContain("ci.example.org");
    writeFileSync(join(cwd, "policy.yml"), file.replace("[push]", "[pushed]"));
    const wrong = await run(["policy", "plan", "policy.yml", "--repo", repo]);
    expect(wrong.stderr).toContain(
      "policy.yml:3:5: defaults.hooks.https://ci.example.org/hook?token=***: unknown event",
    );
  });

  async function anotherRepo(): Promise<string> {
    const name = `more-${Math.random().toString(36).slice(2)}`;
    await ask("POST", "/orgs/fleet/repos", { name });
    return `fleet/${name}`;
  }

  it("continues after a failure, exits with 11, and applies the rest when it runs again", async () => {
    const repo = await fresh(
      "partly",
      "defaults: {labels: {a: ff0000}, hooks: {'https://a.example.org': {type: slack}}, topics: [x]}\n",
    );
    const applied = await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    expect(applied.code, applied.stderr).toBe(11);
    expect(applied.stderr).toContain("hook 'https://a.example.org'");
    writeFileSync(
      join(cwd, "policy.yml"),
      "defaults: {labels: {a: ff0000}, collaborators: {mara: read}, topics: [x]}\n",
    );
    box.writes();
    expect((await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"])).code).toBe(0);
    expect(box.writes()).toEqual([`PUT /repos/${repo}/collaborators/mara 204`.replace(/ 204$/, "")]);
  });

  it("foresees what would be refused, with its place in the file, and sends nothing then", async () => {
    const repo = await fresh("foreseen", "");
    const lines = [
      "defaults:",
      "  settings: {default_branch: no-such-branch}",
      "repositories:",
      "  fleet/*:",
      "    collaborators: {nobody-here: write, mara: read}",
      "    teams: [pilots, Pilts]",
      "    branch_protections:",
      "      main: {enable_push_whitelist: true, push_whitelist_usernames: [mara, nobody-here]}",
      "    secrets: {KEY: NOT_SET}",
    ];
    writeFileSync(join(cwd, "policy.yml"), lines.join("\n"));
    box.writes();
    const line = ["policy.yml", "--repo", repo];
    for (const ran of [await run(["policy", "plan", ...line]), await run(["policy", "apply", ...line, "--yes"])]) {
      expect(ran.code, ran.stderr).toBe(2);
      const place = (found: string, what: string) => expect(ran.stderr).toContain(`policy.yml:${found}: ${what}`);
      place("2:14", "branch 'no-such-branch' does not exist (settings in ");
      place("5:21", "user 'nobody-here' does not exist (collaborator 'nobody-here' in ");
      place("6:21", "team 'pilts' does not exist in fleet");
      place("8:76", "user 'nobody-here' does not exist (branch protection 'main' in ");
      place("9:15", "environment variable NOT_SET is not set");
      expect(ran.stderr).not.toMatch(/'mara' does|'pilots'/);
    }
    expect(box.writes()).toEqual([]);
    // A check says what does not exist, too; which secrets are set on this machine is not its business.
    const checked = await run(["policy", "check", ...line]);
    expect([checked.code, checked.stderr]).toEqual([
      2,
      expect.stringContaining("policy.yml:6:21: team 'pilts' does not exist"),
    ]);
    expect(checked.stderr).not.toContain("NOT_SET");
    // What is so already is not looked up.
    expect((await run(["policy", "plan", ...line], { env: { NOT_SET: "not-a-secret" } })).stderr).not.toContain(
      "NOT_SET",
    );
  });

  it("names the place of a topic or an address that cannot be one", async () => {
    const repo = await fresh("misnamed", "defaults:\n  topics: [sea, no_topic]\n  hooks:\n    ci.example.org: {}\n");
    const ran = await run(["policy", "plan", "policy.yml", "--repo", repo]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("policy.yml:2:17: defaults.topics.no_topic must begin with a letter or digit");
    expect(ran.stderr).toContain("policy.yml:4:5: defaults.hooks.ci.example.org must be an address");
  });

  it("foresees that a setting of a unit that is switched off is ignored", async () => {
    const repo = await fresh(
      "unruled",
      "defaults:\n  settings:\n    has_pull_requests: false\n    allow_rebase: false\n",
    );
    box.writes();
    const ran = await run(["policy", "plan", "policy.yml", "--repo", repo]);
    expect([ran.code, box.writes()]).toEqual([2, []]);
    expect(ran.stderr).toContain("policy.yml:4:5: allow_rebase is ignored while has_pull_requests is false");
  });

  it("foresees that a setting of a protection needs another one, and not if both are off", async () => {
    const rule = (on: boolean) =>
      `defaults:\n  branch_protections:\n    main:\n      enable_push: false\n      enable_push_whitelist: ${on}\n`;
    const ran = await run(["policy", "plan", "policy.yml", "--repo", await fresh("closed", rule(true))]);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining("policy.yml:5:7: enable_push_whitelist is ignored while enable_push is false"),
    ]);
    const off = await run(["policy", "plan", "policy.yml", "--repo", await fresh("closed-off", rule(false))]);
    expect([off.code, off.stderr]).toEqual([0, expect.not.stringContaining("ignored")]);
  });

  it("foresees that the type of a webhook cannot be changed", async () => {
    const url = "https://ci.example.org/typed";
    const repo = await fresh("typed", `defaults:\n  hooks:\n    ${url}: {type: slack, channel: "#ops"}\n`);
    const config = { url, content_type: "json" };
    await ask("POST", `/repos/${repo}/hooks`, { type: "gitea", config, events: ["push"], active: true });
    box.writes();
    const ran = await run(["policy", "plan", "policy.yml", "--repo", repo]);
    expect([ran.code, box.writes()]).toEqual([2, []]);
    expect(ran.stderr).toContain(`policy.yml:3:36: type cannot be changed: it is 'gitea' (hook '${url}' in ${repo})`);
  });

  it("says before it applies how many changes cannot be undone", async () => {
    const repo = await fresh("final", "defaults: {prune: true, labels: {bug: ff0000}}\n");
    await ask("POST", `/repos/${repo}/labels`, { name: "old", color: "#ff0000" });
    const ran = await run(["policy", "apply", "policy.yml", "--repo", repo], { terminal: true, answers: [false] });
    expect(ran.asked).toEqual([expect.stringContaining("Apply 2 changes on")]);
    expect(ran.asked).toEqual([expect.stringContaining("(1 cannot be undone)?")]);
  });

  it("extends another file, whose path is relative, and names the file with a fault", async () => {
    const repo = await fresh("extended", "extends: shared/base.yml\ndefaults: {labels: {b: 00ff00, c: ~}}\n");
    mkdirSync(join(cwd, "shared"), { recursive: true });
    writeFileSync(join(cwd, "shared/base.yml"), "extends: ./root.yml\ndefaults: {labels: {a: ff0000, c: 0000ff}}\n");
    writeFileSync(
      join(cwd, "shared/root.yml"),
      `defaults: {labels: {b: 000000}}\nrepositories: {${repo}: {labels: {a: {description: first}}}}\n`,
    );
    const plan = await run(["policy", "plan", "policy.yml", "--json", "name,field,new"]);
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.json()).toEqual([
      { name: "b", field: "color", new: "00ff00" },
      { name: "a", field: "color", new: "ff0000" },
      { name: "a", field: "description", new: "first" },
    ]);
    writeFileSync(join(cwd, "shared/root.yml"), "extends: ../policy.yml\n");
    const circle = await run(["policy", "plan", "policy.yml", "--repo", repo]);
    expect(circle).toMatchObject({ code: 2, stderr: expect.stringContaining("policy.yml extends itself") });
    writeFileSync(join(cwd, "shared/root.yml"), "defaults: {label: {}}\n");
    const fault = await run(["policy", "plan", "policy.yml", "--repo", repo]);
    expect(fault).toMatchObject({ code: 2, stderr: expect.stringMatching(/shared\/root\.yml:1:12: .*unknown/) });
    for (const [wrong, why] of [
      ["[a]", "extends must be a file"],
      ["/dev/zero", "could not read /dev/zero: not a regular file"],
      ["'-'", "extends must be a file"],
      ["https://git.example.org/x.yml", "extends must be a file"],
      ["nowhere.yml", "could not read nowhere.yml: no such file or directory (ENOENT)"],
      ["shared", "could not read shared: "],
    ]) {
      writeFileSync(join(cwd, "policy.yml"), `extends: ${wrong}\n`);
      const { code, stderr } = await run(["policy", "plan", "policy.yml", "--repo", repo]);
      expect(code).toBe(2);
      expect(stderr).toContain(`✗ policy.yml:1:1: ${why}`);
      expect(stderr.split("extends must be a file").length).toBeLessThan(3);
    }
  });

  it("describes what an organization has itself", async () => {
    const repo = await fresh("in-org", "");
    const policy = (label: string) => `
prune: true
organizations:
  FLEET:
    labels: {org-bug: {color: ff0000, description: ${label}}}
    variables: {PORT: 8080}
    secrets: {DEPLOY: DEPLOY_TOKEN}
    hooks: {"https://ci.example.org/org": {events: [push], secret_env: HOOK_SECRET}}
repositories: {${repo}: {labels: {own: 00ff00}}}
`;
    writeFileSync(join(cwd, "policy.yml"), policy("everywhere"));
    const plan = await run(["policy", "plan", "policy.yml", "--json", "repository,kind,name"]);
    const kinds = (plan.json() as { repository: string; kind: string }[]).map((one) => `${one.repository} ${one.kind}`);
    expect(new Set(kinds), plan.stderr).toEqual(
      new Set([...["labels", "hooks", "variables", "secrets"].map((kind) => `FLEET ${kind}`), `${repo} labels`]),
    );
    expect(plan.stderr).toContain("5 to create, 0 to update, 0 to delete in 1 organization and 1 repository.");
    expect(await run(["policy", "apply", "policy.yml", "--yes"])).toMatchObject({ code: 0 });
    expect(await ask("GET", "/orgs/fleet/labels")).toEqual([expect.objectContaining({ name: "org-bug" })]);
    expect(await run(["policy", "check", "policy.yml"])).toMatchObject({ code: 0 });
    writeFileSync(join(cwd, "policy.yml"), policy("here").replace("DEPLOY_TOKEN", "NOT_SET"));
    const refused = await run(["policy", "plan", "policy.yml", "--repo", repo]);
    expect(refused).toMatchObject({ code: 0, stderr: expect.stringContaining("No changes in 1 repository.") });
    const changed = await run(["policy", "apply", "policy.yml", "--org", "fleet", "--yes"]);
    expect(changed, changed.stderr).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("label 'org-bug' in FLEET"),
    });
    expect(await ask("GET", "/orgs/fleet/labels")).toEqual([expect.objectContaining({ description: "here" })]);
    for (const [wrong, says] of [
      ["organizations: {fleet/x: {}}", "must be the name of an organization"],
      ["organizations: {fleet: {topics: [a]}}", "topics is unknown"],
    ] as const) {
      writeFileSync(join(cwd, "policy.yml"), `${wrong}\n`);
      const ran = await run(["policy", "plan", "policy.yml", "--org", "fleet"]);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    }
    const [label] = (await ask("GET", "/orgs/fleet/labels")) as { id: number }[];
    await ask("DELETE", `/orgs/fleet/labels/${label?.id}`);
  });

  it("skips an archived repository with a word, unless the file unarchives it", async () => {
    const repo = await fresh("mothballed", "defaults: {labels: {a: ff0000}}\n");
    await ask("POST", `/repos/${repo}/branch_protections`, { rule_name: "rel" });
    await ask("PATCH", `/repos/${repo}`, { archived: true });
    const skipped = await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    expect(skipped).toMatchObject({ code: 0, stderr: expect.stringContaining(`Skipped ${repo}: it is archived`) });
    const row = { repository: repo, action: "skipped", kind: "", name: "", field: null, old: null, new: null };
    for (const verb of ["check", "plan"]) {
      const ran = await run(["policy", verb, "policy.yml", "--repo", repo, "--json"]);
      expect([ran.code, ran.json()]).toEqual([0, [row]]);
      expect(ran.stderr).toContain("No changes in 1 repository. 1 skipped, because archived.");
    }
    const opened = "{labels: {a: ff0000}, branch_protections: {}, settings: {archived: false}}";
    writeFileSync(join(cwd, "policy.yml"), `prune: true\ndefaults: ${opened}\n`);
    box.writes();
    const applied = await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    expect(applied.code, applied.stderr).toBe(0);
    // Servers keep the protections of branches of an archived repository.
    const rest = [`DELETE /repos/${repo}/branch_protections/rel`, `POST /repos/${repo}/labels`];
    expect(box.writes()).toEqual([`PATCH /repos/${repo}`, ...rest]);
  });

  it("continues after Ctrl-C, and does nothing twice", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `l${index}: ff0000`);
    const repo = await fresh("interrupted", `defaults: {labels: {${names.join(", ")}}}\n`);
    const stop = new AbortController();
    const running = run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"], { signal: stop.signal });
    for (;;) {
      const labels = (await ask("GET", `/repos/${repo}/labels`)) as unknown[];
      if (labels.length > 1) break;
    }
    const { Interruption } = await import("../../../src/failure/interruption.ts");
    stop.abort(new Interruption("SIGINT"));
    expect((await running).code).toBe(130);
    const again = await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"]);
    expect(again.code, again.stderr).toBe(0);
    expect(await ask("GET", `/repos/${repo}/labels`)).toHaveLength(12);
  });

  it("runs once at a time for a server", async () => {
    const repo = await fresh("at-once", "defaults: {labels: {bug: ff0000}, hooks: {'https://a.example.org': {}}}\n");
    const line = ["policy", "apply", "policy.yml", "--repo", repo, "--yes"];
    const both = await Promise.all([run(line), run(line)]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.map(({ stderr }) => stderr).join("")).toContain("Another tongs process is applying a policy on http");
    expect((await run(line)).code).toBe(0);
    for (const list of ["labels", "hooks"]) expect(await ask("GET", `/repos/${repo}/${list}`)).toHaveLength(1);
  });

  it("says what is there twice, and removes it only with prune", async () => {
    const labels = "labels: {bug: ff0000}";
    const repo = await fresh("twice", `defaults: {${labels}}\n`);
    for (const color of ["ff0000", "00ff00"]) await ask("POST", `/repos/${repo}/labels`, { name: "bug", color });
    const words = (verb: string) => ["policy", verb, "policy.yml", "--repo", repo];
    const found = await run([...words("check"), "--json", "action,kind,name"]);
    expect([found.code, found.json()]).toEqual([1, [{ action: "duplicate", kind: "labels", name: "bug" }]]);
    expect(found.stderr).toContain("1 duplicate: delete what is there twice, or set 'prune: true'.");
    expect((await run([...words("apply"), "--yes"])).code).toBe(0);
    expect(await ask("GET", `/repos/${repo}/labels`)).toHaveLength(2);
    writeFileSync(join(cwd, "policy.yml"), `prune: true\ndefaults: {${labels}}\n`);
    expect((await run([...words("apply"), "--yes"])).code).toBe(0);
    expect(await ask("GET", `/repos/${repo}/labels`)).toMatchObject([{ color: "ff0000" }]);
  });

  it("asks first, and applies nothing after no", async () => {
    const repo = await fresh("asked", "defaults: {labels: {bug: ff0000}}\n");
    box.writes();
    const no = await run(["policy", "apply", "policy.yml", "--repo", repo], { terminal: true, answers: [false] });
    expect([no.code, box.writes()]).toEqual([3, []]);
    expect(no.stderr).toContain(`Create label 'bug' in ${repo} (color: 'ff0000')`);
    const piped = await run(["policy", "apply", "policy.yml", "--repo", repo]);
    expect([piped.code, box.writes()]).toEqual([2, []]);
  });

  it("says and journals what was there right before a write, not what the plan read", async () => {
    const wanted = "{settings: {description: new}, labels: {bug: {description: new}}}";
    const repo = await fresh("meanwhile", `defaults: ${wanted}\n`);
    const label = (await ask("POST", `/repos/${repo}/labels`, { name: "bug", color: "#ff0000" })) as { id: number };
    const edit = async (description: string) => {
      await ask("PATCH", `/repos/${repo}`, { description });
      await ask("PATCH", `/repos/${repo}/labels/${label.id}`, { description });
    };
    const line = ["policy", "apply", "policy.yml", "--repo", repo];
    const ran = await run(line, { terminal: true, columns: 200, answers: [true], meanwhile: () => edit("meanwhile") });
    expect(ran.code, ran.stderr).toBe(0);
    for (const what of ["settings", "label 'bug'"])
      expect(ran.stderr).toContain(`Updated ${what} in ${repo} (description: 'meanwhile' → 'new')`);
    expect((await run(["journal", "undo", "1", "--yes"])).code).toBe(0);
    for (const path of ["", `/labels/${label.id}`])
      expect(await ask("GET", `/repos/${repo}${path}`)).toMatchObject({ description: "meanwhile" });
  });

  it("refuses a section of what does not exist, also one that says nothing", async () => {
    await fresh("there", "repositories: {fleet/there: {}}\norganizations: {fleet: {}}\n");
    for (const verb of ["plan", "check", "apply"]) {
      const line = ["policy", verb, "policy.yml"];
      writeFileSync(join(cwd, "policy.yml"), "repositories: {fleet/there: {}}\norganizations: {fleet: {}}\n");
      expect(await run(line)).toMatchObject({ code: 0, stderr: "No changes in 1 organization and 1 repository.\n" });
      for (const section of ["repositories: {fleet/zzz: {}}", "organizations: {zzz: {}}", "users: {zzz: {}}"]) {
        writeFileSync(join(cwd, "policy.yml"), section);
        expect(await run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining("policy.yml:1:") });
      }
    }
  });

  it("names the field that changes on a terminal of any width", async () => {
    const field = "default_delete_branch_after_merge";
    const repo = await fresh("narrow", `defaults: {settings: {${field}: true}}\n`);
    const plan = async (columns: number) =>
      (await run(["policy", "plan", "policy.yml", "--repo", repo], { terminal: true, columns })).stdout;
    expect(await plan(60)).toContain(`\n  FIELD: ${field}\n  OLD: false\n  NEW: true\n`);
    expect(await plan(100)).toMatch(/ {2}default_delete_branch_after_merge {2}false {2}true$/m);
  });

  it("names everything that is wrong in a file before it sends anything", async () => {
    const bad = `
default: {}
defaults:
  labels: {bug: {colour: f00}, wish: zebra}
  settings: {has_wiki: maybe, default_merge_style: sqash}
  hooks: {'https://a.example.org': {events: [pushed]}}
  topics: sailing
  milestones: first
repositories: {harbor: {}}
`;
    await fresh("bad", bad);
    const found = await run(["policy", "plan", "policy.yml"]);
    expect(found.code).toBe(2);
    for (const part of [
      "default is unknown",
      "colour is unknown; did you mean: color?",
      "must be hex digits",
      "has_wiki must be a boolean",
      "must be one of merge",
      "unknown event 'pushed'",
      "defaults.topics must be a list of names",
      "defaults.milestones must be a map",
      "must be OWNER/NAME",
    ])
      expect(found.stderr).toContain(part);
    writeFileSync(join(cwd, "policy.yml"), "labels: [\n");
    expect((await run(["policy", "plan", "policy.yml"])).code).toBe(2);
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefghij".split("").map((c, i) => `${c}: &${c} [${`*${"abcdefghij"[i]},`.repeat(9)}]`),
    ];
    writeFileSync(join(cwd, "policy.yml"), bomb.join("\n"));
    expect((await run(["policy", "plan", "policy.yml"])).stderr).toContain("too many values");
  });

  it("takes a repository once, however it is spelled, and says which patterns match none", async () => {
    const repo = await fresh("spelled", "repositories: {fleet/spelled: {labels: {a: f00}}, Fleet/Spelled: {}}\n");
    const rows = await run(["policy", "plan", "policy.yml", "--json", "name"]);
    expect(rows.json()).toEqual([{ name: "a" }]);
    const given = await run(["policy", "apply", "policy.yml", "--repo", `${repo},FLEET/spelled`, "--yes"]);
    expect(given.code, given.stderr).toBe(0);
    expect(await ask("GET", `/repos/${repo}/labels`)).toHaveLength(1);
    const both = await run(["policy", "plan", "policy.yml", "--org", "fleet", "--repo", repo]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("Cannot use --org with --repo")]);
    writeFileSync(join(cwd, "policy.yml"), "repositories: {fleet/speled: {}, fleet/spel*: {}, other/*: {}}\n");
    const { stderr } = await run(["policy", "check", "policy.yml", "--org", "Fleet"]);
    expect(stderr).toContain("policy.yml:1:16: no repositories selected for fleet/speled\n");
    expect(stderr).not.toContain("other/");
  });

  it("knows a secret whatever the case of the repository's name", async () => {
    const repo = await fresh("cased", "defaults: {secrets: {DEPLOY: DEPLOY_TOKEN}}\n");
    await run(["policy", "apply", "policy.yml", "--repo", repo.toUpperCase(), "--yes"]);
    expect((await run(["policy", "check", "policy.yml", "--repo", repo, "--json"])).json()).toEqual([]);
  });

  it("calls the permission of a collaborator who is an owner unchecked, and does not set it again", async () => {
    const repo = await fresh("owned", "defaults: {collaborators: {harbormaster: read}}\n");
    await ask("PUT", `/repos/${repo}/collaborators/harbormaster`, { permission: "read" });
    const checked = await run(["policy", "check", "policy.yml", "--repo", repo, "--json", "action,name,new"]);
    expect([checked.code, checked.json()]).toEqual([11, [{ action: "unchecked", name: "harbormaster", new: "read" }]]);
    box.writes();
    expect((await run(["policy", "apply", "policy.yml", "--repo", repo, "--yes"])).code).toBe(0);
    expect(box.writes()).toEqual([]);
    const exported = await run(["policy", "export", "-", "--repo", repo]);
    const what = `collaborator 'harbormaster' in ${repo}`;
    expect(exported.stderr).toBe(`! Left out ${what}: the server does not return the permission that was given\n`);
  });

  it("calls the permission of a collaborator unchecked whose team gives as much, but not that of another", async () => {
    const repo = await fresh("crewed", "defaults: {collaborators: {jonas: read, tomas: read}}\n");
    const crew = { name: "crew", permission: "admin", includes_all_repositories: true };
    const { id } = (await ask("POST", "/orgs/fleet/teams", crew)) as { id: number };
    await ask("PUT", `/teams/${id}/members/jonas`);
    await ask("PUT", `/repos/${repo}/collaborators/jonas`, { permission: "read" });
    await ask("PUT", `/repos/${repo}/collaborators/tomas`, { permission: "admin" });
    const checked = await run(["policy", "check", "policy.yml", "--repo", repo, "--json", "action,name,old"]);
    expect([checked.code, checked.json()]).toEqual([
      1,
      expect.arrayContaining([
        { action: "unchecked", name: "jonas", old: null },
        { action: "update", name: "tomas", old: "admin" },
      ]),
    ]);
    await ask("DELETE", `/teams/${id}`);
  });

  it("claims nothing of a kind without a value, so that prune removes nothing", async () => {
    const repo = await fresh("commented", "prune: true\ndefaults:\n  labels:\n  #  bug: ff0000\n");
    await ask("POST", `/repos/${repo}/labels`, { name: "kept", color: "ff0000" });
    expect((await run(["policy", "plan", "policy.yml", "--repo", repo, "--json"])).json()).toEqual([]);
  });

  it.each([
    ["an alias without an anchor", "defaults: {labels: {bug: *red}}", "alias *red has no anchor"],
    ["several documents", "defaults: {}\n---\ndefaults: {}", "A second YAML document at line 2"],
    ["a key that is there twice", "defaults: {labels: {bug: f00, bug: 0f0}}", "Map keys must be unique"],
  ])("refuses %s", async (_what, text, message) => {
    cwd = emptyFolder();
    writeFileSync(join(cwd, "policy.yml"), text);
    const { code, stderr } = await run(["policy", "plan", "policy.yml", "--repo", "fleet/every"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("describes every kind in its schema", async () => {
    cwd = emptyFolder();
    const { $defs } = (await run(["policy", "schema"])).json() as { $defs: { section: { properties: object } } };
    expect(Object.keys($defs.section.properties)).toContain("branch_protections");
    expect(Object.keys($defs.section.properties)).toHaveLength(12);
  });

  it("reads only what the file describes: one request per kind and repository", async () => {
    const repos = await Promise.all(Array.from({ length: 5 }, () => anotherRepo()));
    await fresh("counted", "defaults: {labels: {a: ff0000}, settings: {has_wiki: false}, hooks: {}, topics: [x]}\n");
    const before = box.requests();
    await run(["policy", "plan", "policy.yml", "--repo", repos.join(",")]);
    expect(box.requests() - before).toBe(repos.length * 4);
  });
});
