import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelOf } from "../../app/shared.ts";
import { choice } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { hook } from "../../forge/hooks.ts";
import { list as listOf } from "../../shape/shape.ts";
import { hookColumns } from "./columns.ts";
import { ownerFlags } from "./owner.ts";

/** `tongs hook list`: GET the hooks of a repository, an organization, yourself or the server. */
export const list = defineCommand({
  summary: "List webhooks",
  on: "server",
  effect: "read",
  flags: { ...ownerFlags, type: choice(["system", "default", "all"], "with --admin: which kind") },
  exclusive: levelExclusive,
  output: listOf(hook),
  examples: [
    ["Those of the repository here", "tongs hook list"],
    ["All of the server", "tongs hook list --admin --type all"],
  ],
  async run(context) {
    const { flags, forge, out } = context;
    if (flags.type !== undefined && !flags.admin) throw new UsageError("--type needs --admin");
    await out.list(forge.hooks.list(await levelOf(flags, context), flags.type), hookColumns);
  },
});
