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
import { empty, json, notFound, refuse, text } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { userJson } from "../serializers/accounts.ts";
import { ownsOrganization, teamsOf } from "../state/accounts.ts";
import { byName } from "../state/order.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import { membership, namedUser, toggled } from "./members.ts";
import { keepOwner } from "./teams.ts";

const anyone = { org: true } as const;
const ofOrg = { org: true, signedIn: true } as const;

/** Members of organizations: those of its teams. */
export const orgMembers: Area = {
  routes: [
    route(orgMemberList, ofOrg, (call) =>
      listReply(call, isInside(call) ? membersOf(call) : publicMembers(call), userJson, "total"),
    ),
    route(orgMemberCheck, ofOrg, (call) => {
      const user = namedUser(call, "username", "redirect");
      if (isInside(call)) return isMember(call, user) ? empty(204) : notFound();
      const path = orgPublicMemberCheck.path.replace("{org}", call.org.name).replace("{username}", user.name);
      const page = `<a href="/api/v1${path}">See Other</a>.\n\n`;
      return text(303, page, "text/html; charset=utf-8", { Location: `/api/v1${path}` });
    }),
    route(orgMemberRemove, { ...ofOrg, orgOwner: true }, (call) => {
      const { id } = namedUser(call, "username", "redirect");
      const teams = teamsOf(call.site.store, call.org.id, id);
      for (const team of teams) keepOwner(team, id);
      for (const team of teams) call.table("teams").put({ ...team, members: toggled(team.members, id, false) });
      return empty(204);
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
      return json(200, {
        is_owner,
        is_admin,
        can_write: is_admin || levels.includes("write"),
        can_read: teams.length > 0,
        can_create_repository: is_owner || teams.some((team) => team.can_create_org_repo),
      });
    }),
  ],
};

type OrgCall = Call<typeof anyone>;

const isMember = ({ site, org }: OrgCall, user: UserRecord) => teamsOf(site.store, org.id, user.id).length > 0;

/** Whether the caller sees all members. */
const isInside = (call: Call<typeof ofOrg>) => call.currentUser.is_admin || isMember(call, call.currentUser);

const membersOf = (call: OrgCall): UserRecord[] =>
  call
    .table("users")
    .filter((user) => user.kind === "person" && isMember(call, user))
    .sort(byName);

const publicMembers = (call: OrgCall): UserRecord[] =>
  membersOf(call).filter(({ id }) => call.org.public_members?.includes(id));

/** Owners can do this for other members. */
function setPublic(call: OrgCall, user: UserRecord, isPublic: boolean): void {
  const { site, org, currentUser } = call;
  const isOwn = user.id === currentUser?.id || currentUser?.is_admin;
  if (!isOwn && !ownsOrganization(site.store, org.id, currentUser?.id ?? 0))
    refuse(403, "Cannot publicize another member");
  if (!isMember(call, user)) refuse(403, "Must be an organization member");
  site.table("users").put({ ...org, public_members: toggled(org.public_members ?? [], user.id, isPublic) });
}
