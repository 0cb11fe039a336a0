import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { choice } from "../../command/flags.ts";
import { type ChangedFile, changedFile } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { pullFileList } from "../../forge/pulls.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { findNumber, pullSelector } from "./find.ts";

/** The table of changed files. */
const fileColumns = [
  column<ChangedFile>("STATUS", "status"),
  column<ChangedFile>("ADDED", "additions", (file) => styled("good", `+${file.additions ?? 0}`)),
  column<ChangedFile>("DELETED", "deletions", (file) => styled("bad", `-${file.deletions ?? 0}`)),
  column<ChangedFile>("FILE", "filename", { cell: fileName, flexible: true }),
];

/** `old → new` for a renamed file. */
export function fileName(file: ChangedFile): string {
  const { filename, previous_filename: before } = file;
  return before === undefined || before === "" || before === filename ? filename : `${before} → ${filename}`;
}

/** `tongs pr files`: GET the changed files of a pull request. */
export const files = defineCommand({
  summary: "List the changed files of a pull request",
  on: "repository",
  effect: "read",
  lists: ["changed file", "changed files"],
  args: { pr: pullSelector },
  flags: { ignoreWhitespace: choice(["all", "change", "eol"], "ignore changes of whitespace") },
  output: list(changedFile),
  examples: [
    ["List the files changed by pull request 12", "tongs pr files 12"],
    ["Print only the names", "tongs pr files 12 --all --jq '.[].filename'"],
  ],
  web: {
    page: async (context) => repoPage(context.repo, "pulls", await findNumber(context.args.pr, context), "files"),
  },
  async run(context) {
    const { http, repo, out, flags } = context;
    const number = await findNumber(context.args.pr, context);
    const whitespace = flags.ignoreWhitespace === undefined ? undefined : `ignore-${flags.ignoreWhitespace}`;
    await out.list(call(http, pullFileList, { repo, index: number, whitespace }), fileColumns);
  },
});
