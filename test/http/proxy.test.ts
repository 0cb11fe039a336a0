import net from "node:net";
import { describe, expect, it } from "vitest";
import { json } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { proxyFor } from "../../src/http/proxy-for.ts";
import { pull } from "../commands/pr/pulls.ts";
import { listen } from "../support/at-end.ts";
import { startBuilt } from "../support/built.ts";
import { serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";
import { clientFor } from "./client-for.ts";
import { type Rules, serveProxy } from "./proxy-server.ts";
import { answer, serveRaw } from "./raw-server.ts";
import { ca, files, identity, serveTls } from "./tls-server.ts";

const proxied = (rules?: Rules) => serveProxy(rules);
const plainServer = () => serve(() => ({ body: pull(12, { title: "Plain" }) }));
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
    const [server, proxy] = [await serveTls(), await proxied()];
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
    const server = await serveTls();
    const proxy = await proxied({ hosts: { "forge.test": "127.0.0.1" } });
    const client = clientFor(`https://forge.test:${server.port}`, { ca, proxy: proxy.url });
    expect(await client.http.get(path`/x`, { answers: json() })).toMatchObject({ title: "Secure" });
    expect(server.names).toEqual(["forge.test"]);
  });

  it("gets decoded credentials, which are never printed", async () => {
    const [server, secure] = [await plainServer(), await serveTls()];
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
    const [server, secure] = [await plainServer(), await serveTls()];
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
    const [secure, proxy] = [await serveTls(), await proxied({ refuses: 403 })];
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
      const client = clientFor(`${scheme}://forge.test`, { proxy: proxy.url });
      await expect(client.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({
        code: "unreachable",
        message: expect.stringContaining(`through proxy ${proxy.url.slice(7)}`),
      });
    }
  });

  it("that closes the tunnel is exit 6 after one attempt, named in the error", async () => {
    let connections = 0;
    const listening = net.createServer((socket) => {
      connections += 1;
      socket.once("data", () => socket.end());
    });
    const { port } = await listen(listening);
    const ran = await tongs(view, {
      env: { ...env("https://forge.test"), HTTPS_PROXY: `http://127.0.0.1:${port}` },
    });
    expect(ran.code).toBe(6);
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { code: "proxy", message: `Proxy 127.0.0.1:${port} closed the connection to forge.test:443` },
    });
    expect(connections).toBe(1);
  });

  it.each(["CONNECT", "TLS"])("that is silent after %s is left after Ctrl-C", async (phase) => {
    let arrived = () => {};
    const seen = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const listening = net.createServer((socket) => {
      let parts = 0;
      socket.on("data", () => {
        parts += 1;
        if (phase === "TLS" && parts === 1) socket.write("HTTP/1.1 200 OK\r\n\r\n");
        if (phase === "CONNECT" || parts === 2) arrived();
      });
    });
    const { port } = await listen(listening);
    const cwd = emptyFolder();
    const { child, ended } = await startBuilt([...view, "--timeout", "0"], {
      cwd,
      env: { ...env("https://forge.test"), HTTPS_PROXY: `http://127.0.0.1:${port}` },
    });
    await seen;
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
  });

  it.each([
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n", "valid HTTP response"],
    ["a head of 70 KB", `HTTP/1.1 200 OK\r\nx: ${"x".repeat(70_000)}\r\n\r\n`, "headers that are too large"],
    ["an unasked-for 100", `HTTP/1.1 100 Continue\r\n\r\n${answer("{}")}`, "sent 100 Continue"],
  ])("that passes on %s is exit 6 after one attempt", async (_what, text, words) => {
    const server = await serveRaw((socket) => socket.end(text));
    const client = clientFor("http://forge.test", { proxy: server.url });
    await expect(client.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({
      code: "not_http",
      exit: "noAnswer",
      message: expect.stringContaining(words),
    });
    expect(server.requests).toHaveLength(1);
  });

  it("can pass on a head of 60 KB", async () => {
    const server = await serveRaw((socket) => socket.write(answer("[1]", "200 OK", `x: ${"x".repeat(60_000)}\r\n`)));
    const client = clientFor("http://forge.test", { proxy: server.url });
    expect(await client.http.get(path`/x`, { answers: json() })).toEqual([1]);
  });

  it("that does not respond is a timeout", async () => {
    const proxy = await proxied({ silent: true });
    for (const scheme of ["http", "https"]) {
      const client = clientFor(`${scheme}://forge.test`, { proxy: proxy.url, timeout: 100 });
      await expect(client.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({ code: "timeout" });
    }
  });

  it("can use TLS itself", async () => {
    const [server, secure, proxy] = [await plainServer(), await serveTls(), await proxied({ tls: identity })];
    for (const host of [server.url, secure.url]) {
      const client = clientFor(host, { ca, proxy: proxy.url });
      expect(await client.http.get(path`/x`, { answers: json() })).toMatchObject({ number: 12 });
    }
    expect(proxy.lines).toHaveLength(2);
  });

  it("gets pages in parallel, and writes with their body", async () => {
    const proxy = await proxied();
    const server = await serve((seen) => ({
      headers: { "x-total-count": "500" },
      body: seen.method === "POST" ? seen.body : [{ id: seen.url }],
    }));
    const client = clientFor(server.url, { proxy: proxy.url });
    const all: unknown[] = [];
    for await (const item of client.http.list(path`/list`).take(20)) all.push(item);
    expect(all).toHaveLength(20);
    expect(await client.http.post(path`/x`, { body: { a: "ü" }, answers: json() })).toEqual({ a: "ü" });
  });

  it("gets the headers that a server would get, and no request that is not valid", async () => {
    const [server, proxy] = [await serve(({ headers }) => ({ body: headers })), await proxied()];
    const client = clientFor(server.url, { proxy: proxy.url });
    const ignored = { expect: "100-continue", te: "trailers", connection: "close", "content-length": "3" };
    const headers = { ...ignored, "x-name": "Zoë €", host: "other.example.org" };
    expect(await client.http.post(path`/x`, { body: { a: 1 }, headers, answers: json() })).toMatchObject({
      "x-name": Buffer.from("Zoë €").toString("latin1"),
      host: "other.example.org",
      "content-length": "7",
    });
    const seen = server.seen[0]?.headers ?? {};
    expect([seen["expect"], seen["te"]]).toEqual([undefined, undefined]);
    for (const invalid of [{ "x-a": "b\u0000" }, { "x a": "b" }, { "proxy-authorization": "Basic eDp5" }]) {
      await expect(client.http.post(path`/x`, { headers: invalid, answers: json() })).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining("The request cannot be sent: "),
      });
    }
    expect([client.waits, server.seen.length]).toEqual([[], 1]);
  });

  it("does not hide interruptions and timeouts", async () => {
    const proxy = await proxied();
    const stop = new AbortController();
    const server = await serve((seen, _request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("[1");
      if (seen.url.endsWith("stop")) setTimeout(() => stop.abort(new Error("Interrupted")), 20);
      return undefined;
    });
    const client = clientFor(server.url, { proxy: proxy.url, signal: stop.signal });
    await expect(client.http.get(path`/stop`, { answers: json() })).rejects.toThrow("Interrupted");
    const other = clientFor(server.url, { proxy: proxy.url, timeout: 100 });
    await expect(other.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({ code: "timeout" });
  });

  it("is not used for a redirect to a host in NO_PROXY", async () => {
    const proxy = await proxied({ hosts: { "forge.test": "127.0.0.1" } });
    const store = await plainServer();
    const server = await serve(() => ({ status: 302, headers: { location: store.url } }));
    const host = `http://forge.test:${new URL(server.url).port}`;
    const { openTransport } = await import("../../src/http/connect.ts");
    const transport = await openTransport({
      proxy: (url) => proxyFor(url, { HTTP_PROXY: proxy.url, NO_PROXY: "127.0.0.1" }),
    });
    const client = clientFor(host, { transport });
    expect(await client.http.get(path`/x`, { answers: json() })).toMatchObject({ number: 12 });
    expect(proxy.lines).toEqual([`GET ${host}/api/v1/x`]);
  });
});
