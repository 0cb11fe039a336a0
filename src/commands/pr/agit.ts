import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { currentUser, remoteOf } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGetByBranches, pullList } from "../../forge/pulls.ts";
import { type Git, type GitResult, pushFailureReason } from "../../git/git.ts";
import { HttpError } from "../../http/errors.ts";
import { NoAnswerError } from "../../http/no-answer-error.ts";
import { cloneUrl, gitAuthConfig } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { isAgit, pullName } from "./pull.ts";

export type AgitContext = RepositoryContext & Pick<BaseContext, "git" | "profiles" | "out" | "options">;

/** A pull request without a branch on the server (AGit): what names it there, for its author. */
export interface AgitPull {
  readonly base: string;
  readonly topic: string;
}

/** A push to `refs/for/BASE`, by which servers make or update a pull request. */
export interface AgitPush extends AgitPull {
  /** The local branch. */
  readonly local: string;
  readonly options: Readonly<Record<string, string | undefined>>;
}

const topicKey = (branch: string) => `branch.${branch}.tongs-topic`;
const baseKey = (branch: string) => `branch.${branch}.tongs-base`;

/** What the configuration of a branch says about its pull request; undefined if it has none without a branch. */
export async function agitOf(git: Git, branch: string): Promise<AgitPull | undefined> {
  const value = async (key: string) => (await git.attempt(["config", "--get", key])).stdout.replace(/\n$/, "");
  const [topic, base] = [await value(topicKey(branch)), await value(baseKey(branch))];
  return topic === "" || base === "" ? undefined : { topic, base };
}

/** Keeps topic and base in the configuration of the branch. */
export async function keepTopic(git: Git, local: string, { topic, base }: AgitPull): Promise<void> {
  await git.run(["config", topicKey(local), topic]);
  await git.run(["config", baseKey(local), base]);
}

/** The same, and lets the branch track the ref of the pull request. */
export async function keepAgit(context: AgitContext, local: string, of: AgitPull, number: number): Promise<void> {
  const { git } = context;
  await keepTopic(git, local, of);
  await git.run(["config", `branch.${local}.remote`, await agitRemote(context)]);
  await git.run(["config", `branch.${local}.merge`, `refs/pull/${number}/head`]);
}

async function agitRemote(context: AgitContext): Promise<string> {
  const { server, repo } = context;
  return (await remoteOf(repo, context))?.name ?? cloneUrl(server, repo);
}

/** Lets `pr push` update a pull request of the signed-in user that was checked out, if the server says its topic; else says how. */
export async function keepOwnTopic(
  context: RepositoryContext & Pick<BaseContext, "git" | "out">,
  pull: PullRequest,
  local: string,
): Promise<void> {
  const { label = "" } = pull.head;
  if (!isAgit(pull) || (label === "" && (await agitOf(context.git, local)) !== undefined)) return;
  const user = await currentUser(context);
  if (pull.user?.login.toLowerCase() !== user.toLowerCase()) return;
  if (label !== "") await keepTopic(context.git, local, { topic: label, base: pull.base.ref });
  else context.out.note("To push, name the topic that it was made with: tongs pr push --topic TOPIC");
}

/** The bytes of a push option that git still sends: a packet has 65,516, and Linux takes arguments of 131,071. */
const maxOption = 65_000;

/** The arguments of git for a push. No push option has several lines, or is large. */
export async function agitArgs(context: AgitContext, { local, base, topic, options }: AgitPush): Promise<string[]> {
  const sendable = (value: string | undefined) =>
    value !== undefined && !/[\r\n]/.test(value) && Buffer.byteLength(value) < maxOption;
  const given = Object.entries({ topic, ...options }).filter(([, value]) => sendable(value));
  const words = given.flatMap(([key, value]) => ["-o", `${key}=${value}`]);
  const refspec = `refs/heads/${local}:refs/for/${base}`;
  return ["push", ...words, "--end-of-options", await agitRemote(context), refspec];
}

