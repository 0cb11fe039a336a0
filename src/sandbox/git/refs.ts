import { existsSync } from "node:fs";
import { appendFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RefChange, RefsChanged, RepoAt, Site } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { type GitRepo, git, gitFolder, gitOrUndefined } from "./git.ts";

/** The object id git uses for a ref that does not exist. */
export const noCommit = "0".repeat(40);

/** All refs below a prefix with their object ids. */
export async function refsOf(at: GitRepo, prefix = "refs/"): Promise<Map<string, string>> {
  const lines = await git(at, ["for-each-ref", "--format=%(refname) %(objectname)", prefix]);
  return new Map(
    lines
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(" ") as [string, string]),
  );
}

/** The commit id of a branch, tag, commit or full ref name. */
export function commitOf(at: RepoAt, name: string): Promise<string | undefined> {
  return gitOrUndefined(at, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
}

/** The commit id of a branch, or undefined if it does not exist. */
export async function branchTip(at: RepoAt, branch: string): Promise<string | undefined> {
  // The file of a plain name, if git has it there, takes far less than a process of git.
  const isPlain = /^[\w-]+(\/[\w-]+)*$/.test(branch);
  const file = join(gitFolder(at), "refs", "heads", branch);
  const text = isPlain ? await readFile(file, "utf8").catch(() => "") : "";
  return /^[0-9a-f]{40}$/m.exec(text)?.[0] ?? commitOf(at, `refs/heads/${branch}`);
}

/** Updates refs atomically and notifies those who listen. All ref changes use it, except pushes, which git has made. */
export async function changeRefs(
  at: RepoAt,
  doer: UserRecord,
  changes: readonly RefChange[],
  renamed?: RefsChanged["renamed"],
): Promise<void> {
  const commands = changes.map(({ ref, from, to }) =>
    to === undefined ? `delete ${ref} ${from ?? ""}` : `update ${ref} ${to} ${from ?? noCommit}`,
  );
  await git(at, ["update-ref", "--stdin"], { input: `${commands.join("\n")}\n` });
  await refsChanged(at, doer, changes, renamed);
}

/** Updates the repository record after ref changes and notifies those who listen. */
export async function refsChanged(
  { site, repo }: RepoAt,
  doer: UserRecord,
  changes: readonly RefChange[],
  renamed?: RefsChanged["renamed"],
): Promise<void> {
  if (changes.length === 0) return;
  const present = site.table("repos").get(repo.id) ?? repo;
  const pushed = changes.flatMap(({ ref, to }) => (to !== undefined && ref.startsWith("refs/heads/") ? [ref] : []));
  const branches = (await refsOf({ site, repo }, "refs/heads/")).size;
  let next: RepoRecord = { ...present, updated_at: site.now(), branches, size: await sizeOf({ site, repo }) };
  if (present.empty && pushed.length > 0) {
    const wanted = `refs/heads/${present.default_branch}`;
    const first = pushed.includes(wanted) ? wanted : (pushed[0] ?? wanted);
    await git({ site, repo }, ["symbolic-ref", "HEAD", first]);
    next = { ...next, empty: false, default_branch: first.slice("refs/heads/".length) };
  }
  site.table("repos").put(next);
  for (const callback of site.callbacks) await callback.refsChanged?.(site, { repo: next, doer, changes, renamed });
}

/** The size of all objects in KiB. */
export async function sizeOf(at: GitRepo): Promise<number> {
  const lines = await git(at, ["count-objects", "-v"]);
  return [...lines.matchAll(/^size(?:-pack)?: (\d+)/gm)].reduce((sum, [, size]) => sum + Number(size), 0);
}

/** Creates the bare repository of a record. */
export async function createBare({ site, repo }: RepoAt): Promise<void> {
  const folder = gitFolder({ site, repo });
  await rm(folder, { recursive: true, force: true });
  const branch = `--initial-branch=${repo.default_branch}`;
  await git({ site, repo }, ["init", "--quiet", "--bare", "--template=", branch, folder]);
  await appendFile(join(folder, "config"), "[uploadpack]\n\tallowAnySHA1InWant = true\n[gc]\n\tauto = 0\n");
}

/** Creates the bare repository of a fork with all branches and tags of its parent. */
export async function cloneBare(site: Site, from: RepoRecord, to: RepoRecord): Promise<void> {
  await createBare({ site, repo: to });
  const refs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  await git({ site, repo: to }, ["fetch", "--quiet", gitFolder({ site, repo: from }), ...refs]);
}

/** Records pushes that were not saved before the sandbox was killed, and empties repositories whose folder is gone. */
export async function reconcile(site: Site): Promise<void> {
  for (const repo of site.table("repos").all()) {
    const isGone = !existsSync(gitFolder({ site, repo }));
    if (isGone) await createBare({ site, repo });
    const refs = await refsOf({ site, repo }, "refs/heads/");
    const owner = site.table("users").get(repo.ownerId);
    const changes = [...refs].map(([ref, to]) => ({ ref, from: undefined, to }));
    await site.store.write(async () => {
      if (isGone) site.table("repos").put({ ...repo, empty: true, branches: 0 });
      else if (owner !== undefined && refs.size !== repo.branches) await refsChanged({ site, repo }, owner, changes);
    });
  }
}
