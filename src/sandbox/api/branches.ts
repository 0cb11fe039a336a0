import { branchCreate, branchDelete, branchGet, branchList, branchRename, branchUpdate } from "../../forge/branches.ts";
import type {
  CreateBranchRepoOption,
  RenameBranchRepoOption,
  UpdateBranchRepoOption,
} from "../../forge/generated/operations.ts";
import { isAncestor, readCommit } from "../git/commits.ts";
import { git } from "../git/git.ts";
import { branchTip, changeRefs, commitOf, refsOf } from "../git/refs.ts";
import { gitRefName, max } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, fail, found, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { branchJson } from "../serializers/commits.ts";
import type { RefChange } from "../site.ts";
import { openPullsInto } from "../state/issues.ts";
import { mayForcePush, mayPush, ruleFor } from "../state/rules.ts";

const name = [gitRefName, max(100)];

const read = { repo: "code" } as const;
const write = { repo: "code", signedIn: true, right: "write", unarchived: true } as const;
const creation = { ...write, body: { new_branch_name: name, old_branch_name: name, old_ref_name: name } } as const;
const renaming = { ...write, body: { name } } as const;

/** Branches, as stored in git, and the protections that apply to them. */
export const branches: Area = {
  routes: [
    route(branchList, read, list),
    route(branchGet, read, async (call) => {
      const name = call.param("branch");
      const tip = found(await branchTip(call, name));
      return json(200, branchJson(call, call.repo, name, await readCommit(call, tip)));
    }),
    route(branchCreate, creation, create),
    route(branchUpdate, write, update),
    route(branchRename, renaming, rename),
    route(branchDelete, write, remove),
  ],
};

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

async function create(call: Call<typeof creation, CreateBranchRepoOption>) {
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
  return json(201, branchJson(call, repo, name, await readCommit(call, tip)));
}

/** The start of a new branch: `old_ref_name`, else `old_branch_name`, else the default branch. */
async function startOf({ site, repo, body }: Call<typeof creation, CreateBranchRepoOption>): Promise<string> {
  if (repo.empty) notFound("Git Repository is empty.");
  if (body.old_ref_name) {
    const tip = await commitOf({ site, repo }, body.old_ref_name);
    if (tip === undefined) fail(`object does not exist [id: ${body.old_ref_name}, rel_path: ]`);
    return tip;
  }
  const old = body.old_branch_name || repo.default_branch;
  return found(await branchTip({ site, repo }, old), "The old branch does not exist");
}

async function update(call: Call<typeof write, UpdateBranchRepoOption>) {
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
  return empty(204);
}

async function rename(call: Call<typeof renaming, RenameBranchRepoOption>) {
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
  return empty(204);
}

async function remove(call: Call<typeof write>) {
  const { site, repo, currentUser } = call;
  const name = call.param("branch");
  const tip = found(await branchTip(call, name));
  const isTarget = openPullsInto(site.store, repo.id, name).length > 0;
  if (name === repo.default_branch || isTarget) refuse(403, "can not delete default or pull request target branch");
  if (ruleFor(site.store, repo.id, name)) refuse(403, "branch protected");
  await changeRefs(call, currentUser, [{ ref: `refs/heads/${name}`, from: tip, to: undefined }]);
  return empty(204);
}
