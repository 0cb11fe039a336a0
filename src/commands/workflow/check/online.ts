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
  const listed = await openGit(anonymous, tempFolder())
    .attempt(["ls-remote", "--", url])
    .catch((error: unknown) => {
      if (!late.aborted || system.signal.aborted) throw error;
      return undefined;
    });
  if (listed === undefined) return { reason: `${url} did not answer within ${seconds} s`, isCertain: false };
  if (listed.code !== 0) {
    const [line = ""] = listed.stderr.trim().split("\n").slice(-1);
    return { reason: `${url} cannot be read (${line})`, isCertain: false };
  }
  const refs = listed.stdout.split("\n").map((line) => line.split("\t"));
  if (refs.some(([hash, name]) => name === `refs/heads/${ref}` || name === `refs/tags/${ref}` || hash === ref)) {
    return undefined;
  }
  if (/^[0-9a-f]{40,64}$/.test(ref)) return { reason: `${url}: no branch or tag is at ${ref}`, isCertain: false };
  return { reason: `${url} has no branch or tag '${ref}'`, isCertain: true };
}

/** The variables without what makes git send or ask for a password. */
function withoutCredentials(env: System["env"]): System["env"] {
  const kept = Object.entries(env).filter(([name]) => !/^GIT_(CONFIG|TRACE)|^XDG_CONFIG_HOME$/.test(name));
  const nowhere = "/nonexistent";
  // Without a home directory there is no .gitconfig and no .netrc.
  return {
    ...Object.fromEntries(kept),
    HOME: nowhere,
    USERPROFILE: nowhere,
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_CONFIG_NOSYSTEM: "1",
  };
}
