import { defineCommand } from "../../app/define.ts";
import { choice } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { HttpError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { conflictOf, listed } from "./conflicts.ts";
import { findNumber } from "./find.ts";
import { pullSelector } from "./selector.ts";
import { headIsGone, isFromFork, type PullContext, pullName, refused, refuseEnded } from "./subject.ts";

/** `tongs pr update`: POST the update of the head branch from its base. */
export const update = defineCommand({
  summary: "Bring a pull request up to date with its base",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: { style: choice(["merge", "rebase"], "merge the base into it, or rebase it (default: merge)") },
  output: pullRequest,
  exits: { ok: "updated, or up to date already", refused: "the branches conflict, or it is merged or closed" },
  examples: [
    ["Merge the base into it", "tongs pr update 12"],
    ["Rebase it onto the base", "tongs pr update 12 --style rebase"],
  ],
  async run(context) {
    const { args, flags, forge, repo, server, out } = context;
    const number = await findNumber(args.pr, context);
    const name = pullName(context, number);
    const record = () => forge.pulls.get(repo, number);
    try {
      await forge.pulls.update(repo, number, flags.style);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (!(await isUpToDate(context, { number, style: flags.style, error }))) throw error;
      await out.done(`${name} is up to date already`, { record });
      return;
    }
    const how = flags.style === "rebase" ? "rebased" : "merged its base into it";
    await out.done(`Updated ${name} (${how}) ${accountLabel(server)}`, { record });
  },
});

interface Refusal {
  readonly number: number;
  readonly style: "merge" | "rebase" | undefined;
  readonly error: HttpError;
}

/** Whether the refusal only means that there is nothing to do (a 500 on both servers). Throws what it means else. */
async function isUpToDate(context: PullContext, refusal: Refusal): Promise<boolean> {
  const { number, style, error } = refusal;
  if (error.status === 404 || error.status === 401) return false;
  const { forge, repo } = context;
  const name = pullName(context, number);
  const pull = await forge.pulls.get(repo, number).catch(() => undefined);
  if (pull === undefined) return false;
  // Forgejo's 422 has no words (api-facts 3.5).
  refuseEnded(pull, name);
  if (error.status === 409) {
    const { files } = await conflictOf(context, pull);
    const hint = `${files.length > 0 ? `Changed on both sides: ${listed(files)}\n` : ""}Resolve it on the branch, then push: tongs pr checkout ${number}`;
    const other = style === "rebase" ? "rebased onto" : "merged with";
    throw refused("conflict", `${name} conflicts with its base: it cannot be ${other} it`, hint, error);
  }
  if (error.status === 403 && error.serverMessage === "") {
    const { status, method, path } = error;
    throw new Failure("forbidden", "denied", `The server does not let you update ${name}`, {
      ...{ status, method, path, cause: error },
      hint: whyDenied(style, pull.base?.repo?.allow_rebase_update, isFromFork(pull) && !pull.allow_maintainer_edit),
    });
  }
  if (error.status !== 500) return false;
  if (headIsGone(pull)) throw refused("head_gone", `The head branch of ${name} is gone`, undefined, error);
  return /is up to date/.test(error.serverMessage) || (await isBaseInHead(context, pull));
}

/** Whether the head has all that its base has. The record's `merge_base` may be older than the last push. */
async function isBaseInHead({ forge, repo }: PullContext, pull: PullRequest): Promise<boolean> {
  if (!pull.head?.sha || !pull.base?.sha) return false;
  if (pull.merge_base === pull.base.sha) return true;
  const missing = await forge.commits.compare(repo, pull.head.sha, pull.base.sha, { files: false });
  return missing.total_commits === 0;
}

function whyDenied(style: string | undefined, rebaseAllowed: boolean | undefined, closedFork: boolean): string {
  if (style === "rebase" && rebaseAllowed === false) return "The repository does not allow updates by rebase.";
  if (closedFork) return "Its author does not allow edits by maintainers in the fork.";
  return "It takes write access to the head branch.";
}
