import type { CreateTeamOption, EditTeamOption } from "../../forge/generated/operations.ts";
import {
  ownTeamList,
  repoTeamAdd,
  repoTeamCheck,
  repoTeamList,
  repoTeamRemove,
  teamCreate,
  teamDelete,
  teamEdit,
  teamGet,
  teamList,
  teamMemberAdd,
  teamMemberCheck,
  teamMemberList,
  teamMemberRemove,
  teamRepoAdd,
  teamRepoCheck,
  teamRepoList,
  teamRepoRemove,
  teamSearch,
} from "../../forge/teams.ts";
import { collection } from "../http/collection.ts";
import { alphaDashDot, max, type Sent } from "../http/form.ts";
import { listReply, searchReply } from "../http/paging.ts";
import { empty, fail, found, json, listed, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { teamJson, userJson } from "../serializers/accounts.ts";
import { repoJson } from "../serializers/repos.ts";
import { newTeam, ownsOrganization, teamsOf, userNamed } from "../state/accounts.ts";
import { type AccessLevel, type TeamRecord, unitNames } from "../state/records/accounts.ts";
import { repoAt } from "../state/repos.ts";

const body = { name: [alphaDashDot, max(255)], description: [max(255)] };
const creation = { org: true, signedIn: true, orgMember: true, orgOwner: true, body } as const;
const signedIn = { signedIn: true } as const;
const ofRepo = { repo: "any", signedIn: true } as const;
const asRepoAdmin = { repo: "any", signedIn: true, right: "admin" } as const;
const ofOrg = { org: true, signedIn: true, orgMember: true } as const;

/** Teams of organizations: permissions, members and repositories. */
export const teams: Area = {
  routes: [
    route(teamList, ofOrg, (call) => listReply(call, visibleTeams(call), teamJson)),
    route(teamSearch, ofOrg, (call) => {
      const q = (call.query.get("q") ?? "").toLowerCase();
      const data = visibleTeams(call).filter(({ name }) => name.toLowerCase().includes(q));
      return searchReply(call, data, teamJson, "total");
    }),
    route(teamCreate, creation, create),
    collection(
      "teams",
      { read: signedIn, write: { ...signedIn, body } },
      {
        get: teamGet,
        find: findTeam,
        edit: [teamEdit, edit],
        remove: [teamDelete, requireOwner],
        // The response to an edit does not have the organization.
        serialize: (call, team) => teamJson(call, team, call.method === "PATCH" ? "listed" : "alone"),
      },
    ),
    route(teamMemberList, signedIn, (call) => {
      const { members } = findTeam(call);
      const people = call.table("users").filter(({ id }) => members.includes(id));
      return listReply(call, people, userJson, "total");
    }),
    route(teamMemberCheck, signedIn, (call) => {
      const user = found(userNamed(call.site.store, call.param("username")));
      return findTeam(call).members.includes(user.id) ? json(200, userJson(call, user)) : notFound();
    }),
    route(teamMemberAdd, signedIn, (call) => setMember(call, "in")),
    route(teamMemberRemove, signedIn, (call) => setMember(call, "out")),
    route(teamRepoList, signedIn, (call) => {
      const team = findTeam(call);
      const repos = call.table("repos").filter((repo) => isAssigned(team, repo));
      return listReply(call, repos, repoJson, "total");
    }),
    route(teamRepoCheck, signedIn, async (call) => {
      const team = findTeam(call);
      const repo = repoAt(call.site.store, call.param("org"), call.param("repo"));
      return repo !== undefined && isAssigned(team, repo) ? json(200, await repoJson(call, repo)) : notFound();
    }),
    route(teamRepoAdd, signedIn, (call) => setRepo(call, "in")),
    route(teamRepoRemove, signedIn, (call) => setRepo(call, "out")),
    route(ownTeamList, signedIn, (call) => {
      const mine = call.table("teams").filter(({ members }) => members.includes(call.currentUser.id));
      return listReply(call, mine, (_call, team) => teamJson(call, team, "alone"));
    }),
    route(repoTeamList, ofRepo, (call) => {
      inOrganization(call);
      const all = call.table("teams").filter((team) => isAssigned(team, call.repo));
      return listed(call, all, teamJson);
    }),
    route(repoTeamCheck, ofRepo, (call) => {
      const team = teamOfOwner(call);
      return isAssigned(team, call.repo) ? json(200, teamJson(call, team)) : notFound();
    }),
    route(repoTeamAdd, asRepoAdmin, (call) => {
      const team = teamOfOwner(call);
      if (isAssigned(team, call.repo)) refuse(422, `team '${team.name}' is already added to repo`);
      return assign(call, team, "in");
    }),
    route(repoTeamRemove, asRepoAdmin, (call) => {
      const team = teamOfOwner(call);
      if (!isAssigned(team, call.repo)) refuse(422, `team '${team.name}' was not added to repo`);
      return assign(call, team, "out");
    }),
  ],
};

function inOrganization(call: Call<typeof ofRepo>): void {
  if (call.owner.kind !== "organization") refuse(405, "repo is not owned by an organization");
}

function teamOfOwner(call: Call<typeof ofRepo>): TeamRecord {
  inOrganization(call);
  const name = call.param("team");
  const named = call
    .table("teams")
    .find((team) => team.orgId === call.owner.id && team.name.toLowerCase() === name.toLowerCase());
  return found(named, `team does not exist [org_id ${call.owner.id}, team_id 0, name: ${name}]`);
}

function isAssigned(team: TeamRecord, repo: { readonly id: number; readonly ownerId: number }): boolean {
  return repo.ownerId === team.orgId && (team.includes_all_repositories || team.repos.includes(repo.id));
}

function assign({ site, repo }: Call<typeof ofRepo>, team: TeamRecord, to: "in" | "out") {
  site.table("teams").put({ ...team, repos: toggled(team.repos, repo.id, to) });
  return empty(204);
}

/** The teams visible to the caller. */
function visibleTeams({ site, org, currentUser }: Call<typeof ofOrg>): TeamRecord[] {
  const all = site.table("teams").filter(({ orgId }) => orgId === org.id);
  return currentUser.is_admin || ownsOrganization(site.store, org.id, currentUser.id)
    ? all
    : teamsOf(site.store, org.id, currentUser.id);
}

function findTeam({ site, currentUser, ...call }: Call<typeof signedIn>): TeamRecord {
  const team = found(site.table("teams").get(call.number("id")));
  const isKnown =
    currentUser.is_admin ||
    team.members.includes(currentUser.id) ||
    ownsOrganization(site.store, team.orgId, currentUser.id);
  return isKnown ? team : notFound();
}

function requireOwner({ site, currentUser }: Call<typeof signedIn>, team: TeamRecord): TeamRecord {
  if (currentUser.is_admin || ownsOrganization(site.store, team.orgId, currentUser.id)) return team;
  return refuse(403, "Must be a team owner");
}

function create(call: Call<typeof creation, CreateTeamOption>) {
  const { site, org, body } = call;
  const rights = rightsOf(body);
  if (
    site.table("teams").find((team) => team.orgId === org.id && team.name.toLowerCase() === body.name.toLowerCase())
  ) {
    refuse(422, `team already exists [org_id: ${org.id}, name: ${body.name}]`);
  }
  const team = newTeam(site.store, {
    orgId: org.id,
    name: body.name,
    description: body.description ?? "",
    includes_all_repositories: body.includes_all_repositories ?? false,
    can_create_org_repo: body.can_create_org_repo ?? false,
    visibility: body.visibility || "private",
    ...rights,
  });
  return json(201, teamJson(call, team, "alone"));
}

/**
 * The permissions of a team: `admin` for everything, else a level per unit, from `units_map` or from `units` with
 * `permission`.
 */
function rightsOf({ permission = "", units, units_map }: Sent<EditTeamOption>) {
  if (permission === "admin") return { permission: "admin" as const, units: {} };
  const isWord = (word: string): word is AccessLevel => ["none", "read", "write", "admin"].includes(word);
  const wanted = units_map ? Object.entries(units_map) : (units ?? []).map((unit) => [unit, permission] as const);
  if (wanted.length === 0) fail("units permission should not be empty");
  const known = wanted.filter(([unit]) => (unitNames as readonly string[]).includes(unit));
  const rights = known.map(([unit, word]) => {
    if (!isWord(word)) fail(`invalid permission ${word}`);
    return [unit, word] as const;
  });
  return { permission: "none" as const, units: Object.fromEntries(rights) };
}

function edit(call: Call<typeof signedIn>, team: TeamRecord, body: Sent<EditTeamOption>): TeamRecord {
  requireOwner(call, team);
  const isRights = body.permission || body.units || body.units_map;
  const isOwners = team.permission === "owner";
  const next: TeamRecord = {
    ...team,
    name: body.name || team.name,
    description: body.description ?? team.description,
    // Gitea ignores the field without a permission.
    ...(body.permission && !isOwners && body.includes_all_repositories !== undefined
      ? { includes_all_repositories: body.includes_all_repositories }
      : {}),
    can_create_org_repo: isOwners || (body.can_create_org_repo ?? team.can_create_org_repo),
    ...(isRights && !isOwners ? rightsOf(body) : {}),
  };
  return call.table("teams").put(next);
}

const toggled = (list: readonly number[], id: number, to: "in" | "out") => [
  ...list.filter((one) => one !== id),
  ...(to === "in" ? [id] : []),
];

function setMember(call: Call<typeof signedIn>, to: "in" | "out") {
  const team = requireOwner(call, findTeam(call));
  const user = found(userNamed(call.site.store, call.param("username")));
  if (to === "out") keepOwner(team, user.id);
  call.table("teams").put({ ...team, members: toggled(team.members, user.id, to) });
  return empty(204);
}

/** Throws 500, as Gitea does, if a user is the last owner. */
export function keepOwner(team: TeamRecord, userId: number): void {
  if (team.permission === "owner" && team.members.length === 1 && team.members.includes(userId)) {
    fail("");
  }
}

function setRepo(call: Call<typeof signedIn>, to: "in" | "out") {
  const team = requireOwner(call, findTeam(call));
  const repo = repoAt(call.site.store, call.param("org"), call.param("repo"));
  if (repo?.ownerId !== team.orgId) notFound();
  call.table("teams").put({ ...team, repos: toggled(team.repos, repo.id, to) });
  return empty(204);
}
