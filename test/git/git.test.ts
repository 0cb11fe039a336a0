import { describe, expect, it } from "vitest";
import { openGit } from "../../src/git/git.ts";
import { isBranchName } from "../../src/git/refs.ts";
import { emptyFolder, quietSignal } from "../support/tongs.ts";

describe("git configuration", () => {
  it("is added to the configuration in the environment", async () => {
    const cwd = emptyFolder();
    const own = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "Mara" };
    const env = { PATH: process.env["PATH"], HOME: cwd, ...own };
    const git = openGit({ env, cwd, signal: quietSignal() } as unknown as Parameters<typeof openGit>[0]);
    const settings = { config: { "tongs.one": "1", "tongs.two": "2" } };
    expect(await git.run(["config", "--get-regexp", "^(user|tongs)\\."], settings)).toBe(
      "user.name Mara\ntongs.one 1\ntongs.two 2",
    );
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
