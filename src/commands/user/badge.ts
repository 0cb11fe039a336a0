import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many, one } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { type Badge, badge, userBadgeAdd, userBadgeList, userBadgeRemove } from "../../forge/admin-users.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import type { Http } from "../../http/client.ts";
import { ServerError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";

const args = {
  name: one("username", { source: "account" }),
  badge: many("badge slugs", { dash: "lines" }),
};

/** `tongs user badge add`: POST /admin/users/{username}/badges. */
export const add = defineCommand({
  summary: "Add badges to a user",
  details: "Badges cannot be created with the API, only in the server's database.",
  on: "server",
  needs: [userBadgeAdd],
  effect: "write",
  args,
  output: list(badge),
  examples: [["Add a badge", "tongs user badge add mara early-bird"]],
  async run({ args, http, out, server, system }) {
    const slugs = await readTargets(args.badge, system);
    await call(http, userBadgeAdd, { username: args.name }, { badge_slugs: slugs }).catch((error: unknown) => {
      // The server responds with 500 both to an unknown badge and to one that the user already has
      // (docs/server-differences.md, "Users: accounts").
      if (!(error instanceof ServerError)) throw error;
      const message = `${server.base.host} failed: a badge does not exist, or ${args.name} already has it`;
      throw new ServerError(
        error.exchange,
        message,
        `To see the badges of ${args.name}, run: tongs user badge list ${args.name}`,
      );
    });
    const record = () => userBadges(http, args.name);
    await out.done(`Added ${badgeNames(slugs)} to ${args.name} ${accountLabel(server)}`, { record });
  },
});

/** `tongs user badge remove`: DELETE /admin/users/{username}/badges. */
export const remove = defineCommand({
  summary: "Remove badges from a user",
  on: "server",
  needs: [userBadgeRemove],
  effect: "write",
  args,
  output: list(badge),
  examples: [["Remove a badge", "tongs user badge remove mara early-bird"]],
  async run({ args, http, out, server, system }) {
    const slugs = await readTargets(args.badge, system);
    // The server ignores badges that the user does not have, so check them first.
    const current = new Set((await userBadges(http, args.name)).map((item) => item.Slug));
    const missing = slugs.filter((slug) => !current.has(slug));
    if (missing.length > 0) {
      const hint =
        current.size === 0 ? `${args.name} has no badges.` : `Badges of ${args.name}: ${[...current].join(", ")}`;
      throw new Failure("not_found", `${args.name} does not have ${badgeNames(missing)}`, { hint });
    }
    await call(http, userBadgeRemove, { username: args.name }, { badge_slugs: slugs });
    const record = () => userBadges(http, args.name);
    await out.done(`Removed ${badgeNames(slugs)} from ${args.name} ${accountLabel(server)}`, { record });
  },
});

/** All badges of a user. */
function userBadges(http: Http, name: string): Promise<Badge[]> {
  return collect(call(http, userBadgeList, { username: name }));
}

/** `badge a`, or `badges a, b`. */
function badgeNames(slugs: readonly string[]): string {
  return `${slugs.length === 1 ? "badge" : "badges"} ${slugs.join(", ")}`;
}
