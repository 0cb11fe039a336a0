import { accessTo } from "../http/access.ts";
import { listReply, pageHeaders, pageItems, pageOf } from "../http/paging.ts";
import { empty, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, put } from "../http/route.ts";
import { isPublicOnly } from "../http/scopes.ts";
import { isBlocked } from "../state/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { userWire } from "../wire/accounts.ts";
import { repoWire } from "../wire/repos.ts";

const one = "/user/starred/{owner}/{repo}";
const needs = { repo: "any", signedIn: true } as const;

/** Stars. A repository loses its stars when it becomes private. */
export const stars: Area = {
  routes: [
    get("/user/starred", { signedIn: true }, (call) =>
      list(call, call.currentUser.id, (repo) => isVisible(call, repo) && !(repo.private && isPublicOnly(call.token))),
    ),
    get("/users/{username}/starred", { user: true, signedIn: true }, (call) =>
      list(
        call,
        call.subject.id,
        (repo) => isPublic(call, repo) || (call.currentUser.id === call.subject.id && isVisible(call, repo)),
      ),
    ),
    get(one, needs, ({ site, currentUser, repo }) => {
      if (site.store.table("stars").get(`${currentUser.id}/${repo.id}`) === undefined) notFound();
      return empty(204);
    }),
    put(one, needs, ({ site, currentUser, owner, repo }) => {
      if (isBlocked(site.store, owner.id, currentUser.id)) refuse(403, "user is blocked");
      site.store.table("stars").put({ userId: currentUser.id, repoId: repo.id });
      return empty(204);
    }),
    del(one, needs, ({ site, currentUser, repo }) => {
      site.store.table("stars").delete(`${currentUser.id}/${repo.id}`);
      return empty(204);
    }),
    get("/repos/{owner}/{repo}/stargazers", { repo: "any" }, (call) => {
      const { store } = call.site;
      const given = store.table("stars").filter(({ repoId }) => repoId === call.repo.id);
      const people = given.flatMap(({ userId }) => store.table("users").get(userId) ?? []);
      people.sort((first, second) => first.id - second.id);
      return listReply(call, people, (user) => userWire(call, user), "total");
    }),
  ],
  repoCounts: ({ store }, repo) => ({
    stars_count: store.table("stars").filter(({ repoId }) => repoId === repo.id).length,
  }),
  userCounts: ({ store }, user) => ({
    starred_repos_count: store.table("stars").filter(({ userId }) => userId === user.id).length,
  }),
  repoHidden: ({ store }, repo) => void store.table("stars").remove(({ repoId }) => repoId === repo.id),
};

/**
 * Lists starred repositories with the permissions of the user who starred them. Hidden repositories are omitted from
 * the page but included in the total.
 */
function list(call: Call, userId: number, shows: (repo: RepoRecord) => boolean) {
  const { store } = call.site;
  const mine = store.table("stars").filter((star) => star.userId === userId);
  const repos = mine.flatMap(({ repoId }) => store.table("repos").get(repoId) ?? []);
  repos.sort((first, second) => first.id - second.id);
  const page = pageOf(call.query);
  const records = pageItems(repos, page).filter(shows);
  return json(
    200,
    records.map((repo) => repoWire({ ...call, currentUser: store.table("users").get(userId) }, repo)),
    pageHeaders(call, repos.length, page, "total and link"),
  );
}

function isVisible({ site, currentUser }: Call, repo: RepoRecord): boolean {
  return accessTo(site, currentUser, repo).visible;
}

function isPublic({ site }: Call, repo: RepoRecord): boolean {
  return !repo.private && site.store.table("users").get(repo.ownerId)?.visibility === "public";
}
