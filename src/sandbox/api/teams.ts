import { alphaDashDot, type BodyOf, boolean, form, map, max, required, string, strings } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json, notFound, Refusal, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, patch, post, put } from "../http/route.ts";
import { newTeam, ownsOrganization, teamsOf, userNamed } from "../state/accounts.ts";
import { type AccessLevel, type TeamRecord, unitNames } from "../state/records/accounts.ts";
import { repoAt } from "../state/repos.ts";
import { teamWire, userWire } from "../wire/accounts.ts";
import { repoWire } from "../wire/repos.ts";

const fields = {
  description: string("Description", max(255)),
  includes_all_repositories: boolean("IncludesAllRepositories"),
  permission: string("Permission"),
  units: strings("Units"),
  units_map: map("UnitsMap"),
  can_create_org_repo: boolean("CanCreateOrgRepo"),
  visibility: string("Visibility"),
};
const createOption = form("CreateTeamOption", { name: required(string("Name", alphaDashDot, max(255))), ...fields });
const editOption = form("EditTeamOption", { name: string("Name", alphaDashDot, max(255)), ...fields });
const creation = { org: true, signedIn: true, body: createOption } as const;
const editing = { signedIn: true, body: editOption } as const;
const signedIn = { signedIn: true } as const;
const ofOrg = { org: true, signedIn: true } as const;

/** Teams of organizations: permissions, members and repositories. */
export const teams: Area = {
  routes: [
    get("/orgs/{org}/teams", ofOrg, (call) => listReply(call, visibleTeams(call), (team) => teamWire(call, team))),
    get("/orgs/{org}/teams/search", ofOrg, (call) => {
      const q = (call.query.get("q") ?? "").toLowerCase();
      const data = visibleTeams(call).filter(({ name }) => name.toLowerCase().includes(q));
      return json(200, { ok: true, data: data.map((team) => teamWire(call, team)) });
    }),
    post("/orgs/{org}/teams", creation, create),
    get("/teams/{id}", signedIn, (call) => json(200, teamWire(call, findTeam(call), "alone"))),
    patch("/teams/{id}", editing, edit),
    del("/teams/{id}", signedIn, (call) => {
      call.site.store.table("teams").delete(findOwnedTeam(call).id);
      return empty(204);
    }),
    get("/teams/{id}/members", signedIn, (call) => {
      const { members } = findTeam(call);
      const people = call.site.store.table("users").filter(({ id }) => members.includes(id));
      return listReply(call, people, (user) => userWire(call, user), "total");
    }),
    put("/teams/{id}/members/{member}", signedIn, (call) => setMember(call, "in")),
    del("/teams/{id}/members/{member}", signedIn, (call) => setMember(call, "out")),
    get("/teams/{id}/repos", signedIn, (call) => {
      const team = findTeam(call);
      const isIn = (id: number, ownerId: number) =>
        ownerId === team.orgId && (team.includes_all_repositories || team.repos.includes(id));
      const repos = call.site.store.table("repos").filter((repo) => isIn(repo.id, repo.ownerId));
      return listReply(call, repos, (repo) => repoWire(call, repo), "total");
    }),
    put("/teams/{id}/repos/{owner}/{repo}", signedIn, (call) => setRepo(call, "in")),
    del("/teams/{id}/repos/{owner}/{repo}", signedIn, (call) => setRepo(call, "out")),
    get("/repos/{owner}/{repo}/teams", { repo: "any", signedIn: true }, (call) => {
      const all = call.site.store.table("teams").filter(({ orgId }) => orgId === call.owner.id);
      const fitting = all.filter((team) => team.includes_all_repositories || team.repos.includes(call.repo.id));
      return json(
        200,
        fitting.map((team) => teamWire(call, team)),
      );
    }),
  ],
};

