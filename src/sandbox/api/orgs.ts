import { allOrgList, userOrgCreate } from "../../forge/admin.ts";
import type { CreateOrgOption, EditOrgOption } from "../../forge/generated/operations.ts";
import {
  orgCreate,
  orgDelete,
  orgEdit,
  orgGet,
  orgList,
  orgRename,
  orgReposDelete,
  ownOrgList,
} from "../../forge/orgs.ts";
import { userOrgList } from "../../forge/users.ts";
import { maySee } from "../http/access.ts";
import { max, profileRules, type Sent } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, fail, json, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { orgJson } from "../serializers/accounts.ts";
import type { Site } from "../site.ts";
import { newTeam, newUser, renameUser, teamsOf } from "../state/accounts.ts";
import { byName } from "../state/order.ts";
import type { UserRecord, Visibility } from "../state/records/accounts.ts";
import { toggled } from "./members.ts";
import { deleteRepo } from "./repos.ts";
import { checkUserName } from "./users.ts";

const asOwner = { org: true, signedIn: true, orgOwner: true } as const;
const editing = { ...asOwner, body: profileRules } as const;

/** Organizations. */
export const orgs: Area = {
  routes: [
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
    route(orgGet, { org: true }, (call) => json(200, orgJson(call, call.org))),
    route(orgEdit, editing, edit),
    route(orgRename, { ...asOwner, body: { new_name: [max(40)] } }, ({ site, org, body }) => {
      if (body.new_name.toLowerCase() !== org.name.toLowerCase()) checkUserName(site, body.new_name);
      renameUser(site.store, org, body.new_name);
      return empty(204);
    }),
    route(orgDelete, asOwner, remove),
    route(orgReposDelete, asOwner, ({ site, org }) => {
      for (const repo of site.table("repos").filter(({ ownerId }) => ownerId === org.id)) deleteRepo({ site, repo });
      return empty(202);
    }),
  ],
};

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
function create(call: Call, owner: UserRecord, { username, visibility, ...rest }: Sent<CreateOrgOption>) {
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
  return json(201, orgJson(call, org));
}

function edit(call: Call<typeof editing, EditOrgOption>) {
  const next = { ...call.org, ...call.body, updated: call.site.now() } as UserRecord;
  return json(200, orgJson(call, call.table("users").put(next)));
}

function remove({ site, org }: Call<{ org: true }>) {
  if (site.table("repos").find((repo) => repo.ownerId === org.id)) {
    fail(`user still has ownership of repositories [uid: ${org.id}]`);
  }
  removeAccount(site, org);
  return empty(204);
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
