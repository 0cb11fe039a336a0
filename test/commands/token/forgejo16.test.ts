import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { type Handler, serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

/** Runs a command against recorded exchanges, all of which it must ask for. */
async function on(labels: readonly string[], line: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const player = await cassette("forgejo-16-tokens", labels, { made: { "GET /api/v1/user": { login: "root1" } } });
  const ran = await player.run(line, { env, stdin: "not-a-secret\n" });
  return ran;
}

describe("the tokens of a user, with the token of an administrator", () => {
  it("are listed, with when they were created", async () => {
    const ran = await on(["admin: tokens of user"], ["token", "list", "--user", "alice"]);
    expect(ran.stdout).toBe("5\tby-admin\t3b056515\twrite:repository, read:user\t\t2026-11-23T22:23:07Z\t\n");
    const unknown = await on(["admin: tokens of unknown"], ["token", "list", "--user", "nobody"]);
    expect(unknown).toMatchObject({ code: 5, stderr: expect.stringContaining("User nobody not found") });
  });

  it("are created and deleted", async () => {
    const create = ["token", "create", "by-admin", "--user", "alice", "--scope", "read:user,write:repository"];
    expect(await on(["admin: token create"], create)).toMatchObject({ code: 0, stdout: "<secret>\n" });
    const taken = await on(
      ["admin: token create, same name"],
      [...["token", "create", "by-admin", "--user", "alice", "--scope", "all"]],
    );
    expect(taken).toMatchObject({ code: 9, stderr: expect.stringContaining("has been used already") });
    const player = await cassette("forgejo-16-tokens", ["admin: token delete by id"], {
      made: { "GET /api/v1/admin/users/alice/tokens": [{ id: 6, name: "by-id", scopes: ["all"] }] },
    });
    const ran = await player.run(["token", "delete", "by-id", "--user", "alice", "--yes"]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining("Deleted token by-id") });
  });

  it("need a password where the server does not have the operations", async () => {
    const handler: Handler = ({ url }) =>
      url.endsWith("/version")
        ? { body: { version: "15.0.0+gitea-1.22.0" } }
        : { body: url.endsWith("/user") ? { login: "root1" } : [] };
    const server = await serve(handler, { saysVersion: true });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const asked = await tongs(["token", "list", "--user", "alice"], { env });
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("--password-stdin is required") });
    const ran = await tongs(["token", "list", "--user", "alice", "--password-stdin"], { env, stdin: "not-a-secret\n" });
    expect([ran.code, server.lines().at(-1)]).toEqual([0, "GET /api/v1/users/alice/tokens?page=1&limit=30"]);
  });
});

describe("one's own tokens", () => {
  it("are listed for a token", async () => {
    const version = { version: "16.0.0+gitea-1.22.0" };
    const made = { "GET /api/v1/user": { login: "root1" }, "GET /api/v1/version": version };
    const player = await cassette("forgejo-16-tokens", ["tokens after"], { made });
    const ran = await player.run(["token", "list"]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2\tt1\t166ae90c\tread:user\t/) });
  });

  it("need a password on older servers, whose version is asked for", async () => {
    const handler: Handler = ({ url }) => ({
      body: url.endsWith("/version") ? { version: "15.0.0+gitea-1.22.0" } : { login: "root1" },
    });
    const server = await serve(handler, { saysVersion: true });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const asked = await tongs(["token", "list"], { env });
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("--password-stdin is required") });
    expect(server.lines().some((line) => line.includes("/tokens"))).toBe(false);
  });
});

