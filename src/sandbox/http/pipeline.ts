import type { Site } from "../site.ts";
import { ownsOrganization, teamsOf, userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { Place } from "../state/records/actions.ts";
import { repoNamed } from "../state/repos.ts";
import { accessTo, maySee } from "./access.ts";
import { bind } from "./form.ts";
import { found, notFound, Refusal, refuse } from "./reply.ts";
import type { FullCall, Needs, Route } from "./route.ts";
import { decodeSegment } from "./router.ts";
import { checkScopes, isPublicOnly } from "./scopes.ts";

/**
 * Checks what a route requires, in Gitea's order: scopes, lookups, authentication, permissions, archived state, body.
 * Below `/user` and `/admin`, authentication comes before the lookups.
 */
export function checkNeeds({ needs, path, level, body }: Route, call: FullCall): void {
  if (!needs.unscoped) checkScopes(call.token, call.method, call.path);
  const personFirst = /^\/(user|admin|notifications)(\/|$)/.test(call.path);
  if (personFirst) checkCaller(needs, call);
  if (needs.user) lookUpUser(call, call.param(path.includes("{username}") ? "username" : "owner"));
  if (needs.org) lookUpOrganization(call, call.param("org"));
  if (needs.repo) lookUpRepo(needs, call);
  if (!personFirst) checkCaller(needs, call);
  checkRights(needs, call);
  if (level !== undefined) call.place = placeOf(level, call);
  if (body !== undefined) call.body = bind({ record: body, rules: needs.body ?? {}, release: call.site.release }, call);
}

function placeOf(level: NonNullable<Route["level"]>, { repo, org, currentUser }: FullCall): Place {
  if (level === "repository") return { level, of: repo?.id ?? 0 };
  return level === "server" ? { level, of: 0 } : { level: "owner", of: (org ?? currentUser)?.id ?? 0 };
}

function checkCaller(needs: Needs, { currentUser }: FullCall): void {
  if (currentUser === undefined && (needs.signedIn || needs.siteAdmin)) refuse(401, "token is required");
  if (needs.siteAdmin && !currentUser?.is_admin) refuse(403, "user should be the site admin");
}

function lookUpUser(call: FullCall, name: string): void {
  call.subject = found(ownerNamed(call, name), `user redirect does not exist [name: ${name}]`);
  if (call.subject.kind === "person" && isPublicOnly(call.token) && call.subject.visibility !== "public")
    refuse(403, "token scope is limited to public users");
}

function lookUpOrganization(call: FullCall, name: string): void {
  const org = ownerNamed(call, name);
  if (org?.kind !== "organization" || !maySee(call.site, call.currentUser, org)) notFound();
  call.org = org;
}

/** The user of a name. A former name is a 307 redirect to the current one. */
function ownerNamed(call: FullCall, name: string): UserRecord | undefined {
  const user = userNamed(call.site.store, name);
  if (user === undefined) followRename(call, name);
  return user;
}

/** The owner and the repository of these names, which can be former ones. */
export function findRepo({ store, table }: Site, ownerName: string, name: string) {
  const owner =
    userNamed(store, ownerName) ?? table("users").get(table("userRedirects").get(ownerName.toLowerCase())?.to ?? 0);
  const renamed = () => table("repoRedirects").get(`${owner?.id}/${name.toLowerCase()}`)?.to ?? 0;
  const repo = owner && (repoNamed(store, owner.id, name) ?? table("repos").get(renamed()));
  return { owner: repo && table("users").get(repo.ownerId), repo };
}

function lookUpRepo(needs: Needs, call: FullCall): void {
  const [ownerName, name] = [call.param("owner"), call.param("repo")];
  call.owner = found(ownerNamed(call, ownerName));
  const { owner, repo } = findRepo(call.site, ownerName, name);
  if (owner && repo && repo !== repoNamed(call.site.store, call.owner.id, name))
    throw new Refusal(301, renamed(call, [ownerName, name], [owner.name, repo.name]), "moved");
  call.repo = found(repo);
  call.access = accessTo(call.site, call.currentUser, call.repo);
  if (!call.access.visible || (call.repo.private && isPublicOnly(call.token))) notFound();
  // Forgejo has nothing of Actions where they are off, for administrators either.
  const isOff = call.site.release.product === "forgejo" && !call.repo.has_actions;
  if (isOff && call.path.split("/")[4] === "actions") notFound("The target couldn't be found.");
  if (needs.repo === undefined || needs.repo === "any" || call.access.atLeast("read", needs.repo)) return;
  // On Gitea, administrators can access Actions even where the unit is disabled.
  if (needs.repo === "actions" && call.access.atLeast("admin")) return;
  if (needs.hidden) notFound();
  refuse(403, "user should have specific read permission or be a repo admin or a site admin");
}

function checkRights(needs: Needs, call: FullCall): void {
  const { right, repo } = needs;
  const { site, currentUser, subject, access } = call;
  if (needs.byPassword) {
    if (currentUser === undefined || (!currentUser.is_admin && currentUser.id !== subject?.id))
      refuse(403, "doer should be the site admin or be same as the contextUser");
    // On Forgejo, lists of tokens can be read with a token.
    const isEnough = call.method === "GET" && site.release.product === "forgejo";
    if (call.by === "token" && !isEnough) refuse(401, "auth required");
  }
  const unit = repo === undefined || repo === "any" ? undefined : repo;
  const passes = unit === "actions" && access?.atLeast("admin");
  if (right === "write" && !passes && !access?.atLeast("write", unit))
    refuse(403, "user should have a permission to write to a repo");
  if (right === "admin" && !access?.atLeast("admin"))
    refuse(403, "user should be an owner or a collaborator with admin write of a repository");
  if (right === "owner" && !access?.atLeast("owner")) refuse(403, "user should be the owner of the repo");
  if (!currentUser?.is_admin) {
    const [orgId, userId] = [call.org?.id ?? 0, currentUser?.id ?? 0];
    if (needs.orgMember && teamsOf(site.store, orgId, userId).length === 0)
      refuse(403, "Must be an organization member");
    if (needs.orgOwner && !ownsOrganization(site.store, orgId, userId)) refuse(403, "Must be an organization owner");
  }
  if (needs.unarchived && call.repo?.archived) refuse(423, "repo is archived");
}

/** Throws a 307 redirect if a name is the former name of a user. */
export function followRename(call: FullCall, name: string): void {
  const user = call.table("users").get(call.table("userRedirects").get(name.toLowerCase())?.to ?? 0);
  if (user === undefined) return;
  if (call.currentUser === undefined && user.visibility !== "public")
    throw new Refusal(404, "user does not exist\n", "text");
  throw new Refusal(307, renamed(call, [name], [user.name]), "moved");
}

/** The path of the request with a sequence of segments replaced. */
function renamed({ requestPath }: FullCall, from: readonly string[], to: readonly string[]): string {
  const segments = requestPath.split("/");
  const fits = (at: number) => from.every((name, next) => decodeSegment(segments[at + next] ?? "") === name);
  // Skip `api`, `v1` and the collection.
  const at = segments.findIndex((_segment, index) => index > 3 && fits(index));
  return segments.toSpliced(at, from.length, ...to.map(encodeURIComponent)).join("/");
}
