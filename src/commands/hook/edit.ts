import { defineCommand } from "../../app/define.ts";
import { doneEdit } from "../../app/done-edit.ts";
import { changedNames } from "../../app/fields.ts";
import { levelExclusive, levelFlags, levelOf, ownerName } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { editHook, hook, hookEdit, hookGet, shownHook } from "../../forge/hooks.ts";
import { call } from "../../forge/operation.ts";
import { authorizationHeader, checkEvents, configOf, settingFlags } from "./shared.ts";

/**
 * `tongs hook edit`: PATCH a hook, after reading it: the server clears omitted fields (docs/server-differences.md,
 * "Hooks").
 */
export const edit = defineCommand({
  summary: "Edit a webhook",
  details:
    "Changes only the settings given by flags; --event replaces all events. An edit deletes the Authorization header if the " +
    "server does not return it (hook list --json shows whether it does): pass it again then with --authorization-header-file.",
  on: "server",
  fieldsOf: hookEdit,
  effect: "write",
  args: { id: one("webhook ID", { source: "hook" }) },
  flags: { ...levelFlags, ...settingFlags },
  exclusive: [...levelExclusive, ["secretStdin", "secretFile"]],
  output: hook,
  examples: [["Deactivate a webhook", "tongs hook edit 3 --no-active"]],
  async run(context) {
    const { args, flags, http, system } = context;
    const id = wholeNumber(args.id, "ID", 1);
    checkEvents(flags.event);
    const config = await configOf(flags, system);
    const header = await authorizationHeader(flags.authorizationHeaderFile, system);
    const given = {
      events: flags.event.length > 0 ? flags.event : undefined,
      branch_filter: flags.branchFilter,
      authorization_header: header,
      active: flags.active,
      name: flags.name,
    };
    const configured = Object.entries(config).map(([key, value]) => [`config.${key}`, value]);
    const names = changedNames({ ...Object.fromEntries(configured), ...given });
    const owner = await levelOf(flags, context);
    const before = await call(http, hookGet, { level: owner, id });
    const changed = await editHook(http, owner, before, { config, ...given });
    const said = `Updated webhook ${id} of ${ownerName(owner)}`;
    await doneEdit(context, { said, names, what: `webhook ${changed.id}`, record: shownHook(changed) });
  },
});
