import { defineCommand } from "../../app/define.ts";
import { text } from "../../command/flags.ts";
import { pullRequest } from "../../forge/pulls.ts";
import { DeniedError, RefusedError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { findNumber, pullSelector } from "./find.ts";
import { explainEditDenied, isHeadDeleted, pullName, refusedError } from "./shared.ts";

/** `pr close` and `pr reopen`: PATCH the state, then POST the comment. */
function stateCommand(target: "closed" | "open") {
  const [verb, done, typed] = target === "closed" ? ["Close", "Closed", "close"] : ["Reopen", "Reopened", "reopen"];
  return defineCommand({
    summary: `${verb} a pull request`,
    on: "repository",
    effect: "write",
    args: { pr: pullSelector },
    flags: { comment: text("add a comment", { short: "c", placeholder: "TEXT" }) },
    output: pullRequest,
    exits: { refused: "it is merged, or has open dependencies" },
    examples: [[`${verb} it with a comment`, `tongs pr ${typed} 12 --comment "Superseded by #14"`]],
    async run(context) {
      const { args, flags, forge, repo, server, out } = context;
      const number = await findNumber(args.pr, context);
      const name = pullName(context, number);
      const pull = await forge.pulls.edit(repo, number, { state: target }).catch((error: unknown) => {
        throw explainStateError(error, name);
      });
      if (flags.comment !== undefined && flags.comment !== "") {
        await forge.comments.create(repo, number, flags.comment).catch((error: unknown) => {
          out.warn(`${done} ${name}, but the comment was not added`);
          throw error;
        });
      }
      if (target === "open" && isHeadDeleted(pull)) out.warn(`${name} cannot be merged: its head branch was deleted`);
      await out.done(`${done} pull request ${name} ${accountLabel(server)}`, { record: pull });
    },
  });
}

function explainStateError(error: unknown, name: string): unknown {
  if (error instanceof DeniedError) return explainEditDenied(error, name);
  if (!(error instanceof RefusedError) || error.status !== 412) return error;
  if (/already merged/.test(error.serverMessage))
    return refusedError("already_merged", `Pull request ${name} is already merged`, { cause: error });
  if (/open dependencies/.test(error.serverMessage)) {
    return refusedError("blocked", `Cannot close ${name}: it has open dependencies`, { cause: error });
  }
  return error;
}

/** `tongs pr close`. */
export const close = stateCommand("closed");

/** `tongs pr reopen`. */
export const reopen = stateCommand("open");
