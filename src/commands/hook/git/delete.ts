import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { gitHookDelete } from "../../../forge/hooks.ts";
import { call } from "../../../forge/operation.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** `tongs hook git delete`: DELETE /repos/{owner}/{repo}/hooks/git/{id} for each. */
export const remove = defineCommand({
  summary: "Delete the scripts of git hooks",
  on: "repository",
  effect: "destroy",
  args: { name: many("pre-receive, update or post-receive; - reads them from stdin, one per line") },
  exits: { partly: "some git hooks were deleted, some failed" },
  examples: [["Delete a git hook", "tongs hook git delete pre-receive --yes"]],
  async run(context) {
    const { args, http, repo, prompt, server, system } = context;
    const names = await readTargets(args.name, system);
    const what = names.length === 1 ? `git hook ${names[0]}` : `${names.length} git hooks`;
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}` });
    const deleteOne = async (name: string) => {
      await call(http, gitHookDelete, { repo, id: name });
      return { message: `Deleted git hook ${name} of ${fullName(repo)} ${accountLabel(server)}` };
    };
    return batch(names, deleteOne, context);
  },
});
