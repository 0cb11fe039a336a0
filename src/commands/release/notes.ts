import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { givenText } from "../../app/input.ts";
import { inputFile, text, toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { commitGet, commitList, hashesBetween } from "../../forge/commits.ts";
import { collect, filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullList } from "../../forge/pulls.ts";
import { type Release, releaseList } from "../../forge/releases.ts";
import { tagGet } from "../../forge/tags.ts";
import { NotFoundError } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

type NotesContext = Pick<BaseContext, "system" | "out"> & RepositoryContext;

/** The flags for the notes of a release. */
export const notesFlags = {
  notes: text("release notes", { short: "n" }),
  notesFile: inputFile("read the release notes from a file", { short: "F" }),
};

/** The flag that reads the notes from the tag. */
export const notesFromTag = toggle("use the message of the tag as release notes");

/** The notes that `--notes` or `--notes-file` gives; undefined if neither is given. */
export function givenNotes(
  { notes, notesFile }: { readonly notes: string | undefined; readonly notesFile: string | undefined },
  system: BaseContext["system"],
): Promise<string | undefined> {
  return givenText(system, { text: notes, file: notesFile, flag: "--notes-file" });
}

/** The message of an existing tag. Throws a failure with code `not_found` if the tag does not exist. */
export async function tagMessage(tag: string, { http, repo }: RepositoryContext): Promise<string> {
  try {
    return ((await call(http, tagGet, { repo, tag: tag })).message ?? "").trimEnd();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new Failure("not_found", `Tag ${tag} does not exist in ${fullName(repo)}`, {
      hint: "Create it with: tongs tag create",
      cause: error,
    });
  }
}

/** What notes are generated for. */
export interface NotesRange {
  /** The tag of the new release. */
  readonly tag: string;
  /** The commit of the new release: the tag if it exists, or else the target. */
  readonly head: string;
  /** The tag to start from, instead of that of the last release. */
  readonly start: string | undefined;
}

/**
 * Release notes from the pull requests that were merged since the last release, grouped by label: a pull request counts
 * if its merge is among the commits between both. Without a last release, all that were merged into the branch count.
 */
export async function generateNotes(range: NotesRange, context: NotesContext): Promise<string> {
  const { repo, server } = context;
  const start = range.start ?? (await lastRelease(range.tag, context))?.tag_name;
  const merged = await mergedPulls(await commitsSince(start, range.head, context), context);
  const base = `${addressText(server.base)}/${repo.owner}/${repo.name}`;
  const link = start === undefined ? `${base}/commits/tag/${range.tag}` : `${base}/compare/${start}...${range.tag}`;
  if (merged.length === 0) context.out.warn("No pull requests were merged since the last release");
  return `${groupedNotes(merged)}**Full Changelog**: ${link}\n`;
}

/** The newest release that is not a draft, except the one that the notes are for. */
async function lastRelease(tag: string, { http, repo, out }: NotesContext): Promise<Release | undefined> {
  const others = filterListing(call(http, releaseList, { repo }), (one) => !one.draft && one.tag_name !== tag);
  for await (const found of others.take(1)) {
    out.note(`Generating notes since ${found.tag_name}.`);
    return found;
  }
  return undefined;
}

/** The commits of a release: their hashes, and the time of the last release, if there is one. */
interface Since {
  readonly shas: ReadonlySet<string>;
  readonly time: number | undefined;
}

/** The commits between two refs; without a start, all commits that lead to the head. */
async function commitsSince(start: string | undefined, head: string, { http, repo }: NotesContext): Promise<Since> {
  if (start === undefined) {
    const all = await collect(
      call(http, commitList, { repo, sha: head, verification: false, files: false, stat: false }),
    );
    return { shas: new Set(all.map(({ sha }) => sha)), time: undefined };
  }
  const [first, shas] = await Promise.all([
    call(http, commitGet, { repo, sha: start, stat: false, files: false, verification: false }),
    hashesBetween(http, repo, start, head),
  ]);
  return { shas: new Set(shas), time: Date.parse(first.created ?? "") };
}

/**
 * The pull requests whose merge is among the commits, newest first; reads no further than to those that were updated
 * before the last release.
 */
async function mergedPulls({ shas, time }: Since, { http, repo }: NotesContext): Promise<PullRequest[]> {
  const found: PullRequest[] = [];
  const closed = call(http, pullList, { repo, state: "closed", sort: "recentupdate" });
  for await (const pull of closed.take(Number.POSITIVE_INFINITY)) {
    // A pull request is updated when it is merged, which is after the last release.
    if (time !== undefined && Date.parse(pull.updated_at ?? "") < time) break;
    if (pull.merged && shas.has(pull.merge_commit_sha ?? "")) found.push(pull);
  }
  const mergedAt = ({ merged_at }: PullRequest) => Date.parse(merged_at ?? "") || 0;
  return found.sort((one, other) => mergedAt(other) - mergedAt(one));
}

/** A section for each label, by name, and one for those without a label at the end. */
function groupedNotes(pulls: readonly PullRequest[]): string {
  if (pulls.length === 0) return "";
  const groups = new Map<string, PullRequest[]>();
  for (const pull of pulls) {
    const label = (pull.labels ?? [])[0]?.name ?? "";
    groups.set(label, [...(groups.get(label) ?? []), pull]);
  }
  const named = [...groups].sort(([one], [other]) => (one === "" ? 1 : other === "" ? -1 : one < other ? -1 : 1));
  const sections = named.map(([label, items]) => {
    const title = label === "" ? (groups.size === 1 ? "" : "### Other changes\n\n") : `### ${plain(label)}\n\n`;
    return `${title}${items.map(noteLine).join("\n")}\n`;
  });
  return `## What's changed\n\n${sections.join("\n")}\n`;
}

function noteLine({ title, number, user }: PullRequest): string {
  const by = user?.login === undefined ? "" : ` by @${user.login}`;
  return `- ${plain(title)}${by} in #${number}`;
}

/** A text in one line. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
