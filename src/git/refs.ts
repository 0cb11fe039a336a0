import { Failure } from "../failure/failure.ts";
import type { Git } from "./git.ts";

/** What a branch follows: `branch.NAME.remote` and `branch.NAME.merge`, the second without `refs/heads/`. */
export interface Followed {
  readonly remote: string | undefined;
  readonly merge: string | undefined;
}

/**
 * Whether what a branch follows is also what it is pushed to: one made by `git switch -c x origin/main` follows main,
 * which nobody means to push it to. `base` is a branch that it is surely not pushed to.
 */
export async function isPushedThere(git: Git, local: string, { remote, merge }: Followed, base?: string) {
  if (merge === undefined || merge === local) return true;
  if (merge === base || (await hasRef(git, `refs/remotes/${remote}/${local}`))) return false;
  const main = await git.attempt(["symbolic-ref", "--quiet", "--short", `refs/remotes/${remote}/HEAD`]);
  return main.stdout.trim() !== `${remote}/${merge}`;
}

/** Whether a ref exists here. */
export async function hasRef(git: Git, ref: string): Promise<boolean> {
  return (await git.attempt(["show-ref", "--verify", "--quiet", ref])).code === 0;
}

/**
 * Whether git takes this as the name of a branch (git check-ref-format). Names come from a server, and end up in
 * refspecs and arguments: what could be read as an option or as two refs is none.
 */
export function isBranchName(name: string): boolean {
  const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|\/$|\.$|^@$/;
  return name !== "" && !forbidden.test(name) && name.split("/").every((part) => !/^\.|\.lock$/.test(part));
}

/** The name of a branch as a server gave it, or a failure: git would take it for something else. */
export function branchName(name: string): string {
  if (isBranchName(name)) return name;
  throw new Failure("broken_answer", "failure", `The server names a branch '${name}', which git cannot have`);
}
