import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refsOf } from "../../src/sandbox/git/refs.ts";

const repositories = mkdtempSync(join(tmpdir(), "tongs-refs-"));
const folder = join(repositories, "1.git");
const git = (...args: readonly string[]) =>
  execFileSync("git", ["--git-dir", folder, ...args], { encoding: "utf8", input: "" }).trimEnd();
const refs = async (prefix?: string) =>
  [...(await refsOf({ repositories, env: process.env }, { id: 1 }, prefix))].map(([name, id]) => `${name} ${id}`);
const byGit = (prefix: string) => git("for-each-ref", "--format=%(refname) %(objectname)", prefix).split("\n");

beforeAll(() => {
  git("init", "--quiet", "--bare", "--template=", folder);
  const who = { NAME: "Mara", EMAIL: "mara@example.org" };
  const author = Object.entries(who).flatMap(([key, value]) => ["-c", `user.${key.toLowerCase()}=${value}`]);
  const commit = git(...author, "commit-tree", "-m", "First light", git("hash-object", "-t", "tree", "-w", "--stdin"));
  for (const name of ["heads/main", "heads/fix/é", "heads/fix-1", "heads/a.b", "heads/😀", "heads/豈", "tags/v1"])
    git("update-ref", `refs/${name}`, commit);
});
afterAll(() => rmSync(repositories, { recursive: true, force: true }));

test.each(["refs/", "refs/heads/"])("the refs below %s are those of git, in its order", async (prefix) => {
  expect(await refs(prefix)).toEqual(byGit(prefix));
});

test("refs that git changes, points elsewhere or packs are those of git", async () => {
  writeFileSync(join(folder, "refs", "heads", "main.lock"), "");
  expect(await refs()).toEqual(byGit("refs/"));
  rmSync(join(folder, "refs", "heads", "main.lock"));
  git("symbolic-ref", "refs/heads/now", "refs/heads/main");
  expect(await refs()).toEqual(byGit("refs/"));
  git("pack-refs", "--all");
  mkdirSync(join(folder, "refs", "heads", "empty"));
  expect(await refs()).toEqual(byGit("refs/"));
  expect(await refs()).toHaveLength(8);
});
