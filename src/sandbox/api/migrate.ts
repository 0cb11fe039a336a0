import type { MigrateRepoOptions } from "../../forge/generated/operations.ts";
import { repoMigrate } from "../../forge/repo-settings.ts";
import { git, gitFolder, tryGit } from "../git/git.ts";
import { createBare, refsOf, sizeOf } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import { authenticate } from "../http/caller.ts";
import { alphaDashDot, max, type Sent } from "../http/form.ts";
import { isLoopback } from "../http/loopback.ts";
import { json, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { repoJson } from "../serializers/repos.ts";
import { ownsOrganization, userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import { newRepo, repoAt, repoNamed } from "../state/repos.ts";
import { checkRepoName } from "./repo-create.ts";

const needs = {
  signedIn: true,
  body: { clone_addr: [], repo_name: [alphaDashDot, max(100)], description: [max(2048)] },
} as const;

/** Copies the branches and tags of a repository on this machine. It has no mirrors, and no issues come along. */
export const migration: Area = { routes: [route(repoMigrate, needs, migrate)] };

async function migrate(call: Call<typeof needs, MigrateRepoOptions>) {
  const { site, body } = call;
  const owner = ownerOf(call);
  const address = fetchedFrom(call, addressOf(body));
  if (body.mirror) refuse(403, "the site administrator has disabled the creation of new pull mirrors");
  checkRepoName(body.repo_name);
  if (repoNamed(site.store, owner.id, body.repo_name)) refuse(409, "The repository with the same name already exists.");
  const made = newRepo(site.store, site.now(), {
    ownerId: owner.id,
    name: body.repo_name,
    description: body.description ?? "",
    private: body.private ?? false,
    original_url: body.clone_addr,
    watchers: [call.currentUser.id],
  });
  await createBare({ site, repo: made });
  // In the environment, as arguments of processes can be seen by others.
  const env = {
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "http.followRedirects",
    GIT_CONFIG_VALUE_0: "false",
    GIT_CONFIG_KEY_1: "http.extraHeader",
    GIT_CONFIG_VALUE_1: body.auth_token ? `Authorization: token ${body.auth_token}` : "",
  };
  const refs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  const fetched = await tryGit({ site, repo: made }, ["fetch", "--quiet", address, ...refs], { env });
  if (fetched.code !== 0) {
    site.table("repos").delete(made.id);
    refuse(422, `Migration failed: clone error: exit status ${fetched.code} - ${fetched.err.trim()}.`);
  }
  const heads = [...(await refsOf({ site, repo: made }, "refs/heads/")).keys()].map((ref) =>
    ref.slice("refs/heads/".length),
  );
  const remote = await tryGit({ site, repo: made }, ["ls-remote", "--symref", address, "HEAD"], { env });
  const head = /^ref: refs\/heads\/(\S+)/.exec(remote.out.toString())?.[1] ?? "";
  const default_branch = heads.includes(head) ? head : (heads[0] ?? made.default_branch);
  await git({ site, repo: made }, ["symbolic-ref", "HEAD", `refs/heads/${default_branch}`]);
  const size = await sizeOf({ site, repo: made });
  const filled = { ...made, empty: heads.length === 0, branches: heads.length, default_branch, size };
  site.table("repos").put(filled);
  return json(201, repoJson(call, filled));
}

/** Where git fetches from. A request to this sandbox itself would wait for the migration: its repositories are read as files. */
function fetchedFrom({ site, origin, body }: Call<typeof needs, MigrateRepoOptions>, address: string): string {
  const { origin: from, pathname } = new URL(address);
  if (from !== origin) return address;
  const [, owner = "", name = ""] = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(pathname) ?? [];
  const { currentUser } = authenticate(site, body.auth_token ? `token ${body.auth_token}` : "");
  const repo = repoAt(site.store, owner, name);
  if (repo === undefined || !accessTo(site, currentUser, repo).atLeast("read", "code"))
    return refuse(422, `Migration failed: clone error: exit status 128 - fatal: repository '${address}' not found.`);
  return gitFolder({ site, repo });
}

function ownerOf({ site, currentUser, body }: Call<typeof needs, MigrateRepoOptions>): UserRecord {
  if (!body.repo_owner) return currentUser;
  const owner = userNamed(site.store, body.repo_owner);
  if (owner === undefined) return refuse(422, `user does not exist [uid: 0, name: ${body.repo_owner}]`);
  if (currentUser.is_admin || owner.id === currentUser.id) return owner;
  if (owner.kind !== "organization") refuse(403, "Given user is not an organization.");
  if (!ownsOrganization(site.store, owner.id, currentUser.id)) refuse(403, "Given user is not owner of organization.");
  return owner;
}

/** Only addresses on this machine: a sandbox reaches nothing else. */
function addressOf({ clone_addr: typed }: Sent<MigrateRepoOptions>): string {
  if (!/^https?:\/\//i.test(typed)) refuse(422, "You are not allowed to import local repositories.");
  if (!URL.canParse(typed)) refuse(422, "Invalid Url");
  const { hostname, href } = new URL(typed);
  return isLoopback(hostname) ? href : refuse(422, "You can not import from disallowed hosts.");
}
