import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** A git push made before an exchange. */
export interface Push {
  /** The index of the exchange that followed. */
  readonly before: number;
  readonly as?: string;
  readonly repo?: string;
  readonly branch: string;
  /** The repository it starts from, if it is another one. */
  readonly start?: string;
  /** The branch to start from (default: the branch itself). */
  readonly from?: string;
  /** The commits to add; empty to only create the branch. */
  readonly commits?: readonly Change[];
  /** A branch to merge instead of adding commits. */
  readonly merge?: string;
  /** A tag to create as well. */
  readonly tag?: string;
  /** How many milliseconds before the response it happened (default: right after the previous response). */
  readonly late?: number;
}

export interface Change {
  readonly message: string;
  /** Contents by path; `null` deletes a file. */
  readonly files: Readonly<Record<string, string | Buffer | null>>;
}

const run = promisify(execFile);
const fullNames: Readonly<Record<string, string>> = {
  mara: "Mara Lindqvist",
  jonas: "Jonas Weber",
  priya: "Priya Raman",
};

/** Repeats the pushes of a recording with git from a temporary folder. */
export async function pusher(url: string, passwords: ReadonlyMap<string, string>, pushes: readonly Push[]) {
  const folder = await mkdtemp(join(tmpdir(), "tongs-replay-"));
  const git = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run("git", ["-C", folder, "-c", "gc.auto=0", ...args], {
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", ...env },
    });
  await git(["init", "--quiet"]);

  const push = async (
    date: string,
    { as = "mara", repo = "mara/harbor", start = repo, branch, from, commits, merge, tag }: Push,
  ) => {
    const password = passwords.get(as) ?? "";
    const address = url.replace("://", `://${as}:${encodeURIComponent(password)}@`);
    const [source, remote] = [`${address}/${start}.git`, `${address}/${repo}.git`];
    const who = { name: fullNames[as] ?? as, email: `${as}@example.org` };
    const identity = {
      GIT_AUTHOR_NAME: who.name,
      GIT_AUTHOR_EMAIL: who.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: who.name,
      GIT_COMMITTER_EMAIL: who.email,
      GIT_COMMITTER_DATE: date,
    };
    await git(["fetch", "--quiet", "--no-tags", "--prune", source, "+refs/heads/*:refs/remotes/there/*"]);
    await git(["checkout", "--quiet", "--force", "--detach", `there/${from ?? branch}`]);
    if (merge !== undefined)
      await git(["merge", "--quiet", "--no-ff", "-m", `Merge ${merge}`, `there/${merge}`], identity);
    for (const { message, files } of commits ?? []) {
      for (const [path, content] of Object.entries(files)) {
        const file = join(folder, path);
        await mkdir(dirname(file), { recursive: true });
        if (content === null) await rm(file);
        else await writeFile(file, content);
      }
      await git(["add", "--all"]);
      await git(["commit", "--quiet", "--message", message], identity);
    }
    const tags = tag === undefined ? [] : [`HEAD:refs/tags/${tag}`];
    await git(["push", "--quiet", remote, `HEAD:refs/heads/${branch}`, ...tags]);
  };

  return {
    /** `at` sets the sandbox clock for a push and returns the time. */
    async before(index: number, at: (late: number | undefined) => Date): Promise<void> {
      for (const one of pushes.filter(({ before }) => before === index)) {
        await push(at(one.late).toISOString(), one);
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
