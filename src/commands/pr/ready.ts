import { defineCommand } from "../../app/define.ts";
import { editors, explainDenied } from "../../app/denied.ts";
import { toggle } from "../../command/flags.ts";
import { editPullRequest, pullRequest } from "../../forge/pulls.ts";
import { accountLabel } from "../../profiles/server.ts";
import { findPull, pullSelector } from "./find.ts";
import { draftTitle, isDraft, pullName, readyTitle, refusedError } from "./pull.ts";

/** `tongs pr ready`: PATCH the title; its prefix marks a draft. */
export const ready = defineCommand({
  summary: "Mark a pull request as ready for review, or convert it to a draft",
  details: "A pull request is a draft if its title starts with WIP: or [WIP].",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: { undo: toggle("convert it to a draft") },
  output: pullRequest,
  examples: [
    ["Mark it as ready for review", "tongs pr ready 12"],
    ["Convert it to a draft", "tongs pr ready 12 --undo"],
  ],
  async run(context) {
    const { args, flags, http, repo, server, out } = context;
    const pull = await findPull(args.pr, context);
    const name = pullName(context, pull.number);
    const goal = flags.undo ? "a draft" : "ready for review";
    if (isDraft(pull) === flags.undo) {
      await out.done(`Pull request ${name} is already ${goal}`, { record: pull, unchanged: true });
      return;
    }
    const title = flags.undo ? draftTitle(pull.title) : readyTitle(pull.title);
    if (title === "" || title === pull.title) {
      const hint = `Change the title: tongs pr edit ${pull.number} --title TITLE`;
      throw refusedError("draft_title", `Cannot make ${name} ${goal} by changing its title '${pull.title}'`, { hint });
    }
    const edited = await editPullRequest(http, repo, pull.number, { title }).catch((error: unknown) => {
      throw explainDenied(error, `Cannot edit ${name}`, editors);
    });
    if (isDraft(edited) !== flags.undo) {
      const hint = "The server may use other draft prefixes than WIP: and [WIP].";
      throw refusedError("draft_title", `The title of ${name} is now '${edited.title}', but it is not ${goal}`, {
        hint,
      });
    }
    await out.done(`Pull request ${name} is now ${goal} ${accountLabel(server)}`, { record: edited });
  },
});
