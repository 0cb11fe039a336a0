import { fileCreate, fileDelete, filesChange, fileUpdate, patchApply } from "../../forge/file-changes.ts";
import type { ChangeFileOperation } from "../../forge/generated/operations.ts";
import { readCommit, type Signature, signatureOf } from "../git/commits.ts";
import { tryGit } from "../git/git.ts";
import { branchTip, changeRefs } from "../git/refs.ts";
import { commitPaths, commitTree, type Entry, entriesOf, entryAt, type PathChange, withIndex } from "../git/trees.ts";
import { maintainedBranches } from "../http/access.ts";
import { gitRefName, max, optional, type Sent } from "../http/form.ts";
import { fail, found, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, route } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { contentsJson, fileCommit, unverified } from "../serializers/commits.ts";
import { mayPush, ruleFor } from "../state/rules.ts";

type FileOptions = Omit<BodyOf<typeof filesChange>, "files">;
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
export const files: Area = [
  route(filesChange, writing, async (call) => {
    const { commit, contents } = await write(call, call.body, call.body.files);
    return { files: contents.length === 0 ? null : contents, commit, verification: unverified };
  }),
  route(fileCreate, writing, (call) => single(call, call.body, { ...call.body, operation: "create" }, 201)),
  route(fileUpdate, writing, (call) => {
    const isNew = !call.body.sha;
    return single(call, call.body, { ...call.body, operation: isNew ? "create" : "update" }, isNew ? 201 : 200);
  }),
  route(fileDelete, writing, (call) => single(call, call.body, { sha: call.body.sha, operation: "delete" }, 200)),
  route(patchApply, writing, applyPatch),
];

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

async function applyPatch(call: Call<typeof writing, typeof patchApply>) {
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
  return { content: null, commit: made, verification: unverified };
}

export type Change = Sent<ChangeFileOperation>;

export type WriteCall = Call<{ repo: "code"; signedIn: true }>;

/** The path changes of a file change, validated against the tree of `tip`. */
export async function pathChanges(call: WriteCall, tip: string | undefined, change: Change): Promise<PathChange[]> {
  const { operation, path, from_path } = change;
  checkPath(path);
  const at = (where: string) => (tip === undefined ? undefined : entryAt(call, tip, where));
  switch (operation) {
    case "create":
      if (await at(path)) await refuseTaken(call, tip, path);
      await checkFolders(call, tip, path);
      return [{ path, content: decoded(change.content) }];
    case "upload":
      await checkFolders(call, tip, path);
      return [{ path, content: decoded(change.content) }];
    case "update":
    case "rename": {
      const from = from_path || path;
      const entry = found(await at(from), `object does not exist [id: , rel_path: ${path}]`);
      checkSha(change, entry, operation === "update");
      const kept = operation === "rename" && !change.content;
      const written = kept ? { path, sha: entry.sha } : { path, content: decoded(change.content) };
      return [...(from === path ? [] : [{ path: from }]), { ...written, mode: entry.mode }];
    }
    case "delete": {
      const entry = found(await at(path), `object does not exist [id: , rel_path: ${path}]`);
      const tree = entry.type === "dir" ? { ...entry, sha: entry.sha } : entry;
      checkSha(change, tree, true);
      return [{ path }];
    }
    default:
      fail(`invalid file operation: ${operation}`);
  }
}

function checkSha({ sha, path }: Change, entry: Entry, isNeeded: boolean): void {
  if (!sha && isNeeded) refuse(422, `a SHA or commit ID must be provided when updating a file [path: ${path}]`);
  if (sha && sha !== entry.sha) refuse(422, `sha does not match [given: ${sha}, expected: ${entry.sha}]`);
}

function checkPath(path: string): void {
  const parts = path.split("/");
  if (parts.includes("..")) fail(`file path is invalid [path: ${path}]`);
  if (parts.some((part) => part === "" || part.toLowerCase() === ".git")) {
    refuse(422, `path contains a malformed path component [path: ${path}]`);
  }
}

async function refuseTaken({ site, repo }: WriteCall, tip: string | undefined, path: string): Promise<never> {
  const isFolder = tip !== undefined && (await entriesOf({ site, repo }, tip, path)).length > 0;
  if (isFolder) refuse(422, `a directory exists where you’re trying to create a file [path: ${path}]`);
  return refuse(422, `repository file already exists [path: ${path}]`);
}

/** Throws 422 if a parent folder of the path is a file. */
async function checkFolders({ site, repo }: WriteCall, tip: string | undefined, path: string): Promise<void> {
  if (tip === undefined) return;
  const parts = path.split("/");
  for (let length = 1; length < parts.length; length += 1) {
    const above = parts.slice(0, length).join("/");
    const entry = await entryAt({ site, repo }, tip, above);
    if (entry !== undefined && entry.type !== "dir") {
      refuse(422, `a file exists where you’re trying to create a subdirectory [path: ${above}]`);
    }
  }
}

/** Decodes base64 strictly, ignoring newlines, as Gitea does. Throws 422 if it is invalid. */
function decoded(content = ""): Buffer {
  const text = content.replace(/[\r\n]/g, "");
  const invalidAt =
    /[^A-Za-z0-9+/=]/.exec(text)?.index ?? (text.length % 4 === 0 ? -1 : text.length - (text.length % 4));
  if (invalidAt >= 0) refuse(422, `illegal base64 data at input byte ${invalidAt}`);
  return Buffer.from(text, "base64");
}
