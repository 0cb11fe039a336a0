import { spawn } from "node:child_process";
import { platform } from "node:os";
import { join } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { startable } from "../../system/program.ts";
import type { Site } from "../site.ts";

/** The result of a git process. */
interface GitRun {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
}

interface GitOptions {
  readonly input?: Buffer | string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A repository that git runs in. */
export interface GitRepo {
  readonly site: Pick<Site, "env" | "repositories">;
  readonly repo: { readonly id: number };
}

/** Throws a Failure if git, or its http-backend, is not installed. */
export async function checkGit(site: Pick<Site, "env">): Promise<void> {
  const { out } = await runGit(site, ["--list-cmds=main"]).catch((cause: unknown) => Promise.reject(noGit(cause)));
  if (out.toString().split("\n").includes("http-backend")) return;
  throw new Failure("no_git", "This git has no http-backend", {
    hint: "Install all of git; on Alpine Linux: apk add git-daemon. The sandbox needs it for clone and push.",
  });
}

/** The git program to start, on Windows its full path. Throws a `Failure` if PATH has none. */
export function gitProgram({ env }: Pick<Site, "env">, system = platform()): string {
  const program = startable("git", { env, platform: system });
  if (program === undefined) throw noGit();
  return program;
}

function noGit(cause?: unknown): Failure {
  const hint = "Install git, or add it to your PATH. The sandbox needs it to store repositories.";
  return new Failure("no_git", "Could not run git", { hint, cause });
}

/** The folder of a bare repository, named by id so that a rename does not move it. */
export function gitFolder({ site, repo }: GitRepo): string {
  return join(site.repositories, `${repo.id}.git`);
}

/** Only the repository's own configuration applies. Git for Windows cannot read the device that Windows has for /dev/null. */
const ownConfiguration = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

function runGit(site: Pick<Site, "env">, args: readonly string[], { input, env }: GitOptions = {}): Promise<GitRun> {
  const kept = Object.entries(site.env).filter(([name]) => !name.startsWith("GIT_"));
  const all = { ...Object.fromEntries(kept), ...ownConfiguration, ...env };
  const child = spawn(gitProgram(site), args, { env: all, stdio: "pipe", windowsHide: true });
  return new Promise((resolve, reject) => {
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (piece: Buffer) => out.push(piece));
    child.stderr.on("data", (piece: Buffer) => err.push(piece));
    child.on("error", reject);
    // git may exit before it has read all input; the exit code is checked instead.
    child.stdin.on("error", () => undefined);
    child.on("close", (code) => resolve({ code: code ?? 1, out: Buffer.concat(out), err: String(Buffer.concat(err)) }));
    child.stdin.end(input);
  });
}

/** Runs git in a repository and returns its exit code and output. */
export async function tryGit({ site, repo }: GitRepo, args: readonly string[], options?: GitOptions): Promise<GitRun> {
  // No argument can carry it, and no ref or path has it.
  if (args.some((arg) => arg.includes("\0")))
    return { code: 128, out: Buffer.alloc(0), err: "fatal: a null character in an argument" };
  return runGit(site, ["--git-dir", gitFolder({ site, repo }), ...args], options);
}

/** Runs git and returns its output without the trailing newline. Throws when git fails. */
export async function git(at: GitRepo, args: readonly string[], options?: GitOptions): Promise<string> {
  const { code, out, err } = await tryGit(at, args, options);
  if (code !== 0) throw new Error(`git ${args[0]}: exit status ${code} - ${err.trim()}`);
  return out.toString("utf8").replace(/\n$/, "");
}

/** Like `git`, but returns undefined when git fails. */
export async function gitOrUndefined(at: GitRepo, args: readonly string[]): Promise<string | undefined> {
  const { code, out } = await tryGit(at, args);
  return code === 0 ? out.toString("utf8").replace(/\n$/, "") : undefined;
}
