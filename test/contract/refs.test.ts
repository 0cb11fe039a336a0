import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, type World } from "../support/tongs.ts";
import { openTarget, type Person, type Target } from "./support.ts";

let target: Target;
let mara: Person;
let repo: string;
let org: string | undefined;

beforeAll(async () => {
  target = await openTarget();
  mara = await target.person("mara");
  repo = `${mara.login}/buoy`;
  await target.ask("POST", "/user/repos", { name: "buoy", auto_init: true, default_branch: "main" }, mara);
  org = target.unique("tidewater");
  await target.ask("POST", "/orgs", { username: org }, mara);
});
afterAll(async () => {
  if (org !== undefined) await target.ask("DELETE", `/orgs/${org}`, undefined, mara);
});

const run = (line: readonly string[], world: World = {}) => mara.tongs([...line, "-R", repo], world);
const json = async (line: readonly string[], fields: string) => (await run([...line, "--json", fields])).json();
const addFile = (name: string, branch: string) =>
  target.ask(
    "POST",
    `/repos/${repo}/contents/${name}`,
    { content: Buffer.from(name).toString("base64"), message: `Add ${name}`, branch },
    mara,
  );

describe("labels", () => {
  it("of a repository and an organization are created, edited, imported and deleted", async () => {
    for (const owner of [[], ["--org", org ?? ""]]) {
      const line = (...words: string[]) => run(["label", ...words, ...owner]);
      expect((await line("create", "lamp", "--color", "#F00", "--description", "Lamps")).code).toBe(0);
      expect((await line("create", "lamp")).code).toBe(9);
      const edited = await line("edit", "lamp", "--name", "light", "--exclusive", "--json", "name,color,exclusive");
      expect(edited.json()).toEqual({ name: "light", color: "ff0000", exclusive: true });
      expect((await line("import", "Default", "--prune", "--yes")).code).toBe(0);
      const names = ((await line("list", "--all", "--json", "name")).json() as { name: string }[]).map(
        ({ name }) => name,
      );
      expect(names).toContain("bug");
      expect(names).not.toContain("light");
      expect((await line("import", "Default", "--prune", "--yes")).stderr).toContain("No changes");
      expect((await line("delete", "bug", "none", "--yes")).code).toBe(11);
    }
    expect((await run(["label", "import", "Nowhere"])).code).toBe(5);
  });
});

describe("milestones", () => {
  it("keep their due date until it is removed", async () => {
    const made = await run(["milestone", "create", "v1/2", "--due", "2027-01-31", "--description", "Lamps"]);
    expect(made.code).toBe(0);
    const due = async () => (await json(["milestone", "view", "v1/2"], "due_on")) as { readonly due_on: string | null };
    const before = Date.parse((await due()).due_on ?? "");
    expect(before).toBeGreaterThan(Date.parse("2027-01-30"));
    for (const line of [
      ["close", "v1/2"],
      ["reopen", "v1/2"],
      ["edit", "v1/2", "--description", "Lights"],
    ]) {
      expect((await run(["milestone", ...line])).code).toBe(0);
    }
    expect(Math.abs(Date.parse((await due()).due_on ?? "") - before)).toBeLessThan(24 * 3600 * 1000);
    expect((await run(["milestone", "edit", "v1/2", "--no-due"])).code).toBe(0);
    expect(await due()).toEqual({ due_on: null });
    expect((await run(["milestone", "close", "v1/2"])).code).toBe(0);
    expect((await run(["milestone", "list", "--json"])).json()).toEqual([]);
    expect(await json(["milestone", "list", "--state", "closed"], "title")).toEqual([{ title: "v1/2" }]);
    expect((await run(["milestone", "delete", "v1/2", "--yes"])).code).toBe(0);
  });
});

