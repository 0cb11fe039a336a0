import { defineCommand } from "../../../app/define.ts";
import { doneEdit } from "../../../app/done-edit.ts";
import { bodyOf, changedNames, editedLists, editedText } from "../../../app/fields.ts";
import { requireWriters } from "../../../app/listed-users.ts";
import { one } from "../../../command/args.ts";
import { UsageError } from "../../../failure/failure.ts";
import {
  branchLists,
  branchProtection,
  branchProtectionEdit,
  branchProtectionGet,
  neededBeside,
  withNeeded,
} from "../../../forge/branch-protections.ts";
import { call } from "../../../forge/operation.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { hasLists, listEditFields, listFields, plainFields, withoutEffect } from "./fields.ts";

const fields = { ...plainFields, ...listFields };

/** `tongs branch protection edit`: PATCH a branch protection. */
export const edit = defineCommand({
  summary: "Edit a branch protection",
  details:
    "Changes only the settings given by flags. A flag for a list replaces the list, '' empties it; --add-… and " +
    "--remove-… change it. " +
    "Fails if the server did not apply a setting.",
  on: "repository",
  fieldsOf: branchProtectionEdit,
  effect: "write",
  args: { rule: one("name of the protection: a branch name or a glob", { source: "branch-protection" }) },
  flags: { ...fields, ...listEditFields },
  output: branchProtection,
  examples: [
    ["Require one approval", "tongs branch protection edit main --required-approvals 1"],
    [
      "Add a required check",
      "tongs branch protection edit main --enable-status-check --add-status-check-contexts lint",
    ],
  ],
  async run(context) {
    const { args, flags, http, out, repo } = context;
    const given = bodyOf(fields, flags);
    const edits = Object.keys(editedLists(listFields, flags, {}));
    const both = edits.find((name) => Object.hasOwn(given, name))?.replaceAll("_", "-");
    if (both !== undefined) throw new UsageError(`Cannot use --${both} with --add-${both} or --remove-${both}`);
    if (edits.length === 0) changedNames(given);
    const isRead = edits.length > 0 || neededBeside(given).length > 0 || hasLists(given);
    const found = isRead ? await call(http, branchProtectionGet, { repo, name: args.rule }) : {};
    const before: Readonly<Record<string, unknown>> = found;
    const asked = { ...given, ...editedLists(listFields, flags, found) };
    const body = withNeeded(asked, before);
    await requireWriters(branchLists, body, before, context);
    for (const text of withoutEffect(body, before)) out.warn(text);
    const edited = await call(http, branchProtectionEdit, { repo, name: args.rule }, body);
    const where = `of ${fullName(repo)}`;
    const said = editedText(
      "branch protection",
      `branch protection '${args.rule}'`,
      `branch protection '${edited.rule_name}'`,
    );
    const what = `branch protection '${edited.rule_name}' ${where}`;
    await doneEdit(context, { said: `${said} ${where}`, names: changedNames(asked), what, record: edited });
  },
});
