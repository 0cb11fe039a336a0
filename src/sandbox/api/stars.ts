import { ownStarList, starAdd, starCheck, starRemove, userStarList } from "../../forge/stars.ts";
import {
  ownWatchList,
  stargazerList,
  userWatchList,
  watchAdd,
  watchCheck,
  watcherList,
  watchRemove,
} from "../../forge/watches.ts";
import { accessTo, refuseBlocked } from "../http/access.ts";
import { listReply, pageHeaders, pageItems, pageOf } from "../http/paging.ts";
import { empty, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { isPublicOnly } from "../http/scopes.ts";
import { userJson } from "../serializers/accounts.ts";
import { repoJson } from "../serializers/repos.ts";
import { isBlocked } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";

const needs = { repo: "any", signedIn: true } as const;

/** Stars. A repository loses its stars when it becomes private. */
export const stars: Area = {
  routes: [
    route(ownStarList, { signedIn: true }, (call) =>
      list(call, call.currentUser.id, (repo) => isVisible(call, repo) && !(repo.private && isPublicOnly(call.token))),
    ),
    route(userStarList, { user: true, signedIn: true }, (call) =>
      list(
        call,
        call.subject.id,
        (repo) => isPublic(call, repo) || (call.currentUser.id === call.subject.id && isVisible(call, repo)),
      ),
    ),
    route(starCheck, needs, ({ site, currentUser, repo }) => {
      if (site.table("stars").get(`${currentUser.id}/${repo.id}`) === undefined) notFound();
      return empty(204);
    }),
    route(starAdd, needs, ({ site, currentUser, owner, repo }) => {
      if (isBlocked(site.store, owner.id, currentUser.id)) refuse(403, "user is blocked");
      site.table("stars").put({ userId: currentUser.id, repoId: repo.id });
      return empty(204);
    }),
    route(starRemove, needs, ({ site, currentUser, repo }) => {
      site.table("stars").delete(`${currentUser.id}/${repo.id}`);
      return empty(204);
    }),
    route(stargazerList, { repo: "any" }, (call) => {
      const { store } = call.site;
      const given = store.table("stars").filter(({ repoId }) => repoId === call.repo.id);
      const people = given.flatMap(({ userId }) => store.table("users").get(userId) ?? []);
      people.sort((first, second) => first.id - second.id);
      return listReply(call, people, userJson, "total");
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
    records.map((repo) => repoJson({ ...call, currentUser: store.table("users").get(userId) }, repo)),
    pageHeaders(call, repos.length, page, "total and link"),
  );
}

function isVisible({ site, currentUser }: Call, repo: RepoRecord): boolean {
  return accessTo(site, currentUser, repo).visible;
}

function isPublic({ site }: Call, repo: RepoRecord): boolean {
  return !repo.private && site.table("users").get(repo.ownerId)?.visibility === "public";
}

const own = { repo: "any", signedIn: true } as const;

/** Who watches a repository. Those who watch it get its notifications. */
export const watches: Area = {
  routes: [
    route(watcherList, { repo: "any" }, (call) => {
      const users = call.repo.watchers.flatMap((id) => call.table("users").get(id) ?? []);
      return listReply(call, users, userJson, "total");
    }),
    route(watchCheck, own, (call) =>
      call.repo.watchers.includes(call.currentUser.id) ? json(200, serialize(call, call.repo)) : notFound(),
    ),
    route(watchAdd, own, (call) => {
      refuseBlocked(call, call.repo.ownerId);
      return json(200, serialize(call, save(call, true)));
    }),
    route(watchRemove, own, (call) => {
      save(call, false);
      return empty(204);
    }),
    route(ownWatchList, { signedIn: true }, (call) => watchedBy(call, call.currentUser)),
    route(userWatchList, { user: true, signedIn: true }, (call) => watchedBy(call, call.subject)),
  ],
};

function save({ site, repo, currentUser }: Call<typeof own>, watching: boolean): RepoRecord {
  const others = repo.watchers.filter((id) => id !== currentUser.id);
  const watchers = watching ? [...others, currentUser.id] : others;
  return site.table("repos").put({ ...repo, watchers });
}

function watchedBy(call: Call, user: UserRecord) {
  const { site, currentUser } = call;
  const found = site
    .table("repos")
    .filter((repo) => repo.watchers.includes(user.id) && accessTo(site, currentUser, repo).visible);
  // With the permissions of the user who watches, as Gitea sends them.
  return listReply(call, found, (_call, repo) => repoJson({ ...call, currentUser: user }, repo));
}

/** `WatchInfo`. */
function serialize(call: Call, repo: RepoRecord) {
  const { api } = pathOf(call, repo);
  return {
    subscribed: true,
    ignored: false,
    reason: null,
    created_at: repo.created_at,
    url: `${api}/subscription`,
    repository_url: api,
  };
}
