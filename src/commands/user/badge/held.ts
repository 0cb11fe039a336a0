import type { Badge } from "../../../forge/admin-users.ts";
import type { Forge } from "../../../forge/index.ts";

/** All badges of a user. */
export async function heldBadges(forge: Forge, name: string): Promise<Badge[]> {
  const held: Badge[] = [];
  for await (const badge of forge.adminUsers.badges(name).take(Number.POSITIVE_INFINITY)) held.push(badge);
  return held;
}
