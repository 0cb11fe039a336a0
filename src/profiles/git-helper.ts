import type { Git } from "../git/git.ts";
import { addressText, refuseGitSudo, type Server } from "./server.ts";

/** The value of `credential.URL.helper` that makes git ask tongs. It contains no secret. */
const helper = "!tongs auth git-credential";

/** Which of git's configuration files is meant. */
type ConfigFile = "--global" | "--local";

/** The credential helper that git would ask last for a server; undefined if there is none. */
async function helperFor(git: Git, base: URL): Promise<string | undefined> {
  const { code, stdout } = await git.attempt([
    "config",
    "--get-urlmatch",
    "credential.helper",
    `${addressText(base)}/`,
  ]);
  return code === 0 ? stdout.trim() : undefined;
}

/** Whether git asks tongs for the credentials of a server. */
export async function asksTongs(git: Git, base: URL): Promise<boolean> {
  return (await helperFor(git, base)) === helper;
}

/**
 * Makes git ask tongs for the credentials of a server, and no other helper, which could store the token. Git names the
 * path only if it is told to, which a server below a path prefix needs.
 */
export async function setHelper(git: Git, base: URL, file: ConfigFile): Promise<void> {
  const key = `credential.${addressText(base)}`;
  await git.run(["config", file, "--replace-all", `${key}.helper`, ""]);
  await git.run(["config", file, "--add", `${key}.helper`, helper]);
  if (base.pathname !== "/") await git.run(["config", file, "--replace-all", `${key}.useHttpPath`, "true"]);
}

/**
 * Makes git ask tongs in one clone, so that push and pull work there later. Changes nothing without a token, or if git has
 * another helper for the server. The user is named, because another profile may have the same server; one that the clone has stays.
 */
export async function setHelperIn(git: Git, server: Server): Promise<void> {
  const { base, token, user } = server;
  refuseGitSudo(server);
  if ((await token()) === undefined) return;
  const present = await helperFor(git, base);
  if (present !== undefined && present !== helper) return;
  if (present === undefined) await setHelper(git, base, "--local");
  const key = `credential.${addressText(base)}.username`;
  const isNamed = (await git.attempt(["config", "--local", "--get", key])).code === 0;
  if (user !== undefined && !isNamed) await git.run(["config", "--local", key, user]);
}
