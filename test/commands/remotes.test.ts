import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { onSandbox } from "./on-sandbox.ts";
import { gitFolder } from "./pr/git-folder.ts";

const sandbox = await onSandbox();

/** An ssh that answers -G as the real one does for `Host work`, and notes that it was asked. */
function ssh(
  script = 'case "$*" in *"CanonicalizeHostname=no work") echo "user git"; echo "hostname 127.0.0.1";; esac',
) {
  const folder = emptyFolder();
  writeFileSync(join(folder, "ssh"), `#!/bin/sh\ntouch '${folder}/asked'\n${script}\n`);
  chmodSync(join(folder, "ssh"), 0o755);
  const path = `${folder}${delimiter}${process.env["PATH"]}`;
  return { env: { PATH: path, GIT_CONFIG_GLOBAL: "/dev/null" }, asked: () => existsSync(join(folder, "asked")) };
}

/** `repo view`, in a clone with this remote. */
async function viewed(url: string, config: readonly string[] = [], { env } = ssh()) {
  const here = gitFolder();
  here.git("config", "remote.origin.url", url.replace("URL", sandbox.url));
  if (config.length > 0) here.git("config", ...config.map((word) => word.replace("URL", sandbox.url)));
  const { code, stdout, stderr } = await sandbox.run(["repo", "view", "--jq", ".full_name"], { cwd: here.path, env });
  return [code, stdout.trim() || stderr];
}

describe("the repository of a git remote", () => {
  it.each([
    ["an alias of the SSH configuration", "git@work:mara/harbor.git", []],
    ["an alias in an ssh URL", "ssh://work/mara/harbor.git", []],
    ["an address that insteadOf rewrites", "URL/mara/harbor.git", ["url.git@nowhere.example:.insteadOf", "URL/"]],
    ["an abbreviation that insteadOf expands", "h:harbor.git", ["url.URL/mara/.insteadOf", "h:"]],
    ["the remote of its wiki", "URL/mara/harbor.wiki.git", []],
  ])("is known by %s", async (_, url, config) => {
    expect(await viewed(url, config)).toEqual([0, "mara/harbor"]);
  });

  it("is that of another server if the alias is none, or ssh fails", async () => {
    const refused = [2, expect.stringContaining("none of the git remotes points to")];
    expect(await viewed("git@play:mara/harbor.git")).toEqual(refused);
    expect(await viewed("git@work:mara/harbor.git", [], ssh("exit 1"))).toEqual(refused);
  });

  it("is not that of the profile in a clone of something else", async () => {
    const { path, git } = gitFolder();
    const env = { HOME: emptyFolder(), TONGS_HOST: "", TONGS_TOKEN: "", TONGS_CONFIG_DIR: emptyFolder() };
    const world = { cwd: path, env };
    const login = ["auth", "login", "--host", sandbox.url, "--token-stdin", "--profile", "play"];
    const { code, stderr } = await sandbox.run(login, { ...world, stdin: sandbox.token("mara") });
    expect(code, stderr).toBe(0);
    await sandbox.run(["profile", "set", "play", "repo", "mara/harbor"], world);
    const view = () => sandbox.run(["repo", "view", "--jq", ".full_name"], world);
    expect(await view()).toMatchObject({ code: 0, stdout: "mara/harbor\n" });
    git("config", "remote.origin.url", "https://git.other.example/acme/prod.git");
    expect(await view()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("none of the git remotes points to"),
    });
  });

  it("is read without ssh where the host is that of a known server, or could be a flag", async () => {
    const { env, asked } = ssh();
    expect(await viewed("git@127.0.0.1:mara/harbor.git", [], { env, asked })).toEqual([0, "mara/harbor"]);
    await viewed("-oProxyCommand=x:mara/harbor.git", [], { env, asked });
    await viewed("https://nowhere.example/mara/harbor.git", [], { env, asked });
    expect(asked()).toBe(false);
  });
});

describe("-R", () => {
  it.each(["a/b/c/d", "a/b/c"])("refuses %s, whose host is none", async (repo) => {
    const { code, stderr } = await sandbox.run(["repo", "view", "-R", repo]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is not the host of a server")]);
  });
});
