import { realpathSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { Failure } from "../failure/failure.ts";
import { sentSecrets } from "../http/mask.ts";
import type { System } from "../system/system.ts";
import { Styled } from "../text/styled.ts";
import { allowedProtocols, gitProgram } from "./program.ts";
import { type Remote, remotesFrom, sshHost } from "./remotes.ts";

/** The result of a git command. */
export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git in a folder. */
export interface Git {
  readonly cwd: string;
  /** Runs git and returns its stdout without the final newline. Throws a `Failure` if git fails. */
  run(args: readonly string[], options?: GitOptions): Promise<string>;
  /** Runs git and returns the result, also if git fails. */
  attempt(args: readonly string[], options?: GitOptions): Promise<GitResult>;
  /**
   * The remotes: the default of `tongs repo set-default`, upstream, origin, then the others. Empty outside a git
   * repository.
   */
  remotes(): Promise<readonly Remote[]>;
  /** The current branch; undefined if HEAD is detached or outside a git repository. */
  currentBranch(): Promise<string | undefined>;
  /**
   * Git in another folder. GIT_DIR and the like count only for the current one, and not for a new clone. Only with
   * `isBare` it takes files in it for a bare repository.
   */
  at(cwd: string, isBare?: boolean): Git;
}

/** Why a push failed: the last lines of its hooks, the server and git, without the server's empty ones. */
export function pushFailureReason({ stdout, stderr }: GitResult): string {
  const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trimEnd());
  return lines
    .filter((line) => !/^(remote:( error:)?)?$/.test(line))
    .slice(-10)
    .join("\n");
}

/** Why a command failed: the last lines of its stderr. For wrong flags (129), git says it first, and then prints all that it has. */
function failureReason(code: number, stderr: string): string {
  const lines = stderr.trim().split("\n");
  return (code === 129 ? lines.slice(0, 1) : lines.slice(-3)).join("\n");
}

/** Git configuration: values by key; a key can have several values. */
export type GitConfig = Readonly<Record<string, string | readonly string[]>>;

/** Options of a git command. */
export interface GitOptions {
  readonly input?: string;
  /** Git configuration for this command. It is passed in the environment: secrets must not be in argv. */
  readonly config?: GitConfig;
  /** Print git's stderr as it arrives, or pass it on. */
  readonly progress?: boolean | ((text: string) => void);
  /** Whether it also runs after Ctrl-C, and to its end: what removes what an interrupted command has left. */
  readonly cleansUp?: boolean;
}

/**
 * What `git rev-parse --local-env-vars` lists, without configuration. Hooks and aliases of git set them, which
 * would make git use that repository in every folder.
 */
const repositoryVariables = [
  ...["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_IMPLICIT_WORK_TREE"],
  ...["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE"],
  ...["GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_INTERNAL_SUPER_PREFIX"],
];

/** An environment for a program in another repository than that of a hook or an alias of git which runs tongs. */
export function withoutRepository(env: System["env"]): System["env"] {
  return { ...env, ...Object.fromEntries(repositoryVariables.map((name) => [name, undefined])) };
}

/** Git that signs in, or is configured otherwise, whatever it runs. */
export function configured(git: Git, config: GitConfig): Git {
  return {
    ...git,
    cwd: git.cwd,
    run: (args, options) => git.run(args, { ...options, config }),
    attempt: (args, options) => git.attempt(args, { ...options, config }),
  };
}

/** Whether a folder is the top of a clone: neither a directory in one, nor files that look like a bare repository. */
export async function isClone({ cwd, attempt }: Git): Promise<boolean> {
  const { code, stdout } = await attempt(["rev-parse", "--show-toplevel"]);
  return code === 0 && realpathSync(stdout.replace(/\r?\n$/, "")) === realpathSync(cwd);
}

/**
 * What git is always configured with. The files of a clone can look like a bare repository, whose configuration runs
 * programs.
 */
const always: GitConfig = { "safe.bareRepository": "explicit" };

/** The headers that git is configured to send: a server can repeat them in what git prints. */
function headersIn(config: GitConfig = {}): Record<string, string> {
  const lines = Object.entries(config).flatMap(([name, value]) => (name.endsWith(".extraHeader") ? value : []));
  return Object.fromEntries(lines.map((line) => [line.replace(/:.*/s, ""), line.replace(/^[^:]*: */, "")]));
}

/** What `openGit` can be told of a folder and its remotes. */
interface Surroundings {
  /** Whether a host in the URL of a remote is that of a known server. */
  readonly isServer?: (host: string) => boolean;
  /** Whether files in the folder are a bare repository. */
  readonly isBare?: boolean;
}

