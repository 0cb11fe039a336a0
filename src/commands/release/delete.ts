import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { Failure, withHint } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { releaseDelete } from "../../forge/releases.ts";
import { tagDelete } from "../../forge/tags.ts";
import { NotFoundError } from "../../http/errors.ts";
import { accountLabel, commandIn } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { quoted } from "../../text/words.ts";
import { findRelease, releaseName } from "./find-release.ts";

/** `tongs release delete`: DELETE each release, and its tag if wanted. */
export const remove = defineCommand({
  summary: "Delete releases",
  details: "Also deletes the assets of the releases. The tags stay unless --cleanup-tag is given.",
  on: "repository",
  effect: "destroy",
  result: "deleted",
  args: {
    tag: many("tags of releases, or latest", { dash: "lines", source: "release" }),
  },
  flags: { cleanupTag: toggle("also delete the tags") },
  exits: { partly: "some releases were deleted, some failed" },
  examples: [["Delete a release and its tag", "tongs release delete v1.2.0-rc1 --cleanup-tag --yes"]],
  async run(context) {
    const { args, flags, http, prompt, repo, server, system } = context;
    const targets = await readTargets(args.tag, system, "release");
    // Confirmed is one release, which stays the same if another is published meanwhile.
    const latest = targets.includes("latest") ? await findRelease("latest", context) : undefined;
    const tag = targets[0] === "latest" ? latest?.tag_name : targets[0];
    const what = targets.length === 1 ? `release ${tag}` : `${targets.length} releases`;
    const tags = flags.cleanupTag ? ` and ${targets.length === 1 ? "its tag" : "their tags"}` : "";
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}${tags}`, sends: releaseDelete });
    return batch(
      targets,
      async (target) => {
        const found = (target === "latest" ? latest : undefined) ?? (await findRelease(target, context));
        await call(http, releaseDelete, { repo, id: found.id });
        const name = releaseName(found, context);
        if (!flags.cleanupTag) return { message: `Deleted ${name} ${accountLabel(server)}` };
        await call(http, tagDelete, { repo, tag: found.tag_name }).catch((error: unknown) => {
          // A draft has no tag.
          if (error instanceof NotFoundError && found.draft) return;
          if (!(error instanceof Failure)) throw error;
          const line = commandIn(context, `tongs tag delete ${quoted(found.tag_name)}`);
          const hint = `The release was deleted, its tag was not: ${line}`;
          throw withHint(error, hint);
        });
        return { message: `Deleted ${name} and its tag ${accountLabel(server)}` };
      },
      context,
    );
  },
});
