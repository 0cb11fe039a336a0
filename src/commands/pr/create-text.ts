import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Content, contentText } from "../../forge/contents.ts";
import { NotFoundError } from "../../http/errors.ts";
import { editorName } from "../../prompts/editor.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { PullHead } from "./create-head.ts";
import { refused } from "./shared.ts";

type TextContext = RepositoryContext & Pick<BaseContext, "git" | "prompt" | "system">;

/** What was given of the text of a new pull request. */
export interface GivenText {
  readonly title: string | undefined;
  readonly body: string | undefined;
  readonly fill: boolean;
}

/** Title and text of a new pull request. */
export interface PullText {
  readonly title: string;
  readonly body: string;
  /** Whether the text was written in an editor just now. */
  readonly written: boolean;
}

interface Message {
  readonly subject: string;
  readonly body: string;
}

/** Refuses early what could only fail once there is something to lose. */
export function requireText({ title, fill }: GivenText, able: boolean): void {
  if (title?.trim() === "") throw new UsageError("--title is empty, but a pull request needs a title");
  if (title === undefined && !fill && !able) {
    throw new UsageError(
      "--title is missing",
      "Nobody can be asked here; or take title and text from the commits: --fill",
    );
  }
}

/** Puts title and text together from flags, commits, the repository's template and a person. */
export async function pullText(
  context: TextContext,
  given: GivenText,
  head: PullHead,
  base: string,
): Promise<PullText> {
  if (given.fill) {
    const filled = fromCommits(await commitsOf(context, head, base), head.branch);
    if (filled === undefined) {
      throw refused(
        "nothing_new",
        `${head.branch} has no commits that ${base} lacks`,
        "Commit something, or check --base.",
      );
    }
    return { title: given.title ?? filled.title, body: given.body ?? filled.body, written: false };
  }
  const { prompt, system } = context;
  const commits = prompt.able ? await commitsOf(context, head, base).catch(() => []) : [];
  const single = commits.length === 1 ? commits[0] : undefined;
  const check = (value: string) => value.trim() !== "" || "A pull request needs a title.";
  const title =
    given.title ??
    (await prompt.text({
      ...{ message: "Title", flag: "--title", check },
      ...(single === undefined ? {} : { default: single.subject }),
    }));
  if (given.body !== undefined) return { title, body: given.body, written: false };
  const start = (await pullTemplate(context, base)) ?? single?.body ?? "";
  if (!prompt.able) return { title, body: start, written: false };
  const keep = start === "" ? "Leave it empty" : "Take it as it stands in the template or the commit";
  const write = await prompt.select({
    ...{ message: "Text", flag: "--body" },
    choices: [
      { name: `Write it in ${editorName(system)}`, value: true },
      { name: keep, value: false },
    ],
  });
  if (!write) return { title, body: start, written: false };
  return { title, body: await prompt.editor({ message: "Text", flag: "--body", default: start }), written: true };
}

/** One commit gives its own message, several give the branch's name and a list. */
function fromCommits(commits: readonly Message[], branch: string): { title: string; body: string } | undefined {
  const [first] = commits;
  if (first === undefined) return undefined;
  if (commits.length === 1) return { title: first.subject, body: first.body };
  const words = branch.replace(/[-_]+/g, " ").trim();
  return {
    title: words.charAt(0).toUpperCase() + words.slice(1),
    body: commits.map(({ subject }) => `- ${subject}`).join("\n"),
  };
}

/** The messages of the commits that the head has and the base lacks, oldest first: from git here, or from the server. */
async function commitsOf(context: TextContext, head: PullHead, base: string): Promise<Message[]> {
  const { forge, git, repo } = context;
  if (head.local !== undefined) {
    const remotes = await git.remotes();
    const into = remotes.find((remote) => fullName({ owner: remote.owner, name: remote.repo }) === fullName(repo));
    const range = `refs/remotes/${into?.name}/${base}..refs/heads/${head.local}`;
    const log = await git.attempt(["log", "--reverse", "--no-merges", "--format=%s%n%b%x00", range, "--"]);
    if (log.code === 0)
      return log.stdout
        .split("\0")
        .map(splitMessage)
        .filter(({ subject }) => subject !== "");
  }
  const { commits } = await forge.commits.compare(repo, base, head.spelled, { files: false });
  return [...(commits ?? [])]
    .reverse()
    .filter(({ parents }) => (parents ?? []).length < 2)
    .map(({ commit }) => splitMessage(commit?.message ?? ""));
}

function splitMessage(text: string): Message {
  const [subject = "", ...rest] = text.trim().split("\n");
  return { subject, body: rest.join("\n").trim() };
}

/** Where the servers look for a template, after the top folder. */
const folders = [".forgejo", ".gitea", ".github"];

/** The repository's template for pull requests into a branch, without its front matter; undefined when it has none. */
async function pullTemplate({ forge, repo }: RepositoryContext, base: string): Promise<string | undefined> {
  try {
    const top = await forge.contents.folder(repo, "", base);
    let found = top.find(isTemplate);
    for (const folder of folders) {
      if (found !== undefined) break;
      if (!top.some(({ name, type }) => name === folder && type === "dir")) continue;
      found = (await forge.contents.folder(repo, folder, base)).find(isTemplate);
    }
    if (found === undefined) return undefined;
    const text = contentText(await forge.contents.file(repo, found.path, base));
    return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n\s*/, "");
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function isTemplate({ name, type }: Content): boolean {
  return type === "file" && /^pull_request_template\.md$/i.test(name);
}
