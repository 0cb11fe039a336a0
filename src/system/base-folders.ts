import { tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { Failure } from "../failure/failure.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The configuration folder: `TONGS_CONFIG_DIR`, or `tongs` in XDG_CONFIG_HOME or ~/.config. */
export function configFolder(env: Env): string {
  const own = env["TONGS_CONFIG_DIR"];
  return own ? absolute(own, "TONGS_CONFIG_DIR") : folderIn(env["XDG_CONFIG_HOME"], env, ".config");
}

/** The folder for what tongs remembers between runs: `tongs` in XDG_STATE_HOME or ~/.local/state. */
export function stateFolder(env: Env): string {
  return folderIn(env["XDG_STATE_HOME"], env, ".local", "state");
}

/** `tongs` in XDG_CACHE_HOME or ~/.cache: what can be read from the server again. */
export function cacheFolder(env: Env): string {
  return folderIn(env["XDG_CACHE_HOME"], env, ".cache");
}

/**
 * The home directory: HOME, USERPROFILE, or that of the account. Throws a `config` failure if its path is not absolute, or
 * there is none: in a container, a user ID can be without an account.
 */
export function homeFolder(env: Env): string {
  return absolute(env["HOME"] || env["USERPROFILE"] || accountHome(), "HOME");
}

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch (cause) {
    throw new Failure("config", "Your user ID has no home directory", { hint: "Set HOME to a directory.", cause });
  }
}

/** The folder for temporary files. Throws a `config` failure if its path is not absolute. */
export function tempFolder(): string {
  return absolute(tmpdir(), "TMPDIR");
}

/** A relative XDG path is ignored, as its specification says. */
function folderIn(xdg: string | undefined, env: Env, ...below: readonly string[]): string {
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homeFolder(env), ...below), "tongs");
}

/** What a relative path means depends on the current directory, which can be somebody else's repository. */
function absolute(path: string, variable: string): string {
  if (isAbsolute(path)) return path;
  throw new Failure("config", `${variable} is not an absolute path: '${path}'`, { hint: `Set ${variable} to one.` });
}
