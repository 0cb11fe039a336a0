import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { pageName, wikiPageDelete } from "../../forge/wiki.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { allPages, findPage } from "./find.ts";

/** `tongs wiki delete`: DELETE each page. Each deletion is a commit, so they are made one after another. */
export const remove = defineCommand({
  summary: "Delete wiki pages",
  on: "repository",
  effect: "destroy",
  args: { page: many("titles or names of pages; - reads them from stdin, one per line") },
  exits: { partly: "some pages were deleted, some failed" },
  examples: [["Delete a page", "tongs wiki delete Night-signals --yes"]],
  async run(context) {
    const { args, http, repo, server, prompt, system } = context;
    const typed = await readTargets(args.page, system);
    const pages = await allPages(context);
    const what = typed.length === 1 ? `wiki page ${typed[0]}` : `${typed.length} wiki pages`;
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}` });
    const work = async (page: string) => {
      await call(http, wikiPageDelete, { repo, pageName: pageName(findPage(pages, page, context)) });
      return { message: `Deleted wiki page ${page} of ${fullName(repo)} ${accountLabel(server)}` };
    };
    return batch(typed, work, context, { jobs: 1 });
  },
});
