import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { settingsPage } from "../../app/web.ts";
import { choice } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Hook, hook, hookList } from "../../forge/hooks.ts";
import { call } from "../../forge/operation.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

/** The columns of a list of hooks. The servers return events in random order. */
const hookColumns = [
  column<Hook>("ID", (hook) => hook.id),
  column<Hook>("TYPE", (hook) => hook.type),
  column<Hook>("URL", (hook) => hook.config?.["url"] ?? hook.url, true),
  column<Hook>("EVENTS", (hook) => [...(hook.events ?? [])].sort().join(", "), true),
  column<Hook>("STATE", (hook) => (hook.active ? styled("good", "active") : styled("plain", "inactive"))),
  column<Hook>("UPDATED", (hook) => when(hook.updated_at), false, "optional"),
];

/** `tongs hook list`: GET the hooks of a repository, an organization, a user or the server. */
export const list = defineCommand({
  summary: "List webhooks",
  on: "server",
  effect: "read",
  flags: { ...levelFlags, type: choice(["system", "default", "all"], "with --admin, the kind to list") },
  exclusive: levelExclusive,
  output: listOf(hook),
  examples: [
    ["List the webhooks of the current repository", "tongs hook list"],
    ["List all webhooks of the server", "tongs hook list --admin --type all"],
  ],
  web: {
    page: async (context) => settingsPage(await levelOf(context.flags, context), "hooks"),
    uses: ["org", "user", "admin"],
  },
  async run(context) {
    const { flags, http, out } = context;
    if (flags.type !== undefined && !flags.admin) throw new UsageError("--type requires --admin");
    await out.list(call(http, hookList, { level: await levelOf(flags, context), type: flags.type }), hookColumns);
  },
});
