import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { text } from "../../command/flags.ts";
import { createComment } from "../../forge/comments.ts";
import { editIssue, issue } from "../../forge/issues.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { manyIssues, readIssues, targetName } from "./selector.ts";
import { explainState } from "./shared.ts";

/** `issue close` and `issue reopen`: PATCH the state of each issue, then POST the comment. */
function stateCommand(target: "closed" | "open") {
  const [verb, done, typed] = target === "closed" ? ["Close", "Closed", "close"] : ["Reopen", "Reopened", "reopen"];
  return defineCommand({
    summary: `${verb} issues`,
    on: "server",
    effect: "write",
    args: { issue: target === "closed" ? manyIssues : { ...manyIssues, source: "closed issue" } },
    flags: { comment: text("add a comment", { short: "c", placeholder: "TEXT" }) },
    output: list(issue),
    exits: { refused: "it has open dependencies", partly: "some succeeded, some failed" },
    examples: [[`${verb} two issues with a comment`, `tongs issue ${typed} 3 4 --comment "See #12"`]],
    async run(context) {
      const { args, flags, http, server, out } = context;
      return batch(
        await readIssues(args.issue, context),
        async (one) => {
          const name = targetName(one);
          const changed = await editIssue(http, one.repo, one.number, { state: target }).catch((error: unknown) => {
            throw explainState(error, name);
          });
          if (flags.comment !== undefined && flags.comment !== "") {
            await createComment(http, one.repo, one.number, flags.comment).catch((error: unknown) => {
              out.warn(`${done} ${name}, but the comment was not added`);
              throw error;
            });
          }
          return { message: `${done} issue ${name} ${accountLabel(server)}`, record: changed };
        },
        context,
        { name: targetName },
      );
    },
  });
}

/** `tongs issue close`. */
export const close = stateCommand("closed");

/** `tongs issue reopen`. */
export const reopen = stateCommand("open");
