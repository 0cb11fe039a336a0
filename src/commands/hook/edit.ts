import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelOf } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { eventsToKeep, hook } from "../../forge/hooks.ts";
import { accountLabel } from "../../profiles/server.ts";
import { ownerFlags, ownerName } from "./owner.ts";
import { authorizationHeader, checkEvents, configOf, settingFlags } from "./settings.ts";

/** `tongs hook edit`: PATCH a hook, after reading it: the server empties what is left out (api-facts 3.6.18). */
export const edit = defineCommand({
  summary: "Change a webhook",
  details:
    "Only what is named changes; --event replaces the events. The servers forget the Authorization header with every " +
    "change and never show it, so give it again with --authorization-header-file where there is one.",
  on: "server",
  effect: "write",
  args: { id: one("the hook's id") },
  flags: { ...ownerFlags, ...settingFlags },
  exclusive: [...levelExclusive, ["secretStdin", "secretFile"]],
  output: hook,
  examples: [["Switch one off", "tongs hook edit 3 --no-active"]],
  async run(context) {
    const { args, flags, forge, out, server, system } = context;
    const id = wholeNumber(args.id, "ID", 1);
    checkEvents(flags.event);
    const config = await configOf(flags, system);
    const header = authorizationHeader(flags.authorizationHeaderFile);
    const named = [flags.branchFilter, header, flags.active, flags.name].some((value) => value !== undefined);
    if (!named && flags.event.length === 0 && Object.keys(config).length === 0) {
      throw new UsageError("Nothing to change was named", "See: tongs hook edit --help");
    }
    const owner = await levelOf(flags, context);
    const before = await forge.hooks.get(owner, id);
    const changed = await forge.hooks.edit(owner, id, {
      config: Object.keys(config).length > 0 ? { ...before.config, ...config } : undefined,
      events: flags.event.length > 0 ? flags.event : eventsToKeep(before.events),
      branch_filter: flags.branchFilter ?? before.branch_filter,
      authorization_header: header ?? (before.authorization_header === "" ? undefined : before.authorization_header),
      active: flags.active ?? before.active,
      name: flags.name ?? before.name,
    });
    await out.done(`Changed hook ${id} of ${ownerName(owner)} ${accountLabel(server)}`, { record: changed });
  },
});
