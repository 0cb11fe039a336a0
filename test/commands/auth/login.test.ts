import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openProfiles } from "../../../src/profiles/profiles.ts";
import { serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { forgejo, gitea } from "./forges.ts";

const token = "not-a-secret-0123456789";
const other = "not-a-secret-9876543210";
const now = new Date("2026-11-21T10:00:00Z");

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

function home() {
  const folder = join(emptyFolder(), "tongs");
  const profiles = openProfiles({ env: { TONGS_CONFIG_DIR: folder }, platform: process.platform });
  const run = (argv: readonly string[], world: World = {}) =>
    tongs(argv, { now, ...world, env: { TONGS_CONFIG_DIR: folder, ...world.env } });
  return { folder, profiles, run };
}

const host = () => server?.url.replace("http://", "") ?? "";

describe("auth login with a token", () => {
  it("verifies the token, stores it with its scopes, and makes the first profile the default", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, scopes: { [token]: ["read:user", "write:issue"] } });
    const { profiles, run } = home();
    const ran = await run(["auth", "login", "--host", server.url, "--token-stdin"], { stdin: `${token}\r\n` });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toBe(`✓ Signed in as mara on ${server.url} (profile ${host()}, the default)\n`);
    expect(server.lines()).toEqual(["GET /api/v1/user", "GET /api/v1/version", "GET /api/v1/token"]);
    const profile = {
      host: server.url,
      user: "mara",
      since: now.toISOString(),
      scopes: ["read:user", "write:issue"],
    };
    expect(profiles.read()).toEqual({ default: host(), profiles: { [host()]: profile } });
    expect(await profiles.credentials.get(host())).toBe(token);
  });

  it("stores no scopes when the server does not report them", async () => {
    server = await forgejo({ tokens: { [token]: "mara" } });
    const { profiles, run } = home();
    const ran = await run(["auth", "login", "--host", host(), "--token-stdin"], { stdin: token });
    expect(ran.code).toBe(0);
    expect(profiles.read().profiles[host()]).toEqual({ host: server.url, user: "mara", since: now.toISOString() });
  });

  it("reads the token from a file, and from stdin with gh's --with-token", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { profiles, run } = home();
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "token"), `\n${token}\n`);
    const file = ["login", "--host", server.url, "--profile", "file", "--token-file", "token"];
    expect((await run(file, { cwd })).code).toBe(0);
    const piped = ["auth", "login", "--host", server.url, "--profile", "pipe", "--with-token"];
    expect((await run(piped, { stdin: token })).code).toBe(0);
    expect([await profiles.credentials.get("file"), await profiles.credentials.get("pipe")]).toEqual([token, token]);
    expect(profiles.read().default).toBe("file");
  });

  it("supports a path prefix and names the profile after the host and the prefix", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, prefix: "/git" });
    const { profiles, run } = home();
    const ran = await run(["auth", "login", "--host", `${server.url}/git/`, "--token-stdin"], { stdin: token });
    expect(ran.code).toBe(0);
    expect(server.lines()).toEqual(["GET /git/api/v1/user", "GET /git/api/v1/version", "GET /git/api/v1/token"]);
    expect(profiles.read().profiles[`${host()}/git`]?.host).toBe(`${server.url}/git`);
  });

  it.each([
    ["Gitea", gitea],
    ["Forgejo", forgejo],
  ])("exits with 4 and stores nothing when %s rejects the token", async (_kind, start) => {
    server = await start({ tokens: { [token]: "mara" } });
    const { folder, run } = home();
    const ran = await run(["auth", "login", "--host", server.url, "--token-stdin"], { stdin: "not-the-token" });
    expect(ran).toMatchObject({ code: 4, stdout: "" });
    expect(ran.stderr).toContain(`${server.url} did not accept the token`);
    expect(ran.stderr).toContain(`Create a token at ${server.url}/user/settings/applications`);
    expect(ran.stderr).not.toContain("not-the-token");
    expect(existsSync(folder)).toBe(false);
  });

  it("accepts a token without the scope read:user only if GET /token names its owner", async () => {
    const accounts = { tokens: { [token]: "mara" }, scopes: { [token]: ["write:repository"] } };
    server = await gitea(accounts);
    const first = home();
    expect((await first.run(["auth", "login", "--host", server.url, "--token-stdin"], { stdin: token })).code).toBe(0);
    expect(first.profiles.read().profiles[host()]).toMatchObject({ user: "mara", scopes: ["write:repository"] });
    await server.close();
    server = await forgejo(accounts);
    const second = home();
    const ran = await second.run(["auth", "login", "--host", server.url, "--token-stdin"], { stdin: token });
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain("Create a token with the scope read:user");
    expect(existsSync(second.folder)).toBe(false);
  });

  it("prints the server's message when it rejects the account for another reason", async () => {
    const message = "You must change your password. Change it at: https://x/user/change_password";
    server = await serve(() => ({ status: 403, body: { message } }));
    const { run } = home();
    const ran = await run(["auth", "login", "--host", server.url, "--token-stdin"], { stdin: token });
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining(message) });
    expect(ran.stderr).not.toContain("Create a token");
  });

  it("stores a second account of a host in its own profile, and updates the first one in place", async () => {
    server = await gitea({ tokens: { [token]: "mara", [other]: "bot", "not-a-secret-new": "mara" } });
    const { profiles, run } = home();
    const login = ["auth", "login", "--host", server.url, "--token-stdin"];
    await run(login, { stdin: token });
    await profiles.update((config) => ({
      ...config,
      profiles: Object.fromEntries(Object.entries(config.profiles).map(([name, it]) => [name, { ...it, repo: "a/b" }])),
    }));
    const second = await run(login, { stdin: other });
    expect(second.stderr).toContain(`(profile ${host()}-bot, use it with --profile ${host()}-bot)`);
    await run(login, { stdin: "not-a-secret-new" });
    expect(Object.keys(profiles.read().profiles)).toEqual([host(), `${host()}-bot`]);
    expect(await profiles.credentials.get(host())).toBe("not-a-secret-new");
    expect(profiles.read().profiles[host()]?.repo).toBe("a/b");
    expect(profiles.read().default).toBe(host());
  });

  it("prints the profile as a record, without the token", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { run } = home();
    const ran = await run(["auth", "login", "--host", server.url, "--token-stdin", "--json", "name,user,default"], {
      stdin: token,
    });
    expect(ran.json()).toEqual({ name: host(), user: "mara", default: true });
    const whole = await run(["profile", "show", "--json"]);
    expect(whole.stdout).not.toContain(token);
  });

  it("never prints the token, not even with --debug", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { run } = home();
    const ran = await run(["auth", "login", "--host", server.url, "--token-stdin", "--debug"], { stdin: token });
    expect(ran.stderr).toContain("> authorization: ***");
    expect(ran.stdout + ran.stderr).not.toContain(token);
    const mistyped = await run(["auth", "login", "--host", server.url, `--token=${token}`]);
    expect(mistyped.code).toBe(2);
    expect(mistyped.stderr).not.toContain(token);
  });

  it("stores nothing with --dry-run", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { folder, run } = home();
    const ran = await run(["auth", "login", "--host", server.url, "--token-stdin", "--dry-run"], { stdin: token });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`would sign in as mara on ${server.url}`);
    expect(existsSync(folder)).toBe(false);
  });

  it.each<[string, readonly string[], World, RegExp]>([
    ["no address", ["--token-stdin"], { stdin: token }, /--host is required/],
    ["no token", ["--host", "git.example.org"], {}, /--token-stdin is required/],
    ["an empty stdin", ["--host", "git.example.org", "--token-stdin"], {}, /No token found in stdin/],
    [
      "a token with a space",
      ["--host", "git.example.org", "--token-stdin"],
      { stdin: "a b" },
      /Invalid token in stdin/,
    ],
    ["a missing file", ["--host", "git.example.org", "--token-file", "nope"], {}, /could not read/],
    ["two sources", ["--host", "x", "--token-stdin", "--token-file", "f"], {}, /Specify only one of/],
    ["an empty address", ["--host", "https://", "--token-stdin"], { stdin: token }, /is not a valid server address/],
    [
      "a password in the address",
      ["--host", "https://a:not-a-secret@b", "--token-stdin"],
      {},
      /must not contain a username or password/,
    ],
    [
      "an invalid profile name",
      ["--host", "x.example.org", "--profile", "a b", "--token-stdin"],
      {},
      /is not a valid profile name/,
    ],
    ["plain http", ["--host", "http://git.example.org", "--token-stdin"], { stdin: token }, /uses plain http/],
    [
      "a missing TONGS_CA file",
      ["--host", "x", "--token-stdin"],
      { stdin: token, env: { TONGS_CA: "no" } },
      /Could not read the CA file/,
    ],
  ])("rejects %s before sending anything", async (_what, flags, world, words) => {
    const { folder, run } = home();
    const ran = await run(["auth", "login", ...flags], world);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(words);
    expect(existsSync(folder)).toBe(false);
  });

  it("uses plain HTTP to another host only with --insecure-http, and stores that", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { profiles, run } = home();
    // Also this machine, but not one of the loopback names.
    const elsewhere = server.url.replace("127.0.0.1", "0.0.0.0");
    const login = ["auth", "login", "--host", elsewhere, "--token-stdin"];
    expect((await run(login, { stdin: token })).code).toBe(2);
    expect(server.lines()).toEqual([]);
    expect((await run([...login, "--insecure-http"], { stdin: token })).code).toBe(0);
    expect(Object.values(profiles.read().profiles)).toMatchObject([{ host: elsewhere, insecure_http: true }]);
    expect((await run(login, { stdin: token })).code).toBe(0);
    expect((await run(["auth", "status"])).code).toBe(0);
  });

  it("does not change the server of an existing profile", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { run } = home();
    await run(["auth", "login", "--host", server.url, "--profile", "work", "--token-stdin"], { stdin: token });
    const moved = await run(["auth", "login", "--host", "git.example.org", "--profile", "work", "--token-stdin"], {
      stdin: token,
    });
    expect(moved).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Profile 'work' is for ${server.url}`),
    });
    const again = await run(["auth", "login", "--profile", "work", "--token-stdin"], { stdin: token });
    expect(again.code).toBe(0);
  });

  it("reports that the address of a repository is not a server", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { run } = home();
    const ran = await run(["auth", "login", "--host", `${server.url}/mara/harbor`, "--token-stdin"], { stdin: token });
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("No Gitea or Forgejo server found at") });
    expect(ran.stderr).toContain("not the address of a repository");
  });

  it("warns that TONGS_HOST takes precedence over the stored profiles", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { run } = home();
    const ran = await run(["auth", "login", "--token-stdin"], { stdin: token, env: { TONGS_HOST: server.url } });
    expect(ran.stderr).toContain("TONGS_HOST is set and takes precedence over the stored profiles");
  });

  it("makes the profile the default when the default is signed out", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { profiles, run } = home();
    await run(["auth", "login", "--host", server.url, "--profile", "old", "--token-stdin"], { stdin: token });
    await run(["auth", "logout"]);
    await run(["auth", "login", "--host", server.url, "--profile", "new", "--token-stdin"], { stdin: token });
    expect(profiles.read().default).toBe("new");
  });

  it("keeps a default that is signed in by its token_command", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { profiles, run } = home();
    const old = { host: "https://git.example.org", token_command: ["pass", "show", "git.example.org"] };
    await profiles.update((config) => ({ ...config, default: "old", profiles: { old } }));
    const ran = await run(["auth", "login", "--host", server.url, "--profile", "new", "--token-stdin"], {
      stdin: token,
    });
    expect(ran.stderr).toContain("use it with --profile new");
    expect(profiles.read().default).toBe("old");
  });

  it("does not change an invalid configuration file", async () => {
    const { folder, run } = home();
    mkdirSync(folder);
    writeFileSync(join(folder, "config.json"), "{");
    const ran = await run(["auth", "login", "--host", "http://127.0.0.1:1", "--token-stdin"], { stdin: token });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("config.json is not valid") });
    expect(readFileSync(join(folder, "config.json"), "utf8")).toBe("{");
  });
});

describe("auth login on a terminal", () => {
  it("prompts for the address and the hidden token", async () => {
    server = await gitea({ tokens: { [token]: "mara" } });
    const { profiles, run } = home();
    const ran = await run(["auth", "login"], {
      terminal: true,
      answers: ["no address://", server.url, "Paste an access token", "two words", ` ${token} `],
    });
    expect(ran.code).toBe(0);
    const address = "Server address";
    expect(ran.asked).toEqual([
      address,
      address,
      "How would you like to authenticate?",
      "Paste your access token",
      "Paste your access token",
      "Authenticate Git with this account?",
    ]);
    expect(await profiles.credentials.get(host())).toBe(token);
    expect(ran.stdout + ran.stderr).not.toContain(token);
  });

  it("creates a token from a username and password, which are not stored", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, passwords: { mara: "not-a-password" } });
    const { folder, profiles, run } = home();
    const ran = await run(["auth", "login", "--host", server.url], {
      terminal: true,
      answers: ["Username and password", "mara", "not-a-password", "Read only"],
    });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Signed in as mara") });
    expect(server.lines()).toEqual(["POST /api/v1/users/mara/tokens", "GET /api/v1/user"]);
    const { name, scopes } = JSON.parse(server.seen[0]?.body ?? "") as { name: string; scopes: string[] };
    expect(name).toMatch(/^tongs on .+, 2026-11-21T10:00:00.000Z$/);
    expect(scopes.every((scope) => scope.startsWith("read:"))).toBe(true);
    expect(server.seen[0]?.headers["authorization"]).toBe(
      `Basic ${Buffer.from("mara:not-a-password").toString("base64")}`,
    );
    expect(server.seen[1]?.headers["authorization"]).toBe(`token ${token}`);
    expect(profiles.read().profiles[host()]?.scopes).toEqual(scopes);
    const stored = ["config.json", "credentials.json"].map((file) => readFileSync(join(folder, file), "utf8")).join();
    expect(stored).not.toContain("not-a-password");
  });

  it("prompts for a two-factor code when the username and password are rejected", async () => {
    server = await gitea({ tokens: { [token]: "mara" }, passwords: { mara: "not-a-password" }, otp: "123456" });
    const { run } = home();
    const answers = ["Username and password", "mara", "not-a-password", "Full access", "123456"];
    const ran = await run(["auth", "login", "--host", server.url, "--debug"], { terminal: true, answers });
    expect(ran.code).toBe(0);
    expect(server.seen.map((seen) => seen.headers["x-gitea-otp"])).toEqual([undefined, "123456", undefined]);
    expect(ran.stderr).toMatch(/The server did not accept the username and password\..*enter a code/s);
    expect(ran.stderr).not.toMatch(/123456|not-a-password|not-a-secret/);
    expect(ran.stderr).not.toContain(Buffer.from("mara:not-a-password").toString("base64"));
  });

  it("does not prompt for a code if the server says that the password is wrong", async () => {
    server = await serve(() => ({
      status: 401,
      body: { message: "user's password is invalid [uid: 2, name: mara]", url: "https://x/api/swagger" },
    }));
    const { run } = home();
    const answers = ["Username and password", "mara", "wrong", "Read only", "123456"];
    const ran = await run(["auth", "login", "--host", server.url], { terminal: true, answers });
    expect(ran.code).toBe(4);
    expect(ran.asked).not.toContainEqual(expect.stringContaining("Two-factor"));
    expect(ran.stderr).toContain("password is invalid");
  });

  it("exits with 4 and stores nothing when the username or password is wrong", async () => {
    server = await gitea({ passwords: { mara: "not-a-password" } });
    const { folder, run } = home();
    const answers = ["Username and password", "mara", "wrong", "Read only", ""];
    const ran = await run(["auth", "login", "--host", server.url], { terminal: true, answers });
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("Could not create a token") });
    expect(existsSync(folder)).toBe(false);
  });

  it("sends no write with --dry-run", async () => {
    server = await gitea({ passwords: { mara: "not-a-password" } });
    const { run } = home();
    const answers = ["Username and password", "mara", "not-a-password", "Read only"];
    const ran = await run(["auth", "login", "--host", server.url, "--dry-run"], { terminal: true, answers });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("POST ") });
    expect(server.lines()).toEqual([]);
  });

  it("exits with 3 on Ctrl-C and sends and stores nothing", async () => {
    server = await gitea({});
    const { folder, run } = home();
    const ran = await run(["auth", "login", "--host", server.url], {
      terminal: true,
      answers: ["Paste an access token"],
    });
    expect(ran.code).toBe(3);
    expect(server.lines()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});
