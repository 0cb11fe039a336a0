import { accessTo, refuseBlocked } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { empty, json, notFound } from "../http/reply.ts";
import { type Area, type Call, del, get, put } from "../http/route.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { userWire } from "../wire/accounts.ts";
import { repoWire } from "../wire/repos.ts";
import { pathOf } from "../wire/values.ts";

const base = "/repos/{owner}/{repo}";
const own = { repo: "any", signedIn: true } as const;

/** Who watches a repository. Those who watch it get its notifications. */
export const watches: Area = {
  routes: [
    get(`${base}/subscribers`, { repo: "any" }, (call) => {
      const users = call.repo.watchers.flatMap((id) => call.site.store.table("users").get(id) ?? []);
      return listReply(call, users, (user) => userWire(call, user), "total");
    }),
    get(`${base}/subscription`, own, (call) =>
      call.repo.watchers.includes(call.currentUser.id) ? json(200, wire(call, call.repo)) : notFound(),
    ),
    put(`${base}/subscription`, own, (call) => {
      refuseBlocked(call, call.repo.ownerId);
      return json(200, wire(call, save(call, true)));
    }),
    del(`${base}/subscription`, own, (call) => {
      save(call, false);
      return empty(204);
    }),
    get("/user/subscriptions", { signedIn: true }, (call) => watchedBy(call, call.currentUser)),
    get("/users/{username}/subscriptions", { user: true, signedIn: true }, (call) => watchedBy(call, call.subject)),
  ],
};

function save({ site, repo, currentUser }: Call<typeof own>, watching: boolean): RepoRecord {
  const others = repo.watchers.filter((id) => id !== currentUser.id);
  const watchers = watching ? [...others, currentUser.id] : others;
  return site.store.table("repos").put({ ...repo, watchers });
}

function watchedBy(call: Call, user: UserRecord) {
  const { site, currentUser } = call;
  const found = site.store
    .table("repos")
    .filter((repo) => repo.watchers.includes(user.id) && accessTo(site, currentUser, repo).visible);
  // With the permissions of the user who watches, as Gitea sends them.
  return listReply(call, found, (repo) => repoWire({ ...call, currentUser: user }, repo));
}

/** `WatchInfo`. */
function wire(call: Call, repo: RepoRecord) {
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
