import { maySee } from "../http/access.ts";
import { pageHeaders, pageOf, slice } from "../http/paging.ts";
import { notFound } from "../http/refusal.ts";
import { json } from "../http/reply.ts";
import { type Call, get } from "../http/route.ts";
import { isPublicOnly } from "../http/scopes.ts";
import type { Area } from "../site.ts";
import { userWire } from "../wire/users.ts";

/** People as everybody sees them. */
export const users: Area = {
  routes: [
    get("/user", { signedIn: true }, (call) => json(200, userWire(call, call.me))),
    get("/users/search", {}, search),
    get("/users/{username}", { user: true }, (call) => {
      if (!maySee(call.site, call.me, call.subject)) notFound();
      return json(200, userWire(call, call.subject));
    }),
  ],
};

/** `{ok, data}`; `q` in name, full name or a mail that is not hidden; `uid` alone finds one. */
function search(call: Call) {
  const q = (call.query.get("q") ?? "").toLowerCase();
  const uid = Number.parseInt(call.query.get("uid") ?? "", 10) || 0;
  const fits = (texts: readonly string[]) => texts.some((text) => text.toLowerCase().includes(q));
  const found = call.site.store
    .table("users")
    .filter((user) => user.kind === "person" && maySee(call.site, call.me, user))
    .filter((user) => !isPublicOnly(call.token) || user.visibility === "public")
    .filter((user) =>
      uid > 0 ? user.id === uid : fits([user.name, user.full_name, user.hide_email ? "" : user.email]),
    )
    .sort((one, other) => one.name.toLowerCase().localeCompare(other.name.toLowerCase()));
  const page = pageOf(call.query);
  const data = slice(found, page).map((user) => userWire(call, user));
  return json(200, { ok: true, data }, pageHeaders(call, found.length, page, "total and link"));
}
