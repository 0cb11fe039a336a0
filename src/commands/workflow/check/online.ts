import { openGit } from "../../../git/git.ts";
import { tempFolder } from "../../../system/base-folders.ts";
import type { System } from "../../../system/system.ts";
import type { Missing } from "./actions.ts";

/**
 * Whether a repository on any host has a branch, tag or commit, by git without credentials or configuration of the user.
 * `seconds`: how long the host may take. A commit is only found if a ref points to it.
 */
export async function findOnline(
  url: string,
  ref: string,
  { system, seconds }: { readonly system: System; readonly seconds: number },
): Promise<Missing | undefined> {
  const late = AbortSignal.timeout(seconds * 1000);
  const anonymous: System = Object.create(system, {
    signal: { value: AbortSignal.any([system.signal, late]) },
    env: { value: withoutCredentials(system.env) },
  });
  const git = openGit(anonymous, tempFolder());
  const listed = await git.attempt(["ls-remote", "--", url]).catch((error: unknown) => {
    if (!late.aborted || system.signal.aborted) throw error;
    return undefined;
  });
  if (listed === undefined) return { reason: `${url} did not answer within ${seconds} s`, isCertain: false };
  const { code, stdout, stderr } = listed;
  if (code !== 0) return { reason: `${url} cannot be read (${stderr.trim().split("\n").at(-1)})`, isCertain: false };
  const refs = stdout.split("\n").map((line) => line.split("\t"));
  if (refs.some(([hash, name]) => name === `refs/heads/${ref}` || name === `refs/tags/${ref}` || hash === ref)) {
    return undefined;
  }
  return { reason: `${url} has no branch or tag '${ref}'`, isCertain: !/^[0-9a-f]{40,64}$/.test(ref) };
}

/** The variables without what makes git send or ask for a password; without a home directory there is no .netrc, either. */
function withoutCredentials(env: System["env"]): System["env"] {
  const kept = Object.entries(env).filter(([name]) => !/^GIT_(CONFIG|TRACE)|^XDG_CONFIG_HOME$/.test(name));
  const home = { HOME: "/nonexistent", USERPROFILE: "/nonexistent" };
  return { ...Object.fromEntries(kept), ...home, GIT_ASKPASS: "", SSH_ASKPASS: "", GIT_CONFIG_NOSYSTEM: "1" };
}
