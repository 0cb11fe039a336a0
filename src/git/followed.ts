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
