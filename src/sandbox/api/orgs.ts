import { allOrgList, userOrgCreate } from "../../forge/admin.ts";
import {
  orgCreate,
  orgDelete,
  orgEdit,
  orgGet,
  orgList,
  orgMemberCheck,
  orgMemberConceal,
  orgMemberList,
  orgMemberPublish,
  orgMemberRemove,
  orgPermissionGet,
  orgPublicMemberCheck,
  orgPublicMemberList,
  orgRename,
  orgReposDelete,
  ownOrgList,
} from "../../forge/orgs.ts";
import { userOrgList } from "../../forge/users.ts";
import { maySee } from "../http/access.ts";
import { max, profileRules } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, fail, notFound, refuse, text } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, route } from "../http/route.ts";
import { orgJson, userJson } from "../serializers/accounts.ts";
import type { Site } from "../site.ts";
import { newTeam, newUser, ownsOrganization, renameUser, teamsOf } from "../state/accounts.ts";
import { byName } from "../state/order.ts";
import type { UserRecord, Visibility } from "../state/records/accounts.ts";
import { membership, namedUser, toggled } from "./members.ts";
import { deleteRepo } from "./repos.ts";
import { keepOwner } from "./teams.ts";
import { checkUserName } from "./users.ts";

const asOwner = { org: true, signedIn: true, orgOwner: true } as const;
const editing = { ...asOwner, body: profileRules } as const;

/** Organizations. */
export const orgs: Area = [
  route(orgList, {}, (call) => list(call, () => true)),
  route(ownOrgList, { signedIn: true }, (call) => list(call, (org) => isMember(call, org, call.currentUser))),
  route(userOrgList, { user: true, signedIn: true }, (call) => {
    const mayAsk = call.currentUser.id === call.subject.id || call.currentUser.is_admin;
    return list(call, (org) => mayAsk && isMember(call, org, call.subject));
  }),
  route(allOrgList, { siteAdmin: true }, (call) => list(call, () => true)),
  route(orgCreate, { signedIn: true, body: profileRules }, (call) => {
    if (!call.currentUser.allow_create_organization && !call.currentUser.is_admin)
      refuse(403, "not allowed to create org");
    return create(call, call.currentUser, call.body);
  }),
  // This operation ignores two of the fields.
  route(userOrgCreate, { siteAdmin: true, user: true, body: profileRules }, (call) =>
    create(call, call.subject, { ...call.body, email: "", repo_admin_change_team_access: false }),
  ),
  route(orgGet, { org: true }, (call) => orgJson(call, call.org)),
  route(orgEdit, editing, edit),
  route(orgRename, { ...asOwner, body: { new_name: [max(40)] } }, ({ site, org, body }) => {
    if (body.new_name.toLowerCase() !== org.name.toLowerCase()) checkUserName(site, body.new_name);
    renameUser(site.store, org, body.new_name);
  }),
  route(orgDelete, asOwner, remove),
  route(orgReposDelete, asOwner, ({ site, org }) => {
    for (const repo of site.table("repos").filter(({ ownerId }) => ownerId === org.id)) deleteRepo({ site, repo });
    return empty(202);
  }),
];

function isMember({ site }: Call, org: UserRecord, user: UserRecord): boolean {
  return teamsOf(site.store, org.id, user.id).length > 0;
}

/** Lists visible organizations, sorted by name. */
function list(call: Call, fits: (org: UserRecord) => boolean) {
  const { site, currentUser } = call;
  const found = site
    .table("users")
    .filter((user) => user.kind === "organization" && maySee(site, currentUser, user) && fits(user))
    .sort(byName);
  return listReply(call, found, orgJson);
}

/** Creates an organization with the team Owners. */
function create(call: Call, owner: UserRecord, { username, visibility, ...rest }: BodyOf<typeof orgCreate>) {
  checkUserName(call.site, username);
  const org = newUser(call.site, {
    ...rest,
    kind: "organization",
    name: username,
    visibility: (visibility as Visibility) || "public",
  });
  newTeam(call.site.store, {
    orgId: org.id,
    name: "Owners",
    permission: "owner",
    includes_all_repositories: true,
    can_create_org_repo: true,
    members: [owner.id],
  });
  return orgJson(call, org);
}

function edit(call: Call<typeof editing, typeof orgEdit>) {
  const next = { ...call.org, ...call.body, updated: call.site.now() } as UserRecord;
  return orgJson(call, call.table("users").put(next));
}

