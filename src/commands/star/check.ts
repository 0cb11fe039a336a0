import { defineCommand } from "../../app/define.ts";
import { type Arg, one } from "../../command/args.ts";
import { repository } from "../../forge/repos.ts";
import { fullName, parseRepo } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";

const named: Arg<string> = {
  ...one("OWNER/NAME, HOST/OWNER/NAME or a URL"),
  locate: ([typed = ""]) => (parseRepo(typed).host === undefined ? undefined : typed),
};

/** `tongs star check`: GET /user/starred/{owner}/{repo}; the answer is the exit code. */
export const check = defineCommand({
  summary: "Tell whether you star a repository",
  on: "server",
  effect: "read",
  args: { repository: named },
  output: list(repository),
  exits: { ok: "starred", failure: "not starred" },
  examples: [["In a script", "if tongs star check mara/harbor; then echo yes; fi"]],
  async run({ args, forge, out }) {
    const repo = parseRepo(args.repository);
    const starred = await forge.stars.check(repo);
    // The servers say 404 for "not starred" and for "no such repository"; the latter is no answer to the question.
    const record = starred && !out.records ? undefined : await forge.repos.get(repo);
    if (out.records) await out.items(starred ? [record] : []);
    else out.note(`${fullName(repo)} is ${starred ? "" : "not "}starred`);
    return starred ? undefined : "failure";
  },
});
