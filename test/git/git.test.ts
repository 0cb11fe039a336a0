import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openGit, pushFailureReason } from "../../src/git/git.ts";
import { allowedProtocols, gitProgram } from "../../src/git/program.ts";
import { isBranchName } from "../../src/git/refs.ts";
import { emptyFolder, quietSignal } from "../support/tongs.ts";

describe("git configuration", () => {
  it("is added to the configuration in the environment", async () => {
    const cwd = emptyFolder();
    const own = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "Mara" };
    const env = { PATH: process.env["PATH"], HOME: cwd, ...own };
    const git = openGit({ env, platform: process.platform, cwd, signal: quietSignal() } as unknown as Parameters<
      typeof openGit
    >[0]);
    const settings = { config: { "tongs.one": "1", "tongs.two": "2" } };
    expect(await git.run(["config", "--get-regexp", "^(user|tongs)\\."], settings)).toBe(
      "user.name Mara\ntongs.one 1\ntongs.two 2",
    );
  });
});

describe("a git command that fails", () => {
  it("says why: of wrong flags the first line, not the last ones of all flags", async () => {
    const cwd = emptyFolder();
    const env = { PATH: process.env["PATH"], HOME: cwd, LC_ALL: "C" };
    const git = openGit({ env, platform: process.platform, cwd, signal: quietSignal() } as unknown as Parameters<
      typeof openGit
    >[0]);
    await expect(git.run(["clone", "--nosuch", "x"])).rejects.toThrow(/^git clone failed: error: .*nosuch.?$/);
    await expect(git.run(["clone", "-q", "x"])).rejects.toThrow(/^git clone failed: fatal: .*x' does not exist$/);
  });
});

describe("the current branch", () => {
  it("is named alike if a tag has the same name, and before its first commit", async () => {
    const cwd = emptyFolder();
    const env = { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
    const git = openGit({ env, platform: process.platform, cwd, signal: quietSignal() } as unknown as Parameters<
      typeof openGit
    >[0]);
    await git.run(["init", "-q", "--initial-branch", "release/1.0"]);
    expect(await git.currentBranch()).toBe("release/1.0");
    const author = { config: { "user.name": "Mara", "user.email": "mara@example.org" } };
    await git.run(["commit", "-q", "--allow-empty", "-m", "First"], author);
    await git.run(["tag", "release/1.0"]);
    expect(await git.currentBranch()).toBe("release/1.0");
    await git.run(["checkout", "-q", "--detach"]);
    expect(await git.currentBranch()).toBeUndefined();
  });
});

describe("the reason of a failed push", () => {
  it("includes the server's, which empty lines and git's own words follow", () => {
    // As Gitea 1.26 answers.
    const stderr = [
      "remote: ",
      "remote: error:        ",
      "remote: error: Not allowed to push to protected branch rel/1        ",
      "remote: error:        ",
      "To http://127.0.0.1:3100/mara/harbor",
      " ! [remote rejected] rel/1 -> rel/1 (pre-receive hook declined)",
      "error: failed to push some refs to 'http://127.0.0.1:3100/mara/harbor'\n",
    ].join("\n");
    const reason = pushFailureReason({ code: 1, stdout: "", stderr });
    expect(reason.split("\n")[0]).toBe("remote: error: Not allowed to push to protected branch rel/1");
    expect(reason.split("\n")).toHaveLength(4);
  });
});

describe("the protocols of remotes", () => {
  it("do not include helpers that run a program", async () => {
    const cwd = emptyFolder();
    const env = { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_COUNT: "1" };
    const allow = { GIT_CONFIG_KEY_0: "protocol.ext.allow", GIT_CONFIG_VALUE_0: "always" };
    const system = { env: { ...env, ...allow }, platform: process.platform, cwd, signal: quietSignal() };
    const git = openGit(system as unknown as Parameters<typeof openGit>[0]);
    const { code, stderr } = await git.attempt(["ls-remote", "ext::sh -c 'touch% ran'"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("transport 'ext' not allowed");
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("can only be narrowed by the user", () => {
    expect(allowedProtocols({})).toBe("http:https:ssh:file");
    expect(allowedProtocols({}, "clone")).toBe("http:https:ssh");
    expect(allowedProtocols({ GIT_ALLOW_PROTOCOL: "ext:https" })).toBe("https");
  });
});

describe("the git program", () => {
  it("is found by its full path on Windows, never in the current folder", () => {
    const there = (path: string) => path.toLowerCase().endsWith("git.exe") && !path.includes("Empty");
    const find = (PATH: string) => gitProgram({ Path: PATH }, "win32", there);
    expect(find('.;;bin;C:\\Empty;"C:\\Program Files\\Git\\cmd";D:\\Git')).toBe("C:\\Program Files\\Git\\cmd\\git.exe");
    expect(() => find(".;;bin;\\bin;C:bin;C:\\Empty")).toThrow("Could not find git on the PATH");
    expect(gitProgram({}, "linux")).toBe("git");
  });
});

describe("a branch name", () => {
  it.each(["main", "fix/tides-2", "1.2", "ünicode", "a@b"])("can be %s", (name) => {
    expect(isBranchName(name)).toBe(true);
  });

  it.each([
    "",
    "-x",
    "a b",
    "a..b",
    "x:refs/heads/main",
    "a~1",
    "a^",
    "/a",
    "a/",
    "a//b",
    ".a",
    "a/.b",
    "a.lock",
    "a@{1}",
  ])("cannot be '%s'", (name) => {
    expect(isBranchName(name)).toBe(false);
  });
});