function remove({ site, org }: Call<{ org: true }>) {
  if (site.table("repos").find((repo) => repo.ownerId === org.id)) {
    fail(`user still has ownership of repositories [uid: ${org.id}]`);
  }
  removeAccount(site, org);
}

/** Deletes an account, which has no repositories, with what belongs to it. Its reviews remain. */
export function removeAccount({ store }: Site, { id }: UserRecord): void {
  store.removeAll(
    ({ userId, targetId, orgId, level, of }, table) =>
      table !== "reviews" && ([userId, targetId, orgId].includes(id) || (level === "owner" && of === id)),
  );
  for (const repo of store.table("repos").filter(({ watchers }) => watchers.includes(id))) {
    store.table("repos").put({ ...repo, watchers: toggled(repo.watchers, id, false) });
  }
  store.table("users").delete(id);
}

const anyone = { org: true } as const;
const ofOrg = { org: true, signedIn: true } as const;

/** Members of organizations: those of its teams. */
export const orgMembers: Area = [
  route(orgMemberList, ofOrg, (call) =>
    listReply(call, isInside(call) ? membersOf(call) : publicMembers(call), userJson, "total"),
  ),
  route(orgMemberCheck, ofOrg, (call) => {
    const user = namedUser(call, "username", "redirect");
    if (isInside(call)) return isMember(call, call.org, user) ? undefined : notFound();
    const path = orgPublicMemberCheck.path.replace("{org}", call.org.name).replace("{username}", user.name);
    const page = `<a href="/api/v1${path}">See Other</a>.\n\n`;
    return text(303, page, "text/html; charset=utf-8", { Location: `/api/v1${path}` });
  }),
  route(orgMemberRemove, { ...ofOrg, orgOwner: true }, (call) => {
    const { id } = namedUser(call, "username", "redirect");
    const teams = teamsOf(call.site.store, call.org.id, id);
    for (const team of teams) keepOwner(team, id);
    for (const team of teams) call.table("teams").put({ ...team, members: toggled(team.members, id, false) });
  }),
  route(orgPublicMemberList, anyone, (call) => listReply(call, publicMembers(call), userJson, "total")),
  membership(
    anyone,
    ofOrg,
    (call) => {
      const user = namedUser(call, "username", "redirect");
      return {
        has: publicMembers(call).some(({ id }) => id === user.id),
        set: (isPublic) => setPublic(call, user, isPublic),
      };
    },
    { check: orgPublicMemberCheck, add: orgMemberPublish, remove: orgMemberConceal },
  ),
  route(orgPermissionGet, { user: true, org: true, signedIn: true }, ({ site, org, subject }) => {
    const teams = teamsOf(site.store, org.id, subject.id);
    const is_owner = ownsOrganization(site.store, org.id, subject.id);
    const is_admin = is_owner || teams.some(({ permission }) => permission === "admin");
    const levels = teams.flatMap(({ units }) => Object.values(units));
    return {
      is_owner,
      is_admin,
      can_write: is_admin || levels.includes("write"),
      can_read: teams.length > 0,
      can_create_repository: is_owner || teams.some((team) => team.can_create_org_repo),
    };
  }),
];

type OrgCall = Call<typeof anyone>;

/** Whether the caller sees all members. */
const isInside = (call: Call<typeof ofOrg>) => call.currentUser.is_admin || isMember(call, call.org, call.currentUser);

const membersOf = (call: OrgCall): UserRecord[] =>
  call
    .table("users")
    .filter((user) => user.kind === "person" && isMember(call, call.org, user))
    .sort(byName);

const publicMembers = (call: OrgCall): UserRecord[] =>
  membersOf(call).filter(({ id }) => call.org.public_members?.includes(id));

/** Owners can do this for other members. */
function setPublic(call: OrgCall, user: UserRecord, isPublic: boolean): void {
  const { site, org, currentUser } = call;
  const isOwn = user.id === currentUser?.id || currentUser?.is_admin;
  if (!isOwn && !ownsOrganization(site.store, org.id, currentUser?.id ?? 0))
    refuse(403, "Cannot publicize another member");
  if (!isMember(call, call.org, user)) refuse(403, "Must be an organization member");
  site.table("users").put({ ...org, public_members: toggled(org.public_members ?? [], user.id, isPublic) });
}
