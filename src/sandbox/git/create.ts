import { rm } from "node:fs/promises";
import type { Site } from "../site.ts";
import type { RepoRecord } from "../state/repos.ts";
import { git, gitFolder } from "./git.ts";

/** Makes the bare repository of a new record. */
export async function createBare(site: Site, repo: RepoRecord): Promise<void> {
  const folder = gitFolder(site, repo);
  await rm(folder, { recursive: true, force: true });
  await git(site, repo, [
    "init",
    "--quiet",
    "--bare",
    "--template=",
    `--initial-branch=${repo.default_branch}`,
    folder,
  ]);
  await git(site, repo, ["config", "uploadpack.allowAnySHA1InWant", "true"]);
  await git(site, repo, ["config", "gc.auto", "0"]);
}

/** Makes the bare repository of a fork: all branches and tags of its parent. */
export async function cloneBare(site: Site, from: RepoRecord, to: RepoRecord): Promise<void> {
  await createBare(site, to);
  const refs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  await git(site, to, ["fetch", "--quiet", gitFolder(site, from), ...refs]);
}
