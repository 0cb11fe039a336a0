import { defineCommand } from "../../app/define.ts";
import { type Arg, one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { repoGet, repository } from "../../forge/repos.ts";
import { isStarred } from "../../forge/stars.ts";
import { fullName, parseRepo } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";

const repositoryArg: Arg<string> = {
  ...one("OWNER/NAME, HOST/OWNER/NAME or URL"),
  locate: ([typed = ""]) => (parseRepo(typed).host === undefined ? undefined : typed),
  source: "repository",
};

/** `tongs star check`: GET /user/starred/{owner}/{repo}; the exit code is the answer. */
export const check = defineCommand({
  summary: "Check whether you starred a repository",
  on: "server",
  effect: "read",
  args: { repository: repositoryArg },
  output: list(repository),
  exits: { ok: "starred", failure: "not starred" },
  examples: [["Check in a script", "if tongs star check mara/harbor; then echo yes; fi"]],
  async run({ args, http, out }) {
    const repo = parseRepo(args.repository);
    const starred = await isStarred(http, repo);
    // Servers respond with 404 both to "not starred" and to an unknown repository, which is an error here.
    const record = starred && !out.records ? undefined : await call(http, repoGet, { repo });
    if (out.records) await out.items(starred ? [record] : []);
    else out.note(`You have ${starred ? "" : "not "}starred ${fullName(repo)}`);
    return starred ? undefined : "failure";
  },
});
