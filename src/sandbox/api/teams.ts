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
  teamUnits,
} from "../../forge/teams.ts";
import { collection } from "../http/collection.ts";
import { alphaDashDot, max } from "../http/form.ts";
import { listReply, searchReply } from "../http/paging.ts";
import { fail, found, listed, notFound, refuse } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, route } from "../http/route.ts";
import { teamJson, userJson } from "../serializers/accounts.ts";
import { repoJson } from "../serializers/repos.ts";
import { hasRepo, newTeam, ownsOrganization, teamsOf } from "../state/accounts.ts";
import type { AccessLevel, TeamRecord, Visibility } from "../state/records/accounts.ts";
import { repoAt } from "../state/repos.ts";
import { membership, namedUser, toggled } from "./members.ts";

const body = { name: [alphaDashDot, max(255)], description: [max(255)] };
const creation = { org: true, signedIn: true, orgMember: true, orgOwner: true, body } as const;
const signedIn = { signedIn: true } as const;
const ofRepo = { repo: "any", signedIn: true } as const;
const ofOrg = { org: true, signedIn: true, orgMember: true } as const;

/** Teams of organizations: permissions, members and repositories. */
export const teams: Area = [
  route(teamList, ofOrg, (call) => listReply(call, visibleTeams(call), teamJson)),
  route(teamSearch, ofOrg, (call) => {
    const data = visibleTeams(call).filter(({ name }) => call.matches(name));
    return searchReply(call, data, teamJson, "total");
  }),
  route(teamCreate, creation, create),
  collection({
    table: "teams",
    needs: { read: signedIn, write: { ...signedIn, body } },
    get: teamGet,
    find: findTeam,
    edit: [teamEdit, edit],
    remove: [teamDelete, requireOwner],
    // The response to an edit does not have the organization.
    serialize: (call, team) => teamJson(call, team, call.method === "PATCH" ? "listed" : "alone"),
  }),
  route(ownTeamList, signedIn, (call) => {
    const mine = call.table("teams").filter(({ members }) => members.includes(call.currentUser.id));
    return listReply(call, mine, (_call, team) => teamJson(call, team, "alone"));
  }),
  route(teamMemberList, signedIn, (call) => {
    const { members } = findTeam(call);
    const people = call.table("users").filter(({ id }) => members.includes(id));
    return listReply(call, people, userJson, "total");
  }),
  membership(
    signedIn,
    signedIn,
    (call) => {
      const [team, { id }] = [findTeam(call), namedUser(call, "username")];
      const set = (isIn: boolean) => {
        requireOwner(call, team);
        if (!isIn) keepOwner(team, id);
        call.table("teams").put({ ...team, members: toggled(team.members, id, isIn) });
      };
      return { has: team.members.includes(id), set };
    },
    { check: teamMemberCheck, add: teamMemberAdd, remove: teamMemberRemove },
    (call) => userJson(call, namedUser(call, "username")),
  ),
  route(teamRepoList, signedIn, (call) => {
    const team = findTeam(call);
    const repos = call.table("repos").filter((repo) => hasRepo(team, repo));
    return listReply(call, repos, repoJson, "total");
  }),
  membership(
    signedIn,
    signedIn,
    (call) => {
      const [team, repo] = [findTeam(call), repoOf(call)];
      const set = (isIn: boolean) => {
        requireOwner(call, team);
        if (repo.ownerId !== team.orgId) notFound();
        call.table("teams").put({ ...team, repos: toggled(team.repos, repo.id, isIn) });
      };
      return { has: hasRepo(team, repo), set };
    },
    { check: teamRepoCheck, add: teamRepoAdd, remove: teamRepoRemove },
    (call) => repoJson(call, repoOf(call)),
  ),
  route(repoTeamList, ofRepo, (call) => {
    inOrganization(call);
    const all = call.table("teams").filter((team) => hasRepo(team, call.repo));
    return listed(call, all, teamJson);
  }),
  membership(
    ofRepo,
    { ...ofRepo, right: "admin" },
    (call) => {
      const [team, { table, repo }] = [teamOfOwner(call), call];
      const has = hasRepo(team, repo);
      const set = (isIn: boolean) => {
        if (has === isIn) refuse(422, `team '${team.name}' ${isIn ? "is already" : "was not"} added to repo`);
        table("teams").put({ ...team, repos: toggled(team.repos, repo.id, isIn) });
      };
      return { has, set };
    },
    { check: repoTeamCheck, add: repoTeamAdd, remove: repoTeamRemove },
    (call) => teamJson(call, teamOfOwner(call)),
  ),
];

