import type { Site } from "../site.ts";
import type { RepoRecord } from "../state/records/repos.ts";
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

/**
 * The files that differ between two commits. An empty `from` stands for the empty tree. `flags` are whitespace flags of
 * git diff.
 */
export async function changedFiles(
  site: Site,
  repo: RepoRecord,
  from: string,
  to: string,
  flags: readonly string[] = [],
): Promise<FileDiff[]> {
  const show = ["--raw", "--numstat", "-z", "--find-renames", "--no-ext-diff", ...flags];
  const out = await git(site, repo, ["diff-tree", "-r", "--no-commit-id", ...show, from || emptyTree, to]);
  const parts = out.split("\0");
  const found = new Map<string, FileDiff>();
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? "";
    const letter = /^:\d+ \d+ \w+ \w+ (\w)/.exec(part)?.[1];
    if (letter !== undefined) {
      const isMoved = letter === "R" || letter === "C";
      const names = isMoved ? { from: parts[at + 1] ?? "", path: parts[at + 2] ?? "" } : { path: parts[at + 1] ?? "" };
      found.set(names.path, { ...names, status: statusOf[letter] ?? "changed", additions: 0, deletions: 0 });
      at += isMoved ? 2 : 1;
      continue;
    }
    const counts = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part);
    if (counts === null) continue;
    const isMoved = counts[3] === "";
    const known = found.get((isMoved ? parts[at + 2] : counts[3]) ?? "");
    if (isMoved) at += 2;
    if (known === undefined) continue;
    found.set(known.path, { ...known, additions: Number(counts[1]) || 0, deletions: Number(counts[2]) || 0 });
  }
  return [...found.values()];
}

/** The diff or patch series of a head since its merge base, as git prints it. Throws when git fails. */
export async function diffText(
  site: Site,
  repo: RepoRecord,
  [from, to]: readonly [string, string],
  { patch, binary }: { readonly patch: boolean; readonly binary: boolean },
): Promise<Buffer> {
  const command = patch ? ["format-patch", "--stdout"] : ["diff", "-p"];
  const { code, out, err } = await tryGit(site, repo, [...command, ...(binary ? ["--binary"] : []), `${from}...${to}`]);
  if (code !== 0) throw new Error(`git ${command[0]}: exit status ${code} - ${err.trim()}`);
  return out;
}

/** The last lines of a hunk, which ends before the lines of both files; its head says where they begin. */
function cut([head = "", ...lines]: readonly string[], most: number, ends: { old: number; now: number }): string {
  if (lines.length <= most) return [head, ...lines].join("\n");
  const kept = lines.slice(-most);
  const [old, now] = ["+", "-"].map((other) => kept.filter((text) => !text.startsWith(other)).length) as [
    number,
    number,
  ];
  return [`@@ -${ends.old - old},${old} +${ends.now - now},${now} @@`, ...kept].join("\n");
}

/** The diff hunk that ends at a line, with at most so many: positive in the new file, negative in the old one. */
export async function hunkAt(
  site: Site,
  repo: RepoRecord,
  [from, to]: readonly [string, string],
  path: string,
  line: number,
  most = 4,
): Promise<string> {
  const lines = (await git(site, repo, ["diff", "-p", from || emptyTree, to, "--", path])).split("\n");
  let hunk: string[] = [];
  let [old, now] = [0, 0];
  for (const text of lines) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (head !== null) {
      hunk = [text];
      [old, now] = [Number(head[1]), Number(head[2])];
      continue;
    }
    if (hunk.length === 0) continue;
    hunk.push(text);
    const isHere = line > 0 ? now === line && !text.startsWith("-") : old === -line && !text.startsWith("+");
    if (!text.startsWith("-")) now += 1;
    if (!text.startsWith("+")) old += 1;
    if (isHere) return cut(hunk, most, { old, now });
  }
  return "";
}
