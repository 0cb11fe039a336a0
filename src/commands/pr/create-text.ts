import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { type Draft, type Given, type TitledText, templateBodies, writeDraft } from "../../app/draft.ts";
import { remotesOnServer } from "../../app/shared.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import { compareRefs } from "../../forge/commits.ts";
import { type Content, contentText, fileGet, readFolder } from "../../forge/contents.ts";
import { call, find } from "../../forge/operation.ts";
import type { Git } from "../../git/git.ts";
import { pointsTo } from "../../git/remotes.ts";
import { ifFound, NotFoundError } from "../../http/errors.ts";
import { cloneUrl, gitAuthConfig } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { capitalized } from "../../text/format.ts";
import type { PullHead } from "./create-head.ts";

/** The head, and the commit or ref of the clone that the pull request is created from. */
type SentHead = PullHead & { readonly tip: string };

type TextContext = RepositoryContext & Pick<BaseContext, "git" | "options" | "out" | "profiles" | "prompt" | "system">;

/** The flags for title and body. */
export interface TextFlags extends Given {
  readonly fill: boolean;
  readonly fillFirst: boolean;
  readonly template: string | undefined;
  readonly web: boolean;
}

/** Title and body of a new pull request; with --web, the server fills in what is undefined. */
export type PullText = Pick<Draft, "typed" | "others"> & { readonly [key in "title" | "body"]: string | undefined };

interface Message {
  readonly subject: string;
  readonly body: string;
}

/** Throws a usage error if the title is missing without a way to get one. */
export function checkText({ title, fill, fillFirst, recover, web }: TextFlags, able: boolean): void {
  if (title === undefined && !fill && !fillFirst && recover === undefined && !web && !able) {
    throw new UsageError("--title is required", "To use the commits instead, pass --fill.");
  }
}

/** Title and body from flags, commits, the template of the repository, the editor, or prompts. */
export async function pullText(
  context: TextContext,
  given: TextFlags,
  head: SentHead,
  base: string,
): Promise<PullText> {
  const { prompt, system } = context;
  const typed = given.fromStdin && given.body !== undefined ? { text: given.body, flag: "--body-file" } : undefined;
  const filled = given.fill || given.fillFirst ? await filledText(context, given, head, base) : undefined;
  if (filled !== undefined && !given.editor)
    return { ...filled, typed, others: given.body === undefined ? filled.body : "" };
  const template = given.template === undefined ? undefined : await namedTemplate(context, base, given.template);
  if (given.web) return { title: given.title, body: given.body ?? template, typed, others: template ?? "" };
  const start = async () => {
    if (filled !== undefined)
      return { title: filled.title, bodies: templateBodies(system, "", async () => filled.body) };
    const commits = prompt.able ? await newCommits(context, head, base).catch(() => []) : [];
    const single = commits.length === 1 ? commits[0] : undefined;
    const body = given.body ?? template ?? (await readTemplate(context, base)) ?? single?.body ?? "";
    const keep = body === "" ? "Leave it empty" : "Use the template or commit message";
    return { title: single?.subject, bodies: templateBodies(system, keep, async () => body) };
  };
  return writeDraft(given, start, context);
}

/** Title and body from the commits, unless they were given. Throws if there are none. */
async function filledText(context: TextContext, given: TextFlags, head: SentHead, base: string): Promise<TitledText> {
  const commits = await newCommits(context, head, base);
  const filled = fromCommits(given.fillFirst ? commits.slice(0, 1) : commits, head.branch);
  if (filled === undefined) {
    throw new Failure("no_new_commits", `No commits between ${base} and ${head.branch}`, {
      hint: "Commit something, or check --base.",
    });
  }
  return { title: given.title ?? filled.title, body: given.body ?? filled.body };
}

/** A single commit gives its message; several give the branch name and a list of subjects. */
function fromCommits(commits: readonly Message[], branch: string): TitledText | undefined {
  const [first] = commits;
  if (first === undefined) return undefined;
  if (commits.length === 1) return { title: first.subject, body: first.body };
  const words = branch.replace(/[-_]+/g, " ").trim();
  return {
    title: capitalized(words),
    body: commits.map(({ subject }) => `- ${subject}`).join("\n"),
  };
}

