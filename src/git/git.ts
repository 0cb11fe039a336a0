import { Failure } from "../failure/failure.ts";
import type { System } from "../system/system.ts";
import { type Remote, remotesFrom } from "./remotes.ts";

/** What one run of git came to. */
export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The git program in one folder. */
export interface Git {
  readonly cwd: string;
  /** Runs git and returns its stdout without the last line end; throws when git fails. */
  run(args: readonly string[], options?: GitOptions): Promise<string>;
  /** Runs git and returns what it came to, failed or not. */
  attempt(args: readonly string[], options?: GitOptions): Promise<GitResult>;
  /** The remotes here, best first (upstream, origin, the rest); none outside a checkout. */
  remotes(): Promise<readonly Remote[]>;
  /** The current branch, or undefined when detached or outside a checkout. */
  currentBranch(): Promise<string | undefined>;
  /** The same git in another folder. */
  at(cwd: string): Git;
}

/** How git is run. */
export interface GitOptions {
  readonly input?: string;
  /** Settings for this run, by environment so that secrets stay out of argv: `http.extraHeader` and such. */
  readonly config?: Readonly<Record<string, string>>;
  /** git's own progress goes to stderr as it comes. */
  readonly progress?: boolean;
}

/** Opens the git program for a folder. It is started only when asked. */
export function openGit(system: System, cwd = system.cwd): Git {
  const attempt = async (args: readonly string[], options: GitOptions = {}): Promise<GitResult> => {
    // Loaded here: most commands start no git.
    const { spawn } = await import("node:child_process");
    return new Promise((resolve, reject) => {
      const child = spawn("git", [...args], {
        cwd,
        env: { ...system.env, ...configEnvironment(options.config, system.env), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" },
        stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
        signal: system.signal,
      });
      const out: Buffer[] = [];
      const errors: Buffer[] = [];
      child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr?.on("data", (chunk: Buffer) => {
        errors.push(chunk);
        if (options.progress) system.stderr.write(harmless(chunk));
      });
      child.on("error", (error) => {
        if (system.signal.aborted) reject(system.signal.reason);
        else reject(cannotStart(error, cwd));
      });
      child.on("close", (code) => {
        const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString("utf8");
        resolve({ code: code ?? 1, stdout: text(out), stderr: text(errors) });
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(options.input);
    });
  };

  let remotes: Promise<readonly Remote[]> | undefined;
  const git: Git = {
    cwd,
    attempt,
    async run(args, options) {
      const { code, stdout, stderr } = await attempt(args, options);
      if (code === 0) return stdout.replace(/\n$/, "");
      const reason = stderr.trim().split("\n").slice(-3).join("\n");
      throw new Failure("git", "failure", `git ${args[0]} failed: ${reason}`);
    },
    remotes() {
      remotes ??= attempt(["config", "--get-regexp", "^(remote\\..*\\.(url|pushurl)|url\\..*)$"]).then(
        ({ code, stdout }) => (code === 0 ? remotesFrom(stdout) : []),
      );
      return remotes;
    },
    async currentBranch() {
      const { code, stdout } = await attempt(["symbolic-ref", "--quiet", "--short", "HEAD"]);
      return code === 0 ? stdout.trim() : undefined;
    },
    at: (other) => openGit(system, other),
  };
  return git;
}

/**
 * Settings as GIT_CONFIG_COUNT and its pairs: other users of the machine cannot read them, unlike `-c` in argv. They
 * come after those that the environment has already.
 */
function configEnvironment(config: Readonly<Record<string, string>> = {}, env: System["env"]): Record<string, string> {
  const entries = Object.entries(config);
  if (entries.length === 0) return {};
  const before = Number(env["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const result: Record<string, string> = { GIT_CONFIG_COUNT: String(before + entries.length) };
  entries.forEach(([key, value], index) => {
    result[`GIT_CONFIG_KEY_${before + index}`] = key;
    result[`GIT_CONFIG_VALUE_${before + index}`] = value;
  });
  return result;
}

/** What git and the server behind it print, without control characters other than line ends, returns and tabs. */
function harmless(chunk: Buffer): Buffer {
  return Buffer.from(chunk.filter((byte) => (byte >= 0x20 && byte !== 0x7f) || (byte >= 0x09 && byte <= 0x0d)));
}

function cannotStart(error: NodeJS.ErrnoException, cwd: string): Failure {
  if (error.code !== "ENOENT") return new Failure("git", "failure", `git could not be started: ${error.message}`);
  return new Failure("git", "failure", `git could not be started in ${cwd}`, {
    hint: "Is git installed and on the PATH, and does the folder exist?",
  });
}
