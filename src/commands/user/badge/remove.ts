import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many, one } from "../../../command/args.ts";
import { Failure } from "../../../failure/failure.ts";
import { badge } from "../../../forge/admin-users.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { list } from "../../../shape/shape.ts";
import { heldBadges } from "./list.ts";

/** `tongs user badge remove`: DELETE /admin/users/{username}/badges. */
export const remove = defineCommand({
  summary: "Take badges from a user",
  on: "server",
  effect: "write",
  args: { name: one("the user"), badge: many("the badges' slugs; - reads them from stdin, one a line") },
  output: list(badge),
  examples: [["Take one", "tongs user badge remove mara early-bird"]],
  async run({ args, forge, out, server, system }) {
    const slugs = await readTargets(args.badge, system);
    // The server says nothing of badges that are not held, so they are looked up first.
    const held = new Set((await heldBadges(forge, args.name)).map((item) => item.Slug));
    const absent = slugs.filter((slug) => !held.has(slug));
    if (absent.length > 0) {
      const hint = held.size === 0 ? "There are none." : `There are: ${[...held].join(", ")}`;
      throw new Failure("not_found", "notFound", `${args.name} has no badge ${absent.join(", ")}`, { hint });
    }
    await forge.adminUsers.removeBadges(args.name, slugs);
    const record = () => heldBadges(forge, args.name);
    await out.done(`Took ${slugs.join(", ")} from ${args.name} ${accountLabel(server)}`, { record });
  },
});
