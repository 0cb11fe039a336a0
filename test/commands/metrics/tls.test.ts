import { mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeCertificates } from "../../metrics/certificates.ts";
import { dataCopy } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { tongsBytes } from "./bytes.ts";
import { serving, until } from "./serving.ts";

// A push that is cut off leaves its journal beside the file.
const all = dataCopy("collectd-5.12.delimited.bin");
const data = join(import.meta.dirname, "..", "..", "data", "tls");
const server = (...names: readonly string[]) => names.map((name) => join(data, name));
const [ca = "", cert = "", key = "", otherCa = "", expired = "", selfKey = "", elsewhere = ""] = server(
  ...["ca.pem", "server.pem", "server.key", "other-ca.pem", "expired.pem", "self-signed.key", "elsewhere.pem"],
);
const secure = ["--tls", "--cert", cert, "--key", key];
const push = (port: number, ...words: readonly string[]) =>
  tongsBytes(["metrics", "push", `127.0.0.1:${port}`, all, "--plugin", "load", ...words]);

describe("TLS", () => {
  test("carries readings both ways", async () => {
    const running = serving(["--to", "r.bin", ...secure]);
    const port = await running.port;
    expect(await push(port, "--tls", "--ca", ca)).toMatchObject({ code: 0 });
    const query = ["metrics", "query", `127.0.0.1:${port}`, "--tls", "--ca", ca, "--format", "ndjson"];
    expect(await tongsBytes(query)).toMatchObject({ code: 0 });
    running.stop();
    expect((await running.ended).stderr).toContain("Received 152 readings");
  });

  test("is named when only one side uses it, on both sides", async () => {
    const plain = serving(["--to", "r.bin"]);
    const withTls = await push(await plain.port, "--tls", "--ca", ca);
    expect(withTls).toMatchObject({ code: 6, stderr: expect.stringContaining("the server does not use TLS") });
    await until(() => plain.notes.join("").includes("it uses TLS, and this server does not (--tls)"));
    plain.stop();
    await plain.ended;
    const secured = serving(["--to", "r.bin", ...secure]);
    const without = await push(await secured.port);
    expect(without).toMatchObject({ code: 6, stderr: expect.stringContaining("the server uses TLS") });
    expect(without.stderr).toContain("Use --tls");
    await until(() => secured.notes.join("").includes("it does not use TLS, which --tls requires"));
    secured.stop();
    await secured.ended;
  });

  test("names what is wrong with the server's certificate, in no words of gRPC", async () => {
    for (const [certificate, itsKey, authority, reason] of [
      [cert, key, otherCa, "the certificate authority is not trusted"],
      [expired, selfKey, expired, "the certificate has expired"],
      [elsewhere, selfKey, elsewhere, "the certificate is for another name"],
      [elsewhere, selfKey, ca, "the certificate is self-signed"],
    ] as const) {
      const running = serving(["--tls", "--cert", certificate, "--key", itsKey, "--to", "r.bin"]);
      const ran = await push(await running.port, "--tls", "--ca", authority);
      expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining(reason) });
      expect(ran.stderr).not.toMatch(/UNAVAILABLE|connection established|channel|grpc-js/i);
      running.stop();
      await running.ended;
    }
  });

  test("names the address of a client that resets the connection during the handshake", async () => {
    const running = serving(["--to", "r.bin", ...secure]);
    const port = await running.port;
    // Resets when the server has answered, so that it knows the client.
    const between = createServer((client) => {
      const on = connect(port, "127.0.0.1");
      client.pipe(on).on("error", () => client.destroy());
      on.once("data", () => on.resetAndDestroy()).once("close", () => client.destroy());
      client.on("error", () => on.destroy());
    });
    await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
    const { port: through } = between.address() as AddressInfo;
    expect(await push(through, "--tls", "--ca", ca)).toMatchObject({ code: 6 });
    await until(() => running.notes.join("").includes("Refused"));
    running.stop();
    expect((await running.ended).stderr).toContain("Refused 127.0.0.1: the client closed the TLS handshake");
    between.close();
  });

  test("with --ca requires a client certificate of that authority", async (context) => {
    const made = makeCertificates(mkdtempSync(join(tmpdir(), "tongs-tls-")));
    if (made === undefined) return context.skip("openssl is not installed");
    const words = ["--tls", "--ca", made.ca, "--cert", made.server.cert, "--key", made.server.key];
    const running = serving(["--to", "r.bin", ...words]);
    const port = await running.port;
    const trust = ["--tls", "--ca", made.ca];
    expect(await push(port, ...trust, "--cert", made.client.cert, "--key", made.client.key)).toMatchObject({ code: 0 });
    const without = await push(port, ...trust);
    expect(without).toMatchObject({ code: 6, stderr: expect.stringContaining("a client certificate is required") });
    expect(without.stderr).toContain("Use --cert FILE and --key FILE.");
    await until(() => running.notes.join("").includes("no client certificate was sent"));
    const wrong = await push(port, ...trust, "--cert", expired, "--key", selfKey);
    expect(wrong).toMatchObject({ code: 6 });
    running.stop();
    await running.ended;
    const open = serving(["--to", "r.bin", ...words, "--no-verify-peer"]);
    expect(await push(await open.port, ...trust)).toMatchObject({ code: 0 });
    open.stop();
    await open.ended;
  });

  test("flags that do not fit, and files that are no certificates, are named before anything is sent", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "nonsense.pem"), "nonsense");
    const run = (...words: readonly string[]) => tongsBytes(["metrics", "query", "127.0.0.1:1", ...words], { cwd });
    expect(await run("--ca", ca)).toMatchObject({ code: 2, stderr: expect.stringContaining("require --tls") });
    expect(await run("--tls", "--cert", cert)).toMatchObject({ code: 2 });
    expect(await run("--tls", "--cert", cert, "--key", selfKey)).toMatchObject({
      code: 13,
      stderr: expect.stringContaining("the key does not belong to the certificate"),
    });
    expect(await run("--tls", "--cert", "nonsense.pem", "--key", key)).toMatchObject({ code: 13 });
    expect(await run("--tls", "--ca", "missing.pem")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("missing.pem"),
    });
  });
});
