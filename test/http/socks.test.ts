import { describe, expect, it } from "vitest";
import { json } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { pull } from "../commands/pr/pulls.ts";
import { startBuilt } from "../support/built.ts";
import { serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";
import { clientFor } from "./client-for.ts";
import { serveSocks } from "./socks-server.ts";
import { ca, files, serveTls } from "./tls-server.ts";

const plainServer = () => serve(() => ({ body: pull(12, { title: "Plain" }) }));
const view = ["pr", "view", "12", "--json", "number"];
const env = (host: string) => ({ TONGS_HOST: host, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" });

describe("a SOCKS5 proxy", () => {
  it("connects to http and https servers, and sees no request", async () => {
    const [plain, secure, proxy] = [await plainServer(), await serveTls(), await serveSocks()];
    for (const host of [plain.url, secure.url]) {
      for (const scheme of ["socks5", "socks5h"]) {
        const ALL_PROXY = proxy.url.replace("socks5", scheme);
        const ran = await tongs(view, { env: { ...env(host), ALL_PROXY, TONGS_CA: files.ca } });
        expect(ran).toMatchObject({ code: 0, stdout: '{"number":12}\n', stderr: "" });
      }
    }
    const ports = [plain.url, secure.url].flatMap((url) => Array(2).fill(new URL(url).port));
    expect(proxy.targets).toEqual(ports.map((port) => `127.0.0.1:${port}`));
  });

  it("resolves the host name, whose certificate is checked", async () => {
    const server = await serveTls();
    const hosts = { "forge.test": "127.0.0.1", "other.test": "127.0.0.1" };
    const proxy = await serveSocks({ hosts });
    const get = async (host: string) => {
      const client = clientFor(`https://${host}:${server.port}`, { ca, proxy: proxy.url });
      return client.http.get(path`/x`, { answers: json() });
    };
    expect(await get("forge.test")).toMatchObject({ title: "Secure" });
    await expect(get("other.test")).rejects.toMatchObject({ code: "tls" });
  });

  it.each([
    ["mara:p%40ss", 0, ""],
    ["mara:wrong", 6, "requires authentication"],
    ["", 6, "Proxy"],
  ])("gets credentials, which are never printed: '%s'", async (credentials, code, words) => {
    const [server, proxy] = [await plainServer(), await serveSocks({ requires: "mara:p@ss" })];
    const ALL_PROXY = proxy.url.replace("://", `://${credentials}${credentials && "@"}`);
    const ran = await tongs([...view, "--debug"], { env: { ...env(server.url), ALL_PROXY } });
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(words)]);
    expect(ran.stderr).not.toMatch(/p%40ss|p@ss|wrong/);
  });

  it.each([
    ["refuses", { reply: 2 }, { code: "proxy", message: expect.stringContaining("did not connect to forge.test:80") }],
    ["is silent", { silent: true }, { code: "timeout" }],
  ])("that %s is a failure after one attempt", async (_what, rules, failure) => {
    const proxy = await serveSocks(rules);
    const client = clientFor("http://forge.test", { proxy: proxy.url, timeout: 300 });
    await expect(client.http.get(path`/x`, { answers: json() })).rejects.toMatchObject(failure);
    expect(proxy.targets.length).toBeLessThan(2);
  });

  it("that is not running is named in the error", async () => {
    const proxy = await serveSocks();
    await proxy.close();
    const client = clientFor("http://forge.test", { proxy: proxy.url });
    await expect(client.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining(`through proxy ${new URL(proxy.url).host}`),
    });
  });

  it("that is silent is left after Ctrl-C", async () => {
    const proxy = await serveSocks({ silent: true });
    const settings = { ...env("https://forge.test"), ALL_PROXY: proxy.url };
    const { child, ended } = await startBuilt([...view, "--timeout", "0"], { cwd: emptyFolder(), env: settings });
    await proxy.greeted;
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
  });
});