describe("branches", () => {
  it("are created, listed, protected and deleted", async () => {
    expect((await run(["branch", "create", "seas/baltic"])).code).toBe(0);
    expect((await run(["branch", "create", "seas/baltic"])).code).toBe(9);
    expect((await run(["branch", "create", "lost", "nowhere"])).code).toBe(5);
    expect(await json(["branch", "list", "--search", "balt"], "name")).toEqual([{ name: "seas/baltic" }]);
    const create = ["branch", "protection", "create", "seas/**", "--enable-push", "--required-approvals", "2"];
    const protectedNow = await run([...create, "--enable-status-check", "--status-check-contexts", "ci/*", "--json"]);
    expect(protectedNow.json()).toMatchObject({
      rule_name: "seas/**",
      required_approvals: 2,
      status_check_contexts: ["ci/*"],
    });
    const edit = ["branch", "protection", "edit", "seas/**", "--add-push-whitelist-usernames", mara.login];
    const edited = await run([...edit, "--enable-push-whitelist", "--add-status-check-contexts", "lint", "--json"]);
    expect(edited.json()).toMatchObject({
      push_whitelist_usernames: [mara.login],
      status_check_contexts: ["ci/*", "lint"],
      required_approvals: 2,
    });
    const kept = await run(["branch", "delete", "seas/baltic", "main", "none", "--yes"]);
    expect(kept.stderr).toContain("main is the default branch of");
    expect(kept.stderr).toContain("Branch none not found in");
    expect((await run(["branch", "protection", "view", "seas/**"])).code).toBe(0);
    expect((await run(["branch", "protection", "delete", "seas/**", "--yes"])).code).toBe(0);
    expect((await run(["branch", "protection", "view", "seas/**"])).code).toBe(5);
    expect((await run(["branch", "delete", "seas/baltic", "--yes"])).code).toBe(0);
    expect((await run(["branch", "view", "seas/baltic"])).code).toBe(5);
  });

  it("are renamed and moved, where the server can", async (test) => {
    await run(["branch", "create", "start"]);
    await addFile("lamp.txt", "main");
    const renamed = await run(["branch", "rename", "start", "begin", "--json"]);
    if (!target.has("PATCH", "/repos/{owner}/{repo}/branches/{branch}")) {
      expect([renamed.code, renamed.stderr]).toEqual([5, expect.stringContaining("unknown_operation")]);
      return test.skip("the server has no operation to rename a branch");
    }
    expect(renamed.json()).toMatchObject({ name: "begin" });
    const tip = async (name: string) => (await run(["branch", "view", name, "--jq", ".commit.id"])).stdout.trim();
    const [main, begin] = [await tip("main"), await tip("begin")];
    if (!target.has("PUT", "/repos/{owner}/{repo}/branches/{branch}")) {
      const moved = await run(["branch", "update", "begin", "main"]);
      expect([moved.code, moved.stderr]).toEqual([5, expect.stringContaining("Available since Gitea 1.26")]);
      return test.skip("the server has no operation to move a branch");
    }
    const refused = await run(["branch", "update", "begin", "main", "--expect", main]);
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining(`is at ${begin}, not at ${main}`)]);
    expect((await run(["branch", "update", "begin", "main", "--expect", begin.slice(0, 9)])).code).toBe(0);
    expect((await run(["branch", "update", "begin", begin])).code).toBe(9);
    expect((await run(["branch", "update", "begin", begin, "--force"])).code).toBe(0);
    expect((await run(["branch", "update", "begin", "nowhere"])).code).toBe(5);
  });

  it("say which settings the server does not have", async (test) => {
    const create = ["branch", "protection", "create", "dd", "--enable-push"];
    const proven = await run([...create, "--enable-force-push"]);
    if (target.software === "gitea") {
      await run(["branch", "protection", "delete", "dd", "--yes"]);
      // No recording proves what Gitea 1.22 ignores: it is sent, and looked at afterwards.
      expect(proven.code).toBe(target.isGitea("1.23.0") ? 0 : 1);
      return test.skip("Gitea has this setting since 1.23");
    }
    expect([proven.code, proven.stderr]).toEqual([
      5,
      expect.stringContaining("--enable-force-push needs Gitea 1.23; "),
    ]);
    const other = await run([...create, "--force-push-allowlist-deploy-keys"]);
    expect([other.code, other.stderr]).toEqual([5, expect.stringContaining("needs Gitea 1.23; ")]);
  });
});

