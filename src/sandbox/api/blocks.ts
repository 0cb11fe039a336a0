import { listed } from "../http/paging.ts";
import { Refusal, refuse } from "../http/refusal.ts";
import { empty } from "../http/reply.ts";
import { type Call, del, get, put } from "../http/route.ts";
import type { Area } from "../site.ts";
import { forgetPairs, forgetStars } from "../state/people.ts";
import { userWire } from "../wire/users.ts";

const one = "/user/blocks/{username}";
const needs = { signedIn: true, user: true } as const;

/** Whom a user blocks. It ends follows and stars between the two. */
export const blocks: Area = {
  routes: [
    get("/user/blocks", { signedIn: true }, (call) => {
      const { store } = call.site;
      const mine = store.table("blocks").filter(({ userId }) => userId === call.me.id);
      const people = mine.flatMap(({ targetId }) => store.table("users").get(targetId) ?? []);
      return listed(call, people, (user) => userWire(call, user), "total");
    }),
    get(one, needs, ({ site, me, subject }) => {
      if (site.store.table("blocks").get(`${me.id}/${subject.id}`) === undefined) throw new Refusal(404, "", "none");
      return empty(204);
    }),
    put(one, needs, block),
    del(one, needs, ({ site, me, subject }) => {
      const { get: known, delete: forget } = site.store.table("blocks");
      if (known(`${me.id}/${subject.id}`) === undefined) refuse(400, "cannot unblock the user");
      forget(`${me.id}/${subject.id}`);
      return empty(204);
    }),
  ],
  userDeleted: ({ store }, user) => forgetPairs(store, "blocks", user.id),
};

function block({ site, me, subject }: Call<typeof needs>) {
  const { store } = site;
  if (subject.kind === "organization") refuse(400, "cannot block an organization");
  const key = `${me.id}/${subject.id}`;
  if (me.id === subject.id || store.table("blocks").get(key)) refuse(400, "cannot block the user");
  store.table("blocks").put(key, { userId: me.id, targetId: subject.id });
  for (const [user, target] of [
    [me.id, subject.id],
    [subject.id, me.id],
  ] as const) {
    store.table("follows").delete(`${user}/${target}`);
    const ownedBy = (repoId: number) => store.table("repos").get(repoId)?.ownerId === target;
    forgetStars(store, (star) => star.userId === user && ownedBy(star.repoId));
  }
  return empty(204);
}
