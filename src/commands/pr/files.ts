import { defineCommand } from "../../app/define.ts";
import { choice } from "../../command/flags.ts";
import { changedFile } from "../../forge/commits.ts";
import { list } from "../../shape/shape.ts";
import { fileColumns } from "./file-columns.ts";
import { findNumber } from "./find.ts";
import { pullSelector } from "./selector.ts";

/** `tongs pr files`: GET the files that a pull request changes. */
export const files = defineCommand({
  summary: "List the files that a pull request changes",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  flags: { ignoreWhitespace: choice(["all", "change", "eol"], "do not count changes of white space") },
  output: list(changedFile),
  examples: [
    ["What number 12 touches", "tongs pr files 12"],
    ["Names only", "tongs pr files 12 --all --jq '.[].filename'"],
  ],
  async run(context) {
    const { forge, repo, out, flags } = context;
    const number = await findNumber(context.args.pr, context);
    const whitespace = flags.ignoreWhitespace === undefined ? undefined : `ignore-${flags.ignoreWhitespace}`;
    await out.list(forge.pulls.files(repo, number, { whitespace }), fileColumns);
  },
});
