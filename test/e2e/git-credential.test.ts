import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { serve } from "../support/server.ts";
import { emptyFolder, shellProgram, startBuilt } from "./built.ts";
import { keys, missing, onTerminal } from "./terminal.ts";

let sandbox: TestSandbox;
let other: TestSandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
  other = await testSandbox();
});

/** A home folder with its own git configuration, and `tongs` on the PATH. */
function home() {
  const cwd = emptyFolder();
  const bin = join(cwd, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "tongs"), `#!/bin/sh\nexec ${shellProgram} "$@"\n`);
  chmodSync(join(bin, "tongs"), 0o755);
  const config = join(cwd, "gitconfig");
  writeFileSync(config, "[user]\n\tname = Mara\n\temail = mara@example.org\n");
  const env = {
    PATH: bin + delimiter + (process.env["PATH"] ?? ""),
    HOME: cwd,
    TONGS_CONFIG_DIR: join(cwd, "config"),
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
  const git = async (...args: string[]) => (await promisify(execFile)("git", args, { cwd, env })).stdout;
  const tongs = async (line: string) => {
    const running = startBuilt(line, { cwd, env });
    return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
  };
  const signIn = (login: string) =>
    tongs(`echo ${sandbox.token(login)} | tongs auth login --host ${sandbox.url} --token-stdin`);
  return { cwd, env, git, tongs, signIn, globalConfig: () => readFileSync(config, "utf8") };
}

/** Commits to a new branch of a clone and pushes it with git alone. */
async function push({ git }: ReturnType<typeof home>, clone: string, branch: string): Promise<void> {
  await git("-C", clone, "switch", "-q", "-c", branch);
  await git("-C", clone, "commit", "-q", "--allow-empty", "-m", "Push");
  await git("-C", clone, "push", "-q", "origin", branch);
}
const isPushed = async (branch: string) =>
  (await sandbox.ask("GET", `/repos/mara/harbor/branches/${branch}`, "mara")).status === 200;

