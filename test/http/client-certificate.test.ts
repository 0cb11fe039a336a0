import { describe, expect, it } from "vitest";
import { openProfiles, type Profiles } from "../../src/profiles/profiles.ts";
import { serve } from "../support/server.ts";
import { emptyFolder, tongs, type World } from "../support/tongs.ts";
import { serveProxy } from "./proxy-server.ts";
import { demanding, files, identity, serveTls } from "./tls-server.ts";

const view = ["pr", "view", "12", "-R", "mara/harbor", "--json", "number"];

/** A profile for a server, with settings. */
async function profileFor(url: string, settings: Readonly<Record<string, unknown>>) {
  const env = { TONGS_CONFIG_DIR: emptyFolder() };
  const profiles: Profiles = openProfiles({ env, platform: process.platform });
  await profiles.update(() => ({ profiles: { work: { host: url, ca: files.ca, ...settings } } }));
  await profiles.credentials.set("work", "not-a-secret");
  const run = (argv: readonly string[], world: World = {}) => tongs(argv, { ...world, env: { ...env, ...world.env } });
  return { profiles, run };
}

describe("a client certificate", () => {
  it.each([
    [false, "two files", { client_cert: files.client, client_key: files.clientKey }],
    [true, "two files", { client_cert: files.client, client_key: files.clientKey }],
    [false, "one file", { client_cert: files.clientBoth }],
    [true, "one file", { client_cert: files.clientBoth }],
  ])("is shown to a server that asks for one (through a proxy: %s, in %s)", async (byProxy, _files, settings) => {
    const server = await serveTls(demanding);
    const proxy = byProxy ? await serveProxy() : undefined;
    const { run } = await profileFor(server.url, settings);
    const env = proxy === undefined ? {} : { HTTPS_PROXY: proxy.url };
    expect(await run(view, { env })).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
    expect(server.clients).toEqual(["mara"]);
    expect(proxy?.lines ?? []).toEqual(byProxy ? [`CONNECT 127.0.0.1:${server.port}`] : []);
  });

  it("that is missing is exit 6 with the setting, and nothing is sent", async () => {
    const server = await serveTls(demanding);
    const { run } = await profileFor(server.url, {});
    const ran = await run(view);
    expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining("asks for a client certificate") });
    expect(ran.stderr).toContain("profile set NAME client_cert FILE");
    // Through a proxy, the library only says that the connection was closed.
    const proxy = await serveProxy();
    expect(await run(view, { env: { HTTPS_PROXY: proxy.url } })).toMatchObject({ code: 6 });
    expect(server.authorizations).toEqual([]);
  });

  it("is not shown to an https proxy, nor to the server that a redirect leads to", async () => {
    const asking = { ...demanding, rejectUnauthorized: false };
    const elsewhere = await serveTls(asking);
    const server = await serveTls(demanding, (_request, response) => {
      response.writeHead(302, { location: `https://localhost:${elsewhere.port}/x` }).end();
    });
    const proxy = await serveProxy({
      tls: { ...identity, ca: demanding.ca, requestCert: true, rejectUnauthorized: false },
    });
    const { run } = await profileFor(server.url, { client_cert: files.clientBoth });
    for (const env of [{}, { HTTPS_PROXY: proxy.url }]) {
      expect(await run(view, { env })).toMatchObject({ code: 0 });
    }
    expect(server.clients).toEqual(["mara", "mara"]);
    expect(elsewhere.clients).toEqual([undefined, undefined]);
    expect(elsewhere.authorizations).toEqual([undefined, undefined]);
    expect(proxy.clients).toEqual([undefined, undefined]);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      "does not exist",
      { client_cert: "/no/such/file" },
      "Could not read the client certificate /no/such/file: no such file or directory (ENOENT)",
    ],
    ["is no certificate", { client_cert: files.clientKey }, "contains no certificate"],
    ["has no key", { client_cert: files.client }, "contains no private key"],
    ["has the key of another", { client_cert: files.client, client_key: files.otherKey }, "does not belong"],
    ["has an encrypted key", { client_cert: files.client, client_key: files.encryptedKey }, "is encrypted"],
  ])("that %s is a sentence with exit 1, and nothing is sent", async (_what, settings, words) => {
    const server = await serveTls(demanding);
    const { run } = await profileFor(server.url, settings);
    const ran = await run(view);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
    expect(ran.stderr).not.toContain("BEGIN");
    expect(server.authorizations).toEqual([]);
  });

  it("is set by profile set, checked, and handed to git", async () => {
    const { run, profiles } = await profileFor("https://git.example.org", {});
    const set = (key: string, value: string) => run(["profile", "set", "work", key, value]);
    expect(await set("client_cert", files.client)).toMatchObject({ code: 0 });
    expect(await set("client_key", files.clientKey)).toMatchObject({ code: 0 });
    expect(profiles.read().profiles["work"]).toMatchObject({ client_cert: files.client, client_key: files.clientKey });
    expect(await set("client_cert", files.clientKey)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no certificate"),
    });
    expect(await set("client_key", files.client)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no private key"),
    });
  });

  it("lets the first sign-in to a server pass", async () => {
    const server = await serveTls(demanding, (request, response) => {
      const body =
        request.url === "/api/v1/user" ? { id: 1, login: "mara" } : { scopes: ["all"], user: { login: "mara" } };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const env = { TONGS_CONFIG_DIR: emptyFolder(), TONGS_CA: files.ca };
    for (const line of [
      ["profile", "set", "work", "host", server.url],
      ["profile", "set", "work", "client_cert", files.clientBoth],
      ["auth", "login", "--profile", "work", "--token-stdin"],
      // A second account on this server gets the same settings.
      ["auth", "login", "--host", server.url, "--profile", "bot", "--token-stdin"],
    ]) {
      expect(await tongs(line, { env, stdin: "not-a-secret" })).toMatchObject({ code: 0 });
    }
    const stored = openProfiles({ env, platform: process.platform }).read().profiles;
    expect(stored["bot"]?.client_cert).toBe(files.clientBoth);
    expect(new Set(server.clients)).toEqual(new Set(["mara"]));
  });
});

