import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { type CreatedPull, completePull } from "../../forge/create-pull.ts";
import type { CreatePullRequestOption } from "../../forge/generated/operations.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { joinWords } from "../../text/words.ts";
import { agitArgs, agitOf, findAgit, keepAgit, pushAgit, pushedAgit } from "./agit.ts";
import type { PullHead } from "./create-head.ts";
import { pullName } from "./pull.ts";

type CreateContext = RepositoryContext & Pick<BaseContext, "git" | "profiles" | "out" | "options">;

/** The topic of a new pull request without a branch, and its local branch. */
export interface Topic {
  readonly local: string;
  readonly topic: string;
}

/**
 * The topic: `--topic`, or the name of the local branch. Throws if there is no local branch, or the topic has an open pull
 * request, before anything is typed or pushed.
 */
export async function resolveTopic(
  context: CreateContext,
  head: PullHead,
  base: string,
  typed: string | undefined,
): Promise<Topic> {
  const { local } = head;
  if (local === undefined) throw new UsageError(`Cannot push ${head.branch}: no local branch with this name`);
  const kept = await agitOf(context.git, local);
  const topic = typed ?? kept?.topic ?? local;
  const found = await findAgit(context, { base, topic });
  if (found === undefined) return { local, topic };
  const message = `A pull request of topic ${topic} into ${base} already exists: ${pullName(context, found.number)}`;
  // Without its configuration, as in another clone, or if the answer to its creation was lost.
  const flags = kept?.topic === topic && kept.base === base ? [] : ["--topic", topic, "--base", base];
  throw new Failure("exists", message, { hint: `Update it: ${joinWords(["tongs", "pr", "push", ...flags])}` });
}

/**
 * Creates a pull request by a push to `refs/for/BASE`, which needs no write access and no fork. What no push option can say is
 * sent afterwards. Undefined with --dry-run, which prints the push.
 */
export async function createByAgit(
  context: CreateContext,
  { local, topic }: Topic,
  option: CreatePullRequestOption,
): Promise<CreatedPull | undefined> {
  const { git, http, repo, options } = context;
  const { base, title, body = "" } = option;
  const of = { base, topic };
  const push = { ...of, local, options: { title, description: body === "" ? undefined : body } };
  if (options.dryRun) {
    await printGitDryRun(await agitArgs(context, push), context);
    return undefined;
  }
  const sha = await git.run(["rev-parse", "--verify", "--end-of-options", `refs/heads/${local}`]);
  await pushAgit(context, push, sha);
  const pull = await pushedAgit(context, of, sha);
  await keepAgit(context, local, of, pull.number);
  return completePull(http, repo, pull, option, fieldsLeft(pull, option));
}

/** The fields that the push did not set. */
function fieldsLeft(pull: PullRequest, option: CreatePullRequestOption) {
  const { title, body = "", labels, assignees, milestone, due_date, allow_maintainer_edit } = option;
  const wanted = { labels, assignees, milestone, due_date, allow_maintainer_edit };
  const isSame = (one = "", other = "") => one.replace(/\r\n/g, "\n").trim() === other.replace(/\r\n/g, "\n").trim();
  return {
    ...(pull.title === title ? {} : { title }),
    ...(isSame(pull.body, body) ? {} : { body }),
    ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  };
}
