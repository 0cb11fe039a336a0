import { describe, expect, it } from "vitest";
import { branchProtectionSettings } from "../../../src/forge/branch-protections.ts";
import { recordFacts } from "../../../src/forge/generated/facts.ts";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { cassette } from "../../support/cassette.ts";
import { type Seen, serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
for (const login of ["jonas", "harbormaster"])
  await sandbox.ask("PUT", `/repos/mara/buoy/collaborators/${login}`, "mara", { permission: "write" });

const run = (line: readonly string[]) =>
  sandbox.run(["branch", "protection", ...line], { as: "mara", env: { TONGS_REPO: "mara/buoy" } });
const rules = async () => (await run(["list", "--jq", "map(.rule_name)"])).json();

describe("branch protection", () => {
  it("has a flag for every field of the API", () => {
    const known = Object.keys(recordFacts["EditBranchProtectionOption"]?.fields ?? {});
    expect(Object.keys(branchProtectionSettings).sort()).toEqual(known.sort());
  });

  it("is created with settings, viewed and listed", async () => {
    const made = await run([
      ...["create", "seas/**", "--enable-push", "--enable-push-whitelist", "--push-whitelist-usernames", "mara,jonas"],
      ...["--required-approvals", "2", "--enable-status-check", "--status-check-contexts", "ci/{a,b}"],
      ...["--protected-file-patterns", "*.lock", "--json"],
    ]);
    expect(made.json()).toMatchObject({
      rule_name: "seas/**",
      enable_push: true,
      push_whitelist_usernames: ["mara", "jonas"],
      required_approvals: 2,
      status_check_contexts: ["ci/{a,b}"],
      protected_file_patterns: "*.lock",
    });
    expect((await run(["view", "seas/**"])).stdout).toContain("required approvals\t2\n");
    expect((await run(["list"])).stdout).toMatch(/^seas\/\*\*\t1\tallowed\t2\tci\/\{a,b\}\t/);
    expect(await run(["create", "seas/**"])).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("Branch protection 'seas/**' of mara/buoy already exists"),
    });
  });

  it("is edited: switches, whole lists, and single entries", async () => {
    const edited = await run([
      ...["edit", "seas/**", "--no-enable-push", "--remove-push-whitelist-usernames", "mara"],
      ...["--add-push-whitelist-usernames", "harbormaster", "--status-check-contexts", "lint", "--json"],
    ]);
    expect(edited.json()).toMatchObject({
      enable_push: false,
      push_whitelist_usernames: ["jonas", "harbormaster"],
      status_check_contexts: ["lint"],
      required_approvals: 2,
    });
    const last = ["edit", "seas/**", "--remove-status-check-contexts", "lint", "--json", "status_check_contexts"];
    expect((await run(last)).json()).toEqual({ status_check_contexts: [] });
  });

  it("refuses users who cannot write, whom the server would leave out after it replaced the list", async () => {
    await run(["create", "kept", "--enable-push", "--enable-push-whitelist", "--push-whitelist-usernames", "jonas"]);
    sandbox.writes();
    for (const line of [
      "create other --merge-whitelist-usernames priya,mara",
      "edit kept --push-whitelist-usernames priya",
      "edit kept --add-push-whitelist-usernames mara,priya",
    ]) {
      const ran = await run(line.split(" "));
      expect([ran.code, ran.stderr, sandbox.writes()]).toEqual([
        13,
        expect.stringContaining("Not users who can write to mara/buoy: priya"),
        [],
      ]);
    }
    const left = await run(["view", "kept", "--jq", ".push_whitelist_usernames"]);
    expect(left.json()).toEqual(["jonas"]);
    await run(["delete", "kept", "--yes"]);
  });

  it.each(["gitea@1.26", "forgejo"])("refuses teams that do not have the repository, on %s", async (release) => {
    const box = await onSandbox({ release: parseRelease(release) });
    await box.ask("POST", "/orgs", "harbormaster", { username: "fleet" });
    await box.ask("POST", "/orgs/fleet/repos", "harbormaster", { name: "quay", auto_init: true });
    const team = { name: "pilots", permission: "write", units: ["repo.code"] };
    await box.ask("POST", "/orgs/fleet/teams", "harbormaster", team);
    box.writes();
    const create = () =>
      box.run("branch protection create main -R fleet/quay --merge-whitelist-teams pilots,Owners".split(" "));
    const refused = await create();
    expect([refused.code, refused.stderr, box.writes()]).toEqual([
      13,
      expect.stringMatching(/Not teams that have fleet\/quay: pilots\n.*tongs team repo add fleet\/pilots quay/),
      [],
    ]);
    await box.run("team repo add fleet/pilots quay".split(" "));
    expect(await create()).toMatchObject({ code: 0 });
  });

  it.each(["gitea@1.26", "forgejo"])("turns on what a setting of a new one needs, on %s", async (release) => {
    const box = await onSandbox({ release: parseRelease(release) });
    await box.ask("PUT", "/repos/mara/harbor/collaborators/jonas", "harbormaster", { permission: "write" });
    const env = { TONGS_REPO: "mara/harbor" };
    const create = (...line: string[]) => box.run(["branch", "protection", "create", ...line], { env });
    const listed = ["sea", "--enable-push-whitelist", "--push-whitelist-usernames", "jonas"];
    const dry = await create(...listed, "--dry-run", "--json");
    expect(dry.json()).toMatchObject({ dry_run: { body: { enable_push: true, enable_push_whitelist: true } } });
    const made = await create(...listed);
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("This turns on enable_push, too")]);
    const off = await create("bay", "--enable-push-whitelist", "--no-enable-push");
    const none = await create("bay", "--no-enable-push-whitelist", "--json");
    expect([off.code, off.stderr]).toEqual([
      2,
      expect.stringContaining("--enable-push-whitelist sets what --no-enable-push switches off"),
    ]);
    expect([none.code, none.json()]).toEqual([0, expect.objectContaining({ enable_push: false })]);
  });

  it("says which lists have no effect", async () => {
    const made = await run(["create", "idle", "--push-whitelist-usernames", "jonas", "--status-check-contexts", "ci"]);
    expect(made.code).toBe(0);
    expect(made.stderr).toContain("push_whitelist_usernames has no effect without --enable-push-whitelist");
    expect(made.stderr).toContain("status_check_contexts has no effect without --enable-status-check");
    for (const line of [
      ["create", "other", "--push-whitelist-usernames", "jonas"],
      ["edit", "idle", "--push-whitelist-usernames", "jonas"],
    ]) {
      const dry = await run([...line, "--dry-run"]);
      expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining("no effect without --enable-push-whitelist")]);
    }
    const edited = await run(["edit", "idle", "--enable-status-check", "--status-check-contexts", "lint"]);
    expect(edited.stderr).not.toContain("no effect");
    await run(["delete", "idle", "--yes"]);
  });

  it("splits required checks at commas outside of brackets", async () => {
    const checks = ["--status-check-contexts", "ci,lint", "--status-check-contexts", "test (linux, 20)"];
    const made = await run(["create", "checks", ...checks, "--jq", ".status_check_contexts"]);
    expect(made.json()).toEqual(["ci", "lint", "test (linux, 20)"]);
    const removed = ["--remove-status-check-contexts", "test (linux, 20),ci"];
    const left = await run(["edit", "checks", ...removed, "--jq", ".status_check_contexts"]);
    expect(left.json()).toEqual(["lint"]);
    await run(["delete", "checks", "--yes"]);
  });

  it("empties every list with '', and keeps the others", async () => {
    const settings = Object.entries(branchProtectionSettings);
    const lists = settings.flatMap(([name, { shape }]) => (shape.type === "list" ? [name] : []));
    const seen: unknown[] = [];
    const server = await serve(({ body }) => {
      if (body !== "") seen.push(JSON.parse(body));
      return { body: { rule_name: "main" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    for (const name of lists) {
      const flag = `--${name.replaceAll("_", "-")}`;
      const ran = await tongs(["branch", "protection", "edit", "main", flag, ""], { env });
      expect(ran.code, ran.stderr).toBe(0);
    }
    expect(seen).toEqual(lists.map((name) => ({ [name]: [] })));

    await run(["create", "empty", "--push-whitelist-usernames", "jonas", "--status-check-contexts", "ci"]);
    const edited = await run(["edit", "empty", "--push-whitelist-usernames", "", "--json"]);
    expect(edited.json()).toMatchObject({ push_whitelist_usernames: [], status_check_contexts: ["ci"] });
    await run(["delete", "empty", "--yes"]);
  });

  it("shows a required check without a name, which another client stored, and drops it on an edit", async () => {
    const rule = { rule_name: "bare", enable_status_check: true, status_check_contexts: [""] };
    await sandbox.ask("POST", "/repos/mara/buoy/branch_protections", "mara", rule);
    expect((await run(["list"])).stdout).toContain("\t'' (empty name)\t");
    expect((await run(["view", "bare"])).stdout).toContain("status check contexts\t'' (empty name)\n");
    const added = await run(["edit", "bare", "--add-status-check-contexts", "ci", "--jq", ".status_check_contexts"]);
    expect(added.json()).toEqual(["ci"]);
    await run(["delete", "bare", "--yes"]);
  });

  it("keeps what is not given and sends only what changes", async () => {
    const seen: unknown[] = [];
    const server = await serve(({ method, body }) => {
      if (method === "PATCH") seen.push(JSON.parse(body));
      return { body: { rule_name: "main", required_approvals: 1 } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    await tongs(["branch", "protection", "edit", "main", "--required-approvals", "1"], { env });
    expect([seen, server.lines()]).toEqual([
      [{ required_approvals: 1 }],
      ["GET", "PATCH"].map((method) => `${method} /api/v1/repos/mara/buoy/branch_protections/main`),
    ]);
  });

  it("sends the settings that are on, without which servers ignore others", async () => {
    const rule = { rule_name: "main", enable_push: true, enable_push_whitelist: true, enable_force_push: false };
    const bodies: unknown[] = [];
    const server = await serve(({ method, body }) => {
      if (method === "PATCH") bodies.push(JSON.parse(String(body)));
      return { body: rule };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const edit = (...flags: string[]) => tongs(["branch", "protection", "edit", "main", ...flags], { env });
    const said = await edit("--enable-push-whitelist");
    await edit("--enable-force-push-allowlist");
    expect(bodies).toEqual([{ enable_push: true, enable_push_whitelist: true }, { enable_force_push_allowlist: true }]);
    expect(said.stderr).toContain("(enable_push_whitelist)");
  });

  it("says what a list has now that the server did not apply as asked", async () => {
    const rule = { rule_name: "main", push_whitelist_usernames: [] };
    const server = await serve(({ url }) => {
      if (url.includes("/teams")) return { status: 405 };
      return { body: url.endsWith("/permission") ? { permission: "write" } : rule };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const line = ["branch", "protection", "edit", "main", "--push-whitelist-usernames", "priya"];
    const ran = await tongs(line, { env });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("Now push_whitelist_usernames is empty.")]);
  });

  it.each([
    ["read", 0],
    ["none", 13],
  ])("goes by the permission where readers are hidden: %s", async (permission, code) => {
    const rule = { rule_name: "main", approvals_whitelist_username: ["priya"] };
    const server = await serve(({ url, method }) => {
      if (url.includes("/teams")) return { status: 405 };
      if (url.includes("/reviewers")) return { status: 403 };
      if (url.endsWith("/permission")) return { body: { permission } };
      return { body: method === "PATCH" ? rule : { rule_name: "main" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const line = ["branch", "protection", "edit", "main", "--approvals-whitelist-username", "priya"];
    const ran = await tongs(line, { env });
    expect(ran.code, ran.stderr).toBe(code);
  });

  it.each([["create"], ["edit"]])("refuses to empty a list that the release lacks: %s", async (verb) => {
    const rule = { rule_name: "main", enable_push: true };
    const answer = ({ url }: Seen) => ({ body: url.endsWith("/version") ? { version: "1.26.0" } : rule });
    const server = await serve(answer, { saysVersion: true });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const ran = await tongs(["branch", "protection", verb, "main", "--bypass-allowlist-teams", ""], { env });
    expect([ran.code, server.seen.filter(({ method }) => method !== "GET")]).toEqual([5, []]);
    expect(ran.stderr).toContain("--bypass-allowlist-teams");
  });

  it("says that a rule exists although the server failed to create it", async () => {
    const made = await run(["create", "a[b"]);
    expect([made.code, made.stderr]).toEqual([7, expect.stringContaining("The protection was created anyway")]);
    expect((await run(["delete", "a[b", "--yes"])).code).toBe(0);
  });

  it("is ordered; the others follow in their order", async () => {
    for (const name of ["aa", "bb", "cc"]) await run(["create", name]);
    expect(await rules()).toEqual(["seas/**", "aa", "bb", "cc"]);
    sandbox.writes();
    expect((await run(["order", "cc", "aa"])).code).toBe(0);
    expect(await rules()).toEqual(["cc", "aa", "seas/**", "bb"]);
    expect(sandbox.writes()).toHaveLength(3);
    const again = await run(["order", "cc"]);
    expect([again.code, again.stderr, sandbox.writes()]).toEqual([0, expect.stringContaining("No changes"), []]);
    const unknown = await run(["order", "dd"]);
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining("Branch protection 'dd' not found")]);
  });

  it("says how far it came if ordering fails halfway", async () => {
    let edits = 0;
    const server = await serve(({ method }) => {
      if (method === "GET") return { body: ["a", "b"].map((rule_name, at) => ({ rule_name, priority: at + 1 })) };
      edits += 1;
      return edits === 1 ? { body: { rule_name: "b", priority: 1 } } : { status: 403, body: { message: "no" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const ran = await tongs(["branch", "protection", "order", "b"], { env });
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("1 of 2 protections were moved")]);
  });

  it("has no order on a server without priorities", async () => {
    const server = await serve(() => ({ body: [{ rule_name: "a" }, { rule_name: "b" }] }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const ran = await tongs(["branch", "protection", "order", "b", "--json"], { env });
    expect(ran.code).toBe(5);
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: "unknown_operation" } });
  });

  it.each([
    [["create", ""], "The name of the rule must not be empty"],
    [["create", "x", "--required-approvals", "-1"], "--required-approvals"],
    [["edit", "cc"], "Nothing to change"],
    [
      ["edit", "cc", "--push-whitelist-usernames", "a", "--add-push-whitelist-usernames", "b"],
      "Specify only one of --push-whitelist-usernames or",
    ],
    [["edit", "cc", "--add-status-check-contexts", ""], "--add-status-check-contexts must not be empty"],
    [["edit", "cc", "--remove-status-check-contexts", ","], "--remove-status-check-contexts must not be empty"],
    [["delete", "cc"], "--yes is required"],
  ])("rejects %j before writing anything", async (line, words) => {
    sandbox.writes();
    const ran = await run(line);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });
});

describe("branch protection order --by-id", () => {
  it.each([
    ["protections", "mara/atlas", "set priorities with ids of which one belongs to another repository: 204", 0],
    [
      "forgejo-protections",
      "imara/atlas",
      "set priorities with ids of which one belongs to another repository: 405, Gitea 204",
      5,
    ],
  ])("sends the ids in their order (%s)", async (name, repo, label, code) => {
    const player = await cassette(name, [label], { repo });
    const ran = await player.run(["branch", "protection", "order", "--by-id", "2", "1"]);
    expect([ran.code, ran.stdout]).toEqual([code, ""]);
    if (code === 5) expect(ran.stderr).toContain("branch_protections/priority");
  });
});
