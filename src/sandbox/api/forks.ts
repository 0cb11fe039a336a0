import { cloneBare } from "../git/repositories.ts";
import { accessTo } from "../http/access.ts";
import { form, string } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { json, notFound, Refusal, refuse } from "../http/reply.ts";
import { type Area, type Call, get, post } from "../http/route.ts";
import type { Site } from "../site.ts";
import { teamsOf, userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { newRepo, repoNamed } from "../state/repos.ts";
import { repoWire } from "../wire/repos.ts";

const createForkOption = form("CreateForkOption", { organization: string("Organization"), name: string("Name") });
const needs = { repo: "code", signedIn: true, body: createForkOption } as const;

/** Forks. Each owner can have one. */
export const forks: Area = {
  routes: [
    get("/repos/{owner}/{repo}/forks", { repo: "code" }, (call) =>
      listReply(call, visibleForks(call), (repo) => repoWire(call, repo)),
    ),
    post("/repos/{owner}/{repo}/forks", needs, fork),
  ],
};

function visibleForks({ site, currentUser, repo }: Call<{ repo: "code" }>): RepoRecord[] {
  return site.store
    .table("repos")
    .filter((one) => one.parentId === repo.id && accessTo(site, currentUser, one).visible);
}

async function fork(call: Call<typeof needs>) {
  const { site, repo, owner, body } = call;
  const into = newOwner(call);
  const name = body.name || repo.name;
  const known = site.store.table("repos").find((one) => one.parentId === repo.id && one.ownerId === into.id);
  if (known !== undefined) {
    const paths = `repo path: ${owner.name}/${repo.name}, fork path: ${into.name}/${known.name}`;
    refuse(409, `repository is already forked by user [uname: ${into.name}, ${paths}]`);
  }
  if (repoNamed(site.store, into.id, name))
    refuse(409, `repository already exists [uname: ${into.name}, name: ${name}]`);
  if (!/^[\w.-]+$/.test(name)) throw new Refusal(500, `name is invalid [${name}]`);
  return json(202, repoWire(call, await makeFork(site, repo, into, name)));
}

function newOwner({ site, currentUser, body }: Call<typeof needs>): UserRecord {
  if (!body.organization) return currentUser;
  const org = userNamed(site.store, body.organization);
  if (org?.kind !== "organization") notFound();
  const may = teamsOf(site.store, org.id, currentUser.id).some(
    (team) => team.can_create_org_repo || team.permission === "owner",
  );
  if (!may && !currentUser.is_admin) refuse(403, "User is not allowed to create repositories in this organization.");
  return org;
}

/** Creates a fork with code and pull requests enabled and the other units disabled. */
export async function makeFork(site: Site, repo: RepoRecord, into: UserRecord, name: string): Promise<RepoRecord> {
  const off = { has_issues: false, has_wiki: false, has_projects: false, has_releases: false, has_packages: false };
  const made = newRepo(site.store, site.now(), {
    ownerId: into.id,
    name,
    description: repo.description,
    private: repo.private,
    empty: repo.empty,
    default_branch: repo.default_branch,
    parentId: repo.id,
    watchers: [],
    branches: repo.branches,
    size: repo.size,
    license: repo.license,
    units: { ...repo.units, ...off, has_actions: false },
  });
  await cloneBare(site, repo, made);
  return made;
}