describe("headers of a profile", () => {
  const values = { CF_ID: "not-a-secret-id", CF_SECRET: "not-a-secret-value" };
  const headers = { "CF-Access-Client-Id": "CF_ID", "X-Team": "CF_SECRET" };

  it("are sent with their values from the environment, and not shown by --debug", async () => {
    const server = await serve(() => ({ body: { number: 12, title: "Mend", state: "open" } }));
    const { run } = await profileFor(server.url, { ca: undefined, headers });
    const ran = await run(["api", "/user", "--debug"], { env: values });
    expect(server.seen[0]?.headers).toMatchObject({
      "cf-access-client-id": values.CF_ID,
      "x-team": values.CF_SECRET,
      authorization: "token not-a-secret",
    });
    expect(ran.stderr).toContain("> x-team: ***");
    expect(ran.stderr).not.toContain("not-a-secret");
  });

  it("are not sent to another host", async () => {
    const elsewhere = await serve(() => ({ body: { version: "1" } }));
    const server = await serve(() => ({ status: 302, headers: { location: `${elsewhere.url}/x` } }));
    const { run } = await profileFor(server.url, { ca: undefined, headers });
    await run(["api", "/user"], { env: values });
    expect(server.seen[0]?.headers["x-team"]).toBe(values.CF_SECRET);
    expect(elsewhere.seen[0]?.headers).not.toHaveProperty("x-team");
    // TONGS_HOST with another address and a token of its own.
    await run(["api", "/user", "--host", elsewhere.url], { env: { ...values, TONGS_TOKEN: "not-a-secret-other" } });
    expect(elsewhere.seen[1]?.headers).not.toHaveProperty("x-team");
  });

  it("with a variable that is not set, or a value that cannot be sent, are a usage error without the value", async () => {
    const server = await serve(() => ({ body: {} }));
    const { run } = await profileFor(server.url, { ca: undefined, headers });
    const missing = await run(["api", "/user"], { env: { CF_ID: "x" } });
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("CF_SECRET is not set") });
    const broken = await run(["api", "/user"], { env: { CF_ID: "not-a-secret\r\nX: y", CF_SECRET: "x" } });
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be sent as the header") });
    expect(broken.stderr).not.toContain("not-a-secret");
    expect(server.seen).toEqual([]);
  });

  it("are set by profile set, which refuses values and the headers of tongs itself", async () => {
    const { run, profiles } = await profileFor("https://git.example.org", {});
    const set = (value: string) => run(["profile", "set", "work", "headers", value]);
    expect(await set("CF-Access-Client-Id=CF_ID, X-Team=CF_SECRET")).toMatchObject({ code: 0 });
    expect(profiles.read().profiles["work"]?.headers).toEqual(headers);
    expect((await run(["profile", "show", "work"])).stdout).toContain(
      "headers\tCF-Access-Client-Id=CF_ID,X-Team=CF_SECRET\n",
    );
    const value = await set("X-Key=not-a-secret-value");
    expect(value).toMatchObject({ code: 2, stderr: expect.stringContaining("NAME=VARIABLE") });
    expect(value.stderr).not.toContain("not-a-secret");
    expect(await set("Authorization=TOKEN")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("cannot set Authorization"),
    });
  });
});
