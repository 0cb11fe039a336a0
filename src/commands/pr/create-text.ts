import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { remotesOnServer } from "../../app/shared.ts";
import { UsageError } from "../../failure/failure.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import { compareRefs } from "../../forge/commits.ts";
import { type Content, contentText, fileGet, readFolder } from "../../forge/contents.ts";
import { call } from "../../forge/operation.ts";
import type { Git } from "../../git/git.ts";
import { pointsTo } from "../../git/remotes.ts";
import { NotFoundError } from "../../http/errors.ts";
import { cloneUrl, gitAuthConfig } from "../../profiles/server.ts";
import { editorName } from "../../prompts/editor.ts";
import { capitalized } from "../../text/format.ts";
import type { PullHead } from "./create-head.ts";
import { refusedError } from "./pull.ts";

type TextContext = RepositoryContext & Pick<BaseContext, "git" | "options" | "profiles" | "prompt" | "system">;

/** The flags for title and body. */
export interface TextFlags {
  readonly title: string | undefined;
  readonly body: string | undefined;
  readonly fill: boolean;
}

/** Title and body of a new pull request. */
export interface PullText {
  readonly title: string;
  readonly body: string;
  /** Whether the body was written in an editor. */
  readonly fromEditor: boolean;
}

interface Message {
  readonly subject: string;
  readonly body: string;
}

/** Throws a usage error if the title is empty, or missing without a way to get one. */
export function checkText({ title, fill }: TextFlags, able: boolean): void {
  if (title?.trim() === "") throw new UsageError("--title must not be empty");
  if (title === undefined && !fill && !able) {
    throw new UsageError("--title is required", "To use the commits instead, pass --fill.");
  }
}

/** Title and body from flags, commits, the template of the repository, or prompts. */
export async function pullText(
  context: TextContext,
  given: TextFlags,
  head: PullHead,
  base: string,
): Promise<PullText> {
  if (given.fill) {
    const filled = fromCommits(await newCommits(context, head, base), head.branch);
    if (filled === undefined) {
      throw refusedError("no_new_commits", `No commits between ${base} and ${head.branch}`, {
        hint: "Commit something, or check --base.",
      });
    }
    return { title: given.title ?? filled.title, body: given.body ?? filled.body, fromEditor: false };
  }
  const { prompt, system } = context;
  const commits = prompt.able ? await newCommits(context, head, base).catch(() => []) : [];
  const single = commits.length === 1 ? commits[0] : undefined;
  const check = (value: string) => value.trim() !== "" || "The title must not be empty.";
  const title =
    given.title ??
    (await prompt.text({
      message: "Title",
      flag: "--title",
      check,
      ...(single === undefined ? {} : { default: single.subject }),
    }));
  if (given.body !== undefined) return { title, body: given.body, fromEditor: false };
  const start = (await readTemplate(context, base)) ?? single?.body ?? "";
  if (!prompt.able) return { title, body: start, fromEditor: false };
  const keep = start === "" ? "Leave it empty" : "Use the template or commit message";
  const write = await prompt.select({
    message: "Body",
    flag: "--body",
    choices: [
      { name: `Edit in ${editorName(system)}`, value: true },
      { name: keep, value: false },
    ],
  });
  if (!write) return { title, body: start, fromEditor: false };
  return { title, body: await prompt.editor({ message: "Body", flag: "--body", default: start }), fromEditor: true };
}

/** A single commit gives its message; several give the branch name and a list of subjects. */
function fromCommits(commits: readonly Message[], branch: string): { title: string; body: string } | undefined {
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
async function newCommits(context: TextContext, head: PullHead, base: string): Promise<Message[]> {
  const { http, repo } = context;
  if (head.local !== undefined) {
    const remotes = await remotesOnServer(context);
    const into = remotes.find((remote) => pointsTo(remote, repo));
    const found = await localCommits(context.git, `refs/remotes/${into?.name}/${base}`, head.local);
    if (found !== undefined) return found;
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
  { local }: PullHead,
  base: string,
): Promise<Message[] | undefined> {
  if (local === undefined) return undefined;
  const tip = (await call(http, branchHeadGet, { repo, branch: base })).commit?.id;
  if (tip === undefined) return undefined;
  const known = await localCommits(git, tip, local);
  if (known !== undefined || options.dryRun) return known;
  const args = ["fetch", "--no-tags", "--no-write-fetch-head", "--end-of-options", cloneUrl(server, repo)];
  await git.attempt([...args, `refs/heads/${base}`], { config: await gitAuthConfig(server) });
  return localCommits(git, tip, local);
}

/** The messages of the commits of a local branch since a commit or ref; undefined if git does not have that. */
async function localCommits(git: Git, since: string, local: string): Promise<Message[] | undefined> {
  const log = await git.attempt([
    "log",
    "--reverse",
    "--no-merges",
    "--format=%s%n%b%x00",
    "--end-of-options",
    `${since}..refs/heads/${local}`,
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

/** Folders that may hold a template, after the top folder. */
const folders = [".forgejo", ".gitea", ".github"];

/** The pull request template on a branch, without front matter; undefined if there is none. */
async function readTemplate({ http, repo }: RepositoryContext, base: string): Promise<string | undefined> {
  try {
    const top = await readFolder(http, repo, "", base);
    let found = top.find(isTemplate);
    for (const folder of folders) {
      if (found !== undefined) break;
      if (!top.some(({ name, type }) => name === folder && type === "dir")) continue;
      found = (await readFolder(http, repo, folder, base)).find(isTemplate);
    }
    if (found === undefined) return undefined;
    const text = contentText(await call(http, fileGet, { repo, filepath: found.path, ref: base }));
    return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n\s*/, "");
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function isTemplate({ name, type }: Content): boolean {
  return type === "file" && /^pull_request_template\.md$/i.test(name);
}
