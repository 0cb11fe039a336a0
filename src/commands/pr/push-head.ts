import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { NotFoundError } from "../../http/errors.ts";
import { gitAuthConfig } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { Head } from "./create-head.ts";
import { refused } from "./subject.ts";

type PushContext = RepositoryContext & Pick<BaseContext, "git" | "out" | "options" | "prompt">;

/** Pushes the head with real git. The token goes by the environment, and only to the server's own address. */
export async function pushHead(context: PushContext, head: Head): Promise<void> {
  const { git, out, options, server } = context;
  if (head.remote === undefined) {
    throw new UsageError(`No git remote here leads to ${fullName(head.repo)}`, "Add one with: git remote add NAME URL");
  }
  if (head.local === undefined) throw new UsageError(`There is no branch ${head.branch} here that could be pushed`);
  const where = `${head.remote.name} (${head.remote.url.replace(/\/\/[^@/]*@/, "//")})`;
  if (options.dryRun) {
    out.note(`Dry run: would push ${head.local} to ${where}`);
    return;
  }
  const follows = await git.attempt(["config", "--get", `branch.${head.local}.merge`]);
  const isNew = follows.stdout.trim() !== `refs/heads/${head.branch}`;
  const refspec = `refs/heads/${head.local}:refs/heads/${head.branch}`;
  const args = ["push", ...(isNew ? ["--set-upstream"] : []), head.remote.name, refspec];
  out.note(`Pushing ${head.local} to ${where}`);
  const result = await git.attempt(args, { config: gitAuthConfig(server) });
  if (result.code === 0) return;
  const reason = result.stderr.trim().split("\n").slice(-4).join("\n");
  throw new Failure("git", "failure", `${head.local} could not be pushed to ${where}`, { hint: reason });
}

/**
 * Makes sure that the head is on the server before texts are typed: offers to push it, or says how. Commits that are
 * here only are told of.
 */
export async function requirePushed(context: PushContext, head: Head): Promise<void> {
  const { forge, git, out, prompt } = context;
  if (head.local === undefined) return;
  const found = await forge.branches.get(head.repo, head.branch).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  if (found === undefined) {
    const message = `Push ${head.local} to ${head.remote?.name}?`;
    const may = prompt.able && head.remote !== undefined;
    if (may && (await prompt.confirm({ message, flag: "--push", default: true }))) return pushHead(context, head);
    const hint = "Push it: --push does so, or git push.";
    throw refused("not_pushed", `The branch ${head.branch} is not in ${fullName(head.repo)}`, hint);
  }
  const ahead = await git.attempt(["rev-list", "--count", `${found.commit?.id}..refs/heads/${head.local}`]);
  const count = ahead.code === 0 ? Number(ahead.stdout) : 0;
  if (count === 0) return;
  const commits = count === 1 ? "One commit" : `${count} commits`;
  out.warn(
    `${commits} of ${head.local} ${count === 1 ? "is" : "are"} not pushed and will be missing; --push sends them`,
  );
}
