import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readRepositories, repositories } from "../../app/repositories.ts";
import { call } from "../../forge/operation.ts";
import { repoGet, repository } from "../../forge/repos.ts";
import { removeStar } from "../../forge/stars.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";

/** `tongs star remove`: DELETE /user/starred/{owner}/{repo} for each. */
export const remove = defineCommand({
  summary: "Unstar repositories",
  on: "server",
  effect: "write",
  args: { repository: repositories },
  output: list(repository),
  exits: { partly: "some repositories were unstarred, some failed" },
  examples: [
    ["Unstar a repository", "tongs unstar mara/harbor"],
    ["Unstar the repositories listed in a file", "tongs star remove - < repositories.txt"],
  ],
  async run(context) {
    const { args, http, server } = context;
    const work = async (repo: RepoName) => {
      await removeStar(http, repo);
      return {
        message: `Unstarred ${fullName(repo)} ${accountLabel(server)}`,
        record: () => call(http, repoGet, { repo }),
      };
    };
    return batch(await readRepositories(args.repository, context), work, context, { name: fullName });
  },
});
