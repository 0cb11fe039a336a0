import { defineCommand } from "../../app/define.ts";
import { type Commit, commit } from "../../forge/commits.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { findNumber, pullSelector } from "./find.ts";

const columns = (full: boolean) => [
  column<Commit>("COMMIT", ({ sha }) => styled("warn", full ? sha : sha.slice(0, 10))),
  column<Commit>("TITLE", (one) => one.commit?.message.split("\n", 1)[0], true),
  column<Commit>("AUTHOR", (one) => one.author?.login ?? one.commit?.author?.name),
  column<Commit>("CREATED", (one) => when(one.commit?.author?.date ?? one.created)),
];

/** `tongs pr commits`: GET the commits of a pull request, newest first. */
export const commits = defineCommand({
  summary: "List the commits of a pull request, newest first",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  output: list(commit),
  examples: [["The commits of number 12", "tongs pr commits 12"]],
  async run(context) {
    const { forge, repo, out } = context;
    const number = await findNumber(context.args.pr, context);
    // Signatures and files cost the server work that no table shows.
    const query = out.records ? {} : { verification: false, files: false };
    await out.list(forge.pulls.commits(repo, number, query), columns(!out.terminal));
  },
});
