import { type Badge, userBadgeList } from "../../../forge/admin-users.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import type { Http } from "../../../http/client.ts";

/** All badges of a user. */
export function userBadges(http: Http, name: string): Promise<Badge[]> {
  return collect(call(http, userBadgeList, { username: name }));
}

/** `badge a`, or `badges a, b`. */
export function badgeNames(slugs: readonly string[]): string {
  return `${slugs.length === 1 ? "badge" : "badges"} ${slugs.join(", ")}`;
}
