import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { json } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { runBuilt } from "../support/built.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";
import { clientFor } from "./client-for.ts";
import { type Rules, serveProxy } from "./proxy-server.ts";
import { ca, elsewhereIdentity, expiredIdentity, files, serveTls } from "./tls-server.ts";

const proxied = (rules?: Rules) => serveProxy(rules);
const view = ["pr", "view", "12", "--json", "number"];
const env = (host: string) => ({ TONGS_HOST: host, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" });

describe("TLS", () => {
  const ways = [false, true];

  it.each(ways)("trusts an additional certificate authority (through a proxy: %s)", async (byProxy) => {
    const server = await serveTls();
    const proxy = byProxy ? { HTTPS_PROXY: (await proxied()).url } : undefined;
    const ran = await tongs(view, { env: { ...env(server.url), TONGS_CA: files.ca, ...proxy } });
    expect(ran).toMatchObject({ code: 0, stdout: '{"number":12}\n' });
  });

  it.each(ways)(
    "refuses an unknown certificate authority with exit 6 and a hint (through a proxy: %s)",
    async (byProxy) => {
      const server = await serveTls();
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
    const server = await serveTls();
    const { url } = await proxied({ hosts: { "other.test": "127.0.0.1" } });
    const client = clientFor(`https://other.test:${server.port}`, { ca, proxy: url });
    await expect(client.http.get(path`/x`, { answers: json() })).rejects.toMatchObject({
      code: "tls",
      message: expect.stringContaining("other.test"),
    });
    expect(server.authorizations).toEqual([]);
  });

  it.each(ways)(
    "has its own hint for another name and an expired certificate (through a proxy: %s)",
    async (byProxy) => {
      const { url } = await proxied();
      const proxy = byProxy ? { HTTPS_PROXY: url } : {};
      const elsewhere = await serveTls(elsewhereIdentity);
      const expired = await serveTls(expiredIdentity);
      for (const [host, file, words] of [
        [elsewhere.url, files.elsewhere, "another host name"],
        [expired.url, files.expired, "has expired"],
      ] as const) {
        const ran = await tongs(view, { env: { ...env(host), TONGS_CA: file, ...proxy } });
        expect(ran.code).toBe(6);
        expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: "tls", hint: expect.stringContaining(words) } });
      }
    },
  );

  it("adds the CA file to NODE_EXTRA_CA_CERTS", async () => {
    const server = await serveTls();
    const cwd = emptyFolder();
    const extra = { NODE_EXTRA_CA_CERTS: files.ca };
    for (const CA of [{}, { TONGS_CA: files.otherCa }]) {
      const ran = await runBuilt(view, { cwd, env: { ...env(server.url), ...extra, ...CA } });
      expect(ran).toMatchObject({ code: 0, stdout: '{"number":12}\n' });
    }
    const alone = await runBuilt(view, { cwd, env: { ...env(server.url), TONGS_CA: files.otherCa } });
    expect(alone.code).toBe(6);
  });

  it("warns on every use if NODE_TLS_REJECT_UNAUTHORIZED is 0", async () => {
    const server = await serveTls();
    const off = { NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" };
    for (const words of [view, ["api", "version"]]) {
      const ran = await runBuilt(words, { cwd: emptyFolder(), env: { ...env(server.url), ...off } });
      expect(ran.code).toBe(0);
      expect(ran.stderr.match(/Certificates are not verified: NODE_TLS_REJECT_UNAUTHORIZED is 0/g)).toHaveLength(1);
    }
  });

  it.each([
    ["", "contains no certificate"],
    ["-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "contains no certificate"],
    ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "contains a certificate that is not valid"],
  ])("reports a CA file with %j", async (content, words) => {
    const file = join(emptyFolder(), "ca.pem");
    writeFileSync(file, content);
    const ran = await tongs(view, { env: { ...env("https://127.0.0.1:9"), TONGS_CA: file } });
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { message: `${file} ${words}`, hint: expect.stringContaining("PEM") },
    });
  });

  it("reports a CA file that cannot be read", async () => {
    const ran = await tongs(view, { env: { ...env("https://127.0.0.1:9"), TONGS_CA: "/nowhere/ca.pem" } });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("/nowhere/ca.pem");
  });
});
