import { posix } from "node:path";
import type { CommandContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { currentFolder } from "../../app/shared.ts";
import { repoPage } from "../../app/web.ts";
import { any } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type ChangedFile, changedFile } from "../../forge/commits.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { pullDiff, pullFileList } from "../../forge/pulls.ts";
import { showDiff } from "../../output/diff-colors.ts";
import { type FileStat, statLines } from "../../output/diff-stat.ts";
import { list } from "../../shape/shape.ts";
import { contextPattern } from "../../text/glob.ts";
import { Styled } from "../../text/styled.ts";
import { diffParts } from "./diff-parts.ts";
import { findNumber, pullSelector } from "./find.ts";
import { lineThreads } from "./line-threads.ts";
import { fileName } from "./pull.ts";

const flags = {
  patch: toggle("print a patch for each commit, for git am"),
  nameOnly: toggle("print only the names of changed files"),
  stat: toggle("print the number of changed lines per file"),
  comments: toggle("print the review comments below their lines"),
};

const args = {
  pr: pullSelector,
  path: any("only these files and directories, or patterns such as '*.ts'", { afterDashes: true }),
};

/** `tongs pr diff`: GET the diff (`.diff`, `.patch`), or the changed files. */
export const diff = defineCommand({
  summary: "View changes in a pull request",
  details:
    "On a terminal, the diff is colored and shown in the pager. In a pipe, it is printed exactly as the server sends it, with " +
    "the contents of binary files, which git can apply. " +
    "The JSON formats print the changed files. In a clone, paths are relative to the current folder, as for git; its pathspec " +
    "magic, such as ':!docs', is refused.",
  on: "repository",
  effect: "read",
  args,
  flags,
  exclusive: [["patch", "nameOnly", "stat", "comments"]],
  output: list(changedFile),
  examples: [
    ["View the diff of pull request 12", "tongs pr diff 12"],
    ["View what changes in a directory, with the comments", "tongs pr diff 12 --comments -- src/"],
    ["Apply the commits to the current branch", "tongs pr diff 12 --patch | git am"],
  ],
  web: {
    page: async (context) => repoPage(context.repo, "pulls", await findNumber(context.args.pr, context), "files"),
  },
  async run(context) {
    const { http, repo, out, options } = context;
    const { path } = context.args;
    if (context.flags.patch && path.length > 0) throw new UsageError("Cannot use --patch with paths");
    if (context.flags.comments && out.records) {
      throw new UsageError("Cannot use --comments with a JSON format", "List them: tongs pr thread list --json");
    }
    const wants = pathFilter(path.length === 0 ? [] : await fromTop(path, context));
    const number = await findNumber(context.args.pr, context);
    if (!out.records && !context.flags.nameOnly && !context.flags.stat) return showPullDiff(number, wants, context);

    const all = await collect(call(http, pullFileList, { repo, index: number }), options.limit);
    const files = all.filter(({ filename, previous_filename: before = filename }) => wants(filename) || wants(before));
    if (out.records) return out.items(files);
    const joinLines = (lines: readonly (string | Styled)[]) => Styled.join([...lines, ""], "\n");
    if (context.flags.stat) await out.raw(joinLines(await statLines(files.map(statOf), out)));
    else await out.raw(joinLines(files.map((file) => file.filename)));
  },
});

type DiffContext = CommandContext<"repository", typeof args, typeof flags>;

async function showPullDiff(number: number, wants: (path: string) => boolean, context: DiffContext): Promise<void> {
  const { http, repo, flags, out } = context;
  // With the contents of binary files, git can apply it.
  const binary = out.terminal ? undefined : true;
  const { body: pieces } = await (flags.patch
    ? call(http, pullDiff, { repo, index: number, diffType: "patch", binary })
    : call(http, pullDiff, { repo, index: number, diffType: "diff", binary }));
  const threads = flags.comments ? await lineThreads(number, context) : [];
  const isWhole = context.args.path.length === 0 && threads.length === 0;
  await showDiff(isWhole ? pieces : diffParts(pieces, { wants, threads }), context);
}

/** Paths from the top of the repository. In a clone they are typed from the current folder. */
async function fromTop(typed: readonly string[], context: DiffContext): Promise<string[]> {
  const folder = await currentFolder(context);
  return typed.map((one) => {
    if (one.startsWith(":")) {
      const hint = `A file of this name is ./${one}`;
      throw new UsageError(`'${one}': pathspec magic is not supported`, hint);
    }
    const path = posix.join(folder, one).replace(/\/+$/, "");
    if (posix.isAbsolute(one) || path === ".." || path.startsWith("../"))
      throw new UsageError(`'${one}' is not a path in the repository`);
    return path;
  });
}

/** Whether a file is one of those, in one of those directories, or fits one of the patterns. */
function pathFilter(paths: readonly string[]): (path: string) => boolean {
  if (paths.length === 0) return () => true;
  const wanted = paths.map((path) => {
    const fits = contextPattern(path);
    return (file: string) => path === "." || path === "" || file === path || file.startsWith(`${path}/`) || fits(file);
  });
  return (file) => wanted.some((is) => is(file));
}

function statOf(file: ChangedFile): FileStat {
  return { name: fileName(file), additions: file.additions ?? 0, deletions: file.deletions ?? 0 };
}
