import type { CommandContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { collectAll } from "../../app/shared.ts";
import { repoPage } from "../../app/web.ts";
import { toggle } from "../../command/flags.ts";
import { type ChangedFile, changedFile } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { pullDiff, pullFileList } from "../../forge/pulls.ts";
import { showDiff } from "../../output/diff-colors.ts";
import { type FileStat, statLines } from "../../output/diff-stat.ts";
import { list } from "../../shape/shape.ts";
import { Styled } from "../../text/styled.ts";
import { findNumber, pullSelector } from "./find.ts";
import { fileName } from "./pull.ts";

const flags = {
  patch: toggle("print a patch for each commit, for git am"),
  nameOnly: toggle("print only the names of changed files"),
  stat: toggle("print the number of changed lines per file"),
};

/** `tongs pr diff`: GET the diff (`.diff`, `.patch`), or the changed files. */
export const diff = defineCommand({
  summary: "View changes in a pull request",
  details:
    "On a terminal, the diff is colored and shown in the pager. In a pipe, it is printed exactly as the server sends it. " +
    "The JSON formats print the changed files.",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  flags,
  exclusive: [["patch", "nameOnly", "stat"]],
  output: list(changedFile),
  examples: [
    ["View the diff of pull request 12", "tongs pr diff 12"],
    ["Apply the commits to the current branch", "tongs pr diff 12 --patch | git am"],
  ],
  web: {
    page: async (context) => repoPage(context.repo, "pulls", await findNumber(context.args.pr, context), "files"),
  },
  async run(context) {
    const { http, repo, out, options } = context;
    const number = await findNumber(context.args.pr, context);
    if (!out.records && !context.flags.nameOnly && !context.flags.stat) return showPullDiff(number, context);

    const files = await collectAll(call(http, pullFileList, { repo, index: number }), options);
    if (out.records) return out.items(files);
    const joinLines = (lines: readonly (string | Styled)[]) => Styled.join([...lines, ""], "\n");
    if (context.flags.stat) await out.raw(joinLines(await statLines(files.map(statOf), out)));
    else await out.raw(joinLines(files.map((file) => file.filename)));
  },
});

type DiffContext = CommandContext<"repository", { pr: typeof pullSelector }, typeof flags>;

async function showPullDiff(number: number, context: DiffContext): Promise<void> {
  const { http, repo, flags } = context;
  const { body: pieces } = await (flags.patch
    ? call(http, pullDiff, { repo, index: number, diffType: "patch" })
    : call(http, pullDiff, { repo, index: number, diffType: "diff" }));
  await showDiff(pieces, context);
}

function statOf(file: ChangedFile): FileStat {
  return { name: fileName(file), additions: file.additions ?? 0, deletions: file.deletions ?? 0 };
}
