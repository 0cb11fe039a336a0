import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { currentUser, remoteOf } from "../../app/shared.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { Cancelled } from "../../failure/interruption.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import { forkOrExisting } from "../../forge/fork-steps.ts";
import { find } from "../../forge/operation.ts";
import { type GitResult, pushFailureReason } from "../../git/git.ts";
import type { Remote } from "../../git/remotes.ts";
import { maskText } from "../../http/mask.ts";
import { gitProtocol, remoteUrl } from "../../profiles/git-url.ts";
import { gitAuthConfig } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { forkLabel, type PullHead } from "./create-head.ts";

type PushContext = RepositoryContext & Pick<BaseContext, "git" | "out" | "options" | "profiles" | "prompt" | "system">;

/** A push to do before the pull request is created. */
export interface PushPlan {
  readonly local: string;
  readonly remote: Remote;
  /** `buoys to origin`, for messages. */
  readonly what: string;
}

/** The push to do, or the commit that the branch is at on the server. */
interface PushDecision {
  readonly plan?: PushPlan | undefined;
  readonly tip?: string | undefined;
}

/**
 * Decides whether the head branch is pushed, before anything is typed; pushes nothing. Prompts if it is not on the server
 * or has further commits here. In a script a branch that is not pushed is a usage error, and further commits a warning.
 */
export async function planPush(context: PushContext, head: PullHead, given: boolean): Promise<PushDecision> {
  const { http, git, out, prompt } = context;
  const { local, remote } = head;
  if (given && remote === undefined) {
    throw new UsageError(`No git remote found for ${fullName(head.repo)}`, "Add one: git remote add NAME URL");
  }
  if (given && local === undefined) throw new UsageError(`Cannot push ${head.branch}: no local branch with this name`);
  if (local === undefined) return {};
  const plan = remote === undefined ? undefined : { local, remote, what: `${local} to ${maskText(remote.name)}` };
  if (given) return { plan };
  const found = await find(http, branchHeadGet, { repo: head.repo, branch: head.branch });
  const canAsk = prompt.able && plan !== undefined;
  const ask = (what: string) =>
    prompt.confirm({ message: `Push ${what} to ${maskText(remote?.name ?? "")}?`, flag: "--push", default: true });
  if (found === undefined) {
    if (canAsk) {
      if (await ask(local)) return { plan };
      throw new Cancelled();
    }
    const hint = "Push it first: pass --push, or run git push.";
    throw new UsageError(`Branch ${head.branch} has not been pushed to ${fullName(head.repo)}`, hint);
  }
  const tip = found.commit?.id;
  const range = `${tip}..refs/heads/${local}`;
  const ahead = await git.attempt(["rev-list", "--count", "--end-of-options", range]);
  const count = ahead.code === 0 ? Number(ahead.stdout) : 0;
  if (count === 0) return {};
  const commits = `${count === 1 ? "1 commit" : `${count} commits`} on ${local}`;
  if (canAsk) return (await ask(commits)) ? { plan } : { tip };
  out.warn(`${commits} not pushed; pass --push to include ${count === 1 ? "it" : "them"}`);
  return { tip };
}

/**
 * Pushes the head branch with git and returns where it is then. If pushing there is not allowed, offers to push to a fork
 * instead, or else fails with exit code 4. The token is passed in the environment, for the server's own URL only.
 */
export async function pushHead(
  context: PushContext,
  head: PullHead,
  plan: PushPlan,
  { offersFork = true }: { readonly offersFork?: boolean } = {},
): Promise<PullHead> {
  const { git, out, options, prompt } = context;
  // A remote can have another address for pushes.
  const { stdout: to } = await git.attempt(["remote", "get-url", "--push", "--end-of-options", plan.remote.name]);
  const [name, url] = [plan.remote.name, to.trim() || plan.remote.url].map((one) => one.replace(/\/\/[^@/]*@/, "//"));
  const where = name === url ? url : `${name} (${url})`;
  if (options.dryRun) {
    out.note(`Dry run: would push ${plan.local} to ${where}`);
    return head;
  }
  out.note(`Pushing ${plan.local} to ${where}`);
  const result = await push(context, head, plan);
  if (result.code === 0) return head;
  const reason = pushFailureReason(result);
  const message = `Could not push ${plan.local} to ${where}`;
  if (!isDenied(result)) throw new Failure("git", message, { hint: reason });
  // Keys, not the profile, say who pushes over SSH.
  const login = /^https?:/i.test(plan.remote.url) ? await currentUser(context) : undefined;
  const who = login === undefined ? "" : ` as ${login}`;
  const denied = new Failure("forbidden", `${message}${who}: permission denied`, {
    hint: `${reason}\nFork the repository, then push to the fork: tongs repo fork --remote\nOr create it without a fork: tongs pr create --agit`,
  });
  if (!prompt.able || !offersFork) throw denied;
  out.warn(denied.message);
  return pushToFork(context, head, plan, denied);
}

async function push({ git, server }: PushContext, head: PullHead, { local, remote }: PushPlan): Promise<GitResult> {
  const merge = await git.attempt(["config", "--get", `branch.${local}.merge`]);
  const tracked = await git.attempt(["config", "--get", `branch.${local}.remote`]);
  const isNew = merge.stdout.trim() !== `refs/heads/${head.branch}` || tracked.stdout.trim() !== remote.name;
  const refspec = `refs/heads/${local}:refs/heads/${head.branch}`;
  const args = ["push", ...(isNew ? ["--set-upstream"] : []), "--end-of-options", remote.name, refspec];
  return git.attempt(args, { config: await gitAuthConfig(server) });
}

/** Whether a push failed because the user may not write there; an unreadable repository is "not found" to git. */
function isDenied({ stderr }: GitResult): boolean {
  return /The requested URL returned error: 403|Permission denied|not allowed to push|fatal: repository '.*' not found/i.test(
    stderr,
  );
}

/** Offers a fork of the base repository, adds it as a remote, and pushes there. */
async function pushToFork(context: PushContext, head: PullHead, plan: PushPlan, denied: Failure): Promise<PullHead> {
  const { http, repo, git, out, prompt, server, system } = context;
  const message = `Fork ${fullName(repo)} and push ${plan.local} there?`;
  if (!(await prompt.confirm({ message, flag: "--push", default: true }))) {
    throw denied;
  }
  const { fork, isNew } = await forkOrExisting(http, repo, {});
  const place = { owner: fork.owner?.login ?? "", name: fork.name ?? repo.name };
  if (isNew) out.note(`Created fork ${fullName(place)}`);
  const url = remoteUrl(server, { ...place, ssh_url: fork.ssh_url }, gitProtocol(system));
  const remotes = await git.remotes();
  const known = await remoteOf(place, context);
  const name = known?.name ?? (remotes.some((remote) => remote.name === "fork") ? place.owner : "fork");
  if (known === undefined) await git.run(["remote", "add", "--", name, url]);
  const remote = known ?? { name, url, host: server.base.host, owner: place.owner, repo: place.name };
  const moved = { ...head, repo: place, remote, label: forkLabel(place, repo, head.branch) };
  return pushHead(context, moved, { ...plan, remote }, { offersFork: false });
}
