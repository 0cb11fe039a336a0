import { afterEach, describe, expect, it } from "vitest";
import { json } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { proxyFor } from "../../src/http/proxy-for.ts";
import { pull } from "../commands/pr/pulls.ts";
import { serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";
import { clientFor } from "./client-for.ts";
import { type Rules, serveProxy } from "./proxy-server.ts";
import { ca, files, identity, serveTls } from "./tls-server.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function closed<S extends { close(): unknown }>(starting: Promise<S> | S): Promise<S> {
  const started = await starting;
  closing.push(() => started.close());
  return started;
}

const proxied = (rules?: Rules) => closed(serveProxy(rules));
const plainServer = () => closed(serve(() => ({ body: pull(12, { title: "Plain" }) })));
const view = ["pr", "view", "12", "--json", "number"];
const env = (host: string) => ({ TONGS_HOST: host, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" });

describe("a proxy", () => {
  it("gets requests for http servers in absolute form", async () => {
    const [server, proxy] = [await plainServer(), await proxied()];
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]) {
      const ran = await tongs(view, { env: { ...env(server.url), [name]: proxy.url } });
      expect(ran).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
    }
    expect(proxy.lines).toEqual(Array(4).fill(`GET ${server.url}/api/v1/repos/mara/harbor/pulls/12`));
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: "token not-a-real-token",
      host: server.url.slice(7),
    });
  });

  it("gets CONNECT for https servers, and no token", async () => {
    const [server, proxy] = [await closed(serveTls()), await proxied()];
    for (const name of ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]) {
      const ran = await tongs(view, { env: { ...env(server.url), [name]: proxy.url, TONGS_CA: files.ca } });
      expect(ran).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
    }
    expect(proxy.lines).toEqual(Array(4).fill(`CONNECT 127.0.0.1:${server.port}`));
    expect(proxy.headers).toEqual([]);
    expect(server.authorizations).toEqual(Array(4).fill("token not-a-real-token"));
  });

  it("is not used for the other scheme or for hosts in NO_PROXY", async () => {
    const [server, proxy] = [await plainServer(), await proxied()];
    await tongs(view, { env: { ...env(server.url), HTTPS_PROXY: proxy.url } });
    for (const name of ["NO_PROXY", "no_proxy"]) {
      await tongs(view, { env: { ...env(server.url), HTTP_PROXY: proxy.url, [name]: "example.org,127.0.0.1" } });
    }
    expect(proxy.lines).toEqual([]);
    expect(server.seen).toHaveLength(3);
  });

  it("resolves the host name, which is also the TLS server name", async () => {
    const server = await closed(serveTls());
    const proxy = await proxied({ hosts: { "forge.test": "127.0.0.1" } });
    const client = await closed(clientFor(`https://forge.test:${server.port}`, { ca, proxy: proxy.url }));
    expect(await client.http.get(path`/x`, { answers: json() })).toMatchObject({ title: "Secure" });
    expect(server.names).toEqual(["forge.test"]);
  });

  it("gets decoded credentials, which are never printed", async () => {
    const [server, secure] = [await plainServer(), await closed(serveTls())];
    const proxy = await proxied({ requires: "mara:p@ss/word" });
    const address = proxy.url.replace("://", "://mara:p%40ss%2Fword@");
    const world = { ...env(server.url), HTTP_PROXY: address, HTTPS_PROXY: address, TONGS_CA: files.ca };
    for (const host of [server.url, secure.url]) {
      const ran = await tongs([...view, "--debug"], { env: { ...world, TONGS_HOST: host } });
      expect(ran.code).toBe(0);
      expect(ran.stderr).not.toMatch(/p%40ss|p@ss|mara:/);
    }
    expect(proxy.credentials).toEqual(["mara:p@ss/word", "mara:p@ss/word"]);
    expect(server.seen[0]?.headers["proxy-authorization"]).toBeUndefined();
  });

  it("that rejects the credentials is exit 6, without printing them", async () => {
    const [server, secure] = [await plainServer(), await closed(serveTls())];
    const proxy = await proxied({ requires: "mara:right" });
    const address = proxy.url.replace("://", "://mara:not-a-secret-3@");
    for (const host of [server.url, secure.url]) {
      const ran = await tongs(view, { env: { ...env(host), HTTP_PROXY: address, HTTPS_PROXY: address } });
      expect(ran).toMatchObject({ code: 6, stdout: "" });
      expect(JSON.parse(ran.stderr)).toMatchObject({
        error: { code: "proxy", hint: expect.stringContaining("USERNAME:PASSWORD") },
      });
      expect(ran.stderr).not.toContain("not-a-secret-3");
    }
  });

  it("that refuses the connection is exit 6, with NO_PROXY in the hint", async () => {
    const [secure, proxy] = [await closed(serveTls()), await proxied({ refuses: 403 })];
    const ran = await tongs(view, { env: { ...env(secure.url), HTTPS_PROXY: proxy.url } });
    expect(ran.code).toBe(6);
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { code: "proxy", message: expect.stringContaining("(403)"), hint: expect.stringContaining("NO_PROXY") },
    });
  });

  it("that is not running is named in the error", async () => {
    const proxy = await serveProxy();
    await proxy.close();
    for (const scheme of ["http", "https"]) {
      const client = await closed(clientFor(`${scheme}://forge.test`, { proxy: proxy.url }));
      await expect(client.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({
        code: "unreachable",
        message: expect.stringContaining(`through proxy ${proxy.url.slice(7)}`),
      });
    }
  });

  it("that does not respond is a timeout", async () => {
    const proxy = await proxied({ silent: true });
    for (const scheme of ["http", "https"]) {
      const client = await closed(clientFor(`${scheme}://forge.test`, { proxy: proxy.url, timeout: 100 }));
      await expect(client.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({ code: "timeout" });
    }
  });

  it("can use TLS itself", async () => {
    const [server, secure, proxy] = [await plainServer(), await closed(serveTls()), await proxied({ tls: identity })];
    for (const host of [server.url, secure.url]) {
      const client = await closed(clientFor(host, { ca, proxy: proxy.url }));
      expect(await client.http.get(path`/x`, { answers: json() })).toMatchObject({ number: 12 });
    }
    expect(proxy.lines).toHaveLength(2);
  });

  it("gets pages in parallel, and writes with their body", async () => {
    const proxy = await proxied();
    const server = await closed(
      serve((seen) => ({
        headers: { "x-total-count": "500" },
        body: seen.method === "POST" ? seen.body : [{ id: seen.url }],
      })),
    );
    const client = await closed(clientFor(server.url, { proxy: proxy.url }));
    const all: unknown[] = [];
    for await (const item of client.http.list(path`/list`).take(20)) all.push(item);
    expect(all).toHaveLength(20);
    expect(await client.http.post(path`/x`, { body: { a: "ü" }, answers: json() })).toEqual({ a: "ü" });
  });

  it("does not hide interruptions and timeouts", async () => {
    const proxy = await proxied();
    const stop = new AbortController();
    const server = await closed(
      serve((seen, _request, response) => {
        response.writeHead(200, { "content-length": "100" }).write("[1");
        if (seen.url.endsWith("stop")) setTimeout(() => stop.abort(new Error("Interrupted")), 20);
        return undefined;
      }),
    );
    const client = await closed(clientFor(server.url, { proxy: proxy.url, signal: stop.signal }));
    await expect(client.http.get(path`/stop`, { answers: json() })).rejects.toThrow("Interrupted");
    const other = await closed(clientFor(server.url, { proxy: proxy.url, timeout: 100 }));
    await expect(other.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({ code: "timeout" });
  });

  it("is not used for a redirect to a host in NO_PROXY", async () => {
    const proxy = await proxied({ hosts: { "forge.test": "127.0.0.1" } });
    const store = await plainServer();
    const server = await closed(serve(() => ({ status: 302, headers: { location: store.url } })));
    const host = `http://forge.test:${new URL(server.url).port}`;
    const { openTransport } = await import("../../src/http/connect.ts");
    const transport = await closed(
      openTransport({ proxy: (url) => proxyFor(url, { HTTP_PROXY: proxy.url, NO_PROXY: "127.0.0.1" }) }),
    );
    const client = await closed(clientFor(host, { transport }));
    expect(await client.http.get(path`/x`, { answers: json() })).toMatchObject({ number: 12 });
    expect(proxy.lines).toEqual([`GET ${host}/api/v1/x`]);
  });
});

describe("TLS", () => {
  const ways = [false, true];

  it.each(ways)("trusts an additional certificate authority (through a proxy: %s)", async (byProxy) => {
    const server = await closed(serveTls());
    const proxy = byProxy ? { HTTPS_PROXY: (await proxied()).url } : undefined;
    const ran = await tongs(view, { env: { ...env(server.url), TONGS_CA: files.ca, ...proxy } });
    expect(ran).toMatchObject({ code: 0, stdout: '{"number":12}\n' });
  });

  it.each(ways)(
    "refuses an unknown certificate authority with exit 6 and a hint (through a proxy: %s)",
    async (byProxy) => {
      const server = await closed(serveTls());
      const proxy = byProxy ? { HTTPS_PROXY: (await proxied()).url } : undefined;
      for (const CA of [{ TONGS_CA: files.otherCa }, {}]) {
        const ran = await tongs(view, { env: { ...env(server.url), ...CA, ...proxy } });
        expect(ran.code).toBe(6);
        expect(JSON.parse(ran.stderr)).toMatchObject({
          error: {
            code: "tls",
            message: expect.stringContaining("certificate"),
            hint: expect.stringContaining("ca FILE"),
          },
        });
      }
      expect(server.authorizations).toEqual([]);
    },
  );

  it("refuses a certificate for another host", async () => {
    const server = await closed(serveTls());
    const { url } = await proxied({ hosts: { "other.test": "127.0.0.1" } });
    const client = await closed(clientFor(`https://other.test:${server.port}`, { ca, proxy: url }));
    await expect(client.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({
      code: "tls",
      message: expect.stringContaining("other.test"),
    });
    expect(server.authorizations).toEqual([]);
  });

  it("reports a CA file that cannot be read", async () => {
    const ran = await tongs(view, { env: { ...env("https://127.0.0.1:9"), TONGS_CA: "/nowhere/ca.pem" } });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("/nowhere/ca.pem");
  });
});

describe("the choice of a proxy", () => {
  const choose = async (url: string, env: Readonly<Record<string, string>>, own?: string) =>
    proxyFor(new URL(url), env, own)?.href;
  const all = { ALL_PROXY: "http://all:1", HTTPS_PROXY: "http://s:1", HTTP_PROXY: "http://p:1" };

  it("is by scheme, then ALL_PROXY; lower case takes precedence; an empty value is ignored", async () => {
    expect(await choose("https://x.org", all)).toBe("http://s:1/");
    expect(await choose("http://x.org", all)).toBe("http://p:1/");
    expect(await choose("https://x.org", { ALL_PROXY: "all:3128" })).toBe("http://all:3128/");
    expect(await choose("https://x.org", { ...all, https_proxy: "http://low:1" })).toBe("http://low:1/");
    expect(await choose("https://x.org", { HTTPS_PROXY: "" })).toBeUndefined();
    expect(await choose("https://x.org", {})).toBeUndefined();
  });

  it("is the profile's proxy first, or none", async () => {
    expect(await choose("https://x.org", { ...all, NO_PROXY: "*" }, "own:1")).toBe("http://own:1/");
    expect(await choose("https://x.org", all, "none")).toBeUndefined();
  });

  it.each([
    ["https://git.x.org", "x.org", true],
    ["https://git.x.org", ".x.org", true],
    ["https://git.x.org", "*.x.org", true],
    ["https://gitx.org", "x.org", false],
    ["https://x.org", "*", true],
    ["https://X.ORG", "a b,x.org", true],
    ["https://x.org:8443", "x.org:8443", true],
    ["https://x.org", "x.org:8443", false],
    ["https://x.org", "x.org:443", true],
    ["https://10.1.2.3", "10.0.0.0/8", true],
    ["https://11.1.2.3", "10.0.0.0/8", false],
    ["https://x.org", "10.0.0.0/8", false],
    ["https://10.1.2.3", "10.0.0.0/99", false],
    ["https://[::1]", "::1", true],
    ["https://[::1]:3000", "[::1]:3000", true],
    ["https://[::1]:3000", "[::1]:4000", false],
    ["https://[fd00::7]", "fd00::/8", true],
    ["https://x.org", "", false],
  ])("for %s with NO_PROXY '%s': bypassed %s", async (url, NO_PROXY, bypassed) => {
    expect((await choose(url, { ...all, NO_PROXY })) === undefined).toBe(bypassed);
  });

  it.each([
    ["socks5://127.0.0.1:1080", "http proxies"],
    ["http://", "not a valid proxy"],
    ["http://mara:100%@proxy:1", "percent-encoding"],
  ])("refuses %s with exit 2, without printing the value", async (value, words) => {
    const ran = await tongs(view, { env: { ...env("http://127.0.0.1:9"), ALL_PROXY: value } });
    expect(ran.code).toBe(2);
    const { error } = JSON.parse(ran.stderr) as { error: { message: string } };
    expect(error.message).toMatch(/^ALL_PROXY /);
    expect(error.message).toContain(words);
    expect(error.message).not.toContain("mara");
  });
});
