import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { currentUser, remoteOf } from "../../app/shared.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { Cancelled } from "../../failure/interruption.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import { forkOrExisting } from "../../forge/fork-steps.ts";
import { call } from "../../forge/operation.ts";
import { parentOf, repoGet } from "../../forge/repos.ts";
import { type GitResult, pushFailureReason } from "../../git/git.ts";
import type { Remote } from "../../git/remotes.ts";
import { ifFound } from "../../http/errors.ts";
import { maskText } from "../../http/mask.ts";
import { sameAddress } from "../../profiles/choose.ts";
import { gitProtocol, remoteUrl } from "../../profiles/git-url.ts";
import { gitAuthConfig } from "../../profiles/server.ts";
import { fullName, isSameRepo } from "../../repo/repo-name.ts";
import { quoted } from "../../text/words.ts";
import { forkLabel, type PullHead } from "./create-head.ts";

type PushContext = RepositoryContext & Pick<BaseContext, "git" | "out" | "options" | "profiles" | "prompt" | "system">;

/** A push to do before the pull request is created. */
export interface PushPlan {
  readonly local: string;
  readonly remote: Remote;
  /** `buoys to origin`, for messages. */
  readonly what: string;
}

/**
 * Decides whether the head branch is pushed, before anything is typed; pushes nothing. Prompts if it is not on the server
 * or has further commits here. In a script a branch that is not pushed is a usage error, and further commits a warning.
 */
export async function planPush(context: PushContext, head: PullHead, given: boolean): Promise<PushPlan | undefined> {
  const { http, git, out, prompt } = context;
  const { local, remote } = head;
  if (given && remote === undefined) {
    throw new UsageError(`No git remote found for ${fullName(head.repo)}`, "Add one: git remote add NAME URL");
  }
  if (given && local === undefined) throw new UsageError(`Cannot push ${head.branch}: no local branch with this name`);
  if (local === undefined) return undefined;
  const plan = remote === undefined ? undefined : { local, remote, what: `${local} to ${maskText(remote.name)}` };
  if (given) return plan;
  const found = await ifFound(call(http, branchHeadGet, { repo: head.repo, branch: head.branch }));
  const canAsk = prompt.able && plan !== undefined;
  const ask = (what: string) =>
    prompt.confirm({ message: `Push ${what} to ${maskText(remote?.name ?? "")}?`, flag: "--push", default: true });
  if (found === undefined) {
    if (canAsk) {
      if (await ask(local)) return plan;
      throw new Cancelled();
    }
    const hint = "Push it first: pass --push, or run git push.";
    throw new UsageError(`Branch ${head.branch} has not been pushed to ${fullName(head.repo)}`, hint);
  }
  const range = `${found.commit?.id}..refs/heads/${local}`;
  const ahead = await git.attempt(["rev-list", "--count", "--end-of-options", range]);
  const count = ahead.code === 0 ? Number(ahead.stdout) : 0;
  if (count === 0) return undefined;
  const commits = `${count === 1 ? "1 commit" : `${count} commits`} on ${local}`;
  if (canAsk) return (await ask(commits)) ? plan : undefined;
  out.warn(`${commits} not pushed; pass --push to include ${count === 1 ? "it" : "them"}`);
  return undefined;
}

/**
 * Pushes the head branch with git and returns where it is then. If pushing there is not allowed, offers to push to a fork
 * instead, or to create it without one (AGit), which returns undefined; else fails with exit code 4. The token is passed in the environment, for the server's own URL only.
 */
export async function pushHead(
  context: PushContext,
  head: PullHead,
  plan: PushPlan,
  { offersAgit = false }: { readonly offersAgit?: boolean } = {},
): Promise<PullHead | undefined> {
  const { out, options } = context;
  const [name, url] = [plan.remote.name, plan.remote.url].map((one) => one.replace(/\/\/[^@/]*@/, "//"));
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
  if (!isDenied(result)) {
    const hint = `${reason}${await movedHint(context, head, plan, result)}`;
    throw new Failure("git", message, { hint });
  }
  // Keys, not the profile, say who pushes over SSH.
  const login = /^https?:/i.test(plan.remote.url) ? await currentUser(context) : undefined;
  const who = login === undefined ? "" : ` as ${login}`;
  const denied = new Failure("forbidden", `${message}${who}: permission denied`, {
    hint: `${reason}${ownerHint(context, head, login)}\nFork the repository, then push to the fork: tongs repo fork --remote\nOr create it without a fork: tongs pr create --agit`,
  });
  return pushToFork(context, head, plan, denied, offersAgit);
}

