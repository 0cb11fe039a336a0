import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { editors, explainDenied } from "../../app/denied.ts";
import { toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { editPullRequest, pullRequest } from "../../forge/pulls.ts";
import { accountLabel, commandIn } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { type FindContext, findPull, type PullSelector, pullSelectors, selectorName } from "./find.ts";
import { draftTitle, isDraft, type PullContext, pullName, readyTitle, requireOpen } from "./pull.ts";

/** `tongs pr ready`: PATCH the title; its prefix marks a draft. */
export const ready = defineCommand({
  summary: "Mark pull requests as ready for review, or convert them to drafts",
  details: "A pull request is a draft if its title starts with WIP: or [WIP].",
  on: "repository",
  effect: "write",
  args: { pr: pullSelectors },
  flags: { undo: toggle("convert them to drafts") },
  output: list(pullRequest),
  exits: { partly: "some pull requests were changed, some failed" },
  examples: [
    ["Mark it as ready for review", "tongs pr ready 12"],
    ["Convert it to a draft", "tongs pr ready 12 --undo"],
  ],
  async run(context) {
    return batch(context.args.pr, (selector) => mark(selector, context), context, { name: selectorName });
  },
});

/** Marks one, unless it is so already. */
async function mark(
  selector: PullSelector,
  context: PullContext & FindContext & { readonly flags: { readonly undo: boolean } },
) {
  const { flags, http, repo, server } = context;
  const pull = await findPull(selector, context);
  const name = pullName(context, pull.number);
  if (pull.merged) requireOpen(pull, context);
  const goal = flags.undo ? "a draft" : "ready for review";
  if (isDraft(pull) === flags.undo)
    return { message: `Pull request ${name} is already ${goal}`, record: pull, unchanged: true };
  const title = flags.undo ? draftTitle(pull.title) : readyTitle(pull.title);
  if (title === "" || title === pull.title) {
    const hint = `Change the title: ${commandIn(context, `tongs pr edit ${pull.number} --title TITLE`)}`;
    throw new Failure("draft_title", `Cannot make ${name} ${goal} by changing its title '${pull.title}'`, { hint });
  }
  const edited = await editPullRequest(http, repo, pull.number, { title }).catch((error: unknown) => {
    throw explainDenied(error, `Cannot edit ${name}`, editors);
  });
  if (isDraft(edited) !== flags.undo) {
    const hint = "The server may use other draft prefixes than WIP: and [WIP].";
    throw new Failure("draft_title", `The title of ${name} is now '${edited.title}', but it is not ${goal}`, {
      hint,
    });
  }
  return { message: `Pull request ${name} is now ${goal} ${accountLabel(server)}`, record: edited };
}
