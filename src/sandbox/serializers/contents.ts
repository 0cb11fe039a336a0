import { type Commit, readCommits } from "../git/commits.ts";
import { type Entry, lastCommits, readBlob } from "../git/trees.ts";
import type { View } from "../http/route.ts";
import { pathOf } from "../http/route.ts";
import { recordOf } from "../release.ts";
import type { RepoRecord } from "../state/records/repos.ts";

/** A resolved branch, tag or commit. */
export interface ResolvedRef {
  readonly commit: string;
  readonly kind: "branch" | "tag" | "commit";
  /** The name as requested. */
  readonly ref: string;
}

/** Gitea omits the content of larger files (bytes). */
const largest = 10_485_760;

/** `ContentsResponse` for entries of one folder, of a single one with its content. */
export async function contentsJson(
  view: View,
  repo: RepoRecord,
  place: ResolvedRef,
  folder: string,
  entries: readonly Entry[],
  as: "alone" | "listed" = "alone",
): Promise<Record<string, unknown>[]> {
  const { site } = view;
  const paths = entries.map(({ path }) => path);
  const last = await lastCommits({ site, repo }, place.commit, folder, paths);
  const commits = await readCommits({ site, repo }, [...new Set(last.values())]);
  const byId = new Map(commits.map((commit) => [commit.sha, commit]));
  const lastOf = ({ path }: Entry) => byId.get(last.get(path) ?? "");
  return Promise.all(entries.map((entry) => contentJson(view, repo, place, entry, lastOf(entry), as)));
}

async function contentJson(
  view: View,
  repo: RepoRecord,
  { kind, ref }: ResolvedRef,
  entry: Entry,
  last: Commit | undefined,
  as: "alone" | "listed",
): Promise<Record<string, unknown>> {
  const { api, web } = pathOf(view, repo);
  const path = entry.path.split("/").map(encodeURIComponent).join("/");
  const isText = entry.type === "file" || entry.type === "symlink";
  const blob =
    isText && as === "alone" && entry.size <= largest
      ? await readBlob({ site: view.site, repo }, entry.sha)
      : undefined;
  const self = `${api}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const git = `${api}/git/${entry.type === "dir" ? "trees" : "blobs"}/${entry.sha}`;
  const html = `${web}/src/${kind}/${ref}/${path}`;
  const isFile = entry.type === "file";
  return recordOf(view.site, "ContentsResponse", entry, {
    last_commit_sha: last?.sha,
    last_committer_date: last?.committer.date,
    last_author_date: last?.author.date,
    encoding: blob && isFile ? "base64" : null,
    content: blob && isFile ? blob.toString("base64") : null,
    target: blob && entry.type === "symlink" ? blob.toString("utf8") : null,
    url: self,
    html_url: html,
    git_url: git,
    download_url: isText ? `${web}/raw/${kind}/${ref}/${path}` : null,
    submodule_git_url: null,
    _links: { self, git, html },
  });
}
