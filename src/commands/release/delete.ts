import { readTargets } from "../../app/input.ts";
import { batchCommand } from "../../app/write-command.ts";
import { many } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { Failure, withHint } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { releaseDelete } from "../../forge/releases.ts";
import { tagDelete } from "../../forge/tags.ts";
import { NotFoundError } from "../../http/errors.ts";
import { commandIn } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { quoted } from "../../text/words.ts";
import { findRelease, releaseName } from "./find-release.ts";

/** `tongs release delete`: DELETE each release, and its tag if wanted. */
export const remove = batchCommand({
  summary: "Delete releases",
  details: "Also deletes the assets of the releases. The tags stay unless --cleanup-tag is given.",
  on: "repository",
  result: "deleted",
  args: {
    tag: many("tags of releases, or latest", { dash: "lines", source: "release" }),
  },
  flags: { cleanupTag: toggle("also delete the tags") },
  exits: { partly: "some releases were deleted, some failed" },
  examples: [["Delete a release and its tag", "tongs release delete v1.2.0-rc1 --cleanup-tag --yes"]],
  async targets(context) {
    const targets = await readTargets(context.args.tag, context.system, "release");
    // Confirmed is one release, which stays the same if another is published meanwhile.
    const latest = targets.includes("latest") ? await findRelease("latest", context) : undefined;
    return targets.map((tag) => ({ tag, release: tag === "latest" ? latest : undefined }));
  },
  name: ({ tag }) => tag,
  asks([first, ...others], { flags, repo }) {
    const one = others.length === 0;
    const what = one ? `release ${first?.release?.tag_name ?? first?.tag}` : `${others.length + 1} releases`;
    const tags = flags.cleanupTag ? ` and ${one ? "its tag" : "their tags"}` : "";
    return { what: `Delete ${what} of ${fullName(repo)}${tags}`, sends: releaseDelete };
  },
  async work({ tag, release }, context) {
    const { flags, http, repo } = context;
    const found = release ?? (await findRelease(tag, context));
    await call(http, releaseDelete, { repo, id: found.id });
    const name = releaseName(found, context);
    if (!flags.cleanupTag) return { done: `Deleted ${name}` };
    await call(http, tagDelete, { repo, tag: found.tag_name }).catch((error: unknown) => {
      // A draft has no tag.
      if (error instanceof NotFoundError && found.draft) return;
      if (!(error instanceof Failure)) throw error;
      const line = commandIn(context, `tongs tag delete ${quoted(found.tag_name)}`);
      throw withHint(error, `The release was deleted, its tag was not: ${line}`);
    });
    return { done: `Deleted ${name} and its tag` };
  },
});