/** The teams visible to the caller. */
function visibleTeams({ site, org, currentUser }: Call<typeof ofOrg>): TeamRecord[] {
  if (!currentUser.is_admin && teamsOf(site.store, org.id, currentUser.id).length === 0)
    refuse(403, "Must be an organization member");
  const all = site.store.table("teams").filter(({ orgId }) => orgId === org.id);
  return currentUser.is_admin || ownsOrganization(site.store, org.id, currentUser.id)
    ? all
    : teamsOf(site.store, org.id, currentUser.id);
}

function findTeam({ site, currentUser, ...call }: Call<typeof signedIn>): TeamRecord {
  const team = found(site.store.table("teams").get(call.number("id")));
  const isKnown =
    currentUser.is_admin ||
    team.members.includes(currentUser.id) ||
    ownsOrganization(site.store, team.orgId, currentUser.id);
  return isKnown ? team : notFound();
}

function findOwnedTeam(call: Call<typeof signedIn>): TeamRecord {
  const team = findTeam(call);
  if (call.currentUser.is_admin || ownsOrganization(call.site.store, team.orgId, call.currentUser.id)) return team;
  return refuse(403, "Must be a team owner");
}

function create(call: Call<typeof creation>) {
  const { site, org, currentUser, body } = call;
  if (!currentUser.is_admin && teamsOf(site.store, org.id, currentUser.id).length === 0)
    refuse(403, "Must be an organization member");
  if (!currentUser.is_admin && !ownsOrganization(site.store, org.id, currentUser.id))
    refuse(403, "Must be an organization owner");
  const rights = rightsOf(body);
  if (
    site.store
      .table("teams")
      .find((team) => team.orgId === org.id && team.name.toLowerCase() === body.name.toLowerCase())
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
  return json(201, teamWire(call, team, "alone"));
}

/**
 * The permissions of a team: `admin` for everything, else a level per unit, from `units_map` or from `units` with
 * `permission`.
 */
function rightsOf({ permission = "", units, units_map }: BodyOf<typeof createOption> | BodyOf<typeof editOption>) {
  if (permission === "admin") return { permission: "admin" as const, units: {} };
  const isWord = (word: string): word is AccessLevel => ["none", "read", "write", "admin"].includes(word);
  const wanted = units_map ? Object.entries(units_map) : (units ?? []).map((unit) => [unit, permission] as const);
  if (wanted.length === 0) throw new Refusal(500, "units permission should not be empty");
  const known = wanted.filter(([unit]) => (unitNames as readonly string[]).includes(unit));
  const rights = known.map(([unit, word]) => {
    if (!isWord(word)) throw new Refusal(500, `invalid permission ${word}`);
    return [unit, word] as const;
  });
  return { permission: "none" as const, units: Object.fromEntries(rights) };
}

function edit(call: Call<typeof editing>) {
  const { body } = call;
  const team = findOwnedTeam(call);
  const isRights = body.permission || body.units || body.units_map;
  const next: TeamRecord = {
    ...team,
    name: body.name || team.name,
    description: body.description ?? team.description,
    includes_all_repositories: body.includes_all_repositories ?? team.includes_all_repositories,
    can_create_org_repo: body.can_create_org_repo ?? team.can_create_org_repo,
    ...(isRights && team.permission !== "owner" ? rightsOf(body) : {}),
  };
  return json(200, teamWire(call, call.site.store.table("teams").put(team.id, next)));
}

const toggled = (list: readonly number[], id: number, to: "in" | "out") => [
  ...list.filter((one) => one !== id),
  ...(to === "in" ? [id] : []),
];

function setMember(call: Call<typeof signedIn>, to: "in" | "out") {
  const team = findOwnedTeam(call);
  const user = found(userNamed(call.site.store, call.param("member")));
  call.site.store.table("teams").put(team.id, { ...team, members: toggled(team.members, user.id, to) });
  return empty(204);
}

function setRepo(call: Call<typeof signedIn>, to: "in" | "out") {
  const team = findOwnedTeam(call);
  const repo = repoAt(call.site.store, call.param("owner"), call.param("repo"));
  if (repo?.ownerId !== team.orgId) notFound();
  call.site.store.table("teams").put(team.id, { ...team, repos: toggled(team.repos, repo.id, to) });
  return empty(204);
}
