import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { text, toggle } from "../../command/flags.ts";
import { type Content, content, contentsGet, contentsWithCommits, rootGet } from "../../forge/contents.ts";
import { call } from "../../forge/operation.ts";
import { contentsRef } from "../../forge/resolve-commit.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { sizeText } from "../../text/format.ts";
import { refPath } from "../ref-path.ts";
import { repositoryPath } from "./shared.ts";

const columns = (terminal: boolean) => [
  column<Content>("PATH", "path", {
    cell: (one) => (one.type === "dir" ? styled("strong", `${one.path}/`) : one.path),
    flexible: true,
  }),
  column<Content>("TYPE", "type", { style: "plain" }),
  column<Content>("SIZE", "size", (one) => {
    if (one.type !== "file" || one.size === undefined) return undefined;
    return terminal ? sizeText(one.size) : one.size;
  }),
  column<Content>("TARGET", "target", { cell: (one) => one.target ?? one.submodule_git_url, flexible: true }),
];

const commitColumns = [
  column<Content>("UPDATED", "last_committer_date", { as: "time" }),
  column<Content>("LAST COMMIT", "last_commit_message", { as: "first line", flexible: true }),
];

/** `tongs file list`: GET the entries of a folder, which servers return at once. */
export const list = defineCommand({
  summary: "List files of a repository",
  details: "Lists one directory. Types are file, dir, symlink and submodule.",
  on: "repository",
  effect: "read",
  lists: ["file", "files"],
  args: { path: optional("directory or file (default: the root)") },
  flags: {
    ref: text("branch, tag or commit (default: the default branch)", { placeholder: "REF", source: "ref" }),
    commits: toggle("show the last commit of each entry"),
  },
  output: listOf(content),
  examples: [
    ["List the root directory", "tongs file list"],
    ["List a directory of a tag", "tongs file list src --ref v1.0"],
    ["See what changed last in a directory", "tongs file list docs --commits"],
  ],
  web: {
    page: async (context) =>
      repoPage(context.repo, "src", await refPath(context.flags.ref, context), folderPath(context.args.path)),
    uses: ["ref"],
  },
  async run({ args, flags, http, repo, out }) {
    const path = folderPath(args.path);
    const ref = await contentsRef(flags.ref, { http, repo });
    if (flags.commits) {
      const { dir_contents, file_contents } = await contentsWithCommits(http, repo, path, ref);
      const entries = dir_contents ?? (file_contents ? [file_contents] : []);
      return out.list(entries, [...columns(out.terminal), ...commitColumns], { unlimited: true });
    }
    const found = await (path === ""
      ? call(http, rootGet, { repo, ref })
      : call(http, contentsGet, { repo, filepath: path, ref }));
    const entries = "path" in found ? [found] : found;
    await out.list(entries, columns(out.terminal), { unlimited: true });
  },
});

/** The path of a folder; empty for the root. */
function folderPath(typed: string | undefined): string {
  return typed === undefined || /^[./]*$/.test(typed) ? "" : repositoryPath(typed);
}