describe("tags", () => {
  it("are created, protected and deleted", async () => {
    expect((await run(["tag", "create", "seas/v0", "-m", "Version 0"])).code).toBe(0);
    expect((await run(["tag", "view", "seas/v0"])).stdout).toContain("kind\tannotated\n");
    expect((await run(["tag", "create", "v0.1", "seas/v0"])).code).toBe(0);
    expect((await run(["tag", "create", "v0.1"])).code).toBe(9);
    expect((await run(["tag", "create", "v0.2", "nowhere"])).code).toBe(5);
    expect(await json(["tag", "list", "--search", "seas"], "name")).toEqual([{ name: "seas/v0" }]);
    const made = await run(["tag", "protection", "create", "w*", "--whitelist-usernames", mara.login]);
    if (target.has("POST", "/repos/{owner}/{repo}/tag_protections")) {
      expect(made.code).toBe(0);
      const pattern = ["tag", "protection", "edit", made.stdout.trim(), "--name-pattern", "x*", "--json"];
      expect((await run(pattern)).json()).toMatchObject({ name_pattern: "x*", whitelist_usernames: [mara.login] });
      expect((await run(["tag", "protection", "delete", "x*", "--yes"])).code).toBe(0);
    } else {
      const words = "Available since Gitea 1.23 and Forgejo 8.0.";
      expect([made.code, made.stderr]).toEqual([5, expect.stringContaining(words)]);
    }
    expect((await run(["tag", "delete", "seas/v0", "none", "v0.1", "--yes"])).code).toBe(11);
  });
});

describe("commits", () => {
  it("are listed, viewed, and have statuses", async () => {
    const [newest] = (await json(["commit", "list", "--limit", "1"], "sha")) as { readonly sha: string }[];
    const sha = newest?.sha ?? "";
    expect((await run(["commit", "view", "main", "--diff"])).stdout).toContain("diff --git");
    expect((await run(["commit", "view", sha.slice(0, 9), "--patch"])).stdout).toContain(`From ${sha}`);
    expect((await run(["commit", "view", "nowhere", "--diff"])).code).toBe(5);
    expect((await run(["commit", "list", "nowhere"])).code).toBe(5);
    expect(await json(["commit", "list", "--since", "2090-01-01"], "sha")).toEqual([]);
    for (const state of ["pending", "success"]) {
      const set = ["commit", "status", "set", "main", "--state", state, "--context", "ci/lint"];
      expect((await run(set)).code).toBe(0);
    }
    expect(await json(["commit", "status", "list", sha, "--latest"], "status,context")).toEqual([
      { status: "success", context: "ci/lint" },
    ]);
    expect(await json(["commit", "status", "list", "main", "--state", "pending"], "status")).toEqual([
      { status: "pending" },
    ]);
    expect((await run(["commit", "status", "list", "nowhere"])).code).toBe(5);
    const unknown = ["commit", "status", "set", "1".repeat(40), "--state", "success", "--context", "x"];
    expect((await run(unknown)).code).toBe(5);
  });

  it("have notes", async (test) => {
    const ran = await run(["commit", "note", "main"]);
    if (target.kind === "sandbox") return test.skip("the sandbox has no notes");
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("has no note")]);
    expect((await run(["commit", "note", "nowhere"])).code).toBe(5);
  });
});

