import { accessSync, constants } from "node:fs";
import { win32 } from "node:path";
import { Failure } from "../failure/failure.ts";

type Env = Readonly<Record<string, string | undefined>>;

const protocols = ["http", "https", "ssh", "file"];

/**
 * The value of GIT_ALLOW_PROTOCOL: what remotes of servers need, and no `ext::` or other helper that runs a program. A
 * value that the user set can only narrow it.
 */
export function allowedProtocols(env: Env): string {
  const own = env["GIT_ALLOW_PROTOCOL"]?.split(":");
  return protocols.filter((name) => own === undefined || own.includes(name)).join(":");
}

/**
 * The git program to start. On Windows its full path: a search for `git` would start one in the current folder, which can
 * be somebody else's repository. Throws a `Failure` if PATH has none.
 */
export function gitProgram(env: Env, platform: NodeJS.Platform, exists = isFile): string {
  if (platform !== "win32") return "git";
  for (const folder of (pathOf(env) ?? "").split(";")) {
    const program = win32.join(folder.replace(/^"(.*)"$/, "$1"), "git.exe");
    if (/^([A-Za-z]:[\\/]|\\\\)/.test(program) && exists(program)) return program;
  }
  throw new Failure("git", "failure", "Could not find git on the PATH", {
    hint: "Install git, or add it to the PATH.",
  });
}

/** Windows spells the variable `Path`. */
function pathOf(env: Env): string | undefined {
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH");
  return name === undefined ? undefined : env[name];
}

function isFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
