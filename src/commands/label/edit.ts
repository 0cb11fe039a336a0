import { defineCommand } from "../../app/define.ts";
import { bodyOf, changedFields } from "../../app/fields.ts";
import { one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { label, labelEdit, labelList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { findLabel, labelOwner, ownerFlags, ownerName, readColor, settingFlags } from "./shared.ts";

const fields = { name: text("new name", { short: "n", placeholder: "NAME" }), ...settingFlags };

/** `tongs label edit`: PATCH a label. */
export const edit = defineCommand({
  summary: "Edit a label",
  on: "server",
  effect: "write",
  args: { label: one("name of the label, or its ID", { from: "label", source: "label" }) },
  flags: { ...ownerFlags, ...fields },
  output: label,
  examples: [
    ["Rename a label", "tongs label edit bug --name defect"],
    ["Archive a label", "tongs label edit stale --is-archived"],
  ],
  async run(context) {
    const { args, flags, http, out, server } = context;
    const given = bodyOf(fields, flags);
    const body = given.color === undefined ? given : { ...given, color: readColor(given.color) };
    const changed = changedFields(body);
    if (body.name?.trim() === "") throw new UsageError("--name must not be empty");
    const owner = await labelOwner(flags, context);
    const { id, name } = findLabel(await collect(call(http, labelList, { level: owner })), args.label, owner);
    const edited = await call(http, labelEdit, { level: owner, id }, body);
    const message = `Updated label '${name}' in ${ownerName(owner)} (${changed}) ${accountLabel(server)}`;
    await out.done(message, { record: edited });
  },
});
