import { defineCommand } from "../../command/define.ts";
import { toggle } from "../../command/flags.ts";
import { pullRequest } from "../../forge/records/pull-request.ts";
import { findPull } from "./find.ts";
import { pullSelector } from "./selector.ts";
import { pullSheet } from "./sheet.ts";

/** `tongs pr view`: GET one pull request. */
export const view = defineCommand({
  summary: "Show a pull request",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  flags: { comments: toggle("show the comments, too"), web: toggle("open it in the browser") },
  output: pullRequest,
  examples: [
    ["Show number 12", "tongs pr view 12"],
    ["Show the current branch's, as JSON", "tongs pr view --json number,mergeable"],
  ],
  async run(context) {
    await context.out.record(await findPull(context.args.pr, context), pullSheet);
  },
});
