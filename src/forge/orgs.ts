import { createHash } from "node:crypto";
import { status, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { ifVisible } from "../http/errors.ts";
import { boolean, serverRecord } from "../shape/shape.ts";
import { asName } from "./applied.ts";
import type { EditOrgOption } from "./generated/operations.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { cannot, isThere, notUndone, recordHas, undoRename, undoToggle } from "./undo.ts";
import { currentUserGet, type Organization, organization, orgName, user } from "./users.ts";

/** What a user may do in an organization. */
export const orgPermissions = serverRecord("permissions in an organization", {
  is_owner: boolean,
  is_admin: boolean,
  can_write: boolean,
  can_read: boolean,
  can_create_repository: boolean,
});

/** All organizations that the caller can see. */
export const orgList = operation("GET", "/orgs", { answers: pagesOf(organization) });

export const ownOrgList = operation("GET", "/user/orgs", { answers: pagesOf(organization) });

export const orgGet = operation("GET", "/orgs/{org}", { answers: organization });

/** The present name of an organization: servers redirect from old ones. */
export async function presentOrgName(http: Http, org: string): Promise<string> {
  return orgName(await call(http, orgGet, { org }));
}

export const orgCreate = operation("POST", "/orgs", {
  answers: organization,
  applied: {
    reads: { username: asName(({ username, name }) => username ?? name), email: asName(({ email }) => email) },
  },
});

export const orgEdit = operation("PATCH", "/orgs/{org}", {
  answers: organization,
  applied: { reads: { email: asName(({ email }) => email) } },
});

/** 500 while it owns repositories. */
export const orgDelete = operation("DELETE", "/orgs/{org}");

export const orgRename = operation("POST", "/orgs/{org}/rename", {
  effect: "destroy",
  undo: undoRename("new_name", "name", "/orgs/{org}"),
});

/** `image` is base64. The server answers 500 if it is not an image. */
export const orgAvatarSet = operation("POST", "/orgs/{org}/avatar", { undo: cannot.picture });

export const orgAvatarDelete = operation("DELETE", "/orgs/{org}/avatar", {
  undo: notUndone(cannot.picture, { state: recordHas("/orgs/{org}", (org) => !hasMadeAvatar(org)) }),
});

/** Whether a server made the avatar of an organization: of its address, or else its name (docs/server-differences.md, "Organizations and teams"). */
function hasMadeAvatar({ avatar_url: url, email, name }: Readonly<Record<string, unknown>>): boolean {
  const hash = (text: unknown) => createHash("md5").update(String(text).trim().toLowerCase()).digest("hex");
  return [email, name].some((text) => String(url).endsWith(`/avatars/${hash(text)}`));
}

export const orgRepoList = operation("GET", "/orgs/{org}/repos", {
  belongsTo: orgGet,
  answers: pagesOf(repository),
});

/** Deletes all repositories: 202 if that goes on in the background, 204 if there were none. */
export const orgReposDelete = operation("DELETE", "/orgs/{org}/repos", { answers: status });

/** Public members only, if the caller is not a member. Members are those of the teams. */
export const orgMemberList = operation("GET", "/orgs/{org}/members", {
  belongsTo: orgGet,
  answers: pagesOf(user),
});

export const orgPublicMemberList = operation("GET", "/orgs/{org}/public_members", {
  belongsTo: orgGet,
  answers: pagesOf(user),
});

/** Redirects to the check of public members, if the caller is not a member. */
export const orgMemberCheck = operation("GET", "/orgs/{org}/members/{username}", { answers: yesNo });

export const orgPublicMemberCheck = operation("GET", "/orgs/{org}/public_members/{username}", { answers: yesNo });

export const orgPermissionGet = operation("GET", "/users/{username}/orgs/{org}/permissions", {
  answers: orgPermissions,
});

/**
 * Whether the caller sees all repositories of a user or an organization, also private ones: an administrator, the user, and
 * the owners of the organization do.
 */
export async function seesAllRepos(http: Http, owner: string): Promise<boolean> {
  const { login, is_admin } = await call(http, currentUserGet, {});
  if (is_admin === true || login.toLowerCase() === owner.toLowerCase()) return true;
  return (await ifVisible(call(http, orgPermissionGet, { username: login, org: owner })))?.is_owner === true;
}

/** Removes a user from all teams. 500 for the last owner. */
export const orgMemberRemove = operation("DELETE", "/orgs/{org}/members/{username}", {
  undo: notUndone("the teams that they were in are not recorded", { state: isThere() }),
});

/** Forgejo allows this for oneself only. */
export const orgMemberPublish = operation("PUT", "/orgs/{org}/public_members/{username}");

export const orgMemberConceal = operation("DELETE", "/orgs/{org}/public_members/{username}", { undo: undoToggle() });

/** Sends all texts of the organization: Forgejo empties those that are absent. */
export async function editOrg(http: Http, before: Organization, body: EditOrgOption) {
  const { full_name, email, description, website, location } = before;
  const texts = { full_name, email, description, website, location };
  return call(http, orgEdit, { org: orgName(before) }, { ...texts, ...body });
}
