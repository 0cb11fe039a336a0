import { execFile, execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type TestSandbox, testSandbox } from "../../sandbox/with-sandbox.ts";
import { emptyFolder, type Ran, tongs } from "../../support/tongs.ts";

const password = "not-a-secret";
const [repo, fork, hidden] = ["/repos/mara/harbor", "/repos/priya/harbor", "/repos/lena/harbor"];

/** A sandbox with the private repository mara/harbor, priya's fork of it, and a pull request of each kind. */
export interface Harbor {
  readonly sandbox: TestSandbox;
  /** Runs tongs as a user, in a folder. */
  tongs(login: string, cwd: string, ...argv: string[]): Promise<Ran>;
  /** Runs git in a folder, as a user if a login is given, and returns its stdout. */
  git(cwd: string, args: readonly string[], login?: string): Promise<string>;
  /** Changes a file on a branch, through the server. */
  write(where: string, branch: string, file: string, content: string): Promise<void>;
  /** The arguments of the git programs that tongs started. */
  calls(): string;
}

/**
 * Number 1: a branch; 2: a fork's branch; 3: a fork's main; 4: a deleted branch; 5: a fork that maintainers cannot push
 * to; 6: a fork that they cannot see.
 */
export async function openHarbor(): Promise<Harbor> {
  const people = ["mara", "priya", "lena", "jonas"].map((name) => ({ name, password }));
  const sandbox = await testSandbox({ people });
  const ask = async (method: string, path: string, as: string, body?: unknown) => {
    const answer = await sandbox.ask(method, path, as, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const known = new Set<string>();
  const write: Harbor["write"] = async (where, branch, file, content) => {
    const as = where.split("/")[2] ?? "";
    const there = known.has(`${where} ${branch}`) ? branch : "main";
    const sha = existing(await sandbox.ask("GET", `${where}/contents/${file}?ref=${encodeURIComponent(there)}`, as));
    const on =
      known.has(`${where} ${branch}`) || branch === "main" ? { branch } : { branch: "main", new_branch: branch };
    known.add(`${where} ${branch}`);
    const body = { content: Buffer.from(content).toString("base64"), message: `Write ${file}`, ...on };
    if (sha === undefined) await ask("POST", `${where}/contents/${file}`, as, body);
    else await ask("PUT", `${where}/contents/${file}`, as, { ...body, sha });
  };
  const open = (as: string, title: string, head: string) =>
    ask("POST", `${repo}/pulls`, as, { title, head, base: "main" });

  await ask("POST", "/user/repos", "mara", { name: "harbor", private: true, auto_init: true, default_branch: "main" });
  for (const name of ["priya", "lena"]) {
    await ask("PUT", `${repo}/collaborators/${name}`, "mara", { permission: "read" });
  }
  await write(repo, "main", "tides.txt", "low\nhigh\n");
  await ask("POST", `${repo}/forks`, "priya", {});
  await ask("POST", `${repo}/forks`, "lena", {});
  await ask("PUT", `${fork}/collaborators/mara`, "priya", { permission: "read" });
  await write(repo, "feature/buoys", "buoys.txt", "red\n");
  await write(repo, "gone", "gone.txt", "gone\n");
  await write(fork, "tides", "tides.txt", "low\nhigher\n");
  await write(fork, "shut", "shut.txt", "shut\n");
  await write(fork, "main", "fork.txt", "fork\n");
  await write(hidden, "veil", "veil.txt", "veil\n");
  await open("mara", "Buoys", "feature/buoys");
  await open("priya", "Tides", "priya:tides");
  await open("priya", "From the main branch", "priya:main");
  await open("mara", "Gone", "gone");
  await open("priya", "Shut", "priya:shut");
  await open("lena", "Veil", "lena:veil");
  await ask("PATCH", `${repo}/pulls/5`, "priya", { allow_maintainer_edit: false });
  await ask("DELETE", `${repo}/branches/gone`, "mara");

  const shim = shimmedGit();
  return {
    sandbox,
    write,
    calls: shim.calls,
    async git(cwd, args, login) {
      const env = { ...gitEnvironment(cwd), ...(login === undefined ? {} : asUser(sandbox, login)) };
      return (await promisify(execFile)("git", [...args], { cwd, env })).stdout.trim();
    },
    tongs: (login, cwd, ...argv) =>
      tongs(argv, {
        cwd,
        env: {
          ...gitEnvironment(cwd),
          PATH: `${shim.folder}${delimiter}${process.env["PATH"]}`,
          TONGS_HOST: sandbox.url,
          TONGS_TOKEN: sandbox.token(login),
        },
      }),
  };
}

function existing({ status, body }: { readonly status: number; readonly body: unknown }): string | undefined {
  return status === 200 ? (body as { sha: string }).sha : undefined;
}

/** The environment of git, without the user's configuration. */
function gitEnvironment(cwd: string): Record<string, string> {
  const who = { GIT_AUTHOR_NAME: "Test", GIT_AUTHOR_EMAIL: "test@example.org" };
  const commits = { GIT_COMMITTER_NAME: "Test", GIT_COMMITTER_EMAIL: "test@example.org" };
  const alone = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" };
  return { PATH: process.env["PATH"] ?? "", HOME: cwd, ...who, ...commits, ...alone };
}

function asUser(sandbox: TestSandbox, login: string): Record<string, string> {
  const value = `Authorization: token ${sandbox.token(login)}`;
  return { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "http.extraHeader", GIT_CONFIG_VALUE_0: value };
}

/** A folder with a git that records its arguments and runs the real one. */
function shimmedGit(): { readonly folder: string; calls(): string } {
  const folder = join(emptyFolder(), "bin");
  mkdirSync(folder);
  const [log, program] = [join(folder, "calls"), join(folder, "git")];
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(program, `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(program, 0o755);
  return { folder, calls: () => (existsSync(log) ? readFileSync(log, "utf8") : "") };
}
