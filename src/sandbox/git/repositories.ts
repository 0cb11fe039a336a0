import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Site } from "../site.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { git, gitFolder } from "./git.ts";
import { refsChanged, refsOf } from "./refs.ts";

/** Creates the bare repository of a record. */
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

/** Creates the bare repository of a fork with all branches and tags of its parent. */
export async function cloneBare(site: Site, from: RepoRecord, to: RepoRecord): Promise<void> {
  await createBare(site, to);
  const refs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  await git(site, to, ["fetch", "--quiet", gitFolder(site, from), ...refs]);
}

/**
 * Repairs what a killed process may have left: folders without a record, lock files of git, and pushed branches that
 * were not recorded.
 */
export async function recover(site: Site): Promise<void> {
  await removeOrphans(site);
  const { store } = site;
  for (const repo of store.table("repos").all()) {
    await removeLocks(gitFolder(site, repo));
    const owner = store.table("users").get(repo.ownerId);
    const refs = await refsOf(site, repo, "refs/heads/");
    if (owner === undefined || refs.size === repo.branches) continue;
    const changes = [...refs].map(([ref, to]) => ({ ref, from: undefined, to }));
    await store.write(() => refsChanged(site, repo, owner, changes));
  }
}

async function removeOrphans({ repositories, store }: Site): Promise<void> {
  for (const name of readdirSync(repositories)) {
    const id = /^(\d+)\.git$/.exec(name)?.[1];
    if (id !== undefined && store.table("repos").get(id) !== undefined) continue;
    await rm(join(repositories, name), { recursive: true, force: true });
  }
}

async function removeLocks(folder: string): Promise<void> {
  const names = [...readdirSync(folder), ...below(join(folder, "refs")).map((name) => join("refs", name))];
  for (const name of names) if (name.endsWith(".lock")) await rm(join(folder, name), { force: true });
}

function below(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
}
