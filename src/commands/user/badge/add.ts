import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many, one } from "../../../command/args.ts";
import { badge, userBadgeAdd } from "../../../forge/admin-users.ts";
import { call } from "../../../forge/operation.ts";
import { ServerError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { list } from "../../../shape/shape.ts";
import { badgeNames, userBadges } from "./badges.ts";

/** `tongs user badge add`: POST /admin/users/{username}/badges. */
export const add = defineCommand({
  summary: "Add badges to a user",
  details: "Badges cannot be created with the API, only in the server's database.",
  on: "server",
  effect: "write",
  args: {
    name: one("username", { source: "account" }),
    badge: many("badge slugs; - reads them from stdin, one per line"),
  },
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
