import type { CommandContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { collectAll } from "../../app/shared.ts";
import { toggle } from "../../command/flags.ts";
import { type ChangedFile, changedFile } from "../../forge/commits.ts";
import type { Output } from "../../output/output.ts";
import { noColors } from "../../output/palette.ts";
import { list } from "../../shape/shape.ts";
import { safeLine } from "../../text/safe.ts";
import { fileName } from "./files.ts";
import { findNumber, pullSelector } from "./find.ts";

const flags = {
  patch: toggle("print a patch for each commit, for git am"),
  nameOnly: toggle("print only the names of changed files"),
  stat: toggle("print the number of changed lines per file"),
};

/** `tongs pr diff`: GET the diff (`.diff`, `.patch`), or the changed files. */
export const diff = defineCommand({
  summary: "View changes in a pull request",
  details:
    "On a terminal, the diff is colored and shown in $PAGER. In a pipe, it is printed exactly as the server sends it. " +
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
  async run(context) {
    const { forge, repo, out, options } = context;
    const number = await findNumber(context.args.pr, context);
    if (!out.records && !context.flags.nameOnly && !context.flags.stat) return showDiff(number, context);

    const files = await collectAll(forge.pulls.files(repo, number), options);
    if (out.records) return out.items(files);
    const joinLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
    if (context.flags.stat) await out.raw(joinLines(await statLines(files, out)));
    else await out.text(joinLines(files.map((file) => file.filename)));
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

/** ` name | 12 +++---` for each file, and the totals, as `git diff --stat` prints them. */
async function statLines(files: readonly ChangedFile[], out: Pick<Output, "width" | "palette">): Promise<string[]> {
  const { default: stringWidth } = await import("string-width");
  const names = files.map((file) => safeLine(fileName(file)));
  const longest = Math.max(0, ...names.map((name) => stringWidth(name)));
  const most = Math.max(0, ...files.map((file) => changedLines(file)));
  const digits = String(most).length;
  const room = Math.max(10, Math.min(out.width - longest - digits - 5, 60));
  const lines = files.map((file, index) => {
    const name = names[index] ?? "";
    const padding = " ".repeat(longest - stringWidth(name));
    const [plus, minus] = bars(file, most, room);
    const count = String(changedLines(file)).padStart(digits);
    return ` ${name}${padding} | ${count} ${out.palette("good", plus)}${out.palette("bad", minus)}`.trimEnd();
  });
  const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + (file[key] ?? 0), 0);
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const sums = [
    `${counted(files.length, "file")} changed`,
    `${counted(sum("additions"), "insertion")}(+)`,
    `${counted(sum("deletions"), "deletion")}(-)`,
  ];
  return [...lines, ` ${sums.join(", ")}`];
}

function changedLines({ additions = 0, deletions = 0 }: ChangedFile): number {
  return additions + deletions;
}

function bars(
  { additions = 0, deletions = 0 }: ChangedFile,
  most: number,
  room: number,
): [plus: string, minus: string] {
  const scale = most > room ? room / most : 1;
  const length = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round(count * scale)));
  return ["+".repeat(length(additions)), "-".repeat(length(deletions))];
}
