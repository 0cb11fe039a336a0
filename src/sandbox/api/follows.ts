import { maySee } from "../http/access.ts";
import { listed } from "../http/paging.ts";
import { followRename } from "../http/pipeline.ts";
import { notFound, refuse } from "../http/refusal.ts";
import { empty } from "../http/reply.ts";
import { type Call, del, get, put } from "../http/route.ts";
import type { Area } from "../site.ts";
import { forgetPairs, isBlocked } from "../state/people.ts";
import { type UserRecord, userNamed } from "../state/users.ts";
import { userWire } from "../wire/users.ts";

const one = "/user/following/{username}";
const needs = { signedIn: true, user: true } as const;
const ofUser = { user: true, signedIn: true } as const;

/** Who follows whom. */
export const follows: Area = {
  routes: [
    get("/user/followers", { signedIn: true }, (call) => followers(call, call.me)),
    get("/user/following", { signedIn: true }, (call) => following(call, call.me)),
    get("/users/{username}/followers", ofUser, (call) => followers(call, call.subject)),
    get("/users/{username}/following", ofUser, (call) => following(call, call.subject)),
    get(one, needs, (call) => check(call, call.me, call.subject)),
    get("/users/{first}/following/{second}", { signedIn: true }, (call) =>
      check(call, named(call, "first", "said"), named(call, "second", "unsaid")),
    ),
    put(one, needs, ({ site, me, subject }) => {
      if (isBlocked(site.store, me.id, subject.id)) refuse(403, "user is blocked");
      if (me.id !== subject.id) {
        site.store.table("follows").put(`${me.id}/${subject.id}`, { userId: me.id, targetId: subject.id });
      }
      return empty(204);
    }),
    del(one, needs, ({ site, me, subject }) => {
      site.store.table("follows").delete(`${me.id}/${subject.id}`);
      return empty(204);
    }),
  ],
  userCounts: ({ store }, { id }) => ({
    followers_count: store.table("follows").filter(({ targetId }) => targetId === id).length,
    following_count: store.table("follows").filter(({ userId }) => userId === id).length,
  }),
  userDeleted: ({ store }, user) => forgetPairs(store, "follows", user.id),
};

/** The servers name the first of the two when there is none, not the second. */
function named(call: Call, param: string, absence: "said" | "unsaid"): UserRecord {
  const name = call.param(param);
  const user = userNamed(call.site.store, name);
  if (user === undefined) followRename(call, name);
  return user ?? notFound(absence === "said" ? `user redirect does not exist [name: ${name}]` : undefined);
}

function check({ site }: Call, user: UserRecord, target: UserRecord) {
  if (site.store.table("follows").get(`${user.id}/${target.id}`) === undefined) notFound();
  return empty(204);
}

function followers(call: Call, of: UserRecord) {
  const pairs = call.site.store.table("follows").filter(({ targetId }) => targetId === of.id);
  return list(
    call,
    pairs.map(({ userId }) => userId),
  );
}

function following(call: Call, of: UserRecord) {
  const pairs = call.site.store.table("follows").filter(({ userId }) => userId === of.id);
  return list(
    call,
    pairs.map(({ targetId }) => targetId),
  );
}

/** Those whom the caller can see, by number. */
function list(call: Call, ids: readonly number[]) {
  const people = ids.flatMap((id) => call.site.store.table("users").get(id) ?? []);
  const seen = people.filter((user) => maySee(call.site, call.me, user)).sort((first, second) => first.id - second.id);
  return listed(call, seen, (user) => userWire(call, user));
}
