import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many, one } from "../../../command/args.ts";
import { badge } from "../../../forge/admin-users.ts";
import { ServerError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { list } from "../../../shape/shape.ts";
import { heldBadges } from "./list.ts";

/** `tongs user badge add`: POST /admin/users/{username}/badges. */
export const add = defineCommand({
  summary: "Give badges to a user",
  details: "Badges themselves cannot be made by the API; they are set up in the server's database.",
  on: "server",
  effect: "write",
  args: { name: one("the user"), badge: many("the badges' slugs; - reads them from stdin, one a line") },
  output: list(badge),
  examples: [["Give one", "tongs user badge add mara early-bird"]],
  async run({ args, forge, out, server, system }) {
    const slugs = await readTargets(args.badge, system);
    await forge.adminUsers.addBadges(args.name, slugs).catch((error: unknown) => {
      // The server answers 500 for a slug that does not exist and for one that is held already (api-facts 3.6.12).
      if (!(error instanceof ServerError)) throw error;
      const message = `${server.base.host} failed: one of these badges does not exist, or ${args.name} has it already`;
      throw new ServerError(error.exchange, message, `See what ${args.name} has: tongs user badge list ${args.name}`);
    });
    const record = () => heldBadges(forge, args.name);
    await out.done(`Gave ${slugs.join(", ")} to ${args.name} ${accountLabel(server)}`, { record });
  },
});
