import { orgRepoList } from "../../forge/orgs.ts";
import { ownRepoList, userRepoList } from "../../forge/repos.ts";
import { repoSearch } from "../../forge/search.ts";
import { accessTo } from "../http/access.ts";
import { listReply, orderOf, searchReply } from "../http/paging.ts";
import { refuse } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { isPublicOnly } from "../http/scopes.ts";
import { repoJson } from "../serializers/repos.ts";
import { hasRepo, teamsOf } from "../state/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";

/** Lists of the repositories visible to the caller. */
export const repoLists: Area = [
  route(ownRepoList, { signedIn: true }, (call) => list(call, (repo) => isMine(call, repo))),
  route(userRepoList, { user: true }, (call) => list(call, (repo) => repo.ownerId === call.subject.id)),
  route(orgRepoList, { org: true }, (call) => list(call, (repo) => repo.ownerId === call.org.id)),
  route(repoSearch, {}, search),
];

function list(call: Call, belongs: (repo: RepoRecord) => boolean) {
  return listReply(call, visible(call).filter(belongs), repoJson);
}

function visible(call: Call): RepoRecord[] {
  const { site, currentUser, token } = call;
  return site
    .table("repos")
    .filter((repo) => accessTo(site, currentUser, repo).visible && !(repo.private && isPublicOnly(token)));
}

function isMine({ site, currentUser, token }: Call<{ signedIn: true }>, repo: RepoRecord): boolean {
  // With a public-only token, only the caller's own repositories are listed.
  if (isPublicOnly(token)) return repo.ownerId === currentUser.id;
  if (repo.ownerId === currentUser.id || site.table("collaborations").get(`${repo.id}/${currentUser.id}`)) return true;
  return teamsOf(site.store, repo.ownerId, currentUser.id).some((team) => hasRepo(team, repo));
}

const sorts = {
  alpha: ({ name }) => name.toLowerCase(),
  created: ({ created_at }) => Date.parse(created_at),
  updated: ({ updated_at }) => Date.parse(updated_at),
  size: ({ size }) => size,
  id: ({ id }) => id,
} satisfies Record<string, (repo: RepoRecord) => string | number>;

/** Searches repositories; responds with `{ok, data}`, sorted by name by default. */
function search(call: Call) {
  const { query } = call;
  const order = orderOf(query, sorts, { always: true });
  const mode = query.get("mode") ?? "";
  if (!["", "source", "fork", "mirror", "collaborative"].includes(mode)) refuse(422, "invalid search mode");
  const found = visible(call).filter((repo) => fits(call, repo, mode));
  return searchReply(call, found.sort(order), repoJson);
}

function fits(call: Call, repo: RepoRecord, mode: string): boolean {
  const { query } = call;
  const q = (query.get("q") ?? "").toLowerCase();
  const texts = call.flag("topic")
    ? repo.topics
    : [pathOf(call, repo).full.toLowerCase(), ...(call.flag("includeDesc") ? [repo.description] : [])];
  if (q !== "" && !texts.some((text) => (call.flag("topic") ? text === q : text.toLowerCase().includes(q))))
    return false;
  const uid = Number.parseInt(query.get("uid") ?? "", 10) || 0;
  if (uid > 0 && repo.ownerId !== uid && call.table("collaborations").get(`${repo.id}/${uid}`) === undefined)
    return false;
  const asked = { is_private: repo.private, archived: repo.archived, template: repo.template };
  if (Object.entries(asked).some(([name, is]) => query.has(name) && call.flag(name) !== is)) return false;
  return mode === "" || mode === "collaborative" || (mode === "fork") === (repo.parentId !== null);
}
