import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { doneEdit } from "../../app/done-edit.ts";
import { changedNames } from "../../app/fields.ts";
import { one } from "../../command/args.ts";
import { text, yesNo } from "../../command/flags.ts";
import { Failure, UsageError, withHint } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { release, releaseEdit } from "../../forge/releases.ts";
import { existingCommit } from "../../forge/resolve-commit.ts";
import { protectionOfTag, tagProtectionList } from "../../forge/tags.ts";
import { isBranchName } from "../../git/refs.ts";
import { ServerError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
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
    const edited = await call(http, releaseEdit, { repo, id: found.id }, body).catch((error: unknown) =>
      explainProtected(error, flags.tag === found.tag_name ? undefined : flags.tag, context),
    );
    const what = releaseName(edited, context);
    await doneEdit(context, { said: `Updated ${what}`, names: changedNames(body), what, record: edited });
  },
});

/**
 * Of a new tag that is protected the servers say 500, where it is created by the edit; when a release is created they say
 * why (docs/server-differences.md, "Releases"). Throws an error that says so, if the protections may be read.
 */
async function explainProtected(
  error: unknown,
  tag: string | undefined,
  { http, repo, system }: Pick<BaseContext, "system"> & RepositoryContext,
): Promise<never> {
  if (!(error instanceof ServerError) || tag === undefined) throw error;
  const rules = await collect(call(http, tagProtectionList, { repo })).catch(() => undefined);
  if (rules === undefined) throw withHint(error, `A tag protection may not let you create ${tag}.`);
  const rule = await protectionOfTag(rules, tag, system.signal);
  if (rule === undefined) throw error;
  throw new Failure("invalid", `Tag ${tag} is protected by '${rule.name_pattern}' in ${fullName(repo)}`, {
    status: error.status,
    hint: "Only its users and teams can create it. See them with: tongs tag protection list",
    cause: error,
  });
}
