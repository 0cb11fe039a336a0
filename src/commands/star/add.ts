import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readRepositories, repositories } from "../../app/repositories.ts";
import { call } from "../../forge/operation.ts";
import { repoGet, repository } from "../../forge/repos.ts";
import { addStar } from "../../forge/stars.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";

/** `tongs star add`: PUT /user/starred/{owner}/{repo} for each. */
export const add = defineCommand({
  summary: "Star repositories",
  on: "server",
  effect: "write",
  args: { repository: repositories },
  output: list(repository),
  exits: { partly: "some repositories were starred, some failed" },
  examples: [
    ["Star a repository", "tongs star mara/harbor"],
    ["Star the repositories listed in a file", "tongs star add - < repositories.txt"],
  ],
  async run(context) {
    const { args, http, server } = context;
    const work = async (repo: RepoName) => {
      await addStar(http, repo);
      return {
        message: `Starred ${fullName(repo)} ${accountLabel(server)}`,
        record: () => call(http, repoGet, { repo }),
      };
    };
    return batch(await readRepositories(args.repository, context), work, context, { name: fullName });
  },
});
