import { defineCommand } from "../../app/define.ts";
import { toggle } from "../../command/flags.ts";
import { pullRequest } from "../../forge/pulls.ts";
import { accountLabel } from "../../profiles/server.ts";
import { findPull, pullSelector } from "./find.ts";
import { asDraft, asReady, explainEditDenied, pullName, refused } from "./shared.ts";

/** `tongs pr ready`: PATCH the title, whose prefix makes a draft. */
export const ready = defineCommand({
  summary: "Mark a pull request as ready, or as a draft",
  details: "The servers know a draft by its title: WIP: or [WIP] at its beginning.",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: { undo: toggle("make it a draft") },
  output: pullRequest,
  examples: [
    ["It is ready", "tongs pr ready 12"],
    ["Back to a draft", "tongs pr ready 12 --undo"],
  ],
  async run(context) {
    const { args, flags, forge, repo, server, out } = context;
    const pull = await findPull(args.pr, context);
    const name = pullName(context, pull.number);
    const is = flags.undo ? "a draft" : "ready";
    if (pull.draft === flags.undo) {
      await out.done(`${name} is ${is} already`, { record: pull });
      return;
    }
    const title = flags.undo ? asDraft(pull.title) : asReady(pull.title);
    if (title === "" || title === pull.title) {
      const hint = `Give it another title: tongs pr edit ${pull.number} --title TITLE`;
      throw refused("draft_title", `The title '${pull.title}' does not show how to make it ${is}`, hint);
    }
    const edited = await forge.pulls.edit(repo, pull.number, { title }).catch((error: unknown) => {
      throw explainEditDenied(error, name);
    });
    if (edited.draft !== flags.undo) {
      const hint = "The server may be set to other prefixes for drafts than WIP: and [WIP].";
      throw refused("draft_title", `The title of ${name} is now '${edited.title}', yet it is not ${is}`, hint);
    }
    await out.done(`${name} is now ${is} ${accountLabel(server)}`, { record: edited });
  },
});
