import { Failure } from "../failure/failure.ts";
import { startable } from "../system/program.ts";

type Env = Readonly<Record<string, string | undefined>>;

const ofServers = ["http", "https", "ssh"];

/**
 * The value of GIT_ALLOW_PROTOCOL: what remotes of servers need, and no `ext::` or other helper that runs a program. A
 * value that the user set can only narrow it. A clone takes no submodules from this machine.
 */
export function allowedProtocols(env: Env, command?: string): string {
  const own = env["GIT_ALLOW_PROTOCOL"]?.split(":");
  const protocols = command === "clone" ? ofServers : [...ofServers, "file"];
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
