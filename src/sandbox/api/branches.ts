import { branchCreate, branchDelete, branchGet, branchList, branchRename, branchUpdate } from "../../forge/branches.ts";
import { tagCreate, tagDelete, tagGet, tagList } from "../../forge/tags.ts";
import { isAncestor, readCommit } from "../git/commits.ts";
import { git, gitOrUndefined } from "../git/git.ts";
import { branchTip, changeRefs, commitOf, refsOf } from "../git/refs.ts";
import { annotatedTag } from "../git/trees.ts";
import { gitRefName, isRefName, max } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { fail, found, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { recordOf } from "../release.ts";
import { branchJson } from "../serializers/commits.ts";
import type { RefChange, RepoAt } from "../site.ts";
import { openPullsInto } from "../state/issues.ts";
import { mayForcePush, mayPush, mayTag, ruleFor } from "../state/rules.ts";

const name = [gitRefName, max(100)];

const read = { repo: "code" } as const;
const write = { repo: "code", signedIn: true, right: "write", unarchived: true } as const;
const creation = { ...write, body: { new_branch_name: name, old_branch_name: name, old_ref_name: name } } as const;
const renaming = { ...write, body: { name } } as const;

/** Branches, as stored in git, and the protections that apply to them. */
export const branches: Area = [
  route(branchList, read, list),
  route(branchGet, read, async (call) => {
    const name = call.param("branch");
    const tip = found(await branchTip(call, name));
    return branchJson(call, call.repo, name, await readCommit(call, tip));
  }),
  route(branchCreate, creation, create),
  route(branchUpdate, write, update),
  route(branchRename, renaming, rename),
  route(branchDelete, write, remove),
];

/** Lists branches by commit date, newest first, then by name; `null` for an empty repository. */
async function list(call: Call<typeof read>) {
  const { repo } = call;
  if (repo.empty) return json(200, null, { "X-Total-Count": "0", "Access-Control-Expose-Headers": "X-Total-Count" });
  const format = "--format=%(refname:lstrip=2) %(objectname)";
  const sorted = ["--sort=refname", "--sort=-committerdate"];
  const lines = await git(call, ["for-each-ref", ...sorted, format, "refs/heads/"]);
  const all = lines.split("\n").map((line) => line.split(" ") as [string, string]);
  const fitting = all.filter(([name]) => call.matches(name));
  return listReply(call, fitting, async (_call, [name, tip]) =>
    branchJson(call, repo, name, await readCommit(call, tip)),
  );
}

async function create(call: Call<typeof creation, typeof branchCreate>) {
  const { repo, currentUser, body } = call;
  const name = body.new_branch_name;
  const tip = await startOf(call);
  const refs = await refsOf(call);
  if (refs.has(`refs/heads/${name}`)) refuse(409, "The branch already exists.");
  if (refs.has(`refs/tags/${name}`)) refuse(409, "The branch with the same tag already exists.");
  const clashes = (ref: string) => ref.startsWith(`refs/heads/${name}/`) || `refs/heads/${name}`.startsWith(`${ref}/`);
  if ([...refs.keys()].some((ref) => ref.startsWith("refs/heads/") && clashes(ref))) {
    refuse(409, "The branch with the same name already exists.");
  }
  await changeRefs(call, currentUser, [{ ref: `refs/heads/${name}`, from: undefined, to: tip }]);
  return branchJson(call, repo, name, await readCommit(call, tip));
}

/** The start of a new branch: `old_ref_name`, else `old_branch_name`, else the default branch. */
async function startOf({ site, repo, body }: Call<typeof creation, typeof branchCreate>): Promise<string> {
  if (repo.empty) notFound("Git Repository is empty.");
  if (body.old_ref_name) {
    const tip = await commitOf({ site, repo }, body.old_ref_name);
    if (tip === undefined) fail(`object does not exist [id: ${body.old_ref_name}, rel_path: ]`);
    return tip;
  }
  const old = body.old_branch_name || repo.default_branch;
  return found(await branchTip({ site, repo }, old), "The old branch does not exist");
}

async function update(call: Call<typeof write, typeof branchUpdate>) {
  const { site, repo, currentUser, body } = call;
  const name = call.param("branch");
  const tip = found(await branchTip(call, name));
  const target = await commitOf(call, body.new_commit_id);
  if (target === undefined) fail(`object does not exist [id: ${body.new_commit_id}, rel_path: ]`);
  if (body.old_commit_id && body.old_commit_id !== tip) {
    refuse(422, `branch commit does not match [expected: ${body.old_commit_id}, given: ${tip}]`);
  }
  const rule = ruleFor(site.store, repo.id, name);
  const isForward = await isAncestor(call, tip, target);
  if (rule && !(isForward ? mayPush : mayForcePush)(site.store, rule, currentUser)) {
    refuse(403, `Not allowed to push to protected branch ${name}`);
  }
  if (!isForward && !body.force) refuse(422, `Force push ${name} need a confirm force parameter`);
  if (target !== tip) await changeRefs(call, currentUser, [{ ref: `refs/heads/${name}`, from: tip, to: target }]);
}

async function rename(call: Call<typeof renaming, typeof branchRename>) {
  const { site, repo, currentUser, access, body } = call;
  const name = call.param("branch");
  const isDefault = name === repo.default_branch;
  const tip = found(await branchTip(call, name), "Branch doesn't exist.");
  if (body.name === name || (await branchTip(call, body.name)) !== undefined) {
    refuse(422, "Cannot rename a branch using the same name or rename to a branch that already exists.");
  }
  const rule = ruleFor(site.store, repo.id, name);
  if ((isDefault || rule) && !access.atLeast("admin")) {
    refuse(403, "User must be a repo or site admin to rename default or protected branches.");
  }
  const changes: RefChange[] = [
    { ref: `refs/heads/${name}`, from: tip, to: undefined },
    { ref: `refs/heads/${body.name}`, from: undefined, to: tip },
  ];
  if (isDefault) {
    await git(call, ["symbolic-ref", "HEAD", `refs/heads/${body.name}`]);
    site.table("repos").put({ ...repo, default_branch: body.name });
  }
  if (rule?.rule_name === name) site.table("branchRules").put({ ...rule, rule_name: body.name });
  await changeRefs(call, currentUser, changes, { from: name, to: body.name });
}

async function remove(call: Call<typeof write>) {
  const { site, repo, currentUser } = call;
  const name = call.param("branch");
  const tip = found(await branchTip(call, name));
  const isTarget = openPullsInto(site.store, repo.id, name).length > 0;
  if (name === repo.default_branch || isTarget) refuse(403, "can not delete default or pull request target branch");
  if (ruleFor(site.store, repo.id, name)) refuse(403, "branch protected");
  await changeRefs(call, currentUser, [{ ref: `refs/heads/${name}`, from: tip, to: undefined }]);
}

const readingTags = { repo: "code", slashes: true } as const;
const tagging = { ...readingTags, signedIn: true, right: "write", unarchived: true } as const;

/** Lightweight and annotated tags. */
export const tags: Area = [
  route(tagList, readingTags, async (call) => listReply(call, await tagNames(call), tagJson, "total")),
  route(tagGet, readingTags, (call) => tagJson(call, call.param("tag"))),
  route(tagCreate, tagging, createTag),
  route(tagDelete, tagging, removeTag),
];

/** Newest first. */
async function tagNames({ site, repo }: Call<typeof readingTags>): Promise<string[]> {
  const format = "--format=%(refname:lstrip=2)";
  const out = await git({ site, repo }, ["for-each-ref", "--sort=-creatordate", format, "refs/tags/"]);
  return out === "" ? [] : out.split("\n");
}

const idOf = ({ site, repo }: Pick<Call<typeof readingTags>, "site" | "repo">, tag: string) =>
  gitOrUndefined({ site, repo }, ["rev-parse", "--verify", "--quiet", `refs/tags/${tag}`]);

async function tagJson(call: Call<typeof readingTags>, name: string) {
  const { site, repo } = call;
  const id = found(await idOf(call, name));
  const { api, web } = pathOf(call, repo);
  const commit = await readCommit(call, found(await commitOf(call, id)));
  return recordOf(site, "Tag", {
    name,
    message: id === commit.sha ? commit.message : await annotation(call, id),
    id,
    commit: { url: `${api}/git/commits/${id}`, sha: commit.sha, created: commit.committer.date },
    zipball_url: `${web}/archive/${name}.zip`,
    tarball_url: `${web}/archive/${name}.tar.gz`,
  });
}

async function annotation(at: RepoAt, id: string): Promise<string> {
  const text = await git(at, ["cat-file", "tag", id]);
  return `${text.slice(text.indexOf("\n\n") + 2)}\n`;
}

async function createTag(call: Call<typeof tagging, typeof tagCreate>) {
  const { site, repo, currentUser, body } = call;
  const name = body.tag_name;
  if (!isRefName(name)) fail(`release tag name is not valid [tag_name: ${name}]`);
  const target = found(
    await commitOf(call, body.target || repo.default_branch),
    `target not found: object does not exist [id: ${body.target}, rel_path: ]`,
  );
  if ((await idOf(call, name)) !== undefined) refuse(409, `tag already exists [name: ${name}]`);
  if (!mayTag(site.store, repo.id, name, currentUser)) fail(`tag ${name} is protected`);
  const id = body.message ? await annotatedTag(call, currentUser, { name, target, message: body.message }) : target;
  await changeRefs(call, currentUser, [{ ref: `refs/tags/${name}`, from: undefined, to: id }]);
  return tagJson(call, name);
}

async function removeTag(call: Call<typeof tagging>) {
  const { site, repo, currentUser } = call;
  const name = call.param("tag");
  const id = (await idOf(call, name)) ?? notFound();
  if (site.table("releases").find((one) => one.repoId === repo.id && one.tag_name === name && !one.draft))
    refuse(409, "a tag attached to a release cannot be deleted directly");
  if (!mayTag(site.store, repo.id, name, currentUser)) refuse(422, "user cannot delete protected tag");
  await changeRefs(call, currentUser, [{ ref: `refs/tags/${name}`, from: id, to: undefined }]);
}
