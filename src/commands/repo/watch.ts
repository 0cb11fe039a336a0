import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { call } from "../../forge/operation.ts";
import { watchAdd, watchCheck, watch as watchRecord, watchRemove } from "../../forge/watches.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { reposArgument, reposOrCurrent } from "./shared.ts";

/** `tongs repo watch`: PUT the user's subscription to each repository. */
export const watch = defineCommand({
  summary: "Watch repositories",
  details: "You are notified of everything in a repository that you watch.",
  on: "server",
  effect: "write",
  args: { repo: reposArgument },
  output: list(watchRecord),
  exits: { partly: "some repositories are watched, some failed" },
  examples: [["Watch a repository", "tongs repo watch mara/harbor"]],
  async run(context) {
    const { args, http, server } = context;
    const work = async (repo: RepoName) => {
      const record = await call(http, watchAdd, { repo });
      return { message: `Watching ${fullName(repo)} ${accountLabel(server)}`, record };
    };
    return batch(await reposOrCurrent(args.repo, context), work, context, { name: fullName });
  },
});

/** `tongs repo unwatch`: DELETE the user's subscription to each repository. */
export const unwatch = defineCommand({
  summary: "Stop watching repositories",
  on: "server",
  effect: "write",
  args: { repo: reposArgument },
  exits: { partly: "some repositories are no longer watched, some failed" },
  examples: [["Stop watching the current repository", "tongs repo unwatch"]],
  async run(context) {
    const { args, http, server } = context;
    const work = async (repo: RepoName) => {
      // DELETE succeeds in any case, so it is asked first whether there is something to end.
      const watched = await call(http, watchCheck, { repo });
      await call(http, watchRemove, { repo });
      const message = watched ? `Stopped watching ${fullName(repo)}` : `You were not watching ${fullName(repo)}`;
      return { message: `${message} ${accountLabel(server)}` };
    };
    return batch(await reposOrCurrent(args.repo, context), work, context, { name: fullName });
  },
});
