import { listed } from "../http/paging.ts";
import { type Call, get } from "../http/route.ts";
import type { Area } from "../site.ts";
import type { UserRecord } from "../state/users.ts";
import { orgWire } from "../wire/orgs.ts";

const needs = { siteAdmin: true } as const;

/** What the administrator lists besides users: organizations, mail addresses. Each person has one address here. */
export const adminLists: Area = {
  routes: [
    get("/admin/orgs", needs, (call) => {
      const { store } = call.site;
      const orgs = store.table("users").filter((user) => user.kind === "organization");
      orgs.sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));
      return listed(call, orgs, (org) => orgWire(call, org));
    }),
    get("/admin/emails", needs, (call) => emails(call, "")),
    get("/admin/emails/search", needs, (call) => emails(call, (call.query.get("q") ?? "").toLowerCase())),
  ],
};

function emails(call: Call, q: string) {
  const fits = (user: UserRecord) =>
    user.kind === "person" && [user.email, user.name, user.full_name].some((text) => text.toLowerCase().includes(q));
  const found = call.site.store.table("users").filter(fits);
  found.sort((one, other) => (one.email.toLowerCase() < other.email.toLowerCase() ? -1 : 1));
  return listed(call, found, ({ id, name, email }) => ({
    email,
    verified: true,
    primary: true,
    user_id: id,
    username: name,
  }));
}