function inOrganization({ owner }: Call<typeof ofRepo>): void {
  if (owner.kind !== "organization") refuse(405, "repo is not owned by an organization");
}

function teamOfOwner(call: Call<typeof ofRepo>): TeamRecord {
  inOrganization(call);
  const [name, orgId] = [call.param("team"), call.owner.id];
  return found(teamNamed(call, orgId, name), `team does not exist [org_id ${orgId}, team_id 0, name: ${name}]`);
}

const teamNamed = ({ table }: Call, orgId: number, name: string) =>
  table("teams").find((team) => team.orgId === orgId && team.name.toLowerCase() === name.toLowerCase());

const repoOf = ({ site, param }: Call) => found(repoAt(site.store, param("org"), param("repo")));

/** The teams visible to the caller. */
function visibleTeams({ site, org, currentUser }: Call<typeof ofOrg>): TeamRecord[] {
  const all = site.table("teams").filter(({ orgId }) => orgId === org.id);
  return isOwner({ site, currentUser }, { orgId: org.id }) ? all : teamsOf(site.store, org.id, currentUser.id);
}

const isOwner = (
  { site, currentUser }: Pick<Call<typeof signedIn>, "site" | "currentUser">,
  { orgId }: Pick<TeamRecord, "orgId">,
) => currentUser.is_admin || ownsOrganization(site.store, orgId, currentUser.id);

function findTeam(call: Call<typeof signedIn>): TeamRecord {
  const team = found(call.table("teams").get(call.number("id")));
  return isOwner(call, team) || team.members.includes(call.currentUser.id) ? team : notFound();
}

function requireOwner(call: Call<typeof signedIn>, team: TeamRecord): void {
  if (!isOwner(call, team)) refuse(403, "Must be a team owner");
}

function create(call: Call<typeof creation, typeof teamCreate>) {
  const { site, org, body } = call;
  const rights = rightsOf(body);
  const { units: _units, units_map: _map, ...rest } = body;
  if (teamNamed(call, org.id, rest.name)) refuse(422, `team already exists [org_id: ${org.id}, name: ${rest.name}]`);
  const visibility = (body.visibility as Visibility) || "private";
  const team = newTeam(site.store, { orgId: org.id, ...rest, visibility, ...rights });
  return teamJson(call, team, "alone");
}

/**
 * The permissions of a team: `admin` for everything, else a level per unit, from `units_map` or from `units` with
 * `permission`.
 */
function rightsOf({ permission = "", units, units_map }: BodyOf<typeof teamEdit>) {
  if (permission === "admin") return { permission: "admin" as const, units: {} };
  const wanted = units_map ? Object.entries(units_map) : (units ?? []).map((unit) => [unit, permission] as const);
  if (wanted.length === 0) fail("units permission should not be empty");
  const known = wanted.filter(([unit]) => teamUnits.includes(unit));
  const unknown = known.find(([, word]) => !["none", "read", "write", "admin"].includes(word));
  if (unknown !== undefined) fail(`invalid permission ${unknown[1]}`);
  return { permission: "none" as const, units: Object.fromEntries(known) as Record<string, AccessLevel> };
}

function edit(call: Call<typeof signedIn>, team: TeamRecord, body: BodyOf<typeof teamEdit>): TeamRecord {
  requireOwner(call, team);
  const isOwners = team.permission === "owner";
  const { includes_all_repositories = team.includes_all_repositories } = body;
  const { can_create_org_repo = team.can_create_org_repo, description = team.description } = body;
  const isRights = body.permission || body.units || body.units_map;
  return call.table("teams").put({
    ...team,
    name: body.name || team.name,
    description,
    // Gitea ignores the field without a permission.
    ...(body.permission && !isOwners ? { includes_all_repositories } : {}),
    can_create_org_repo: isOwners || can_create_org_repo,
    ...(isRights && !isOwners ? rightsOf(body) : {}),
  });
}

/** Throws 500, as Gitea does, if a user is the last owner. */
export function keepOwner(team: TeamRecord, userId: number): void {
  if (team.permission === "owner" && team.members.length === 1 && team.members.includes(userId)) fail("");
}