describe("token create --only-repo", () => {
  const create = (name: string, scope: string, ...repos: string[]) => [
    ...["token", "create", name, "--scope", scope, "--password-stdin"],
    ...repos.flatMap((repo) => ["--only-repo", repo]),
  ];

  it("limits the token to repositories, and names them", async () => {
    const ran = await on(["token create, repositories"], create("t2", "read:repository", "root1/ci"));
    expect(ran).toMatchObject({ code: 0, stdout: "<secret>\n" });
    expect(ran.stderr).toContain("Created token t2 (read:repository) for root1/ci only");
  });

  it("takes no repository from the environment or from -R", async () => {
    const line = ["token", "create", "t1", "--scope", "read:user", "--password-stdin"];
    const ran = await on(["token create"], [...line, "-R", "root1/ci"], { TONGS_REPO: "root1/ci" });
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("only")]);
  });

  it.each([
    [
      "token create, repositories, unknown",
      create("t3", "read:repository", "root1/nope"),
      "repository root1/nope does not exist",
    ],
    [
      "token create, repositories, bad scope",
      create("t4", "read:user,read:repository", "root1/ci"),
      "can only be used with the read:issue",
    ],
  ])("is refused by the server: %s", async (label, line, words) => {
    expect(await on([label], line)).toMatchObject({ code: 13, stdout: "", stderr: expect.stringContaining(words) });
  });

  it.each([
    [create("t", "all", ""), "--only-repo must not be empty"],
    [create("t", "all", "ci"), "ci"],
    [create("t", "all", "https://elsewhere.example.org/root1/ci"), "is on another server"],
  ])("is refused before anything is sent: %j", async (line, words) => {
    const server = await serve(() => ({ body: { login: "root1" } }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(line, { env, stdin: "not-a-secret\n" });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(server.lines().filter((sent) => !sent.startsWith("GET "))).toEqual([]);
  });

  /** A server that ignores the field; it says this version, or none. */
  const ignoring = async (version?: string) => {
    const made = { id: 7, name: "t", sha1: "not-a-secret-made", scopes: ["read:repository"] };
    const handler: Handler = ({ method, url }) => {
      if (url.endsWith("/version")) return { body: { version } };
      if (method === "DELETE") return { status: 204 };
      return method === "POST" ? { status: 201, body: made } : { body: { login: "root1" } };
    };
    const server = await serve(handler, { saysVersion: version !== undefined });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(create("t", "read:repository", "root1/ci"), { env, stdin: "not-a-secret\n" });
    return { ...ran, writes: server.lines().filter((sent) => !sent.startsWith("GET ")) };
  };

  it.each(["1.27.3", "14.0.0+gitea-1.22.0"])("is not sent to %s, which would make a token for all", async (version) => {
    const ran = await ignoring(version);
    expect(ran).toMatchObject({
      code: 5,
      writes: [],
      stderr: expect.stringContaining("--only-repo needs Forgejo 15.0"),
    });
  });

  it("deletes the token again if the server did not limit it, and does not print it", async () => {
    const ran = await ignoring();
    expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("did not limit the token") });
    expect(ran.writes).toEqual(["POST /api/v1/users/root1/tokens", "DELETE /api/v1/users/root1/tokens/7"]);
  });
});

describe("the email addresses of a user", () => {
  it("are listed", async () => {
    const ran = await on(["admin: emails of user"], ["user", "email", "list", "alice", "--json", "email"]);
    expect(ran.json()).toEqual([{ email: "alice@example.com" }, { email: "alice2@example.com" }]);
    const both = await on([], ["user", "email", "list", "alice", "--own"]);
    expect(both).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Specify only one of USER, --own or --query"),
    });
  });

  it("are deleted, but not the primary one, and not those of others, which servers ignore", async () => {
    const remove = (address: string) => ["user", "email", "delete", address, "--user", "alice", "--yes"];
    const ran = await on(["admin: emails of user", "admin: email delete"], remove("alice2@example.com"));
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining("from user alice") });
    const primary = await on(["admin: emails of user"], remove("alice@example.com"));
    expect(primary).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("is the primary email address of alice"),
    });
    const none = await on(["admin: emails of user"], remove("bob@example.com"));
    expect(none).toMatchObject({ code: 5, stderr: expect.stringContaining("is not an email address of alice") });
  });
});
