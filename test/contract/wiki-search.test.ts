import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Ran } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let repo: string;
let cwd: string;

beforeAll(async () => {
  mara = await target.person("mara");
  const name = target.unique("lantern");
  await target.ask("POST", "/user/repos", { name, auto_init: true, default_branch: "main" }, mara);
  repo = `${mara.login}/${name}`;
  cwd = mkdtempSync(join(tmpdir(), "tongs-"));
});

const run = (line: readonly string[], stdin?: string): Promise<Ran> =>
  mara.tongs(line, { cwd, env: { TONGS_REPO: repo }, ...(stdin === undefined ? {} : { stdin }) });

/** Runs a command that has to succeed, and returns its stdout. */
async function ok(line: readonly string[], stdin?: string): Promise<string> {
  const ran = await run(line, stdin);
  expect(ran.code, `${line.join(" ")}: ${ran.stderr}`).toBe(0);
  return ran.stdout;
}

const notInSandbox = "the sandbox has no wiki, rendering and feeds";

describe("a wiki", () => {
  it("is started, edited, renamed, cloned and cleared", async ({ skip }) => {
    if (target.kind === "sandbox") skip(notInSandbox);
    expect(JSON.parse(await ok(["wiki", "list", "--json"]))).toEqual([]);
    const first = await run(["wiki", "create", "Home", "--body", "# Home\n"]);
    if (!target.isGitea("1.23.0") && first.code === 9) {
      // Forgejo 7.0 and Gitea 1.22 read no wiki whose branch is main.
      expect(first.stderr).toContain("The page was created, but the API");
      const listed = await run(["wiki", "list"]);
      expect([listed.code, listed.stderr]).toEqual([9, expect.stringContaining("it looks for the branch master")]);
      return;
    }
    expect(first.stdout, first.stderr).toContain("/wiki/Home\n");
    await ok(["wiki", "create", "Night signals", "-F", "-", "-m", "Signals"], "two long\n");
    expect((await run(["wiki", "create", "Home", "--body", "x"])).code).toBe(9);
    expect((await ok(["wiki", "list", "--jq", ".[].title"])).trim().split("\n").sort()).toEqual([
      ...["Home", "Night signals"],
    ]);

    // Its name in addresses is Pre-flight+checks.-
    await ok(["wiki", "create", "Pre-flight checks", "--body", "lamps\n"]);
    expect(await ok(["wiki", "view", "Pre-flight checks", "--raw"])).toBe("lamps\n");
    await ok(["wiki", "delete", "Pre-flight checks", "--yes"]);

    await ok(["wiki", "edit", "Home", "--body", "# Harbor\n", "-m", "Better"]);
    expect(await ok(["wiki", "view", "Home", "--raw"])).toBe("# Harbor\n");
    await ok(["wiki", "edit", "Night signals", "--title", "Day/signals"]);
    expect(await ok(["wiki", "view", "Day/signals", "--raw"])).toBe("two long\n");
    expect((await run(["wiki", "view", "Night signals"])).code).toBe(5);
    expect((await run(["wiki", "edit", "Day/signals", "--title", "Home"])).code).toBe(9);
    expect((await run(["wiki", "edit", "Nowhere", "--body", "x"])).code).toBe(5);
    expect((await ok(["wiki", "history", "Home"])).trim().split("\n")).toHaveLength(2);

    await ok(["wiki", "clone", "pages"]);
    expect(readFileSync(join(cwd, "pages/Home.md"), "utf8")).toBe("# Harbor\n");
    expect(readFileSync(join(cwd, "pages/.git/config"), "utf8")).not.toContain(mara.token);
    expect(existsSync(join(cwd, "pages/.git"))).toBe(true);

    await ok(["wiki", "delete", "Home", "Day/signals", "--yes"]);
    expect((await run(["wiki", "delete", "Home", "--yes"])).code).toBe(5);
  });
});

