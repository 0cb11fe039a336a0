import { defineCommand } from "../../app/define.ts";
import { text } from "../../command/flags.ts";
import { pullRequest } from "../../forge/pulls.ts";
import { DeniedError, RefusedError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { explainEditDenied } from "./denied.ts";
import { findNumber } from "./find.ts";
import { pullSelector } from "./selector.ts";
import { headIsGone, pullName, refused } from "./subject.ts";

/** What `pr close` and `pr reopen` are: PATCH the state, then POST the comment. */
export function stateCommand(wanted: "closed" | "open") {
  const [verb, done, typed] = wanted === "closed" ? ["Close", "Closed", "close"] : ["Reopen", "Reopened", "reopen"];
  return defineCommand({
    summary: `${verb} a pull request`,
    on: "repository",
    effect: "write",
    args: { pr: pullSelector },
    flags: { comment: text("say something along with it", { short: "c" }) },
    output: pullRequest,
    exits: { refused: "it is merged, or still depends on something open" },
    examples: [[`${verb} it and say why`, `tongs pr ${typed} 12 --comment "Superseded by #14"`]],
    async run(context) {
      const { args, flags, forge, repo, server, out } = context;
      const number = await findNumber(args.pr, context);
      const name = pullName(context, number);
      const pull = await forge.pulls.edit(repo, number, { state: wanted }).catch((error: unknown) => {
        throw explained(error, name);
      });
      if (flags.comment !== undefined && flags.comment !== "") {
        await forge.comments.create(repo, number, flags.comment).catch((error: unknown) => {
          out.warn(`${done} ${name}, but the comment was not made`);
          throw error;
        });
      }
      if (wanted === "open" && headIsGone(pull)) out.warn(`The head branch of ${name} is gone, so it cannot be merged`);
      await out.done(`${done} ${name} ${accountLabel(server)}`, { record: pull });
    },
  });
}

function explained(error: unknown, name: string): unknown {
  if (error instanceof DeniedError) return explainEditDenied(error, name);
  if (!(error instanceof RefusedError) || error.status !== 412) return error;
  if (/already merged/.test(error.serverMessage))
    return refused("already_merged", `${name} is merged already`, undefined, error);
  if (/open dependencies/.test(error.serverMessage)) {
    return refused("blocked", `${name} cannot be closed: it depends on what is still open`, undefined, error);
  }
  return error;
}