/** The messages of the commits between base and head, oldest first: from the local git, or from the server. */
async function newCommits(context: TextContext, head: SentHead, base: string): Promise<Message[]> {
  const { git, http, options, repo } = context;
  if (head.local !== undefined) {
    const into = (await remotesOnServer(context)).find((remote) => pointsTo(remote, repo));
    const known = `refs/remotes/${into?.name}/${base}`;
    // What the clone remembers of the base can be old: that is only for a dry run, which fetches nothing.
    const now = (await find(http, branchHeadGet, { repo, branch: base }))?.commit?.id ?? known;
    const found = await localCommits(git, now, head.tip);
    const shown = found ?? (options.dryRun ? await localCommits(git, known, head.tip) : undefined);
    if (shown !== undefined) return shown;
  }
  try {
    const { commits } = await compareRefs(http, repo, base, head.label, { files: false });
    return [...(commits ?? [])]
      .reverse()
      .filter(({ parents }) => (parents ?? []).length < 2)
      .map(({ commit }) => splitMessage(commit?.message ?? ""));
  } catch (error) {
    const found = error instanceof NotFoundError ? await commitsOnFetchedBase(context, head, base) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

/**
 * The same for a head that is yet to be pushed, onto a base that is not here, as in a clone of one branch or of a fork:
 * fetches the base's commits, but sets no ref. Throws if the server has no such base.
 */
async function commitsOnFetchedBase(
  { http, git, repo, server, options }: TextContext,
  { local, tip }: SentHead,
  base: string,
): Promise<Message[] | undefined> {
  if (local === undefined) return undefined;
  const since = (await call(http, branchHeadGet, { repo, branch: base })).commit?.id;
  if (since === undefined) return undefined;
  const known = await localCommits(git, since, tip);
  if (known !== undefined || options.dryRun) return known;
  const args = ["fetch", "--no-tags", "--no-write-fetch-head", "--end-of-options", cloneUrl(server, repo)];
  await git.attempt([...args, `refs/heads/${base}`], { config: await gitAuthConfig(server) });
  return localCommits(git, since, tip);
}

/** The messages of the commits between two commits or refs; undefined if git does not have them. */
async function localCommits(git: Git, since: string, tip: string): Promise<Message[] | undefined> {
  const log = await git.attempt([
    "log",
    "--reverse",
    "--no-merges",
    "--format=%s%n%b%x00",
    "--end-of-options",
    `${since}..${tip}`,
    "--",
  ]);
  if (log.code !== 0) return undefined;
  return log.stdout
    .split("\0")
    .map(splitMessage)
    .filter(({ subject }) => subject !== "");
}

function splitMessage(text: string): Message {
  const [subject = "", ...rest] = text.trim().split("\n");
  return { subject, body: rest.join("\n").trim() };
}

/** Folders that may hold a template, besides the top folder. */
const folders = [".forgejo", ".gitea", ".github", "docs"];

/** The pull request templates on a branch, those of directories for them included. */
async function* templatesOn(base: string, { http, repo }: RepositoryContext): AsyncGenerator<Content> {
  const read = async (folder: string) => (await ifFound(readFolder(http, repo, folder, base))) ?? [];
  const top = await read("");
  const hasFolder = (folder: string) => top.some(({ name, type }) => name === folder && type === "dir");
  for (const folder of ["", ...folders.filter(hasFolder)]) {
    for (const entry of folder === "" ? top : await read(folder)) {
      if (entry.type === "file" && isDefault(entry)) yield entry;
      if (entry.type === "dir" && /^pull_request_template$/i.test(entry.name))
        yield* (await read(entry.path)).filter(({ type }) => type === "file");
    }
  }
}

const isDefault = ({ name }: Content) => /^pull_request_template\.md$/i.test(name);

/** The text of the template for all pull requests; undefined if there is none. */
async function readTemplate(context: RepositoryContext, base: string): Promise<string | undefined> {
  for await (const one of templatesOn(base, context)) if (isDefault(one)) return textOf(one.path, base, context);
  return undefined;
}

/**
 * The template that was named: a file of the base branch by its path, or by its name in a directory for pull request templates,
 * with or without `.md`. Throws if there is none.
 */
async function namedTemplate(context: RepositoryContext, base: string, typed: string): Promise<string> {
  const direct = /[./]/.test(typed) ? await ifFound(textOf(typed, base, context)) : undefined;
  if (direct !== undefined) return direct;
  const known: string[] = [];
  for await (const { name, path } of templatesOn(base, context)) {
    const names = [name, name.replace(/\.md$/i, "")].map((one) => one.toLowerCase());
    if (names.includes(typed.toLowerCase())) return textOf(path, base, context);
    known.push(path);
  }
  throw new Failure("not_found", `No pull request template '${typed}' on ${base} in ${fullName(context.repo)}`, {
    hint: known.length === 0 ? "There are no pull request templates." : `Available: ${known.join(", ")}`,
  });
}

/** The text of a template, without front matter. */
async function textOf(filepath: string, ref: string, { http, repo }: RepositoryContext): Promise<string> {
  const file = await call(http, fileGet, { repo, filepath, ref });
  return contentText(file).replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n\s*/, "");
}