async function push({ git, server }: PushContext, head: PullHead, { local, remote }: PushPlan): Promise<GitResult> {
  const merge = await git.attempt(["config", "--get", `branch.${local}.merge`]);
  const tracked = await git.attempt(["config", "--get", `branch.${local}.remote`]);
  const isNew = merge.stdout.trim() !== `refs/heads/${head.branch}` || tracked.stdout.trim() !== remote.name;
  const refspec = `refs/heads/${local}:refs/heads/${head.branch}`;
  const args = ["push", ...(isNew ? ["--set-upstream"] : []), "--end-of-options", remote.name, refspec];
  return git.attempt(args, { config: await gitAuthConfig(server) });
}

/** The profile of the repository's owner on the same server, if somebody else has pushed. */
function ownerHint({ server, profiles }: PushContext, { repo }: PullHead, login: string | undefined): string {
  const own = repo.owner.toLowerCase();
  if (login === undefined || login.toLowerCase() === own) return "";
  const all = Object.entries(profiles.read().profiles);
  const found = all.find(([, { user, host }]) => user?.toLowerCase() === own && sameAddress(host, server.base));
  return found === undefined ? "" : `\nTo push as ${repo.owner}, who owns it, pass --profile ${quoted(found[0])}`;
}

/** What to do if the repository has another name now: git follows no redirect, which could take the token elsewhere. */
async function movedHint(
  { http, server, system }: PushContext,
  head: PullHead,
  { remote }: PushPlan,
  { stderr }: GitResult,
): Promise<string> {
  if (!/The requested URL returned error: 30[1278]/.test(stderr)) return "";
  const found = await call(http, repoGet, { repo: head.repo }).catch(() => undefined);
  if (!found?.owner || found.name === undefined) return "";
  const place = { owner: found.owner.login, name: found.name };
  const url = remoteUrl(server, { ...place, ssh_url: found.ssh_url }, gitProtocol(system));
  return `\nIt is now ${fullName(place)}. Update the remote: git remote set-url ${remote.name} ${url}`;
}

/** Whether a push failed because the user may not write there; an unreadable repository is "not found" to git. */
function isDenied({ stderr }: GitResult): boolean {
  return /The requested URL returned error: 403|Permission denied|not allowed to push|fatal: repository '.*' not found/i.test(
    stderr,
  );
}

/** Offers a fork of the base repository, adds it as a remote, and pushes there. */
async function pushToFork(
  context: PushContext,
  head: PullHead,
  plan: PushPlan,
  denied: Failure,
  offersAgit: boolean,
): Promise<PullHead | undefined> {
  const { http, repo, git, out, prompt, server, system } = context;
  if (!prompt.able) throw denied;
  out.warn(denied.message);
  const message = `Fork ${fullName(repo)} and push ${plan.local} there?`;
  if (!(await prompt.confirm({ message, flag: "--push", default: true }))) {
    const without = `Create it without a fork, by a push to refs/for of ${fullName(repo)}?`;
    const offers = offersAgit && !(await hasFork(context));
    if (offers && (await prompt.confirm({ message: without, flag: "--agit", default: true }))) return undefined;
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
  out.note(`Pushing ${plan.local} to ${name} (${url})`);
  const result = await push(context, moved, { ...plan, remote });
  if (result.code === 0) return moved;
  throw new Failure("git", `Could not push ${plan.local} to ${name} (${url})`, {
    hint: pushFailureReason(result),
  });
}

/** Whether the user has a fork of the repository, under its name. */
async function hasFork(context: PushContext): Promise<boolean> {
  const { http, repo } = context;
  const owner = await currentUser(context);
  const found = await ifFound(call(http, repoGet, { repo: { owner, name: repo.name } }));
  const parent = found && parentOf(found);
  return parent !== undefined && isSameRepo(parent, repo);
}
