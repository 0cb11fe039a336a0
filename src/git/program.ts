import { Failure } from "../failure/failure.ts";
import { startable } from "../system/program.ts";

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

/** The git program to start, on Windows its full path. Throws a `Failure` if PATH has none. */
export function gitProgram(env: Env, platform: NodeJS.Platform, exists?: (path: string) => boolean): string {
  const program = startable("git", { env, platform }, exists);
  if (program !== undefined) return program;
  throw new Failure("git", "Could not find git on the PATH", {
    hint: "Install git, or add it to the PATH.",
  });
}