describe("releases", () => {
  it("are made with files, downloaded, edited and deleted", async () => {
    const folder = emptyFolder();
    const big = randomBytes(2_500_000);
    writeFileSync(join(folder, "big.bin"), big);
    writeFileSync(join(folder, "list.txt"), "lamp\n");
    const create = ["release", "create", "seas/v1", "--tag-message", "Version 1", "--notes-from-tag"];
    expect((await run([...create, "--verify-tag"])).code).toBe(2);
    await run(["tag", "create", "seas/v1", "-m", "Version 1"]);
    const line = [
      "release",
      "create",
      "seas/v1",
      "--verify-tag",
      "--notes-from-tag",
      "big.bin",
      "list.txt#my list.txt",
    ];
    const made = await run([...line, "--json"], { cwd: folder });
    expect(made.json()).toMatchObject({ tag_name: "seas/v1", draft: false, body: "Version 1" });
    expect((await run([...line], { cwd: folder })).code).toBe(9);
    const into = emptyFolder();
    expect((await run(["release", "download"], { cwd: into })).code).toBe(0);
    expect(readFileSync(join(into, "big.bin")).equals(big)).toBe(true);
    expect(readFileSync(join(into, "my list.txt"), "utf8")).toBe("lamp\n");
    expect((await run(["release", "upload", "seas/v1", "big.bin"], { cwd: folder })).code).toBe(9);
    expect((await run(["release", "upload", "seas/v1", "big.bin", "--clobber"], { cwd: folder })).code).toBe(0);
    expect((await run(["release", "delete-asset", "seas/v1", "big.bin", "none", "--yes"])).code).toBe(11);
    const names = ((await json(["release", "view", "seas/v1"], "assets")) as { assets: { name: string }[] }).assets;
    expect(names.map(({ name }) => name)).toEqual(["my list.txt"]);
    const edited = await run(["release", "edit", "seas/v1", "--notes", "New", "--title", "One", "--json", "body,name"]);
    expect(edited.json()).toEqual({ body: "New", name: "One" });
    expect((await run(["tag", "delete", "seas/v1", "--yes"])).code).toBe(9);
    expect((await run(["release", "delete", "seas/v1", "--cleanup-tag", "--yes"])).code).toBe(0);
    expect((await run(["tag", "view", "seas/v1"])).code).toBe(5);
  });

  it("of private repositories and drafts are downloaded, too", async () => {
    await target.ask(
      "POST",
      "/user/repos",
      { name: "hidden", auto_init: true, default_branch: "main", private: true },
      mara,
    );
    const folder = emptyFolder();
    writeFileSync(join(folder, "list.txt"), "lamp\n");
    const at = ["-R", `${mara.login}/hidden`];
    const made = await mara.tongs(["release", "create", "v1", "--draft", "--notes", "x", "list.txt", ...at], {
      cwd: folder,
    });
    expect(made.code).toBe(0);
    const draft = await mara.tongs(["release", "download", "v1", "-O", "-", ...at]);
    expect(draft.stdout).toBe("lamp\n");
    expect((await mara.tongs(["release", "edit", "v1", "--no-draft", ...at])).code).toBe(0);
    expect((await mara.tongs(["release", "download", "-O", "-", ...at])).stdout).toBe("lamp\n");
    expect((await mara.tongs(["release", "edit", "v1", "--target", "nowhere", ...at])).code).not.toBe(2);
  });

  it("have notes from the merged pull requests since the last one, by label", async () => {
    await run(["release", "create", "n1", "--notes", "First"]);
    await run(["label", "create", "fix"]);
    for (const [name, label] of [
      ["buoy", "fix"],
      ["bell", undefined],
    ] as const) {
      await run(["branch", "create", name]);
      await addFile(`${name}.txt`, name);
      const labels = label === undefined ? [] : ["--label", label];
      const made = await run([
        "pr",
        "create",
        "--head",
        name,
        "--base",
        "main",
        "--title",
        `Add a ${name}`,
        "--body",
        "",
        ...labels,
        "--json",
        "number",
      ]);
      const { number } = made.json() as { readonly number: number };
      expect(
        (await run(["pr", "merge", `${number}`, "--style", name === "buoy" ? "squash" : "merge", "--yes"])).code,
      ).toBe(0);
    }
    const made = await run(["release", "create", "n2", "--generate-notes", "--json", "body"]);
    const { body } = made.json() as { readonly body: string };
    const by = `by @${mara.login} in #`;
    expect(body).toMatch(
      new RegExp(`### fix\n\n- Add a buoy ${by}\\d+\n\n### Other changes\n\n- Add a bell ${by}\\d+\n`),
    );
    expect(body).toContain(`${repo}/compare/n1...n2`);
  });
});
