import type { RepoAt } from "../site.ts";
import { git, tryGit } from "./git.ts";

/** A file that differs between two commits. */
export interface FileDiff {
  readonly path: string;
  /** The former path of a renamed or copied file. */
  readonly from?: string;
  readonly status: "added" | "deleted" | "changed" | "renamed" | "copied";
  readonly additions: number;
  readonly deletions: number;
}

const statusOf: Readonly<Record<string, FileDiff["status"]>> = {
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
};

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** The files that differ between two commits; an empty `from` stands for the empty tree. `flags` are those of git diff. */
export async function changedFiles(
  at: RepoAt,
  from: string,
  to: string,
  flags: readonly string[] = [],
): Promise<FileDiff[]> {
  const show = ["--raw", "--numstat", "-z", "--find-renames", "--no-ext-diff", ...flags];
  const parts = (await git(at, ["diff-tree", "-r", "--no-commit-id", ...show, from || emptyTree, to])).split("\0");
  const found = new Map<string, FileDiff>();
  for (let part = parts.shift(); part; part = parts.shift()) {
    const [, letter = ""] = /^:\d+ \d+ \w+ \w+ (\w)/.exec(part) ?? [];
    const [, additions, deletions, name = ""] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part) ?? [];
    const former = /[RC]/.test(letter) || (letter === "" && name === "") ? { from: parts.shift() ?? "" } : {};
    const path = name || (parts.shift() ?? "");
    const status = statusOf[letter] ?? "changed";
    const counts = { additions: Number(additions) || 0, deletions: Number(deletions) || 0 };
    found.set(path, { ...(found.get(path) ?? { path, status, ...former }), ...counts });
  }
  return [...found.values()];
}

/** The lines that files have more and less together. */
export function lineCounts(files: readonly FileDiff[]): { readonly additions: number; readonly deletions: number } {
  const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + file[key], 0);
  return { additions: sum("additions"), deletions: sum("deletions") };
}

/** The diff or the patch series of a range, as git prints it. Throws when git fails. */
export async function diffText(at: RepoAt, range: string, as: "diff" | "patch", binary = false): Promise<Buffer> {
  const command = as === "patch" ? ["format-patch", "--stdout"] : ["diff", "-p"];
  const { code, out, err } = await tryGit(at, [...command, ...(binary ? ["--binary"] : []), range]);
  if (code !== 0) throw new Error(`git ${command[0]}: exit status ${code} - ${err.trim()}`);
  return out;
}

/** The diff hunk up to a line: positive in the new file, negative in the old one. */
export async function hunkAt(
  at: RepoAt,
  [from, to]: readonly [string, string],
  path: string,
  line: number,
): Promise<string> {
  let hunk: string[] = [];
  let [old, now] = [0, 0];
  for (const text of (await git(at, ["diff", "-p", from || emptyTree, to, "--", path])).split("\n")) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (head === null && hunk.length === 0) continue;
    if (head !== null) [hunk, old, now] = [[], Number(head[1]), Number(head[2])];
    hunk.push(text);
    if (head !== null) continue;
    if (line > 0 ? now === line && !text.startsWith("-") : old === -line && !text.startsWith("+"))
      return hunk.join("\n");
    if (!text.startsWith("-")) now += 1;
    if (!text.startsWith("+")) old += 1;
  }
  return "";
}