/** Returns git for a folder. Does not run it yet. */
export function openGit(system: System, folder?: string, surroundings: Surroundings = {}): Git {
  const { isServer = () => true, isBare = false } = surroundings;
  const isElsewhere = folder !== undefined && resolvePath(folder) !== resolvePath(system.cwd);
  const attempt = async (args: readonly string[], options: GitOptions = {}): Promise<GitResult> => {
    // Most commands do not run git.
    const { spawn } = await import("node:child_process");
    const cwd = folder ?? system.cwd;
    const isOther = isElsewhere || args[0] === "clone";
    const hide = sentSecrets(headersIn(options.config));
    return new Promise((resolve, reject) => {
      const child = spawn(gitProgram(system.env, system.platform), [...args], {
        cwd,
        env: {
          ...(isOther ? withoutRepository(system.env) : system.env),
          ...(isBare ? { GIT_DIR: cwd } : {}),
          ...configEnvironment({ ...always, ...options.config }, system.env),
          LC_ALL: "C",
          GIT_TERMINAL_PROMPT: "0",
          GIT_ALLOW_PROTOCOL: allowedProtocols(system.env, args[0]),
        },
        stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
        signal: options.cleansUp ? undefined : system.signal,
        // Ctrl-C on a terminal goes to the whole process group.
        detached: options.cleansUp === true,
      });
      const out: Buffer[] = [];
      const errors: Buffer[] = [];
      const progress = new TextDecoder();
      child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr?.on("data", (chunk: Buffer) => {
        errors.push(chunk);
        if (!options.progress) return;
        const text = hide(progress.decode(chunk, { stream: true }));
        if (options.progress === true) system.stderr.write(Styled.composed("overwriting", text));
        else options.progress(text);
      });
      child.on("error", (error) => {
        if (!system.signal.aborted || options.cleansUp) return reject(startFailure(error, cwd));
        // Git removes an unfinished clone before it ends.
        const end = () => reject(system.signal.reason);
        if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) end();
        else child.on("exit", end);
      });
      child.on("close", (code) => {
        const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString("utf8");
        resolve({ code: code ?? 1, stdout: text(out), stderr: hide(text(errors)) });
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(options.input);
    });
  };

  let remotes: Promise<readonly Remote[]> | undefined;
  const git: Git = {
    get cwd() {
      return folder ?? system.cwd;
    },
    attempt,
    async run(args, options) {
      const { code, stdout, stderr } = await attempt(args, options);
      if (code === 0) return stdout.replace(/\n$/, "");
      throw new Failure("git", `git ${args[0]} failed: ${failureReason(code, stderr)}`);
    },
    remotes() {
      remotes ??= attempt([
        "config",
        "--get-regexp",
        "^(remote\\..*\\.(url|pushurl|tongs-default)|url\\..*|credential\\..*\\.username)$",
      ]).then(async ({ code, stdout }) => {
        const found = code === 0 ? remotesFrom(stdout, isServer) : [];
        const hostOf = async ({ host, url }: Remote) =>
          isServer(host) ? host : ((await sshHost(url, system)) ?? host);
        return Promise.all(found.map(async (remote) => ({ ...remote, host: await hostOf(remote) })));
      });
      return remotes;
    },
    async currentBranch() {
      // Not --short, which answers heads/NAME if a tag has the same name.
      const { code, stdout } = await attempt(["symbolic-ref", "--quiet", "HEAD"]);
      return code === 0 ? /^refs\/heads\/(.+)$/.exec(stdout.trim())?.[1] : undefined;
    },
    at: (other, bare = false) => openGit(system, other, { isServer, isBare: bare }),
  };
  return git;
}

/** An environment in which git takes no files of a clone for a bare repository. */
export function safely(env: System["env"]): System["env"] {
  return { ...env, ...configEnvironment(always, env) };
}

/**
 * Git configuration as GIT_CONFIG_COUNT and its variables, appended to those in the environment. Other users of the machine
 * cannot read the environment, unlike `-c` in argv.
 */
function configEnvironment(config: GitConfig, env: System["env"]): Record<string, string> {
  const entries = Object.entries(config).flatMap(([key, values]) =>
    [values].flat().map((value) => [key, value] as const),
  );
  const before = Number(env["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const result: Record<string, string> = { GIT_CONFIG_COUNT: String(before + entries.length) };
  entries.forEach(([key, value], index) => {
    result[`GIT_CONFIG_KEY_${before + index}`] = key;
    result[`GIT_CONFIG_VALUE_${before + index}`] = value;
  });
  return result;
}

function startFailure(error: NodeJS.ErrnoException, cwd: string): Failure {
  if (error.code !== "ENOENT") return new Failure("git", `Could not start git: ${error.message}`);
  return new Failure("git", `Could not start git in ${cwd}`, {
    hint: "Check that git is installed and on the PATH, and that the directory exists.",
  });
}
