import type { BaseContext, ServerContext } from "../../../app/context.ts";
import { Failure } from "../../../failure/failure.ts";
import { collect } from "../../../forge/listings.ts";
import { call, find } from "../../../forge/operation.ts";
import { orgPermissionGet } from "../../../forge/orgs.ts";
import { userRepoList } from "../../../forge/repos.ts";
import { repositorySettingsGet } from "../../../forge/server.ts";
import { currentUserGet, isOrganization } from "../../../forge/users.ts";
import { ifFound } from "../../../http/errors.ts";
import { addressText, commandOn } from "../../../profiles/server.ts";
import { quoted } from "../../../text/words.ts";

/** Throws if the caller cannot create repositories of an owner: that of an organization needs the right, others an administrator. */
export async function requireOwnerRights(owner: string, context: BaseContext & ServerContext): Promise<void> {
  const { http, server } = context;
  if (owner.toLowerCase() === (server.user ?? "").toLowerCase()) return;
  const { login, is_admin } = await call(http, currentUserGet, {});
  if (is_admin === true || owner.toLowerCase() === login.toLowerCase()) return;
  const rights = await find(http, orgPermissionGet, { username: login, org: owner });
  if (rights?.can_create_repository === true) return;
  // Gitea tells the permissions of a user "in another user", too.
  const isOrg = rights !== undefined && (await isOrganization(http, owner));
  const why = isOrg ? `in the organization ${owner}` : `for another user, ${owner}`;
  throw new Failure("forbidden", `${login} cannot create repositories ${why}`, {
    hint: isOrg ? "An owner can allow that in one of its teams." : "Only administrators can.",
  });
}

/** What the owner has on the server. Throws if there is no such owner, or the server migrates nothing. */
export async function reposHere(owner: string, { http, server }: ServerContext) {
  const [settings, found] = await Promise.all([
    call(http, repositorySettingsGet, {}),
    ifFound(collect(call(http, userRepoList, { username: owner }))),
  ]);
  if (settings.migrations_disabled === true)
    throw new Failure("refused", `Migrations are turned off on ${addressText(server.base)}`, {
      hint: "Its administrator can set DISABLE_MIGRATIONS = false under [repository] in its app.ini.",
    });
  if (found !== undefined) return found;
  throw new Failure("not_found", `${addressText(server.base)} has no user or organization '${owner}'`, {
    hint: `To create an organization, run: ${commandOn(server, `tongs org create ${quoted(owner)}`)}`,
  });
}
