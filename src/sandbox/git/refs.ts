import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { RefChange, RefsChanged, Site } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { git, gitFolder, gitOrUndefined } from "./git.ts";

/** The object id git uses for a ref that does not exist. */
export const noCommit = "0".repeat(40);

/** All refs below a prefix with their object ids. */
export async function refsOf(
  site: Pick<Site, "env" | "repositories">,
  repo: Pick<RepoRecord, "id">,
  prefix = "refs/",
): Promise<Map<string, string>> {
  const read = refFiles(gitFolder(site, repo), prefix);
  if (read !== undefined) return read;
  const lines = await git(site, repo, ["for-each-ref", "--format=%(refname) %(objectname)", prefix]);
  return new Map(lines.split("\n").flatMap((line) => (line === "" ? [] : [splitLine(line)])));
}

/**
 * The refs below a prefix, from their files, which takes far less than a process of git. Undefined if git keeps some in
 * another way, or changes them now.
 */
function refFiles(folder: string, prefix: string): Map<string, string> | undefined {
  if (existsSync(join(folder, "packed-refs"))) return undefined;
  try {
    const files = readdirSync(join(folder, prefix), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !file.name.endsWith(".lock"))
      .map((file) => relative(folder, join(file.parentPath, file.name)).replaceAll(sep, "/"));
    const refs = files.map((name): [string, string | undefined] => [name, refFile(folder, name)]);
    if (!refs.every((ref): ref is [string, string] => ref[1] !== undefined)) return undefined;
    return new Map(refs.sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
  } catch {
    return undefined;
  }
}

/** The object id in the file of a ref; undefined if there is no such file, or something else in it. */
function refFile(folder: string, name: string): string | undefined {
  try {
    return /^[0-9a-f]{40}$/.exec(readFileSync(join(folder, name), "utf8").trimEnd())?.[0];
  } catch {
    return undefined;
  }
}

function splitLine(line: string): [string, string] {
  const [name = "", id = ""] = line.split(" ");
  return [name, id];
}

/** The commit id of a branch, tag, commit or full ref name. */
export function commitOf(site: Site, repo: RepoRecord, name: string): Promise<string | undefined> {
  return gitOrUndefined(site, repo, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
}

/** The commit id of a branch, or undefined if it does not exist. */
export async function branchTip(site: Site, repo: RepoRecord, branch: string): Promise<string | undefined> {
  // git knows the rules for other names.
  const isPlain = /^[\w-]+(\/[\w-]+)*$/.test(branch);
  const name = `refs/heads/${branch}`;
  return (isPlain ? refFile(gitFolder(site, repo), name) : undefined) ?? commitOf(site, repo, name);
}

/**
 * Updates refs atomically and notifies the areas. All ref changes through the API use this function. A push
 * (http-backend.ts) calls `refsChanged` instead.
 */
export async function changeRefs(
  site: Site,
  repo: RepoRecord,
  doer: UserRecord,
  changes: readonly RefChange[],
  renamed?: RefsChanged["renamed"],
): Promise<void> {
  const commands = changes.map(({ ref, from, to }) =>
    to === undefined ? `delete ${ref} ${from ?? ""}` : `update ${ref} ${to} ${from ?? noCommit}`,
  );
  await git(site, repo, ["update-ref", "--stdin"], { input: `${commands.join("\n")}\n` });
  await refsChanged(site, repo, doer, changes, renamed);
}

/** Updates the repository record after ref changes and notifies the areas. */
export async function refsChanged(
  site: Site,
  repo: RepoRecord,
  doer: UserRecord,
  changes: readonly RefChange[],
  renamed?: RefsChanged["renamed"],
): Promise<void> {
  if (changes.length === 0) return;
  const present = site.table("repos").get(repo.id) ?? repo;
  const pushed = changes.flatMap(({ ref, to }) => (to !== undefined && ref.startsWith("refs/heads/") ? [ref] : []));
  const branches = (await refsOf(site, repo, "refs/heads/")).size;
  let next: RepoRecord = { ...present, updated_at: site.now(), branches, size: await sizeOf(site, repo) };
  if (present.empty && pushed.length > 0) {
    const wanted = `refs/heads/${present.default_branch}`;
    const first = pushed.includes(wanted) ? wanted : (pushed[0] ?? wanted);
    await git(site, repo, ["symbolic-ref", "HEAD", first]);
    next = { ...next, empty: false, default_branch: first.slice("refs/heads/".length) };
  }
  site.table("repos").put(next);
  for (const area of site.areas) await area.refsChanged?.(site, { repo: next, doer, changes, renamed });
}

/** The size of all objects in KiB. */
export async function sizeOf(site: Site, repo: Pick<RepoRecord, "id">): Promise<number> {
  const lines = await git(site, repo, ["count-objects", "-v"]);
  const number = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(lines)?.[1] ?? 0);
  return number("size") + number("size-pack");
}

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
