import { forkCreate, forkList, forkSync, forkSyncGet, upstreamMerge } from "../../forge/forks.ts";
import { isAncestor, signatureOf } from "../git/commits.ts";
import { countBehind, mergeCommits } from "../git/merge.ts";
import { branchTip, changeRefs, cloneBare } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { fail, found, json, notFound, refuse, text } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { copyCommit } from "../pulls/reviews.ts";
import { repoJson } from "../serializers/repos.ts";
import { userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import { newRepo, repoNamed } from "../state/repos.ts";
import { checkCreator } from "./repo-create.ts";

const syncing = { repo: "code", signedIn: true, right: "write" } as const;
const needs = { repo: "code", signedIn: true } as const;

/** Forks. Each owner can have one. */
export const forks: Area = [
  route(forkList, { repo: "code" }, (call) => {
    const forks = call.table("repos").filter(({ parentId }) => parentId === call.repo.id);
    const visible = forks.filter((fork) => accessTo(call.site, call.currentUser, fork).visible);
    return listReply(call, visible, repoJson);
  }),
  route(forkCreate, needs, fork),
  route(upstreamMerge, syncing, mergeUpstream),
  route(forkSyncGet, { repo: "code", slashes: true }, async (call) => (await syncOf(call)).info),
  route(forkSync, { ...syncing, slashes: true }, async (call) => {
    const { branch, info } = await syncOf(call);
    if (!info.allowed) refuse(400, "You can't sync this branch");
    const change = { ref: `refs/heads/${branch}`, from: info.fork_commit, to: info.base_commit };
    await changeRefs(call, call.currentUser, [change]);
  }),
];

async function fork(call: Call<typeof needs, typeof forkCreate>) {
  const { site, repo, owner, body } = call;
  const into = newOwner(call);
  const name = body.name || repo.name;
  const known = site.table("repos").find((one) => one.parentId === repo.id && one.ownerId === into.id);
  if (known !== undefined) {
    const paths = `repo path: ${owner.name}/${repo.name}, fork path: ${into.name}/${known.name}`;
    refuse(409, `repository is already forked by user [uname: ${into.name}, ${paths}]`);
  }
  if (repoNamed(site.store, into.id, name))
    refuse(409, `repository already exists [uname: ${into.name}, name: ${name}]`);
  if (!/^[\w.-]+$/.test(name)) fail(`name is invalid [${name}]`);
  // Code and pull requests are enabled, the other units are not.
  const off = {
    has_issues: false,
    has_wiki: false,
    has_projects: false,
    has_releases: false,
    has_packages: false,
    has_actions: false,
  };
  const { description, empty, default_branch, branches, size, license, has_code, has_pull_requests } = repo;
  const kept = { description, private: repo.private, empty, default_branch, branches, size, license, has_code };
  const of = { ownerId: into.id, name, parentId: repo.id };
  const made = newRepo(site, { ...kept, has_pull_requests, ...of, ...off });
  await cloneBare(site, repo, made);
  return json(202, repoJson(call, made));
}

function newOwner(call: Call<typeof needs, typeof forkCreate>): UserRecord {
  if (!call.body.organization) return call.currentUser;
  const org = userNamed(call.site.store, call.body.organization);
  if (org?.kind !== "organization") notFound();
  checkCreator(call, org);
  return org;
}

/** What Forgejo can do to a branch of a fork: move it forward to the branch of the same name of its parent. */
async function syncOf({ site, repo, param }: Call<{ repo: "code" }>) {
  const parent = site.table("repos").get(repo.parentId);
  if (parent === undefined) return refuse(400, "The Repo must be a fork");
  const branch = param("branch");
  const fork_commit = found(await branchTip({ site, repo }, branch));
  const base_commit = found(await branchTip({ site, repo: parent }, branch));
  await copyCommit(site, parent, repo, base_commit);
  const allowed = fork_commit !== base_commit && (await isAncestor({ site, repo }, fork_commit, base_commit));
  const commits_behind = allowed ? await countBehind({ site, repo }, base_commit, fork_commit) : 0;
  return { branch, info: { allowed, fork_commit, base_commit, commits_behind } };
}

/**
 * Brings a branch of a fork up to date with the branch of the same name of its parent. As in Gitea, a conflict is 500, and
 * so is a repository that is not a fork.
 */
async function mergeUpstream(call: Call<typeof syncing, typeof upstreamMerge>) {
  const { site, repo, currentUser, body } = call;
  const { branch = "", ff_only } = body;
  const parent = site.table("repos").get(repo.parentId);
  if (parent === undefined) return text(500, "Internal Server Error", "text/plain; charset=utf-8");
  const tip =
    (await branchTip(call, branch)) ?? notFound(`branch does not exist [repo_id: ${repo.id} name: ${branch}]`);
  const base =
    (await branchTip({ site, repo: parent }, branch)) ??
    notFound(`branch does not exist [repo_id: ${parent.id} name: ${branch}]`);
  await copyCommit(site, parent, repo, base);
  if ((await countBehind(call, base, tip)) === 0) return json(200, { merge_type: "up-to-date" });
  const isBehind = await isAncestor(call, tip, base);
  if (!isBehind && ff_only) refuse(400, "fast-forward merge not possible: branch has diverged");
  const message = `Merge branch '${branch}' of ${pathOf(call, parent).web} into ${branch}`;
  const made = isBehind
    ? { made: base }
    : await mergeCommits(call, [tip, base], message, signatureOf(site, currentUser));
  if ("conflict" in made) fail("merge failed because of conflict");
  await changeRefs(call, currentUser, [{ ref: `refs/heads/${branch}`, from: tip, to: made.made }]);
  return json(200, { merge_type: isBehind ? "fast-forward" : "merge" });
}
