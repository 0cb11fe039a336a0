import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Ran } from "../support/tongs.ts";
import { cloneOf } from "./checkout.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let repo: string;
let cwd: string;

beforeAll(async () => {
  mara = await target.person("mara");
  await target.ask("POST", "/user/repos", { name: "charts", auto_init: true, default_branch: "main" }, mara);
  repo = `${mara.login}/charts`;
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

async function shaOf(path: string): Promise<string> {
  const [file] = JSON.parse(await ok(["file", "list", path, "--json", "sha"])) as [{ sha: string }];
  return file.sha;
}

describe("files", () => {
  it("are created, updated, changed together, patched and deleted", async () => {
    expect(await ok(["file", "put", "docs/tides.md", "-", "-m", "Add the tides"], "high\n")).toContain("/commit/");
    const first = await shaOf("docs/tides.md");
    await ok(["file", "put", "docs/tides.md", "-", "-m", "Turn"], "low\n");
    const second = await shaOf("docs/tides.md");
    const late = await run(["file", "put", "docs/tides.md", "-", "-m", "Late", "--sha", first], "slack\n");
    expect(late.code, late.stderr).toBe(9);
    expect(late.stderr).toContain(`expected ${first}, but the server has ${second}`);

    writeFileSync(join(cwd, "b.txt"), "b\n");
    writeFileSync(join(cwd, "c.txt"), "c\n");
    await ok(["file", "commit", "-m", "Two more", "--put", "b.txt=b.txt", "--put", "c c/ü.txt=c.txt"]);
    await ok(["file", "commit", "-m", "Move", "--move", "b.txt=moved/b.txt", "--put", "docs/tides.md=c.txt"]);
    expect(await ok(["file", "view", "moved/b.txt"])).toBe("b\n");
    expect(await ok(["file", "view", "docs/tides.md"])).toBe("c\n");
    expect((await run(["file", "view", "b.txt"])).code).toBe(5);
    const names = (await ok(["file", "list", "--jq", ".[].path"])).trim().split("\n");
    expect(names.sort()).toEqual(["README.md", "c c", "docs", "moved"]);

    const commits = await run(["file", "list", "moved", "--commits", "--jq", ".[].last_commit_message"]);
    // The sandbox does not say which commit changed a file last.
    const isTold = target.kind === "server" && target.has("GET", "/repos/{owner}/{repo}/contents-ext/{filepath}");
    if (isTold) {
      expect(commits.stdout).toBe("Move\n");
      expect(await ok(["file", "list", "--commits", "--jq", ".[].last_commit_message"])).toContain("Move\n");
    } else expect([commits.code, commits.stderr]).toEqual([5, expect.stringContaining("contents-ext")]);

    const diff =
      "diff --git a/moved/b.txt b/moved/b.txt\n--- a/moved/b.txt\n+++ b/moved/b.txt\n@@ -1 +1,2 @@\n b\n+bb\n";
    await ok(["file", "patch", "-", "-m", "One more line"], diff);
    expect(await ok(["file", "view", "moved/b.txt"])).toBe("b\nbb\n");
    const again = await run(["file", "patch", "-", "-m", "Twice"], diff.replaceAll("b.txt", "none.txt"));
    expect(again.code, again.stderr).toBe(9);

    const gone = await run(["file", "delete", "moved/b.txt", "absent.txt", "-m", "Clean", "--yes"]);
    expect(gone.code).toBe(5);
    expect(await ok(["file", "view", "moved/b.txt"])).toBe("b\nbb\n");
    await ok(["file", "delete", "moved/b.txt", "c c/ü.txt", "-m", "Clean", "--yes"]);
    await ok(["file", "delete", "docs/tides.md", "-m", "Clean", "--yes"]);
    expect((await ok(["file", "list", "--jq", ".[].path"])).trim()).toBe("README.md");
  });

  it("are downloaded by the dozen, with what is missing named", async () => {
    const paths = Array.from({ length: 40 }, (_, at) => `many/${at % 3}/${at}.txt`);
    for (const path of paths) writeFileSync(join(cwd, path.replaceAll("/", "_")), `${path}\n`);
    const puts = paths.flatMap((path) => ["--put", `${path}=${path.replaceAll("/", "_")}`]);
    await ok(["file", "commit", "-m", "Many", ...puts]);
    await ok(["file", "get", "-", "-D", "out"], paths.join("\n"));
    for (const path of paths) expect(readFileSync(join(cwd, "out", path), "utf8")).toBe(`${path}\n`);
    const partly = await run(["file", "get", "README.md", "absent.md", "many", "-D", "some"]);
    expect(partly.code).toBe(11);
    expect(partly.stderr).toContain("File absent.md not found");
    expect(partly.stderr).toContain("many is a directory");
    const typo = await run(["file", "get", "README.md", "many/0/0.txt", "--ref", "typo", "-D", "none"]);
    expect(typo.code).toBe(5);
  });

  it("are downloaded although a path does not fit into an address", async () => {
    // Each letter takes nine bytes of an address. Servers commit such paths from git only.
    const folders = Array.from({ length: 9 }, (_, at) => `${at}`.padEnd(80, "\u6f6e")).join("/");
    const clone = await cloneOf(target, mara, repo);
    mkdirSync(join(clone.folder, folders), { recursive: true });
    await clone.commit("Deep", { [`${folders}/deep.txt`]: "deep\n" });
    await clone.push("origin", "HEAD");
    const ran = await run(["file", "get", "README.md", `${folders}/deep.txt`, "-D", "deep"]);
    expect(ran.code).toBe(0);
    expect(readFileSync(join(cwd, "deep", folders, "deep.txt"), "utf8")).toBe("deep\n");
  });

  it("begin an empty repository", async () => {
    await target.ask("POST", "/user/repos", { name: "slate" }, mara);
    const slate = `${mara.login}/slate`;
    await ok(["file", "put", "a.md", "-", "-m", "First", "-R", slate], "a\n");
    expect(await ok(["file", "view", "a.md", "-R", slate])).toBe("a\n");
  });

  it("are written and read only with the right to", async () => {
    const jonas = await target.person("jonas");
    const env = { TONGS_REPO: repo };
    expect((await jonas.tongs(["file", "view", "README.md"], { env })).code).toBe(0);
    const put = await jonas.tongs(["file", "put", "x.md", "-", "-m", "x"], { env, stdin: "x" });
    expect(put.code).toBe(4);
    await target.ask("PATCH", `/repos/${repo}`, { private: true }, mara);
    expect((await jonas.tongs(["file", "view", "README.md"], { env })).code).toBe(5);
    await target.ask("PATCH", `/repos/${repo}`, { private: false, archived: true }, mara);
    expect((await run(["file", "put", "x.md", "-", "-m", "x"], "x")).code).toBe(9);
    await target.ask("PATCH", `/repos/${repo}`, { archived: false }, mara);
  });
});

describe("comparisons", () => {
  it("list the commits between branches, and show diffs where the server has them", async () => {
    await ok(["file", "put", "tide.md", "-", "-m", "Add a tide", "-b", "main", "--new-branch", "june/tides"], "1\n2\n");
    const commits = await ok(["compare", "main...june/tides"]);
    expect(commits.trim().split("\n")).toHaveLength(1);
    expect(commits).toContain("\tAdd a tide\t");
    expect((await run(["compare", "main...absent"])).code).toBe(5);
    const diff = await run(["compare", "main...june/tides", "--diff"]);
    const stat = await run(["compare", "main...june/tides", "--stat"]);
    if (!target.isGitea("1.27")) {
      expect(diff.code).toBe(5);
      expect(diff.stderr).toContain("does not support");
      return;
    }
    expect(diff.stdout).toContain("+++ b/tide.md\n@@ -0,0 +1,2 @@\n+1\n+2\n");
    expect(stat.stdout).toContain(" 1 file changed, 2 insertions(+), 0 deletions(-)\n");
  });
});