describe("git with the stored tokens", () => {
  it("signs in to the server of the profile after auth setup-git, and to no other", async () => {
    const here = home();
    await here.signIn("mara");
    const set = await here.tongs("tongs auth setup-git");
    expect(set).toMatchObject({ code: 0, stdout: "", stderr: expect.not.stringContaining("PATH") });
    await here.git("clone", "-q", `${sandbox.url}/mara/harbor.git`, "harbor");
    await push(here, "harbor", "by-helper");
    expect(await isPushed("by-helper")).toBe(true);

    await here.git("clone", "-q", `${other.url}/mara/harbor.git`, "other");
    await expect(push(here, "other", "by-helper")).rejects.toThrow(/could not read Username|terminal prompts disabled/);
    expect(here.globalConfig()).not.toContain(sandbox.token("mara"));
    expect(here.globalConfig()).toContain("!tongs auth git-credential");
    // A second time changes nothing.
    const before = here.globalConfig();
    await here.tongs("tongs auth setup-git");
    expect(here.globalConfig()).toBe(before);
  });

  it("says where git would not find tongs", async () => {
    const here = home();
    await here.signIn("mara");
    const bin = emptyFolder();
    for (const name of ["git", "node", "sh"]) {
      const { stdout } = await promisify(execFile)("which", [name]);
      symlinkSync(stdout.trim(), join(bin, name));
    }
    const running = startBuilt(["auth", "setup-git"], { cwd: here.cwd, env: { ...here.env, PATH: bin } });
    expect([await running.ended, running.stderr()]).toEqual([0, expect.stringContaining("tongs is not on PATH")]);
  });

  it("pushes from a clone of repo clone without any other set-up, and the clone holds no token", async () => {
    const here = home();
    await here.signIn("mara");
    expect(await here.tongs("tongs repo clone mara/harbor")).toMatchObject({ code: 0 });
    expect(readFileSync(join(here.cwd, "harbor/.git/config"), "utf8")).not.toContain(sandbox.token("mara"));
    await push(here, "harbor", "by-clone");
    expect(await isPushed("by-clone")).toBe(true);
    expect(here.globalConfig()).not.toContain("credential");
  });

  it("pushes after pr checkout in a clone that git made", async () => {
    const here = home();
    await here.signIn("mara");
    await here.git("clone", "-q", `${sandbox.url}/mara/harbor.git`, "harbor");
    const { body } = await sandbox.ask("GET", "/repos/mara/harbor/pulls?state=open", "mara");
    const [{ number }] = body as readonly [{ readonly number: number }];
    expect(await here.tongs(`cd harbor && tongs pr checkout ${number}`)).toMatchObject({ code: 0 });
    await push(here, "harbor", "by-checkout");
    expect(await isPushed("by-checkout")).toBe(true);
    expect(readFileSync(join(here.cwd, "harbor/.git/config"), "utf8")).not.toContain(sandbox.token("mara"));
  });

  it("gives git no token for a URL that leaves the path prefix of the profile", async () => {
    const here = home();
    const asked: { readonly path: string; readonly authorization: string | undefined }[] = [];
    const server = await serve(({ url, headers }) => {
      asked.push({ path: url, authorization: headers["authorization"]?.toString() });
      return { status: 401, headers: { "www-authenticate": "Basic" }, body: "" };
    });
    const base = `${server.url}/forge`;
    mkdirSync(here.env.TONGS_CONFIG_DIR, { mode: 0o700 });
    const store = (file: string, value: unknown) =>
      writeFileSync(join(here.env.TONGS_CONFIG_DIR, file), JSON.stringify(value), { mode: 0o600 });
    store("config.json", { default: "work", profiles: { work: { host: base, user: "mara" } } });
    store("credentials.json", { tokens: { work: "false-token" } });
    expect(await here.tongs("tongs auth setup-git")).toMatchObject({ code: 0 });
    // Git itself shortens the path when it looks for a helper by URL; it does not ask for one of all URLs so.
    await here.git("config", "--global", "credential.helper", "!tongs auth git-credential");
    await here.git("config", "--global", "credential.useHttpPath", "true");
    for (const path of ["%2e%2e/evil/repo.git", "../evil/repo.git", "x/%2e%2e/%2e%2e/evil/repo.git", "..%2fevil"]) {
      await expect(here.git("clone", "-q", `${base}/${path}`, "out")).rejects.toThrow();
    }
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    // The helper does answer below the prefix.
    await expect(here.git("clone", "-q", `${base}/mara/harbor.git`, "out")).rejects.toThrow();
    expect(asked.at(-1)?.authorization).toMatch(/^Basic /);
  });

  it("is not set up without a profile of that server", async () => {
    const here = home();
    expect(await here.tongs("tongs auth setup-git")).toMatchObject({ code: 4 });
    await here.signIn("mara");
    expect(await here.tongs("tongs auth setup-git --host https://nosuch.example")).toMatchObject({ code: 4 });
    expect(await here.tongs("tongs auth setup-git --dry-run")).toMatchObject({ code: 0 });
    expect(here.globalConfig()).not.toContain("credential");
  });
});

describe(`the end of auth login on a terminal${missing}`, { skip: missing !== "" }, () => {
  it.each([
    ["sets up git", keys.enter, true],
    ["leaves git alone after no", `n${keys.enter}`, false],
    ["stays signed in after Ctrl-C", keys.interrupt, false],
  ])("offers to set up git: %s", async (_what, typed, isSet) => {
    const here = home();
    const login = await onTerminal(["auth", "login", "--host", sandbox.url], here);
    await login.until("How would you like to authenticate?");
    login.type(`${keys.down}${keys.enter}`);
    await login.until("Paste your access token");
    login.type(`${sandbox.token("mara")}${keys.enter}`);
    await login.until("Authenticate Git with this account?");
    expect(login.read()).toContain("Signed in as mara on");
    login.type(typed);
    expect(await login.ended).toBe(0);
    expect(here.globalConfig().includes("!tongs auth git-credential")).toBe(isSet);
    expect((await here.tongs("tongs auth status")).code).toBe(0);
  });
});
