import { fileCreate, fileDelete, filesChange, fileUpdate, patchApply } from "../../forge/file-changes.ts";
import type { ApplyDiffPatchFileOptions, ChangeFilesOptions } from "../../forge/generated/operations.ts";
import { readCommit, type Signature, signatureOf } from "../git/commits.ts";
import { tryGit } from "../git/git.ts";
import { branchTip, changeRefs } from "../git/refs.ts";
import { entryAt } from "../git/trees.ts";
import { commitPaths, commitTree, type PathChange, withIndex } from "../git/write.ts";
import { maintainedBranches } from "../http/access.ts";
import { gitRefName, max, optional, type Sent } from "../http/form.ts";
import { fail, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { fileCommit, unverified } from "../serializers/commits.ts";
import { contentsJson } from "../serializers/contents.ts";
import { mayPush, ruleFor } from "../state/rules.ts";
import { type Change, pathChanges, type WriteCall } from "./file-changes.ts";

type FileOptions = Sent<Omit<ChangeFilesOptions, "files">>;
const [name, mail] = [[gitRefName, max(100)], [max(254)]];
/**
 * The requirements of all file changes. Branch permissions are checked in the handler because they depend on the body.
 */
const writing = {
  repo: "code",
  signedIn: true,
  body: {
    branch: name,
    new_branch: name,
    name: [max(100)],
    email: mail,
    path: [max(500)],
    from_path: [max(500)],
    content: [optional],
  },
} as const;

/** File changes: each request creates one commit. */
export const files: Area = {
  routes: [
    route(filesChange, writing, async (call) => {
      const { commit, contents } = await write(call, call.body, call.body.files);
      return json(201, { files: contents.length === 0 ? null : contents, commit, verification: unverified });
    }),
    route(fileCreate, writing, (call) => single(call, call.body, { ...call.body, operation: "create" }, 201)),
    route(fileUpdate, writing, (call) => {
      const isNew = !call.body.sha;
      return single(call, call.body, { ...call.body, operation: isNew ? "create" : "update" }, isNew ? 201 : 200);
    }),
    route(fileDelete, writing, (call) => single(call, call.body, { sha: call.body.sha, operation: "delete" }, 200)),
    route(patchApply, writing, applyPatch),
  ],
};

async function single(call: WriteCall, options: FileOptions, change: Omit<Change, "path">, status: number) {
  const { commit, contents } = await write(call, options, [{ ...change, path: call.param("filepath") }]);
  return json(status, { content: contents[0] ?? null, commit, verification: unverified });
}

/** The target branch, checked against permissions and protections, and the parent of the new commit. */
async function targetBranch(
  call: WriteCall,
  { branch, new_branch, force_push, force_overwrite_new_branch }: FileOptions,
  repoId = call.repo.id,
) {
  const { site, repo, currentUser, access } = call;
  const base = branch || repo.default_branch;
  const name = new_branch || base;
  if (repo.archived) refuse(423, "repo is not allowed to edit");
  if (!access.atLeast("write", "code") && !maintainedBranches(site, repo, currentUser).includes(name)) {
    refuse(403, "user should have a permission to write to the target branch");
  }
  const tip = await branchTip(call, base);
  if (tip === undefined && !repo.empty) notFound(`branch does not exist [repo_id: ${repoId} name: ${base}]`);
  const old = name === base ? tip : await branchTip(call, name);
  if (name !== base && old !== undefined && !force_push && !force_overwrite_new_branch)
    refuse(422, `branch already exists [name: ${name}]`);
  const rule = ruleFor(site.store, repo.id, name);
  if (rule && !mayPush(site.store, rule, currentUser))
    refuse(403, `user cannot commit to repo [user: ${currentUser.name}]`);
  return { name, tip, old };
}

async function write(call: WriteCall, options: FileOptions, changes: readonly Change[]) {
  const { repo, currentUser } = call;
  const { name, tip, old } = await targetBranch(call, options);
  const paths: PathChange[] = [];
  for (const change of changes) paths.push(...(await pathChanges(call, tip, change)));
  const message = options.message || defaultMessage(changes);
  const id = await commitPaths(call, paths, {
    ...commitDetails(call, options, message),
    parents: tip ? [tip] : [],
  });
  await changeRefs(call, currentUser, [{ ref: `refs/heads/${name}`, from: old, to: id }]);
  const contents: unknown[] = [];
  for (const { operation, path } of changes) {
    const entry = operation === "delete" ? undefined : await entryAt(call, id, path);
    const place = { commit: id, kind: "branch", ref: name } as const;
    contents.push(entry ? (await contentsJson(call, repo, place, path, [entry]))[0] : null);
  }
  return { commit: fileCommit(call, repo, await readCommit(call, id)), contents };
}

const verbs: Readonly<Record<string, string>> = {
  create: "Add",
  update: "Update",
  upload: "Update",
  delete: "Delete",
};

function defaultMessage(changes: readonly Change[]): string {
  return changes.map(({ operation, path }) => `${verbs[operation] ?? "Update"} ${path}`).join("\n");
}

/** The author, committer, dates and message of a commit. */
function commitDetails({ site, currentUser }: WriteCall, options: FileOptions, message: string) {
  const own = signatureOf(site, currentUser);
  const pick = (
    who: { name?: string | undefined; email?: string | undefined } | undefined,
    date: string | undefined,
  ): Signature => ({
    name: who?.name || own.name,
    email: who?.email || own.email,
    date: date === undefined ? own.date : timestamp(date),
  });
  const { author, committer = author, dates, signoff } = options;
  const signed = pick(committer, dates?.committer);
  const signature = `\n\nSigned-off-by: ${signed.name} <${signed.email}>`;
  return {
    author: pick(author ?? committer, dates?.author),
    committer: signed,
    message: message + (signoff ? signature : "\n"),
  };
}

async function applyPatch(call: Call<typeof writing, ApplyDiffPatchFileOptions>) {
  const { repo, currentUser, body } = call;
  const { name, tip, old } = await targetBranch(call, body, 0);
  const tree = await withIndex(call, tip, async (env) => {
    const args = ["apply", "--cached", "--recount", "--ignore-whitespace", "--whitespace=fix", "--binary", "--3way"];
    const { code, err } = await tryGit(call, args, { input: body.content ?? "", env });
    if (code !== 0) fail(`git apply error: exit status ${code} - ${err.trim()}`);
  });
  const commit = { ...commitDetails(call, body, body.message || "apply-patch"), parents: tip ? [tip] : [] };
  const id = await commitTree(call, tree, commit);
  await changeRefs(call, currentUser, [{ ref: `refs/heads/${name}`, from: old, to: id }]);
  const made = fileCommit(call, repo, await readCommit(call, id));
  return json(201, { content: null, commit: made, verification: unverified });
}
