import { form, required, strings } from "../http/form.ts";
import { pageHeaders, pageOf } from "../http/paging.ts";
import { empty, json, Refusal } from "../http/reply.ts";
import { type Area, type Call, del, get, post } from "../http/route.ts";
import type { BadgeRecord } from "../state/records/accounts.ts";

const option = form("UserBadgeOption", { badge_slugs: required(strings("BadgeSlugs")) });
const changing = { siteAdmin: true, user: true, body: option } as const;
const base = "/admin/users/{username}/badges";

/** Badges of users. The badges themselves are created with the sandbox. */
export const badges: Area = {
  routes: [
    get(base, { siteAdmin: true, user: true }, (call) => {
      const held = call.site.store.table("badges").filter(({ holders }) => holders.includes(call.subject.id));
      return json(200, held.map(badgeWire), pageHeaders(call, held.length, pageOf(call.query), "total"));
    }),
    post(base, changing, add),
    del(base, changing, ({ site, subject, body }) => {
      for (const badge of site.store.table("badges").filter(({ slug }) => body.badge_slugs.includes(slug))) {
        const holders = badge.holders.filter((id) => id !== subject.id);
        site.store.table("badges").put({ ...badge, holders });
      }
      return empty(204);
    }),
  ],
};

/** `Badge`. The API sends the field names of the database. */
function badgeWire({ id, slug, description, image_url }: BadgeRecord): Record<string, unknown> {
  return { ID: id, Slug: slug, Description: description, ImageURL: image_url };
}

/** Adds badges. As in Gitea, an unknown badge and one the user already has are 500. */
function add({ site, subject, body }: Call<typeof changing>) {
  const table = site.store.table("badges");
  for (const slug of body.badge_slugs) {
    const badge = table.find((one) => one.slug === slug);
    if (badge === undefined) throw new Refusal(500, `badge does not exist [slug: ${slug}]`);
    if (badge.holders.includes(subject.id)) {
      throw new Refusal(500, `user badge already exists [user_id: ${subject.id}, badge_id: ${badge.id}]`);
    }
    table.put({ ...badge, holders: [...badge.holders, subject.id] });
  }
  return empty(204);
}
