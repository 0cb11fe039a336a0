import {
  followAdd,
  followerList,
  followingCheck,
  followingList,
  followRemove,
  ownFollowerList,
  ownFollowingCheck,
  ownFollowingList,
} from "../../forge/follows.ts";
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
import { accessTo, maySee } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { followRename } from "../http/pipeline.ts";
import { found } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { isPublicOnly } from "../http/scopes.ts";
import { userJson } from "../serializers/accounts.ts";
import { repoJson } from "../serializers/repos.ts";
import { by } from "../state/order.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { membership, namedUser, presence, toggled, usersOf } from "./members.ts";

const mine = { signedIn: true } as const;
const ofUser = { user: true, signedIn: true } as const;
const needs = { repo: "any", signedIn: true } as const;

/** Stars. A repository loses its stars when it becomes private. */
export const stars: Area = [
  route(ownStarList, mine, (call) =>
    list(call, call.currentUser, (repo) => isVisible(call, repo) && !(repo.private && isPublicOnly(call.token))),
  ),
  route(userStarList, ofUser, (call) => {
    const isOpen = (repo: RepoRecord) =>
      !repo.private && call.table("users").get(repo.ownerId)?.visibility === "public";
    const isOwn = call.currentUser.id === call.subject.id;
    return list(call, call.subject, (repo) => isOpen(repo) || (isOwn && isVisible(call, repo)));
  }),
  membership(
    needs,
    needs,
    ({ site, currentUser: { id: userId }, repo: { id: repoId } }) =>
      presence(site.table("stars"), `${userId}/${repoId}`, { userId, repoId }),
    { check: starCheck, add: starAdd, remove: starRemove },
  ),
  route(stargazerList, { repo: "any" }, (call) => {
    const given = call.table("stars").filter(({ repoId }) => repoId === call.repo.id);
    const ids = given.map(({ userId }) => userId).sort((one, other) => one - other);
    return listReply(call, usersOf(call, ids), userJson, "total");
  }),
];

const isVisible = ({ site, currentUser }: Call, repo: RepoRecord) => accessTo(site, currentUser, repo).visible;

/**
 * Lists starred repositories with the permissions of the user who starred them. Hidden repositories are omitted from
 * the page but included in the total.
 */
function list(call: Call, user: UserRecord, shows: (repo: RepoRecord) => boolean) {
  const starred = call.table("stars").filter((star) => star.userId === user.id);
  const repos = starred.flatMap(({ repoId }) => call.table("repos").get(repoId) ?? []);
  return listReply(call, repos.sort(by("id")), (_call, repo) =>
    shows(repo) ? repoJson({ ...call, currentUser: user }, repo) : undefined,
  );
}

/** Who watches a repository. Those who watch it get its notifications. */
export const watches: Area = [
  route(watcherList, { repo: "any" }, (call) => listReply(call, usersOf(call, call.repo.watchers), userJson, "total")),
  membership(
    needs,
    needs,
    ({ table, repo, currentUser: { id } }) => ({
      has: repo.watchers.includes(id),
      set: (isIn) => table("repos").put({ ...repo, watchers: toggled(repo.watchers, id, isIn) }),
    }),
    { check: watchCheck, add: watchAdd, remove: watchRemove },
    watchJson,
    true,
  ),
  route(ownWatchList, mine, (call) => watchedBy(call, call.currentUser)),
  route(userWatchList, ofUser, (call) => watchedBy(call, call.subject)),
];

/** With the permissions of the user who watches, as Gitea sends them. */
function watchedBy(call: Call, user: UserRecord) {
  const found = call.table("repos").filter((repo) => repo.watchers.includes(user.id) && isVisible(call, repo));
  return listReply(call, found, (_call, repo) => repoJson({ ...call, currentUser: user }, repo));
}

/** `WatchInfo`. */
function watchJson(call: Call<typeof needs>) {
  const { api } = pathOf(call, call.repo);
  const { created_at } = call.repo;
  return {
    subscribed: true,
    ignored: false,
    reason: null,
    created_at,
    url: `${api}/subscription`,
    repository_url: api,
  };
}

/** Followers and followed users. */
export const follows: Area = [
  route(ownFollowerList, mine, (call) => follow(call, call.currentUser, "followers")),
  route(ownFollowingList, mine, (call) => follow(call, call.currentUser, "following")),
  route(followerList, ofUser, (call) => follow(call, call.subject, "followers")),
  route(followingList, ofUser, (call) => follow(call, call.subject, "following")),
  membership(
    ofUser,
    ofUser,
    ({ site, currentUser: { id }, subject }) => {
      const follow = presence(site.table("follows"), `${id}/${subject.id}`, { userId: id, targetId: subject.id });
      // Following oneself changes nothing.
      return id === subject.id ? { ...follow, set: () => undefined } : follow;
    },
    { check: ownFollowingCheck, add: followAdd, remove: followRemove },
  ),
  route(followingCheck, mine, (call) => {
    for (const name of ["username", "target"]) followRename(call, call.param(name));
    // Gitea's message names the first of two users if unknown, but not the second.
    const [user, target] = [namedUser(call, "username", "redirect"), namedUser(call, "target")];
    found(call.table("follows").get(`${user.id}/${target.id}`));
  }),
];

/** Lists the visible users on one side of the follows of a user, by id. */
function follow(call: Call, { id }: UserRecord, side: "followers" | "following") {
  const [own, other] = side === "followers" ? (["targetId", "userId"] as const) : (["userId", "targetId"] as const);
  const ids = call
    .table("follows")
    .filter((one) => one[own] === id)
    .map((one) => one[other]);
  const users = usersOf(call, ids).filter((user) => maySee(call.site, call.currentUser, user));
  return listReply(call, users.sort(by("id")), userJson);
}
