import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openProfiles, type Profiles } from "../../../src/profiles/profiles.ts";
import { serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { gitea } from "../auth/forges.ts";
import { pull } from "../pr/pulls.ts";

let folder: string;
let profiles: Profiles;
let server: TestServer;
let runs: string;
beforeEach(async () => {
  folder = emptyFolder();
  runs = join(folder, "runs");
  profiles = openProfiles({ env: { TONGS_CONFIG_DIR: join(folder, "tongs") }, platform: process.platform });
  server = await serve((seen) => {
    if (seen.headers["authorization"] !== "token not-a-secret-printed") return { status: 401, body: { message: "no" } };
    const page = Number(/page=(\d+)/.exec(seen.url)?.[1] ?? 1);
    const body = Array.from({ length: 50 }, (_, at) => pull(page * 50 + at, { title: "Mend" }));
    return { headers: { "x-total-count": "400" }, body };
  });
});

const tongsHere = (argv: readonly string[], world: World = {}) =>
  tongs(argv, { ...world, env: { TONGS_CONFIG_DIR: profiles.folder, ...world.env } });

/** A program that prints a token, and adds a line to a file each time it is run. */
function printer(token = "not-a-secret-printed"): string {
  const script = join(folder, "print token.cjs");
  writeFileSync(script, `require("fs").appendFileSync(${JSON.stringify(runs)}, "ran\\n");console.log(process.argv[2])`);
  return `'${process.execPath}' '${script}' ${token}`;
}
const timesRun = () => (existsSync(runs) ? readFileSync(runs, "utf8").trim().split("\n").length : 0);

async function withCommand(token?: string): Promise<void> {
  expect(await tongsHere(["profile", "set", "work", "host", server.url])).toMatchObject({ code: 0 });
  expect(await tongsHere(["profile", "set", "work", "token_command", printer(token)])).toMatchObject({ code: 0 });
}

describe("token_command", () => {
  it("of a new profile signs in, and runs once for many requests", async () => {
    await withCommand();
    const ran = await tongsHere(["pr", "list", "--all", "-R", "mara/harbor", "--jq", "length"]);
    expect(ran).toMatchObject({ code: 0, stdout: "400\n" });
    expect(server.seen.length).toBeGreaterThan(7);
    expect(timesRun()).toBe(1);
  });

  it("does not run where no token is needed", async () => {
    await withCommand();
    for (const line of [["profile", "list"], ["profile", "show", "work"], ["pr", "view", "--help"], ["schema"]]) {
      expect(await tongsHere(line)).toMatchObject({ code: 0 });
    }
    const held = await tongsHere(["api", "-X", "POST", "/user/repos", "-f", "name=x", "--dry-run"]);
    expect(held).toMatchObject({ code: 0, stdout: expect.stringContaining("POST") });
    expect(timesRun()).toBe(0);
  });

  it("is used by auth token, auth status and git", async () => {
    await withCommand();
    expect((await tongsHere(["auth", "token"])).stdout).toBe("not-a-secret-printed\n");
    const stdin = `protocol=http\nhost=${new URL(server.url).host}\n\n`;
    const git = await tongsHere(["auth", "git-credential", "get"], { stdin });
    expect(git.stdout).toContain("password=not-a-secret-printed\n");
    expect(timesRun()).toBe(2);
    await server.close();
    server = await gitea({ tokens: { "not-a-secret-printed": "mara" } });
    await tongsHere(["profile", "set", "work", "host", server.url]);
    const status = await tongsHere(["auth", "status", "--json", "user,token_in"]);
    expect(status.json()).toEqual({ user: "mara", token_in: expect.stringContaining("print token.cjs") });
    expect(timesRun()).toBe(3);
  });

  it("that fails is a sentence, a hint and exit 4, and nothing is sent", async () => {
    await withCommand();
    await tongsHere(["profile", "set", "work", "token_command", "false"]);
    for (const line of [
      ["pr", "list", "-R", "mara/harbor"],
      ["auth", "token"],
      ["auth", "status"],
    ]) {
      const ran = await tongsHere(line);
      expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("failed (exit code 1): false") });
      expect(ran.stderr).toContain("tongs profile set work token_command");
    }
    expect(server.seen).toEqual([]);
  });

  it("is reported by doctor, which still reaches the server", async () => {
    await server.close();
    server = await gitea({ tokens: {} });
    await withCommand();
    await tongsHere(["profile", "set", "work", "token_command", "false"]);
    const ran = await tongsHere(["doctor", "--json", "checks"]);
    const { checks } = ran.json() as { checks: { check: string; state: string; result: string }[] };
    expect(checks).toContainEqual(expect.objectContaining({ check: "reachable", state: "ok" }));
    expect(checks).toContainEqual(
      expect.objectContaining({ check: "signed in", state: "problem", result: expect.stringContaining("failed") }),
    );
  });

  it("is verified by auth login, which stores no token", async () => {
    await server.close();
    server = await gitea({ tokens: { "not-a-secret-printed": "mara", "not-a-secret-given": "jonas" } });
    await withCommand();
    const ran = await tongsHere(["auth", "login", "--profile", "work"]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Signed in as mara") });
    expect(profiles.read().profiles["work"]).toMatchObject({ user: "mara", token_command: expect.any(Array) });
    expect(existsSync(join(profiles.folder, "credentials.json"))).toBe(false);

    const given = ["auth", "login", "--profile", "work", "--token-stdin"];
    expect(await tongsHere(given, { stdin: "not-a-secret-given" })).toMatchObject({ code: 0 });
    expect(profiles.read().profiles["work"]?.token_command).toBeUndefined();
    expect((await tongsHere(["auth", "token"])).stdout).toBe("not-a-secret-given\n");
  });

  it("is shown as it is typed, and kept as a list of words", async () => {
    await tongsHere(["profile", "set", "work", "host", "https://git.example.org"]);
    const set = ["profile", "set", "work", "token_command", "pass show 'my tokens/git'"];
    expect((await tongsHere([...set, "--json", "token_command"])).json()).toEqual({
      token_command: ["pass", "show", "my tokens/git"],
    });
    expect((await tongsHere(["profile", "show", "work"])).stdout).toContain(
      "token_command\tpass show 'my tokens/git'\n",
    );
    await tongsHere(["profile", "set", "work", "token_command", ""]);
    expect((await tongsHere(["profile", "show", "work", "--json", "token_command"])).json()).toEqual({
      token_command: null,
    });
  });

  it("with a path does not depend on the current directory", async () => {
    await tongsHere(["profile", "set", "work", "host", "https://git.example.org"]);
    const at = async (typed: string) => {
      const ran = await tongsHere(["profile", "set", "work", "token_command", typed, "--jq", ".token_command[0]"], {
        cwd: folder,
        env: { HOME: "/home/mara" },
      });
      return ran.stdout.trim();
    };
    expect(await at("./print")).toBe(join(folder, "print"));
    expect(await at("~/bin/print")).toBe("/home/mara/bin/print");
    expect(await at("pass")).toBe("pass");
  });

  it.each([
    ["pass show git | head -1", "'|' would be an argument of pass"],
    ["sh -c `id`", "is not run in a shell"],
    ["pass $(id)", "is not run in a shell"],
    ["pass 'show", "unclosed '"],
    ["''", "must name a program"],
  ])("refuses %j as a usage error", async (typed, words) => {
    await tongsHere(["profile", "set", "work", "host", "https://git.example.org"]);
    const ran = await tongsHere(["profile", "set", "work", "token_command", typed]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });

  it("says that a stored token is no longer used, and logout explains where the token comes from", async () => {
    await withCommand();
    await profiles.credentials.set("work", "not-a-secret-stored");
    const ran = await tongsHere(["profile", "set", "work", "token_command", printer()]);
    expect(ran.stderr).toContain("tongs auth logout --profile work");
    expect((await tongsHere(["auth", "token"])).stdout).toBe("not-a-secret-printed\n");
    expect(await tongsHere(["auth", "logout", "--profile", "work"])).toMatchObject({ code: 0 });
    const again = await tongsHere(["auth", "logout", "--profile", "work"]);
    expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining("comes from a command") });
  });

  it("in a file that is not valid is a failure that names the profile", async () => {
    await withCommand();
    const path = join(profiles.folder, "config.json");
    for (const command of ["pass show x", [], [1]]) {
      const config = { profiles: { work: { host: server.url, token_command: command } } };
      writeFileSync(path, JSON.stringify(config));
      const ran = await tongsHere(["auth", "token"]);
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("'token_command' of profile 'work'") });
    }
  });
});
