import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import isNewer from "semver/functions/gt.js";
import valid from "semver/functions/valid.js";
import { describe, expect, it } from "vitest";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";

let server: TestServer | undefined;

const page = "https://example.org/tongs/releases/9.1.0";
const newest = { version: "9.1.0", url: page };

/** A server that knows the newest version, and the environment that names it. */
async function asking(handler: Handler = () => ({ body: newest })) {
  server = await serve(handler);
  return { TONGS_UPDATE_URL: `${server.url}/newest?channel=stable` };
}

describe("tongs upgrade --check", () => {
  it("compares the newest version with this one, and sends nothing but its own version", async () => {
    const env = { ...(await asking()), TONGS_TOKEN: "not-a-real-token", TONGS_HOST: "https://git.example.org" };
    const ran = await tongs(["upgrade", "--check", "--json"], { env });
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.json()).toEqual({ version: "0.0.0-source", latest: "9.1.0", newer: true, url: page });
    expect(server?.lines()).toEqual(["GET /newest?channel=stable"]);
    const sent = server?.seen[0];
    expect(sent?.body).toBe("");
    expect(Object.keys(sent?.headers ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
    expect(sent?.headers["user-agent"]).toBe("tongs/0.0.0-source");
    const text = await tongs(["upgrade", "--check"], { env });
    expect(text.stdout).toBe(`version\t0.0.0-source\nlatest\t9.1.0\nnewer\tyes\nurl\t${page}\n`);
  });

  it("has no address by default, sends nothing then, and never replaces anything", async () => {
    const none = await tongs(["upgrade", "--check"]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("TONGS_UPDATE_URL")]);
    const env = await asking();
    const bare = await tongs(["upgrade"], { env });
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining("tongs does not update itself")]);
    expect(server?.seen).toEqual([]);
  });

  it("reads the address from the setting update_url, which the environment overrides", async () => {
    const { TONGS_UPDATE_URL: address } = await asking();
    const folder = join(emptyFolder(), "config");
    mkdirSync(folder, { mode: 0o700 });
    const store = (value: unknown) =>
      writeFileSync(join(folder, "config.json"), JSON.stringify({ update_url: value }), { mode: 0o600 });
    const check = (env = {}) => tongs(["upgrade", "--check"], { env: { TONGS_CONFIG_DIR: folder, ...env } });
    store(address);
    expect((await check()).code).toBe(0);
    store("http://127.0.0.1:1/");
    expect((await check({ TONGS_UPDATE_URL: address })).code).toBe(0);
    expect((await check()).code).toBe(6);
    store(7);
    expect((await check()).stderr).toContain("'update_url' must be a string");
    store("");
    expect((await check()).stderr).toContain("'update_url' must be an address");
  });

  it.each([
    ["not an address", "must be an address that begins with https://"],
    ["http://example.org/newest", "must be an address that begins with https://"],
    ["file:///etc/passwd", "must be an address that begins with https://"],
    ["https://mara:not-a-secret@example.org/", "must not contain a username or password"],
  ])("refuses the address %s before anything is sent", async (address, why) => {
    const { code, stderr } = await tongs(["upgrade", "--check"], { env: { TONGS_UPDATE_URL: address } });
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(stderr).not.toContain("not-a-secret");
  });

  it.each([
    ["<html>", 7, "it is not JSON"],
    [[newest], 7, "it is not an object"],
    [{ version: "9.1.0" }, 7, "url is missing"],
    [{ ...newest, version: 9 }, 7, "version is not a string"],
    [{ ...newest, version: "newest" }, 7, "'version' is not a version"],
    [{ ...newest, url: "javascript:alert(1)" }, 7, "'url' is not an http or https address"],
    [{ ...newest, url: "https://a b/\u001b[2J" }, 7, "'url' is not an http or https address"],
    [{ ...newest, note: "x".repeat(70_000) }, 7, "is larger than"],
  ])("refuses the answer %j", async (body, code, why) => {
    const env = await asking(() => ({ body }));
    const ran = await tongs(["upgrade", "--check"], { env });
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, "", expect.stringContaining(why)]);
  });

  it.each([
    [404, 5],
    [403, 4],
    [503, 7],
    [302, 1],
    [204, 1],
  ])("reports the status %i with code %i, and follows no redirect", async (status, code) => {
    const env = await asking(() => ({ status, headers: { location: "/elsewhere" }, body: "" }));
    const ran = await tongs(["upgrade", "--check"], { env });
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(`returned ${status}`)]);
    expect(server?.seen).toHaveLength(1);
  });

  it("waits for --timeout at most, and reports an address that does not answer", async () => {
    const env = await asking(() => undefined);
    const late = await tongs(["upgrade", "--check", "--timeout", "0.05"], { env });
    expect([late.code, late.stderr]).toEqual([6, expect.stringMatching(/did not (answer|respond) within 0.05 s/)]);
    const slow = await asking((_seen, _request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
      return undefined;
    });
    const cut = await tongs(["upgrade", "--check", "--timeout", "0.05"], { env: slow });
    expect(cut.code).toBe(6);
  });
});

