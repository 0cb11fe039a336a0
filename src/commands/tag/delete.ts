import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { tagDelete } from "../../forge/tags.ts";
import { RefusedError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs tag delete`: DELETE each tag. */
export const remove = defineCommand({
  summary: "Delete tags",
  on: "repository",
  effect: "destroy",
  args: { tag: many("names of tags; - reads them from stdin, one per line", { source: "tag", from: "tag" }) },
  exits: { refused: "a release has the tag", partly: "some tags were deleted, some failed" },
  examples: [["Delete a tag", "tongs tag delete v1.2.0-rc1 --yes"]],
  async run(context) {
    const { args, http, prompt, repo, server, system } = context;
    const targets = await readTargets(args.tag, system);
    const what = targets.length === 1 ? `tag ${targets[0]}` : `${targets.length} tags`;
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}` });
    return batch(
      targets,
      async (target) => {
        await call(http, tagDelete, { repo, tag: target }).catch((error: unknown) => {
          if (error instanceof RefusedError && error.status === 409) throw hasRelease(error, target);
          throw error;
        });
        return { message: `Deleted tag ${target} of ${fullName(repo)} ${accountLabel(server)}` };
      },
      context,
    );
  },
});

function hasRelease(error: RefusedError, tag: string): Failure {
  const { status, method, path } = error;
  return new Failure("has_release", `A release has tag ${tag}`, {
    ...{ status, method, path, cause: error },
    hint: `Delete both with: tongs release delete ${tag} --cleanup-tag`,
  });
}