describe("the server", () => {
  it("renders markup in each mode", async ({ skip }) => {
    if (target.kind === "sandbox") skip(notInSandbox);
    for (const mode of ["markdown", "gfm", "comment"]) {
      expect(await ok(["render", "--mode", mode, "--context", `/${repo}`], "*hi*")).toContain("<em>hi</em>");
    }
    expect(await ok(["render", "--mode", "file", "--filename", "a.csv"], "a,b\n1,2\n")).toContain("<table");
    // `render` falls back to these two.
    const body = JSON.stringify({ Text: "*hi*", Mode: "gfm", Context: `/${repo}` });
    expect(await ok(["api", "--method", "POST", "/markdown", "--input", "-"], body)).toContain("<em>hi</em>");
    const raw = ["api", "--method", "POST", "/markdown/raw", "--input", "-", "--header", "Content-Type: text/plain"];
    expect(await ok(raw, "*hi*")).toContain("<em>hi</em>");
  });

  it("has templates", async () => {
    expect(await ok(["template", "label", "view", "Default"])).toContain("bug");
    if (target.kind === "sandbox") return;
    expect((await ok(["template", "gitignore", "list", "--all"])).split("\n")).toContain("Go");
    expect(await ok(["template", "gitignore", "view", "Go"])).toContain("*.exe");
    expect(await ok(["template", "license", "view", "MIT"])).toContain("Permission is hereby granted");
    const unknown = await run(["template", "license", "view", "mit"]);
    expect(unknown).toMatchObject({ code: 5, stderr: expect.stringContaining("Did you mean: MIT?") });
  });

  it("finds repositories, users, topics and issues", async () => {
    const topic = target.unique("sailing");
    const title = `A ${target.unique("riddle")} in the fog`;
    await target.ask("PUT", `/repos/${repo}/topics/${topic}`, undefined, mara);
    await target.ask("POST", `/repos/${repo}/issues`, { title }, mara);
    const name = repo.split("/")[1] ?? "";
    expect(await ok(["search", "repo", name, "--jq", ".[].full_name"])).toBe(`${repo}\n`);
    expect(await ok(["search", "repo", topic, "--topic", "--owner", mara.login])).toContain(repo);
    expect(await ok(["search", "user", mara.login, "--jq", ".[].login"])).toBe(`${mara.login}\n`);
    if (target.kind === "server") expect(await ok(["search", "topic", topic])).toContain(topic);
    // Servers index issues in the background.
    const search = () => ok(["search", "issue", title, "--created"]);
    await expect.poll(search, { interval: 500 }).toContain(`${repo}\t1\t${title}`);
  });

  it("lists activity of a repository and of a user", async ({ skip }) => {
    if (target.kind === "sandbox") skip(notInSandbox);
    expect(await ok(["repo", "activity"])).toContain("create repo");
    expect(await ok(["user", "activity", "--own"])).toContain(repo);
    expect(await ok(["user", "activity", "--date", "2020-01-01"])).toBe("");
  });
});

describe("review threads", () => {
  it("are listed, replied to, resolved and unresolved, where the server has that", async () => {
    await ok(["file", "put", "a.txt", "-", "-m", "A", "-b", "main", "--new-branch", "digits"], "1\n2\n");
    await target.ask("POST", `/repos/${repo}/pulls`, { title: "Digits", head: "digits", base: "main" }, mara);
    const [pull] = (await target.ask("GET", `/repos/${repo}/pulls`, undefined, mara)) as [{ number: number }];
    const number = String(pull.number);
    const comments = [{ path: "a.txt", body: "why two?", new_position: 2 }];
    const review = { event: "COMMENT", body: "Notes", comments };
    await target.ask("POST", `/repos/${repo}/pulls/${number}/reviews`, review, mara);
    const [comment] = JSON.parse(await ok(["pr", "thread", "list", number, "--json", "id"])) as [{ id: number }];
    expect(await ok(["pr", "thread", "list", number])).toContain("\ta.txt:2\t");
    if (target.kind === "sandbox") return;
    const id = String(comment.id);
    const reply = await run(["pr", "thread", "reply", id, "--pr", number, "--body", "Because."]);
    const resolved = await run(["pr", "thread", "resolve", id]);
    const replies = target.has("POST", "/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies");
    const resolves = target.has("POST", "/repos/{owner}/{repo}/pulls/comments/{id}/resolve");
    for (const [ran, has] of [
      [reply, replies],
      [resolved, resolves],
    ] as const) {
      if (!has) expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Available since Gitea 1.2") });
      else expect(ran.code, ran.stderr).toBe(0);
    }
    if (replies) expect(reply.stdout).toContain("#issuecomment-");
    if (!resolves) return;
    const count = replies ? "2\n" : "1\n";
    expect(await ok(["pr", "thread", "list", number, "--state", "resolved", "--jq", "length"])).toBe(count);
    const again = await run(["pr", "thread", "resolve", id, "--pr", number]);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("was already resolved") });
    await ok(["pr", "thread", "unresolve", id, "--pr", number]);
    expect(await ok(["pr", "thread", "list", number, "--state", "open", "--jq", "length"])).toBe(count);
  });
});