describe("the notice about a new version", () => {
  /** Runs a command that asks no server, on a terminal. */
  const run = (env: Readonly<Record<string, string>>, world: World = {}, ...more: string[]) =>
    tongs(["alias", "list", ...more], { terminal: true, ...world, env: { XDG_STATE_HOME: emptyFolder(), ...env } });

  it("is printed on stderr after the output, at most once a day", async () => {
    const state = emptyFolder();
    const env = { ...(await asking()), XDG_STATE_HOME: state, NO_COLOR: "1" };
    const at = (time: string) => run(env, { now: new Date(time) });
    const first = await at("2026-11-21T10:00:00Z");
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/\nA new version of tongs is available: 0\.0\.0-source → 9\.1\.0\nhttps:\S+\n$/);
    expect(first.stdout).not.toContain("9.1.0");
    expect((await at("2026-11-22T09:59:00Z")).stderr).not.toContain("new version");
    expect(server?.seen).toHaveLength(1);
    expect((await at("2026-11-22T10:00:00Z")).stderr).toContain("new version");
    // A clock that was wrong does not silence it.
    expect((await at("2026-10-01T10:00:00Z")).stderr).toContain("new version");
    const file = join(state, "tongs", "update-check.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ asked_at: "2026-10-01T10:00:00.000Z" });
    writeFileSync(file, "{");
    expect((await at("2026-10-01T10:00:00Z")).stderr).toContain("new version");
  });

  it("is not asked for in CI, in a pipe, with records or --quiet, or when it is turned off", async () => {
    const env = await asking();
    const quiet = [
      await run({ ...env, CI: "true" }),
      await run({ ...env, TONGS_NO_UPDATE_NOTIFIER: "1" }),
      await run(env, { terminal: false }),
      await run(env, {}, "--json"),
      await run(env, {}, "--jsonl"),
      await run(env, {}, "--csv"),
      await run(env, {}, "--jq", "."),
      await run(env, {}, "--quiet"),
    ];
    expect(quiet.map(({ code, stderr }) => [code, stderr.includes("new version")])).toEqual(
      quiet.map(() => [0, false]),
    );
    expect(server?.seen).toEqual([]);
  });

  it("is not printed for the same or an older version", async () => {
    const env = await asking(() => ({ body: { ...newest, version: "0.0.0-a" } }));
    expect((await run(env)).stderr).not.toContain("version");
    expect(server?.seen).toHaveLength(1);
  });

  it("never makes a command fail, and --debug tells why there is none", async () => {
    const env = await asking(() => ({ status: 500, body: "" }));
    const ran = await run(env);
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("500")]);
    expect((await run(env, {}, "--debug")).stderr).toContain("Could not check for a new version: ");
    const silent = await asking(() => undefined);
    expect((await run(silent, {}, "--debug")).stderr).toContain("within 0.5 s");
    expect((await run({ TONGS_UPDATE_URL: "nonsense" })).code).toBe(0);
  });

  it("is not asked for if that cannot be recorded: each command would ask", async () => {
    const env = await asking();
    const state = join(emptyFolder(), "file");
    writeFileSync(state, "");
    expect((await run({ ...env, XDG_STATE_HOME: state })).code).toBe(0);
    expect(server?.seen).toEqual([]);
    rmSync(state);
  });
});

describe("versions", () => {
  it("are compared by number, and releases come after their release candidates", () => {
    const ordered = ["0.9.9", "0.10.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2"];
    ordered.push("1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1");
    for (const [index, one] of ordered.entries()) {
      expect(isNewer(one, one), one).toBe(false);
      for (const older of ordered.slice(0, index)) {
        expect([isNewer(one, older), isNewer(older, one)], `${one}, ${older}`).toEqual([true, false]);
      }
    }
    expect(isNewer("v1.0.1", "1.0.0+build.7")).toBe(true);
    expect(["1.2", "1.2.3.4", "", "1.2.x", "latest"].filter((text) => valid(text) !== null)).toEqual([]);
  });
});
