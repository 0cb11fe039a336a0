import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelOf } from "../../app/level.ts";
import { choice } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Hook, hook } from "../../forge/hooks.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { ownerFlags } from "./shared.ts";

/** A hook in one line. Its events come in random order and are sorted here. */
const hookColumns = [
  column<Hook>("ID", (hook) => hook.id),
  column<Hook>("TYPE", (hook) => hook.type),
  column<Hook>("URL", (hook) => hook.config?.["url"] ?? hook.url, true),
  column<Hook>("EVENTS", (hook) => [...(hook.events ?? [])].sort().join(", "), true),
  column<Hook>("STATE", (hook) => (hook.active ? styled("good", "active") : styled("dim", "inactive"))),
  column<Hook>("UPDATED", (hook) => when(hook.updated_at)),
];

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
