import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { World } from "../support/tongs.ts";
import { emptyFolder } from "../support/tongs.ts";
import type { Person, Target } from "./support.ts";

/** Somebody's clone of a repository of the target. */
export interface Checkout {
  readonly folder: string;
  git(...args: string[]): Promise<string>;
  /** Writes files, commits them and returns the commit. */
  commit(message: string, files: Readonly<Record<string, string>>): Promise<string>;
  push(...args: string[]): Promise<void>;
  /** Runs tongs in the clone as its owner. */
  tongs(line: readonly string[], world?: World): ReturnType<Person["tongs"]>;
}

/** Clones a repository by `tongs repo clone`. */
export async function cloneOf(target: Target, person: Person, repo: string): Promise<Checkout> {
  const folder = join(emptyFolder(), "clone");
  const ran = await person.tongs(["repo", "clone", repo, folder]);
  if (ran.code !== 0) throw new Error(ran.stderr);
  const header = `Authorization: token ${person.token}`;
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: person.login,
    GIT_AUTHOR_EMAIL: `${person.login}@example.org`,
    GIT_COMMITTER_NAME: person.login,
    GIT_COMMITTER_EMAIL: `${person.login}@example.org`,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${target.url}/.extraHeader`,
    GIT_CONFIG_VALUE_0: header,
  };
  // Never in lockstep: the sandbox that git talks to may live in this very process.
  const git = async (...args: string[]) => (await promisify(execFile)("git", args, { cwd: folder, env })).stdout.trim();
  return {
    folder,
    git,
    async commit(message, files) {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
      await git("add", "--all");
      await git("commit", "--quiet", "--message", message);
      return git("rev-parse", "HEAD");
    },
    async push(...args) {
      await git("push", "--quiet", ...args);
    },
    tongs: (line, world = {}) => person.tongs(line, { cwd: folder, ...world }),
  };
}