/**
 * Pushes `sha` to `refs/for/BASE`. The token is passed in the environment, for the server's own URL only. Where git failed, the
 * server is asked whether it has the push: the answer can be lost. Throws a `connection_lost` failure where nothing tells.
 */
export async function pushAgit(context: AgitContext, push: AgitPush, sha: string): Promise<void> {
  const { git, out, repo, server } = context;
  out.note(`Pushing ${push.local} to refs/for/${push.base} of ${fullName(repo)}, topic ${push.topic}`);
  const args = (await agitArgs(context, push)).toSpliced(1, 0, "--porcelain");
  const result = await git.attempt(args, { config: await gitAuthConfig(server) });
  if (result.code === 0) return;
  const lines = result.stdout.split("\n").filter((line) => line !== porcelainEnd);
  const hint = pushFailureReason({ ...result, stdout: lines.join("\n") });
  const message = `Could not push ${push.local} to refs/for/${push.base} of ${fullName(repo)}`;
  const found = await findAgit(context, push, sha).catch(() => undefined);
  if (found === undefined) throw isUncertain(result) ? uncertain(message, hint) : new Failure("git", message, { hint });
  out.note(`git did not get the server's answer, but pull request ${pullName(context, found.number)} has the push`);
}

/** The last line of `git push --porcelain`, once the push was sent. */
const porcelainEnd = "Done";

/** Whether git sent a push and the server did not say what became of the ref: it has no line then. */
function isUncertain({ code, stdout }: GitResult): boolean {
  const lines = stdout.split("\n");
  return code === 1 && lines.includes(porcelainEnd) && !lines.some((line) => line.startsWith("!\t"));
}

function uncertain(message: string, reason: string): NoAnswerError {
  const hint = `${reason}\nThe push may have taken effect. Look before you run the command again: tongs pr list --author @me`;
  return new NoAnswerError("connection_lost", `${message}: the server's answer was lost`, "sent", { hint });
}

/**
 * The open pull request of the topic that the signed-in user pushed, whatever git was told. Found by the name under which
 * servers keep it, else among the newest by its head (docs/server-differences.md, "Pull requests without a branch").
 */
export async function findAgit(
  context: AgitContext,
  { base, topic }: AgitPull,
  sha?: string,
): Promise<PullRequest | undefined> {
  const { http, repo } = context;
  const user = (await currentUser(context)).toLowerCase();
  const head = topic.startsWith(`${user}/`) ? topic : `${user}/${topic}`;
  // Of branches named such as `files`, another operation has this path, and answers 405.
  const direct = await call(http, pullGetByBranches, { repo, base, head }).catch((error: unknown) => {
    if (error instanceof HttpError && (error.exit === "notFound" || error.exchange.status === 405)) return undefined;
    throw error;
  });
  const fits = (pull: PullRequest) =>
    pull.state === "open" && isAgit(pull) && (sha === undefined || pull.head.sha === sha);
  if (direct !== undefined && fits(direct)) return direct;
  const isIt = (pull: PullRequest) =>
    fits(pull) &&
    pull.base.ref === base &&
    pull.user?.login.toLowerCase() === user &&
    (pull.head.label === head || (sha !== undefined && !pull.head.label));
  return (await collect(call(http, pullList, { repo, state: "open" }), 50)).find(isIt);
}

/** The pull request that has just been pushed. Throws if the server does not show it. */
export async function pushedAgit(context: AgitContext, of: AgitPull, sha: string): Promise<PullRequest> {
  const found = await findAgit(context, of, sha);
  if (found !== undefined) return found;
  const message = `git pushed ${sha.slice(0, 10)}, but ${fullName(context.repo)} shows no pull request of topic ${of.topic}`;
  throw new Failure("broken_answer", message, { hint: "List them: tongs pr list --author @me" });
}
