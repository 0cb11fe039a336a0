import { defineCommand } from "../../../app/define.ts";
import { one } from "../../../command/args.ts";
import { type Badge, badge, userBadgeList } from "../../../forge/admin-users.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import type { Http } from "../../../http/client.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [column<Badge>("BADGE", "Slug"), column<Badge>("DESCRIPTION", "Description", { flexible: true })];

/** `tongs user badge list`: GET /admin/users/{username}/badges. */
export const list = defineCommand({
  summary: "List a user's badges",
  on: "server",
  effect: "read",
  lists: ["badge", "badges"],
  args: { name: one("username", { source: "account" }) },
  output: listOf(badge),
  examples: [["List the badges of a user", "tongs user badge list mara"]],
  async run({ args, http, out }) {
    await out.list(call(http, userBadgeList, { username: args.name }), columns);
  },
});

/** All badges of a user. */
export function userBadges(http: Http, name: string): Promise<Badge[]> {
  return collect(call(http, userBadgeList, { username: name }));
}

/** `badge a`, or `badges a, b`. */
export function badgeNames(slugs: readonly string[]): string {
  return `${slugs.length === 1 ? "badge" : "badges"} ${slugs.join(", ")}`;
}
