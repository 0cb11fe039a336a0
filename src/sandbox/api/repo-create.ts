import { repoMigrate } from "../../forge/repo-settings.ts";
import { orgRepoCreate, repoCreate } from "../../forge/repos.ts";
import { signatureOf } from "../git/commits.ts";
import { git, gitFolder, tryGit } from "../git/git.ts";
import { changeRefs, createBare, refsOf, sizeOf } from "../git/refs.ts";
import { commitPaths, type PathChange } from "../git/trees.ts";
import { accessTo } from "../http/access.ts";
import { isLoopback } from "../http/answer.ts";
import { authenticate } from "../http/caller.ts";
import { alphaDashDot, gitRefName, max } from "../http/form.ts";
import { fail, refuse } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, other, route, type View } from "../http/route.ts";
import { repoJson } from "../serializers/repos.ts";
import { ownsOrganization, teamsOf, userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { newRepo, repoAt, repoNamed, settingsIn } from "../state/repos.ts";
import { labelSets, newLabel } from "./labels.ts";

const createRepoOption = {
  name: [alphaDashDot, max(100)],
  description: [max(2048)],
  default_branch: [gitRefName, max(100)],
  object_format_name: [max(6)],
} as const;

const migrating = {
  signedIn: true,
  body: { clone_addr: [], repo_name: [alphaDashDot, max(100)], description: [max(2048)] },
} as const;

/** Creates repositories for the caller, for an organization and, as an administrator, for any user. */
export const repoCreation: Area = [
  route(repoMigrate, migrating, migrate),
  route(repoCreate, { signedIn: true, body: createRepoOption }, (call) =>
    create(call, call.currentUser, call.currentUser, call.body),
  ),
  route(
    other("POST /admin/users/{username}/repos"),
    { siteAdmin: true, signedIn: true, user: true, body: createRepoOption },
    (call) => create(call, call.currentUser, call.subject, call.body),
  ),
  route(orgRepoCreate, { org: true, signedIn: true, body: createRepoOption }, (call) => {
    checkCreator(call, call.org);
    return create(call, call.currentUser, call.org, call.body);
  }),
];

/** Throws 403 if the caller may not create repositories in an organization. */
export function checkCreator({ site, currentUser }: Call<{ signedIn: true }>, org: UserRecord): void {
  const teams = teamsOf(site.store, org.id, currentUser.id);
  if (currentUser.is_admin || teams.some((team) => team.can_create_org_repo || team.permission === "owner")) return;
  refuse(403, "User is not allowed to create repositories in this organization.");
}

async function create(view: View, doer: UserRecord, owner: UserRecord, body: BodyOf<typeof repoCreate>) {
  checkRepoName(body.name);
  if (repoNamed(view.site.store, owner.id, body.name)) refuse(409, "The repository with the same name already exists.");
  const { site } = view;
  const readme = body.readme ?? "";
  if (body.auto_init && readme !== "" && readme !== "Default") {
    refuse(400, "readme template does not exist, available templates: [Default]");
  }
  const set = body.issue_labels ?? "";
  const labels = set === "" ? [] : labelSets[set];
  if (labels === undefined)
    return refuse(422, `failed to load label template file "${set}": label template "${set}" not found`);
  if (body.object_format_name && body.object_format_name !== "sha1") {
    fail(`unsupported object format ${body.object_format_name}`);
  }
  const files = body.auto_init ? initialFiles(body) : [];
  const repo = newRepo(site, {
    ...settingsIn(body),
    ownerId: owner.id,
    name: body.name,
    default_branch: body.default_branch || "main",
    license: body.auto_init ? (body.license ?? "") : "",
    watchers: [doer.id],
  });
  for (const label of labels) newLabel(site.store, { ...label, repoId: repo.id });
  await createBare({ site, repo });
  if (body.auto_init) await firstCommit(view, doer, repo, files);
  return repoJson(view, site.table("repos").get(repo.id) ?? repo);
}

async function firstCommit({ site }: View, doer: UserRecord, repo: RepoRecord, files: readonly PathChange[]) {
  const commit = { parents: [], message: "Initial commit\n", committer: signatureOf(site, doer) };
  const id = await commitPaths({ site, repo }, files, commit);
  await changeRefs({ site, repo }, doer, [{ ref: `refs/heads/${repo.default_branch}`, from: undefined, to: id }]);
}

/** The initial files: a README, and short texts for the most common licenses and gitignore templates. */
function initialFiles({ name, description, license, gitignores }: BodyOf<typeof repoCreate>): PathChange[] {
  const files = [{ path: "README.md", text: `# ${name}\n\n${description ?? ""}` }];
  if (license) files.push({ path: "LICENSE", text: template(licenses, license) });
  if (gitignores) {
    const parts = gitignores.split(",").map((one) => template(ignoreLists, one.trim()));
    files.push({ path: ".gitignore", text: parts.join("\n") });
  }
  return files.map(({ path, text }) => ({ path, content: Buffer.from(text) }));
}

function template(texts: Readonly<Record<string, string>>, name: string): string {
  const text = texts[name];
  if (text === undefined) fail(`the sandbox has no template "${name}"`);
  return text;
}

const licenses: Readonly<Record<string, string>> = {
  MIT: "MIT License\n\nSee https://spdx.org/licenses/MIT.html\n",
  "Apache-2.0": "Apache License, Version 2.0\n\nSee https://spdx.org/licenses/Apache-2.0.html\n",
};
const ignoreLists: Readonly<Record<string, string>> = {
  Go: "*.exe\n*.test\n*.out\n/vendor/\n",
  Node: "node_modules/\n*.log\ndist/\n",
  Python: "__pycache__/\n*.py[cod]\n.venv/\n",
};

/** Throws if a repository name is reserved. */
export function checkRepoName(name: string): void {
  if (name === "." || name === "..") fail(`name is reserved [name: ${name}]`);
  if (name === "-") refuse(422, `name is reserved [name: ${name}]`);
  const ending = ["*.wiki", "*.git", "*.rss", "*.atom"].find((pattern) =>
    name.toLowerCase().endsWith(pattern.slice(1)),
  );
  if (ending !== undefined) refuse(422, `name pattern is not allowed [pattern: ${ending}]`);
}

/** Copies the branches and tags of a repository on this machine. It has no mirrors, and no issues come along. */
async function migrate(call: Call<typeof migrating, typeof repoMigrate>) {
  const { site, body } = call;
  const owner = ownerOf(call);
  const address = fetchedFrom(call, addressOf(body));
  if (body.mirror) refuse(403, "the site administrator has disabled the creation of new pull mirrors");
  checkRepoName(body.repo_name);
  if (repoNamed(site.store, owner.id, body.repo_name)) refuse(409, "The repository with the same name already exists.");
  const made = newRepo(site, {
    ...settingsIn(body),
    ownerId: owner.id,
    name: body.repo_name,
    original_url: body.clone_addr,
    watchers: [call.currentUser.id],
  });
  const at = { site, repo: made };
  await createBare(at);
  // In the environment, as arguments of processes can be seen by others.
  const env = {
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "http.followRedirects",
    GIT_CONFIG_VALUE_0: "false",
    GIT_CONFIG_KEY_1: "http.extraHeader",
    GIT_CONFIG_VALUE_1: body.auth_token ? `Authorization: token ${body.auth_token}` : "",
  };
  const refs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  const fetched = await tryGit(at, ["fetch", "--quiet", address, ...refs], { env });
  if (fetched.code !== 0) {
    site.table("repos").delete(made.id);
    refuse(422, `Migration failed: clone error: exit status ${fetched.code} - ${fetched.err.trim()}.`);
  }
  const heads = [...(await refsOf(at, "refs/heads/")).keys()].map((ref) => ref.slice("refs/heads/".length));
  const remote = await tryGit(at, ["ls-remote", "--symref", address, "HEAD"], { env });
  const head = /^ref: refs\/heads\/(\S+)/.exec(remote.out.toString())?.[1] ?? "";
  const default_branch = heads.includes(head) ? head : (heads[0] ?? made.default_branch);
  await git(at, ["symbolic-ref", "HEAD", `refs/heads/${default_branch}`]);
  const size = await sizeOf(at);
  const filled = { ...made, empty: heads.length === 0, branches: heads.length, default_branch, size };
  site.table("repos").put(filled);
  return repoJson(call, filled);
}

/** Where git fetches from. A request to this sandbox itself would wait for the migration: its repositories are read as files. */
function fetchedFrom({ site, origin, body }: Call<typeof migrating, typeof repoMigrate>, address: string): string {
  const { origin: from, pathname } = new URL(address);
  if (from !== origin) return address;
  const [, owner = "", name = ""] = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(pathname) ?? [];
  const { currentUser } = authenticate(site, body.auth_token ? `token ${body.auth_token}` : "");
  const repo = repoAt(site.store, owner, name);
  if (repo === undefined || !accessTo(site, currentUser, repo).atLeast("read", "code"))
    return refuse(422, `Migration failed: clone error: exit status 128 - fatal: repository '${address}' not found.`);
  return gitFolder({ site, repo });
}

function ownerOf({ site, currentUser, body }: Call<typeof migrating, typeof repoMigrate>): UserRecord {
  const owner = body.repo_owner ? userNamed(site.store, body.repo_owner) : currentUser;
  if (owner === undefined) return refuse(422, `user does not exist [uid: 0, name: ${body.repo_owner}]`);
  const isOwn = owner.id === currentUser.id || ownsOrganization(site.store, owner.id, currentUser.id);
  return isOwn || currentUser.is_admin ? owner : refuse(403, "Given user is not owner of organization.");
}

/** Only addresses on this machine: a sandbox reaches nothing else. */
function addressOf({ clone_addr: typed }: BodyOf<typeof repoMigrate>): string {
  if (!/^https?:/i.test(typed) || !URL.canParse(typed)) refuse(422, "Invalid Url");
  const { hostname, href } = new URL(typed);
  return isLoopback(hostname) ? href : refuse(422, "You can not import from disallowed hosts.");
}
