import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many, one } from "../../../command/args.ts";
import { Failure } from "../../../failure/failure.ts";
import { badge, userBadgeRemove } from "../../../forge/admin-users.ts";
import { call } from "../../../forge/operation.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { list } from "../../../shape/shape.ts";
import { badgeNames, userBadges } from "./list.ts";

/** `tongs user badge remove`: DELETE /admin/users/{username}/badges. */
export const remove = defineCommand({
  summary: "Remove badges from a user",
  on: "server",
  effect: "write",
  args: {
    name: one("username", { source: "account" }),
    badge: many("badge slugs; - reads them from stdin, one per line"),
  },
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
