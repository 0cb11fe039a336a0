import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Profile } from "../../../src/profiles/profile.ts";
import { openProfiles } from "../../../src/profiles/profiles.ts";
import { type Reply, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { gitea } from "./forges.ts";

const token = "not-a-secret-0123456789";
const noRoute = { status: 404, headers: { "content-type": "text/plain; charset=utf-8" }, body: "404 page not found\n" };
const since = "2026-11-21T10:00:00Z";

let servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function started(tokens: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await gitea({ tokens });
  servers.push(server);
  return server;
}

/** A configuration with these profiles and their tokens. */
async function home(stored: Readonly<Record<string, Profile & { readonly token?: string }>>, defaultName?: string) {
  const profiles = openProfiles({
    env: { TONGS_CONFIG_DIR: join(emptyFolder(), "tongs") },
    platform: process.platform,
  });
  for (const [name, { token: own, ...profile }] of Object.entries(stored)) {
    await profiles.update((config) => ({ ...config, profiles: { ...config.profiles, [name]: profile } }));
    if (own !== undefined) await profiles.credentials.set(name, own);
  }
  if (defaultName !== undefined) await profiles.update((config) => ({ ...config, default: defaultName }));
  const run = (argv: readonly string[], world: World = {}) =>
    tongs(argv, { ...world, env: { TONGS_CONFIG_DIR: profiles.folder, ...world.env } });
  return { profiles, run };
}

describe("auth status", () => {
  it("accepts a token without read:user, of which the server says that it lacks the scope", async () => {
    const says = "token does not have at least one of required scope(s), required=[read:user], token scope=read:issue";
    for (const [message, code] of [
      [says, 0],
      ["user is not allowed to sign in", 4],
    ] as const) {
      const server = await serve(() => ({ status: 403, body: { message } }));
      const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
      const ran = await tongs(["auth", "status", "--json", "accepted,user"], { env });
      expect([ran.code, ran.json()]).toEqual([code, { accepted: code === 0, user: null }]);
      await server.close();
    }
  });

  it("prints the account, server, sign-in time, scopes, token source and selected profile with one request", async () => {
    const server = await started({ [token]: "mara" });
    const work = { host: server.url, user: "mara", since, scopes: ["all"], token };
    const { profiles, run } = await home({ work, play: { host: "https://play.example.org" } }, "work");
    const ran = await run(["auth", "status"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout.split("\n")).toEqual([
      ...[`host\t${server.url}`, "state\tsigned in", "user\tmara", `signed in\t${since}`, "scopes\tall"],
      ...[
        `token source\t${profiles.credentials.location("work")}`,
        "profile\twork",
        "selected by\tthe default profile",
        "",
      ],
    ]);
    expect(server.lines()).toEqual(["GET /api/v1/user"]);
  });

  it("reports a server and token from the environment", async () => {
    const server = await started({ [token]: "mara" });
    const { run } = await home({});
    const ran = await run(["auth", "status", "--json"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: token } });
    expect(ran.json()).toMatchObject({
      profile: null,
      user: "mara",
      accepted: true,
      because: "TONGS_HOST",
      scopes: null,
      token_in: "TONGS_TOKEN in the environment",
    });
    expect(ran.stdout).not.toContain(token);
  });

  it("exits with 4 when the token is rejected, and still prints which profile it was", async () => {
    const server = await started({});
    const { run } = await home({ work: { host: server.url, token } });
    const ran = await run(["auth", "status", "--json"]);
    expect(ran.code).toBe(4);
    expect(ran.json()).toMatchObject({ profile: "work", accepted: false, because: "the only profile" });
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: "not_signed_in", status: 401 } });
  });

  it("names the profile in the hint where the sign-in to its server would be for another one", async () => {
    const server = await started({ other: "jonas" });
    const { run } = await home(
      { work: { host: server.url, token: "other" }, bot: { host: server.url, token } },
      "work",
    );
    const line = `tongs auth login --host ${server.url}`;
    const revoked = await run(["user", "view", "--profile", "bot"]);
    expect([revoked.code, revoked.stderr]).toEqual([4, expect.stringContaining(`Run ${line} --profile bot, or set`)]);
    const { run: alone } = await home({ bot: { host: server.url, token } });
    expect((await alone(["user", "view"])).stderr).toContain(`Run ${line}, or set`);
  });

  it.each<[string, World]>([
    ["no profile is stored", {}],
    ["the selected server has no token", { env: { TONGS_HOST: "https://git.example.org" } }],
  ])("exits with 4 when %s, and sends nothing", async (_when, world) => {
    const { run } = await home({});
    expect((await run(["auth", "status"], world)).code).toBe(4);
  });

  it("warns when the server reports another username than the profile", async () => {
    const server = await started({ [token]: "mara-lind" });
    const { run } = await home({ work: { host: server.url, user: "mara", token } });
    const ran = await run(["auth", "status"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("The token belongs to mara-lind, but the profile has user mara");
  });

  it("--all sends one request per profile, with its own token, and exits with 11 when some are rejected", async () => {
    const good = await started({ [token]: "mara" });
    const bad = await started({});
    const stored = {
      good: { host: good.url, token },
      bad: { host: bad.url, token: "not-a-secret-bad" },
      out: { host: good.url },
      plain: { host: "http://git.example.org", token: "not-a-secret-plain" },
    };
    const { run } = await home(stored, "good");
    const ran = await run(["auth", "status", "--all", "--json", "profile,default,accepted"]);
    expect(ran.code).toBe(11);
    expect(ran.json()).toEqual([
      { profile: "good", default: true, accepted: true },
      { profile: "bad", default: false, accepted: false },
      { profile: "out", default: false, accepted: false },
      { profile: "plain", default: false, accepted: false },
    ]);
    expect(good.lines()).toEqual(["GET /api/v1/user"]);
    expect(bad.lines()).toEqual(["GET /api/v1/user"]);
    expect(good.seen[0]?.headers["authorization"]).toBe(`token ${token}`);
    expect(bad.seen[0]?.headers["authorization"]).toBe("token not-a-secret-bad");
    const text = await run(["auth", "status", "--all"]);
    expect(text.stderr).toContain("✗ bad: ");
    expect(text.stdout.split("\n")[0]).toBe(`*\tgood\t${good.url}\tmara\tsigned in\t`);
  });

  it("--all exits with 4 when all are rejected, and with 0 when no profile is stored", async () => {
    const bad = await started({});
    const { run } = await home({ bad: { host: bad.url, token } });
    expect((await run(["auth", "status", "--all"])).code).toBe(4);
    const empty = await home({});
    expect(await empty.run(["auth", "status", "--all", "--json"])).toMatchObject({ code: 0, stdout: "[]\n" });
  });
});

