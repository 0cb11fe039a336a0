import { type Arg, many } from "../command/args.ts";
import { exactNumber } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import { getComment } from "../forge/comments.ts";
import { fullName, isUrl, type RepoName } from "../repo/repo-name.ts";
import type { BaseContext, ServerContext } from "./context.ts";
import { readTargets } from "./input.ts";
import { repositoryOf } from "./shared.ts";
import { repoPage } from "./web.ts";

/** An issue, a pull request or a comment as it was typed. Without `place` it is in the current repository. */
interface Typed {
  readonly id: number;
  /** The repository: `OWNER/REPO`, or a URL. */
  readonly place?: string;
}

/** An issue or a pull request by its number, or a comment by its id. */
export interface IssueTarget {
  readonly repo: RepoName;
  readonly number: number;
}

const described = "number, OWNER/REPO#NUMBER or URL";

/** An argument that selects one issue. */
export const oneIssue: Arg<number> = {
  ...oneArg(`issue: ${described}`, parseIssue),
  source: "issue",
};

/** An argument that selects a comment. */
export const oneComment: Arg<number> = oneArg("comment: ID or URL", parseComment);

/** The argument of plain verbs for issues; `readIssues` reads them. */
export const issueArgument = {
  key: "issue",
  one: `issue: ${described}`,
  many: `issues: ${described}`,
  source: "issue",
  locate: locateAll(parseIssue),
} as const;

/** The argument of plain verbs for comments; `readComments` reads them. */
export const commentArgument = {
  key: "comment",
  one: "comment: ID or URL",
  many: "comments: ID or URL",
  locate: locateAll(parseComment),
} as const;

/** An argument that selects the other issues of a relation; `readOthers` reads them. It selects no repository. */
export const otherIssues = many(issueArgument.many, { source: "issue", dash: "lines" });

/** An argument that selects several issues. */
export const manyIssues = { ...otherIssues, locate: issueArgument.locate };

/** An argument that selects several comments. */
export const manyComments = many(commentArgument.many, { locate: commentArgument.locate, dash: "lines" });

function oneArg(description: string, parse: (typed: string) => Typed): Arg<number> {
  return {
    count: "one",
    description,
    read: ([typed = ""]) => parse(typed).id,
    locate: ([typed = ""]) => parse(typed).place,
  };
}

/** Locates the first target's repository if every target names one. */
function locateAll(parse: (typed: string) => Typed) {
  return (typed: readonly string[]) => {
    const places = typed.map((one) => (one === "-" ? undefined : parse(one).place));
    return places.every((place) => place !== undefined) ? places[0] : undefined;
  };
}

type ReadContext = Pick<BaseContext, "system" | "locate" | "profiles"> & Pick<ServerContext, "server">;

/** The selected issues, in order and without duplicates. */
export function readIssues(typed: readonly string[], context: ReadContext): Promise<IssueTarget[]> {
  return readAll(typed, context, parseIssue);
}

/** The selected comments, in order and without duplicates. */
export function readComments(typed: readonly string[], context: ReadContext): Promise<IssueTarget[]> {
  return readAll(typed, context, parseComment);
}

/** Other issues, such as the blocked ones: those without a repository are in `repo`. */
export async function readOthers(
  typed: readonly string[],
  context: ReadContext & { readonly repo: RepoName },
): Promise<IssueTarget[]> {
  return readAll(typed, { ...context, locate: async () => context.repo }, parseIssue);
}

async function readAll(
  typed: readonly string[],
  context: ReadContext,
  parse: (typed: string) => Typed,
): Promise<IssueTarget[]> {
  const all = (await readTargets(typed, context.system)).map(parse);
  const targets = new Map<string, IssueTarget>();
  for (const { id, place } of all) {
    const repo = place === undefined ? await context.locate() : repositoryOf(place, context);
    const target = { repo, number: id };
    const key = targetName(target).toLowerCase();
    targets.set(key, targets.get(key) ?? target);
  }
  return [...targets.values()];
}

/** `mara/harbor#12`. */
export function issueName(repo: RepoName, number: number): string {
  return `${fullName(repo)}#${number}`;
}

/** `mara/harbor#12`. */
export function targetName({ repo, number }: IssueTarget): string {
  return issueName(repo, number);
}

function parseIssue(typed: string): Typed {
  const found = readNumber(typed);
  if (found !== undefined) return found;
  throw new UsageError(`'${typed}' is not an issue`, "Use 12, OWNER/REPO#12 or https://HOST/OWNER/REPO/issues/12.");
}

/** Reads `12`, `#12`, `OWNER/REPO#12`, `HOST/OWNER/REPO#12` or the URL of an issue or a pull request; undefined for anything else. */
export function readNumber(typed: string): Typed | undefined {
  const digits = /^#?(\d+)$/.exec(typed)?.[1];
  if (digits !== undefined) return { id: exactNumber(digits) };
  const [, place, number = ""] =
    (isUrl(typed)
      ? /^(https?:\/\/[^?#]+)\/(?:issues|pulls)\/(\d+)(?:[/?#]|$)/i.exec(typed)
      : /^([^/\s#]+(?:\/[^/\s#]+)+)#(\d+)$/.exec(typed)) ?? [];
  return place === undefined ? undefined : { id: exactNumber(number), place };
}

/** Parses an id, or the URL of a comment. */
function parseComment(typed: string): Typed {
  const digits = /^(\d+)$/.exec(typed)?.[1];
  if (digits !== undefined) return { id: exactNumber(digits) };
  const [, place, id = ""] = /^(https?:\/\/[^?#]+)\/(?:issues|pulls)\/\d+[^#]*#issuecomment-(\d+)$/i.exec(typed) ?? [];
  if (place !== undefined) return { id: exactNumber(id), place };
  throw new UsageError(
    `'${typed}' is not a comment`,
    "Use its ID, or its URL: https://HOST/OWNER/REPO/issues/12#issuecomment-34.",
  );
}

/** The path of the web page of a comment, which is that of its issue or pull request. */
export async function commentPage(
  { repo, number }: IssueTarget,
  { http }: Pick<ServerContext, "http">,
): Promise<string> {
  const { html_url = "" } = await getComment(http, repo, number);
  const [, kind = "issues", index] = /\/(issues|pulls)\/(\d+)/.exec(html_url) ?? [];
  return index === undefined ? repoPage(repo, kind) : `${repoPage(repo, kind, index)}#issuecomment-${number}`;
}
