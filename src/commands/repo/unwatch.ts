import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { call } from "../../forge/operation.ts";
import { watchCheck, watchRemove } from "../../forge/watches.ts";
import { accountLabel } from "../../profiles/server.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { reposArgument, reposOrCurrent } from "./arguments.ts";

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
    const work = async (name: string) => {
      const repo = parseRepo(name);
      // DELETE succeeds in any case, so it is asked first whether there is something to end.
      const watched = await call(http, watchCheck, { repo });
      await call(http, watchRemove, { repo });
      const message = watched ? `Stopped watching ${name}` : `You were not watching ${name}`;
      return { message: `${message} ${accountLabel(server)}` };
    };
    return batch(await reposOrCurrent(args.repo, context), work, context);
  },
});
