import { execFile, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { emptyFolder } from "../../support/tongs.ts";

/** A git repository in a new folder, for one test. */
export interface GitFolder {
  readonly path: string;
  /** Runs git and returns its output without the line end. */
  git(...args: string[]): string;
  /** The same without blocking, for commands that talk to a server in this process. */
  talk(...args: string[]): Promise<unknown>;
  /** Writes a file and commits it; returns the commit. */
  commit(message: string, file: string, content: string): string;
}

/** Creates a repository with a first commit on `main`, or opens an existing one. */
export function gitFolder(path?: string): GitFolder {
  const cwd = path ?? emptyFolder();
  const own = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd, env: { ...process.env, ...own }, encoding: "utf8", stdio: "pipe" }).trimEnd();
  const commit = (message: string, file: string, content: string) => {
    writeFileSync(join(cwd, file), content);
    git("add", file);
    git("-c", "user.name=Mara", "-c", "user.email=mara@example.org", "commit", "-q", "-m", message);
    return git("rev-parse", "HEAD");
  };
  if (path === undefined) {
    git("init", "-q", "-b", "main");
    commit("Begin", "README.md", "Harbor\n");
  }
  const talk = (...args: string[]) => promisify(execFile)("git", args, { cwd, env: { ...process.env, ...own } });
  return { path: cwd, git, talk, commit };
}
