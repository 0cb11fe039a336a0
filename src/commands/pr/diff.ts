import type { CommandContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { collectAll } from "../../app/shared.ts";
import { toggle } from "../../command/flags.ts";
import { changedFile } from "../../forge/commits.ts";
import { noColors } from "../../output/palette.ts";
import { list } from "../../shape/shape.ts";
import { statLines } from "./diff-stat.ts";
import { findNumber } from "./find.ts";
import { pullSelector } from "./selector.ts";

const flags = {
  patch: toggle("as a series of mails, one a commit, for git am"),
  nameOnly: toggle("only the names of the changed files"),
  stat: toggle("how much changed in each file"),
};

/** `tongs pr diff`: GET the diff (`.diff`, `.patch`) as it is, or the changed files. */
export const diff = defineCommand({
  summary: "Show the changes of a pull request",
  details:
    "On a terminal the diff is coloured and shown by $PAGER; piped it is what the server sends, byte for byte. " +
    "The JSON forms print the changed files.",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  flags,
  exclusive: [["patch", "nameOnly", "stat"]],
  output: list(changedFile),
  examples: [
    ["Read the changes of number 12", "tongs pr diff 12"],
    ["Apply them here as commits", "tongs pr diff 12 --patch | git am"],
  ],
  async run(context) {
    const { forge, repo, out, options } = context;
    const number = await findNumber(context.args.pr, context);
    if (!out.records && !context.flags.nameOnly && !context.flags.stat) return showDiff(number, context);

    const files = await collectAll(forge.pulls.files(repo, number), options);
    if (out.records) return out.items(files);
    const lined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
    if (context.flags.stat) await out.raw(lined(await statLines(files, out)));
    else await out.text(lined(files.map((file) => file.filename)));
  },
});

type DiffContext = CommandContext<"repository", { pr: typeof pullSelector }, typeof flags>;

async function showDiff(number: number, context: DiffContext): Promise<void> {
  const { forge, repo, flags, out } = context;
  const { body: pieces } = await (flags.patch ? forge.pulls.patch(repo, number) : forge.pulls.diff(repo, number));
  if (!out.terminal && out.palette === noColors) {
    for await (const piece of pieces) await out.raw(piece);
    return;
  }
  const [{ showLines }, { diffPainter }] = await Promise.all([
    import("../../output/show-lines.ts"),
    import("../../output/diff-colors.ts"),
  ]);
  await showLines(pieces, diffPainter(out.palette), context);
}
