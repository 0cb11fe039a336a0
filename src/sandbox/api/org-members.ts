import {
  orgMemberCheck,
  orgMemberConceal,
  orgMemberList,
  orgMemberPublish,
  orgMemberRemove,
  orgPermissionGet,
  orgPublicMemberCheck,
  orgPublicMemberList,
} from "../../forge/orgs.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json, notFound, refuse, text } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { userJson } from "../serializers/accounts.ts";
import { ownsOrganization, teamsOf, userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import { keepOwner } from "./teams.ts";

const ofOrg = { org: true, signedIn: true } as const;

/** Members of organizations: those of its teams. */
export const orgMembers: Area = {
  routes: [
    route(orgMemberList, ofOrg, (call) => {
      const all = isInside(call) ? membersOf(call) : publicMembers(call);
      return listReply(call, all, userJson, "total");
    }),
    route(orgMemberCheck, ofOrg, (call) => {
      const user = findMember(call);
      if (!isInside(call)) {
        const location = `/api/v1${orgPublicMemberCheck.path.replace("{org}", call.org.name).replace("{username}", user.name)}`;
        const page = `<a href="${location}">See Other</a>.\n\n`;
        return text(303, page, "text/html; charset=utf-8", { Location: location });
      }
      return isMember(call, user) ? empty(204) : notFound();
    }),
    route(orgMemberRemove, { ...ofOrg, orgOwner: true }, (call) => {
      const user = findMember(call);
      const { store } = call.site;
      const teams = teamsOf(store, call.org.id, user.id);
      for (const team of teams) keepOwner(team, user.id);
      for (const team of teams) {
        store.table("teams").put({ ...team, members: team.members.filter((id) => id !== user.id) });
      }
      return empty(204);
    }),
    route(orgPublicMemberList, { org: true }, (call) => listReply(call, publicMembers(call), userJson, "total")),
    route(orgPublicMemberCheck, { org: true }, (call) => {
      const user = findMember(call);
      return publicMembers(call).some(({ id }) => id === user.id) ? empty(204) : notFound();
    }),
    route(orgMemberPublish, ofOrg, (call) => setPublic(call, true)),
    route(orgMemberConceal, ofOrg, (call) => setPublic(call, false)),
    route(orgPermissionGet, { user: true, org: true, signedIn: true }, (call) => {
      const { site, org, subject } = call;
      const teams = teamsOf(site.store, org.id, subject.id);
      const owns = ownsOrganization(site.store, org.id, subject.id);
      const isAdmin = owns || teams.some(({ permission }) => permission === "admin");
      const levels = teams.flatMap(({ units }) => Object.values(units));
      return json(200, {
        is_owner: owns,
        is_admin: isAdmin,
        can_write: isAdmin || levels.includes("write"),
        can_read: teams.length > 0,
        can_create_repository: owns || teams.some((team) => team.can_create_org_repo),
      });
    }),
  ],
};

type OrgCall = Call<{ org: true }>;

function findMember(call: OrgCall): UserRecord {
  const name = call.param("username");
  return found(userNamed(call.site.store, name), `user redirect does not exist [name: ${name}]`);
}

function isMember({ site, org }: OrgCall, user: UserRecord): boolean {
  return teamsOf(site.store, org.id, user.id).length > 0;
}

/** Whether the caller sees all members. */
function isInside(call: Call<typeof ofOrg>): boolean {
  return call.currentUser.is_admin || isMember(call, call.currentUser);
}

function membersOf(call: OrgCall): UserRecord[] {
  return call
    .table("users")
    .filter((user) => user.kind === "person" && isMember(call, user))
    .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));
}

function publicMembers(call: OrgCall): UserRecord[] {
  return membersOf(call).filter(({ id }) => call.org.public_members?.includes(id));
}

/** Owners may do this for others, too. */
function setPublic(call: Call<typeof ofOrg>, isPublic: boolean) {
  const { site, org, currentUser } = call;
  const user = findMember(call);
  const may =
    user.id === currentUser.id || currentUser.is_admin || ownsOrganization(site.store, org.id, currentUser.id);
  if (!may) refuse(403, "Cannot publicize another member");
  if (!isMember(call, user)) refuse(403, "Must be an organization member");
  const others = (org.public_members ?? []).filter((id) => id !== user.id);
  site.table("users").put({ ...org, public_members: isPublic ? [...others, user.id] : others });
  return empty(204);
}