describe("auth token", () => {
  it("prints the token of the selected server and sends nothing", async () => {
    const { run } = await home({ work: { host: "https://git.example.org", user: "mara", token } });
    expect(await run(["auth", "token"])).toMatchObject({ code: 0, stdout: `${token}\n`, stderr: "" });
    expect(await run(["auth", "token", "--jq", ".token"])).toMatchObject({ code: 0, stdout: `${token}\n` });
    const env = { TONGS_HOST: "https://git.example.net", TONGS_TOKEN: "not-a-secret-env" };
    expect((await run(["auth", "token"], { env })).stdout).toBe("not-a-secret-env\n");
  });

  it("exits with 4 when there is no token", async () => {
    const { run } = await home({ work: { host: "https://git.example.org" } });
    expect(await run(["auth", "token"])).toMatchObject({ code: 4, stdout: "" });
  });
});

describe("auth logout", () => {
  it("deletes the token and the account, keeps the settings, and sends nothing", async () => {
    const work = { host: "https://git.example.org", user: "mara", since, scopes: ["all"], repo: "mara/harbor", token };
    const { profiles, run } = await home({ work, bot: { host: "https://git.example.org", token: "not-a-secret-bot" } });
    const ran = await run(["auth", "logout", "--profile", "work"]);
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toContain("delete it at https://git.example.org/user/settings/applications");
    expect(profiles.read().profiles["work"]).toEqual({ host: "https://git.example.org", repo: "mara/harbor" });
    expect(await profiles.credentials.get("work")).toBeUndefined();
    expect(await profiles.credentials.get("bot")).toBe("not-a-secret-bot");
  });

  it("signs out of the current profile by default", async () => {
    const { profiles, run } = await home({ work: { host: "https://git.example.org", token } });
    expect((await run(["logout"])).code).toBe(0);
    expect(await profiles.credentials.get("work")).toBeUndefined();
    expect((await run(["auth", "logout"])).code).toBe(4);
  });

  it("deletes the token on the server with --revoke", async () => {
    const server = await serve(() => ({ status: 204 }));
    servers.push(server);
    const { profiles, run } = await home({ work: { host: server.url, token } });
    const ran = await run(["auth", "logout", "--revoke"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("still valid")]);
    expect(server.lines()).toEqual(["DELETE /api/v1/token"]);
    expect(await profiles.credentials.get("work")).toBeUndefined();
  });

  it("deletes the stored token of a profile with a token_command, not the one that the command prints", async () => {
    const server = await serve(() => ({ status: 204 }));
    servers.push(server);
    const command = [process.execPath, "-e", "console.log('not-a-secret-printed')"];
    const work = { host: server.url, user: "mara", since, token_command: command };
    const { profiles, run } = await home({ work: { ...work, token } });
    const ran = await run(["auth", "logout", "--revoke"]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining("Signed out") });
    expect(server.seen.map(({ headers }) => headers["authorization"])).toEqual([`token ${token}`]);
    expect(await profiles.credentials.get("work")).toBeUndefined();
    expect(profiles.read().profiles["work"]).toEqual(work);
  });

  it.each<[string, Reply, number, string | undefined]>([
    ["signs out if the server does not accept the token", { status: 401, body: { message: "no" } }, 0, undefined],
    ["stays signed in if the server cannot delete it", noRoute, 5, token],
    ["stays signed in if the server fails", { status: 500, body: {} }, 7, token],
  ])("%s with --revoke", async (_what, reply, code, left) => {
    const server = await serve(() => reply);
    servers.push(server);
    const { profiles, run } = await home({ work: { host: server.url, token } });
    expect((await run(["auth", "logout", "--revoke"])).code).toBe(code);
    expect(await profiles.credentials.get("work")).toBe(left);
  });

  it("changes nothing with --dry-run", async () => {
    const { profiles, run } = await home({ work: { host: "https://git.example.org", token } });
    expect((await run(["auth", "logout", "--dry-run"])).stderr).toContain("would delete the token of profile work");
    expect(await profiles.credentials.get("work")).toBe(token);
  });

  it.each<[string, readonly string[], World]>([
    ["an unknown profile", ["--profile", "nobody"], {}],
    ["a server from the environment", [], { env: { TONGS_HOST: "https://a.example.org", TONGS_TOKEN: token } }],
  ])("rejects %s", async (_what, flags, world) => {
    const { run } = await home({ work: { host: "https://git.example.org", token } });
    expect((await run(["auth", "logout", ...flags], world)).code).toBe(2);
  });
});
