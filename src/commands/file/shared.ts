import { lstatSync, statSync } from "node:fs";
import type { BaseContext, RepositoryContext, ServerContext } from "../../app/context.ts";
import { refuseLacking } from "../../app/refuse-flags.ts";
import { type FlagValues, text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { branchHeadGet, wasAt } from "../../forge/branches.ts";
import type { changedContents, FileOptions } from "../../forge/file-changes.ts";
import { behaviors } from "../../forge/generated/since.ts";
import { find } from "../../forge/operation.ts";
import { firstReleases } from "../../forge/support.ts";
import type { Infer } from "../../shape/shape.ts";
import { fullPath, type Place } from "../../system/files.ts";

/** The flags of commands that commit changes of files. */
export const commitFlags = {
  message: text("commit message", { short: "m" }),
  branch: text("branch to commit to (default: the default branch)", {
    short: "b",
    placeholder: "BRANCH",
    source: "branch",
  }),
  newBranch: text("create this branch for the commit, from --branch", { placeholder: "BRANCH", source: "new branch" }),
  signoff: toggle("add a Signed-off-by trailer"),
};

/** The flags of commands that write files; for a patch, servers do not replace a branch. */
export const writeFlags = {
  ...commitFlags,
  forcePush: toggle(
    `with --new-branch: replace the branch if it exists (${firstReleases(behaviors.replacesBranches)})`,
  ),
};

type Flags = FlagValues<typeof commitFlags> & Partial<FlagValues<typeof writeFlags>>;

/** The part of the body that the commit flags set. Asks for the message if it was not given. */
export async function commitOptions(
  flags: Flags,
  { prompt, http, server }: Pick<BaseContext, "prompt"> & ServerContext,
): Promise<FileOptions> {
  if (flags.forcePush) {
    if (flags.newBranch === undefined) throw new UsageError("--force-push requires --new-branch");
    await refuseLacking({ since: behaviors.replacesBranches }, "--force-push", { http, server });
  }
  const message = flags.message ?? (await prompt.text({ message: "Commit message", flag: "--message" }));
  if (message.trim() === "") throw new UsageError("The commit message must not be empty");
  return {
    message,
    branch: flags.branch,
    new_branch: flags.newBranch,
    ...(flags.forcePush ? { force_push: true, force_overwrite_new_branch: true } : {}),
    signoff: flags.signoff ? true : undefined,
  };
}

/**
 * A typed path as the path in the repository: without `./`, and slashes at the ends. Throws a usage error for one that
 * leads outside, or is empty.
 */
export function repositoryPath(typed: string): string {
  const parts = typed.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) throw new UsageError("The path of a file must not be empty");
  if (parts.includes("..")) throw new UsageError(`'${typed}' is not a path in the repository`);
  return parts.join("/");
}

/** As `repositoryPath`, for a file that is written: of one in `.git`, in any case, the servers say 500 without a reason. */
export function writablePath(typed: string): string {
  const path = repositoryPath(typed);
  if (path.toLowerCase().split("/").includes(".git")) throw new UsageError(`'${typed}': git allows no files in .git`);
  return path;
}

/**
 * Throws for a local file that the server would store as something else: its operations on files make plain files. A link
 * is always refused, an executable file if it is new; one that is there keeps its mode. What only stands for a stream, such
 * as `/dev/stdin`, is neither.
 */
export function requirePlain(
  file: string,
  { isNew, system }: { readonly isNew: boolean; readonly system: Place },
): void {
  const path = fullPath(file, system);
  if (file === "-" || /^\/(dev|proc)\//.test(path)) return;
  const refuse = (what: string, hint: string) =>
    new Failure("mode_not_kept", `${file} is ${what}, which the server cannot store`, { hint });
  if (lstatSync(path).isSymbolicLink()) throw refuse("a link", "Name the file that it points to, or push it with git.");
  if (isNew && process.platform !== "win32" && (statSync(path).mode & 0o111) !== 0) {
    throw refuse("executable", "Push it with git. A file that is there already keeps its mode when it is updated.");
  }
}

/** What is said of a commit, and printed: its address. */
export function committed(done: string, record: Pick<Infer<typeof changedContents>, "commit">) {
  return { done, prints: record.commit?.html_url ?? record.commit?.sha, record };
}

/** `main`, or the branch that was created. Of one that is replaced, says the commit that it had, before and afterwards. */
export async function changedBranch(
  { branch, newBranch, forcePush = false }: Flags,
  { http, repo, out }: Pick<BaseContext, "out"> & RepositoryContext,
): Promise<string> {
  const name = newBranch ?? branch ?? "the default branch";
  const there = forcePush && name !== branch ? await find(http, branchHeadGet, { repo, branch: name }) : undefined;
  const old = there?.commit?.id;
  if (old === undefined) return name;
  out.warn(`--force-push replaces branch ${name}, which is at ${old}`);
  return `${name}${wasAt(old)}`;
}
