import { defineCommand } from "../../app/define.ts";
import { doneEdit } from "../../app/done-edit.ts";
import { changedNames } from "../../app/fields.ts";
import { one } from "../../command/args.ts";
import { text, yesNo } from "../../command/flags.ts";
import { UsageError, withHint } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { release, releaseEdit } from "../../forge/releases.ts";
import { existingCommit } from "../../forge/resolve-commit.ts";
import { isBranchName } from "../../git/refs.ts";
import { ServerError } from "../../http/errors.ts";
import { findRelease, releaseArgument, releaseName } from "./find-release.ts";
import { givenNotes, notesFlags, notesFromTag, tagMessage } from "./notes.ts";
import { settingFlags } from "./text.ts";

/** `tongs release edit`: PATCH a release. */
export const edit = defineCommand({
  summary: "Edit a release",
  details: "--no-draft publishes a draft. Servers cannot clear a title or notes.",
  on: "repository",
  fieldsOf: releaseEdit,
  effect: "write",
  args: { tag: one(releaseArgument, { source: "release" }) },
  flags: {
    ...settingFlags,
    ...notesFlags,
    notesFromTag,
    tag: text("new tag", { placeholder: "TAG", source: "new tag" }),
    draft: yesNo("save the release as a draft, or publish it"),
    prerelease: yesNo("mark the release as a prerelease"),
  },
  exclusive: [["notes", "notesFile", "notesFromTag"]],
  output: release,
  examples: [
    ["Publish a draft", "tongs release edit v1.2.0 --no-draft"],
    ["Replace the notes", "tongs release edit latest --notes-file notes.md"],
  ],
  async run(context) {
    const { args, flags, http, repo, system } = context;
    if (flags.tag !== undefined && !isBranchName(flags.tag)) {
      throw new UsageError(`'${flags.tag}' is not a valid tag name`);
    }
    const notes = await givenNotes(flags, system);
    if (flags.title?.trim() === "" || notes === "") {
      throw new UsageError(`${notes === "" ? "Release notes" : "--title"} must not be empty: servers cannot clear it`);
    }
    const given = {
      tag_name: flags.tag,
      target_commitish: flags.target,
      name: flags.title,
      body: notes,
      draft: flags.draft,
      prerelease: flags.prerelease,
      hide_archive_links: flags.hideArchiveLinks,
    };
    if (!flags.notesFromTag) changedNames(given);
    const found = await findRelease(args.tag, context);
    // Servers store an unknown one in a draft, and fail when it is published.
    if (flags.target !== undefined) await existingCommit(flags.target, context);
    const fromTag = flags.notesFromTag ? { body: await tagMessage(flags.tag ?? found.tag_name, context) } : {};
    const body = { ...given, ...fromTag };
    const edited = await call(http, releaseEdit, { repo, id: found.id }, body).catch((error: unknown) => {
      // Of a tag that is protected the servers say 500 (docs/server-differences.md, "Releases").
      const isNew = error instanceof ServerError && flags.tag !== undefined && flags.tag !== found.tag_name;
      throw isNew ? withHint(error, `A tag protection may not let you create ${flags.tag}.`) : error;
    });
    const what = releaseName(edited, context);
    await doneEdit(context, { said: `Updated ${what}`, names: changedNames(body), what, record: edited });
  },
});
