import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
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

/** Records pushes that were not saved before the sandbox was killed, and empties repositories whose folder is gone. */
export async function reconcile(site: Site): Promise<void> {
  const { store } = site;
  for (const repo of store.table("repos").all()) {
    if (!existsSync(gitFolder(site, repo))) {
      await createBare(site, repo);
      await store.write(() => store.table("repos").put({ ...repo, empty: true, branches: 0 }));
      continue;
    }
    const owner = store.table("users").get(repo.ownerId);
    const refs = await refsOf(site, repo, "refs/heads/");
    if (owner === undefined || refs.size === repo.branches) continue;
    const changes = [...refs].map(([ref, to]) => ({ ref, from: undefined, to }));
    await store.write(() => refsChanged(site, repo, owner, changes));
  }
}
