import { isIn } from "../release.ts";
import { ownsOrganization, teamsOf, userNamed } from "../state/accounts.ts";
import type { Place } from "../state/records/actions.ts";
import { repoNamed } from "../state/repos.ts";
import { accessTo, maySee } from "./access.ts";
import { bind } from "./bind.ts";
import { found, Moved, notFound, Refusal, refuse } from "./reply.ts";
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
  if (needs.user) lookUpUser(call, path.includes("{username}") ? "username" : "owner");
  lookUp(needs, call);
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

function lookUp(needs: Needs, call: FullCall): void {
  if (needs.org) lookUpOrganization(call);
  if (needs.repo) lookUpRepo(needs, call);
}

/** Sets `call.subject` from a parameter. A former name is a 307 redirect to the current one. */
function lookUpUser(call: FullCall, parameter: string): void {
  const name = call.param(parameter);
  const user = userNamed(call.site.store, name);
  if (user === undefined) followRename(call, name);
  call.subject = found(user, `user redirect does not exist [name: ${name}]`);
  if (!isPublicOnly(call.token) || call.subject.visibility === "public") return;
  if (call.subject.kind === "person") refuse(403, "token scope is limited to public users");
}

function lookUpOrganization(call: FullCall): void {
  const name = call.param("org");
  const org = userNamed(call.site.store, name);
  if (org === undefined) followRename(call, name);
  if (org?.kind !== "organization" || !maySee(call.site, call.currentUser, org)) notFound();
  call.org = org;
}

function lookUpRepo(needs: Needs, call: FullCall): void {
  const { store } = call.site;
  const ownerName = call.param("owner");
  const owner = userNamed(store, ownerName);
  if (owner === undefined) followRename(call, ownerName);
  call.owner = found(owner);
  const name = call.param("repo");
  const repo = repoNamed(store, call.owner.id, name);
  if (repo === undefined) followMovedRepo(call, call.owner.id, name);
  call.repo = found(repo);
  call.access = accessTo(call.site, call.currentUser, call.repo);
  if (!call.access.visible || (call.repo.private && isPublicOnly(call.token))) notFound();
  if (needs.repo === undefined || needs.repo === "any" || call.access.atLeast("read", needs.repo)) return;
  // Administrators can access Actions even where the unit is disabled.
  if (needs.repo === "actions" && call.access.atLeast("admin")) return;
  if (needs.hidden) notFound();
  refuse(403, "user should have specific read permission or be a repo admin or a site admin");
}

function checkRights(needs: Needs, call: FullCall): void {
  const { right, repo } = needs;
  if (needs.byPassword) {
    const { currentUser, subject } = call;
    if (currentUser === undefined || (!currentUser.is_admin && currentUser.id !== subject?.id)) {
      refuse(403, "doer should be the site admin or be same as the contextUser");
    }
    // Lists of tokens can be read with a token since Forgejo 16.
    const isEnough = call.method === "GET" && isIn(call.site.release, { gitea: "-", forgejo: "16.0" });
    if (call.by === "token" && !isEnough) refuse(401, "auth required");
  }
  const unit = repo === undefined || repo === "any" ? undefined : repo;
  const passes = unit === "actions" && call.access?.atLeast("admin");
  if (right === "write" && !passes && !call.access?.atLeast("write", unit)) {
    refuse(403, "user should have a permission to write to a repo");
  }
  if (right === "admin" && !call.access?.atLeast("admin")) {
    refuse(403, "user should be an owner or a collaborator with admin write of a repository");
  }
  if (right === "owner" && !call.access?.atLeast("owner")) refuse(403, "user should be the owner of the repo");
  if (!call.currentUser?.is_admin) {
    const { store } = call.site;
    const [orgId, userId] = [call.org?.id ?? 0, call.currentUser?.id ?? 0];
    if (needs.orgMember && teamsOf(store, orgId, userId).length === 0) refuse(403, "Must be an organization member");
    if (needs.orgOwner && !ownsOrganization(store, orgId, userId)) refuse(403, "Must be an organization owner");
  }
  if (needs.unarchived && call.repo?.archived) refuse(423, "repo is archived");
}

/** Throws a 307 redirect if a name is the former name of a user. */
export function followRename(call: FullCall, name: string): void {
  const to = call.table("userRedirects").get(name.toLowerCase())?.to;
  const user = to === undefined ? undefined : call.table("users").get(to);
  if (user === undefined) return;
  if (call.currentUser === undefined && user.visibility !== "public")
    throw new Refusal(404, "user does not exist\n", "text");
  throw new Moved(307, renamed(call, [name], [user.name]));
}

function followMovedRepo(call: FullCall, ownerId: number, name: string): void {
  const { store } = call.site;
  const to = store.table("repoRedirects").get(`${ownerId}/${name.toLowerCase()}`)?.to;
  const repo = to === undefined ? undefined : store.table("repos").get(to);
  const owner = repo && store.table("users").get(repo.ownerId);
  if (repo === undefined || owner === undefined) return;
  throw new Moved(301, renamed(call, [call.param("owner"), name], [owner.name, repo.name]));
}

/** The path of the request with a sequence of segments replaced. */
function renamed({ requestPath }: FullCall, from: readonly string[], to: readonly string[]): string {
  const segments = requestPath.split("/");
  const fits = (at: number) => from.every((name, next) => decodeSegment(segments[at + next] ?? "") === name);
  // Skip `api`, `v1` and the collection.
  const at = segments.findIndex((_segment, index) => index > 3 && fits(index));
  return segments.toSpliced(at, from.length, ...to.map(encodeURIComponent)).join("/");
}
