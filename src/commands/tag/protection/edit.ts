import { defineCommand } from "../../../app/define.ts";
import { doneEdit } from "../../../app/done-edit.ts";
import { bodyOf, changedNames, editedLists, editedText, listEdits } from "../../../app/fields.ts";
import { requireWriters } from "../../../app/listed-users.ts";
import { one } from "../../../command/args.ts";
import { text } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { call } from "../../../forge/operation.ts";
import { tagLists, tagProtection, tagProtectionEdit } from "../../../forge/tags.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { allProtections, findProtection, listFields, protectionArgument } from "./shared.ts";

const fields = { namePattern: text("new pattern", { placeholder: "PATTERN" }), ...listFields };

/** `tongs tag protection edit`: PATCH a tag protection. */
export const edit = defineCommand({
  summary: "Edit a tag protection",
  details: "--whitelist-… replaces the list, '' empties it; --add-… and --remove-… change it.",
  on: "repository",
  needs: [tagProtectionEdit],
  effect: "write",
  args: { protection: one(protectionArgument, { source: "tag-protection" }) },
  flags: { ...fields, ...listEdits(listFields) },
  exclusive: [
    ["whitelistUsernames", "addWhitelistUsernames"],
    ["whitelistUsernames", "removeWhitelistUsernames"],
    ["whitelistTeams", "addWhitelistTeams"],
    ["whitelistTeams", "removeWhitelistTeams"],
  ],
  output: tagProtection,
  examples: [["Let another user create versions", "tongs tag protection edit 'v*' --add-whitelist-usernames jonas"]],
  async run(context) {
    const { args, flags, http, repo } = context;
    if (flags.namePattern?.trim() === "") throw new UsageError("--name-pattern must not be empty");
    const given = bodyOf(fields, flags);
    changedNames({ ...given, ...editedLists(listFields, flags, {}) });
    const found = findProtection(await allProtections(context), args.protection, context);
    const body = { ...given, ...editedLists(listFields, flags, found) };
    await requireWriters(tagLists, body, found, context);
    const edited = await call(http, tagProtectionEdit, { repo, id: found.id }, body);
    const where = `of ${fullName(repo)}`;
    const said = editedText(
      "tag protection",
      `tag protection '${found.name_pattern}'`,
      `tag protection '${edited.name_pattern}'`,
    );
    const what = `tag protection '${edited.name_pattern}' ${where}`;
    await doneEdit(context, { said: `${said} ${where}`, names: changedNames(body), what, record: edited });
  },
});
