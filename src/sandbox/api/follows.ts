import { blockAdd, blockList, blockRemove } from "../../forge/account.ts";
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
import { maySee } from "../http/access.ts";
import { userBlockCheck } from "../http/other-operations.ts";
import { listReply } from "../http/paging.ts";
import { followRename } from "../http/pipeline.ts";
import { empty, notFound, Refusal, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { userJson } from "../serializers/accounts.ts";
import { isBlocked, userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";

const followNeeds = { signedIn: true, user: true } as const;
const ofUser = { user: true, signedIn: true } as const;

/** Followers and followed users. */
export const follows: Area = {
  routes: [
    route(ownFollowerList, { signedIn: true }, (call) => followers(call, call.currentUser)),
    route(ownFollowingList, { signedIn: true }, (call) => following(call, call.currentUser)),
    route(followerList, ofUser, (call) => followers(call, call.subject)),
    route(followingList, ofUser, (call) => following(call, call.subject)),
    route(ownFollowingCheck, followNeeds, (call) => check(call, call.currentUser, call.subject)),
    route(followingCheck, { signedIn: true }, (call) =>
      check(call, findUser(call, "username", "named"), findUser(call, "target", "unnamed")),
    ),
    route(followAdd, followNeeds, ({ site, currentUser, subject }) => {
      if (isBlocked(site.store, currentUser.id, subject.id)) refuse(403, "user is blocked");
      if (currentUser.id !== subject.id) {
        site.table("follows").put({ userId: currentUser.id, targetId: subject.id });
      }
      return empty(204);
    }),
    route(followRemove, followNeeds, ({ site, currentUser, subject }) => {
      site.table("follows").delete(`${currentUser.id}/${subject.id}`);
      return empty(204);
    }),
  ],
  userCounts: ({ store }, { id }) => ({
    followers_count: store.table("follows").filter(({ targetId }) => targetId === id).length,
    following_count: store.table("follows").filter(({ userId }) => userId === id).length,
  }),
};

/** Finds a user. Gitea's message names the first of two users if unknown, but not the second. */
function findUser(call: Call, param: string, message: "named" | "unnamed"): UserRecord {
  const name = call.param(param);
  const user = userNamed(call.site.store, name);
  if (user === undefined) followRename(call, name);
  return user ?? notFound(message === "named" ? `user redirect does not exist [name: ${name}]` : undefined);
}

function check({ site }: Call, user: UserRecord, target: UserRecord) {
  if (site.table("follows").get(`${user.id}/${target.id}`) === undefined) notFound();
  return empty(204);
}

function followers(call: Call, of: UserRecord) {
  const pairs = call.table("follows").filter(({ targetId }) => targetId === of.id);
  return list(
    call,
    pairs.map(({ userId }) => userId),
  );
}

function following(call: Call, of: UserRecord) {
  const pairs = call.table("follows").filter(({ userId }) => userId === of.id);
  return list(
    call,
    pairs.map(({ targetId }) => targetId),
  );
}

/** Lists the visible users, sorted by id. */
function list(call: Call, ids: readonly number[]) {
  const people = ids.flatMap((id) => call.table("users").get(id) ?? []);
  const visible = people
    .filter((user) => maySee(call.site, call.currentUser, user))
    .sort((first, second) => first.id - second.id);
  return listReply(call, visible, userJson);
}

const blockNeeds = { signedIn: true, user: true } as const;

/** Blocked users. A block removes follows, stars, watches and collaborations between the two users. */
export const blocks: Area = {
  routes: [
    route(blockList, { signedIn: true }, (call) => {
      const { store } = call.site;
      const mine = store.table("blocks").filter(({ userId }) => userId === call.currentUser.id);
      const people = mine.flatMap(({ targetId }) => store.table("users").get(targetId) ?? []);
      return listReply(call, people, userJson, "total");
    }),
    route(userBlockCheck, blockNeeds, ({ site, currentUser, subject }) => {
      if (site.table("blocks").get(`${currentUser.id}/${subject.id}`) === undefined) throw new Refusal(404, "", "none");
      return empty(204);
    }),
    route(blockAdd, blockNeeds, block),
    route(blockRemove, blockNeeds, ({ site, currentUser, subject }) => {
      const { get: known, delete: forget } = site.table("blocks");
      if (known(`${currentUser.id}/${subject.id}`) === undefined) refuse(400, "cannot unblock the user");
      forget(`${currentUser.id}/${subject.id}`);
      return empty(204);
    }),
  ],
};

function block({ site, currentUser, subject }: Call<typeof blockNeeds>) {
  const { store } = site;
  if (subject.kind === "organization") refuse(400, "cannot block an organization");
  const key = `${currentUser.id}/${subject.id}`;
  if (currentUser.id === subject.id || store.table("blocks").get(key)) refuse(400, "cannot block the user");
  store.table("blocks").put({ userId: currentUser.id, targetId: subject.id });
  for (const [user, target] of [
    [currentUser.id, subject.id],
    [subject.id, currentUser.id],
  ] as const) {
    store.table("follows").delete(`${user}/${target}`);
    const owned = store.table("repos").filter(({ ownerId }) => ownerId === target);
    const isOwned = (repoId: number) => owned.some(({ id }) => id === repoId);
    store.table("stars").remove((star) => star.userId === user && isOwned(star.repoId));
    for (const repo of owned) {
      store.table("collaborations").delete(`${repo.id}/${user}`);
      if (!repo.watchers.includes(user)) continue;
      store.table("repos").put({ ...repo, watchers: repo.watchers.filter((id) => id !== user) });
    }
  }
  return empty(204);
}
