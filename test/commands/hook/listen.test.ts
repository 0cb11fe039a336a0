import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import http, { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Interruption } from "../../../src/failure/interruption.ts";
import { serve } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";

interface Recorded {
  readonly label: string;
  readonly secret: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Deliveries that live servers sent, byte for byte. */
function recorded(server: "gitea" | "forgejo"): Recorded[] {
  const file = join(import.meta.dirname, `../../data/webhooks/${server}.ndjson`);
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Listening {
  readonly url: string;
  /** Stops it as Ctrl-C does. */
  stop(): Promise<Ran>;
  readonly ended: Promise<Ran>;
}

async function listening(flags: readonly string[] = [], world: World = {}): Promise<Listening> {
  const port = await freePort();
  const stop = new AbortController();
  const ended = tongs(["hook", "listen", "--port", String(port), ...flags], { ...world, signal: stop.signal });
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(() => fetch(url).then((response) => response.status)).toBe(200);
  return {
    url,
    ended,
    stop() {
      stop.abort(new Interruption("SIGINT"));
      return ended;
    },
  };
}

function post(url: string, body: string, given: Record<string, string> = {}): Promise<number> {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  return fetch(url, {
    method: "POST",
    body,
    headers: { ...headers, "content-type": headers["content-type"] ?? "application/json" },
  }).then(async (response) => {
    await response.text();
    return response.status;
  });
}

/** Sends a request whose headers `fetch` does not allow, `Host` among them; returns the status. */
function request(
  url: string,
  { method = "POST", body = "{}", headers = {} }: { method?: string; body?: string; headers?: Record<string, string> },
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { method, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject).end(method === "GET" ? undefined : body);
  });
}

const signed = (body: string, secret: string) => ({
  "x-gitea-event": "push",
  "x-gitea-signature": createHmac("sha256", secret).update(body).digest("hex"),
});

const lines = ({ stdout }: Ran) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("hook listen", () => {
  it.each(["gitea", "forgejo"] as const)("accepts every recorded delivery of %s with its signature", async (server) => {
    const deliveries = recorded(server);
    const env = { HOOK_SECRET: "" };
    for (const secret of new Set(deliveries.map((one) => one.secret))) {
      const mine = deliveries.filter((one) => one.secret === secret);
      const { url, stop } = await listening(["--secret-env", "HOOK_SECRET"], { env: { ...env, HOOK_SECRET: secret } });
      for (const { headers, body, label } of mine) {
        const { "Content-Length": _length, Host: _host, ...sent } = headers;
        expect(await post(url, body, sent), label).toBe(200);
        expect(await post(url, `${body} `, sent), `changed: ${label}`).toBe(401);
      }
      const printed = lines(await stop());
      expect(printed).toHaveLength(mine.length);
      for (const [index, line] of printed.entries()) {
        const { headers = {}, body = "" } = mine[index] ?? {};
        const isForm = headers["Content-Type"]?.includes("form");
        const content = isForm ? (new URLSearchParams(body).get("payload") ?? "") : body;
        expect(line["body"]).toEqual(JSON.parse(content));
        expect(line).toMatchObject({ event: headers["X-Gitea-Event"] || "package", verified: true, forwarded: null });
        expect(String(line["repository"])).toMatch(/^[\w-]+\/[\w.-]+$|null/);
      }
    }
  });

  it("refuses a missing, a wrong and a malformed signature", async () => {
    const { url, stop } = await listening(["--secret-env", "S"], { env: { S: "right" } });
    const body = '{"ref":"main"}';
    expect(await post(url, body)).toBe(401);
    expect(await post(url, body, signed(body, "wrong"))).toBe(401);
    expect(await post(url, body, { "x-gitea-signature": "abc" })).toBe(401);
    // One right header beside a wrong one.
    expect(await post(url, body, { ...signed(body, "right"), "x-hub-signature-256": `sha256=${"0".repeat(64)}` })).toBe(
      401,
    );
    expect(await post(url, body, signed(body, "right"))).toBe(200);
    const ran = await stop();
    expect(lines(ran)).toHaveLength(1);
    expect(ran.code).toBe(130);
    // Each of them, also those that are alike.
    expect(ran.stderr.match(/Refused a delivery: the signature is wrong/g)).toHaveLength(3);
  });

  it("refuses what is not a delivery, and goes on", async () => {
    const { url, stop } = await listening();
    expect(await post(url, "not json")).toBe(400);
    expect(await post(url, "other=1", { "content-type": "application/x-www-form-urlencoded" })).toBe(400);
    expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(405);
    expect(await post(url, "x".repeat(33 * 1024 * 1024)).catch(() => 413)).toBe(413);
    expect(await post(url, "[]")).toBe(200);
    expect(lines(await stop())).toMatchObject([{ action: null, repository: null, body: [] }]);
  });

  it("refuses what a web page sent, with and without a secret, and forwards none of it", async () => {
    const target = await serve(() => ({ status: 200, body: "" }));
    const body = '{"ref":"main"}';
    const right = { ...signed(body, "right"), "content-type": "text/plain" };
    for (const flags of [[], ["--secret-env", "S"]]) {
      const { url, stop } = await listening([...flags, "--forward", target.url], { env: { S: "right" } });
      const page = [{ origin: "https://evil.example" }, { origin: "null" }, { "sec-fetch-site": "none" }];
      for (const headers of page) {
        expect(await request(url, { body, headers: { ...right, ...headers } })).toBe(403);
        expect(await request(url, { method: "GET", headers })).toBe(403);
      }
      const ran = await stop();
      expect(ran.stdout).toBe("");
      expect(ran.stderr.match(/Refused a delivery: sent by a web page/g)).toHaveLength(6);
    }
    expect(target.seen).toEqual([]);
  });

  it("accepts without a secret only hosts of this machine, and those of --allow-host", async () => {
    const own = [
      "127.0.0.1",
      "192.0.2.7:3001",
      "[::1]:3001",
      "localhost",
      "LOCALHOST:3001",
      hostname(),
      "hook.example:1",
    ];
    const { url, stop } = await listening(["--allow-host", "Hook.example,b.example"]);
    for (const host of own) expect(await request(url, { headers: { host } }), host).toBe(200);
    const others = [
      "evil.example",
      "evil.example:3001",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "[evil]",
      ":80",
    ];
    for (const host of others) expect(await request(url, { headers: { host } }), host).toBe(403);
    const ran = await stop();
    expect(lines(ran)).toHaveLength(own.length);
    expect(ran.stderr).toContain("the host 'evil.example' is not this machine: allow it with --allow-host");
    const checked = await listening(["--secret-env", "S"], { env: { S: "right" } });
    expect(await request(checked.url, { headers: { host: "any.example", ...signed("{}", "right") } })).toBe(200);
    await checked.stop();
  });

  it("refuses a form with another field than one payload, whose signature covers only that one", async () => {
    const target = await serve(() => ({ status: 200, body: "" }));
    const { url, stop } = await listening(["--secret-env", "S", "--forward", target.url], { env: { S: "right" } });
    const content = '{"ref":"main"}';
    const payload = new URLSearchParams({ payload: content }).toString();
    const form = { ...signed(content, "right"), "content-type": "Application/X-WWW-Form-Urlencoded" };
    const evil = "payload=%7B%22ref%22%3A%22evil%22%7D";
    for (const body of [`${payload}&${evil}`, `${evil}&${payload}`, `${payload}&a=1`, `a=1&${payload}`, ""]) {
      expect(await post(url, body, form), body).toBe(400);
    }
    expect(target.seen).toEqual([]);
    expect(await post(url, payload, form)).toBe(200);
    expect(lines(await stop())).toMatchObject([{ verified: true, body: { ref: "main" } }]);
  });

  it("keeps no more than 32 MiB of deliveries, and always the last one", async () => {
    const { url, stop } = await listening();
    const sent = (ref: string) => post(url, JSON.stringify({ ref, x: "x".repeat(12 * 1024 * 1024) }));
    for (const ref of ["a", "b", "c"]) expect(await sent(ref)).toBe(200);
    const kept = (await (await fetch(url)).json()) as { body: { ref: string } }[];
    expect(kept.map((one) => one.body.ref)).toEqual(["b", "c"]);
    await stop();
  });

  it("keeps the last deliveries, for this machine only", async () => {
    const { url, stop } = await listening(["--keep", "2"]);
    for (const ref of ["a", "b", "c"]) await post(url, JSON.stringify({ ref }));
    const kept = (await (await fetch(url)).json()) as { body: { ref: string } }[];
    expect(kept.map((one) => one.body.ref)).toEqual(["b", "c"]);
    expect(await request(url, { method: "GET", headers: { host: "evil.example" } })).toBe(403);
    for (const host of ["LOCALHOST:3001", "[::1]:3001"])
      expect(await request(url, { method: "GET", headers: { host } })).toBe(200);
    // A tunnel that sets the host to this machine.
    expect((await fetch(url, { headers: { "x-forwarded-for": "203.0.113.7" } })).status).toBe(403);
    await stop();
  });

  it("hands deliveries on unchanged, and answers with the status that comes back", async () => {
    let status = 202;
    const target = await serve(() => ({ status, body: "" }));
    const { url, stop } = await listening(["--forward", `${target.url}/in?x=1`]);
    const body = '{ "ref":  "main" }';
    expect(await post(url, body, { "x-gitea-event": "push", cookie: "a=b" })).toBe(202);
    expect(target.seen[0]).toMatchObject({ method: "POST", url: "/in?x=1", body });
    expect(target.seen[0]?.headers).toMatchObject({ "x-gitea-event": "push", "content-type": "application/json" });
    expect(target.seen[0]?.headers["cookie"]).toBeUndefined();
    status = 500;
    expect(await post(url, body)).toBe(500);
    await target.close();
    expect(await post(url, body)).toBe(502);
    const ran = await stop();
    expect(lines(ran).map((line) => line["forwarded"])).toEqual([202, 500, 502]);
    expect(ran.stderr).toContain("Could not forward");
  });

  it("ends after the first wanted delivery with --once", async () => {
    const { url, ended } = await listening(["--once", "--event", "push"]);
    expect(await post(url, "{}", { "x-gitea-event": "issues" })).toBe(204);
    expect(await post(url, '{"ref":"main"}', { "x-gitea-event": "push" })).toBe(200);
    const ran = await ended;
    expect(ran.code).toBe(0);
    expect(lines(ran)).toMatchObject([{ event: "push", body: { ref: "main" } }]);
  });

  it("exits 1 with --once if the receiver refused the delivery", async () => {
    const target = await serve(() => ({ status: 400, body: "" }));
    const { url, ended } = await listening(["--once", "--forward", target.url]);
    expect(await post(url, "{}")).toBe(400);
    expect((await ended).code).toBe(1);
  });

  it("prints whole deliveries with --json, one a line", async () => {
    const { url, stop } = await listening(["--json"]);
    await post(url, '{"action":"opened"}', { "x-gitea-event": "push" });
    expect(lines(await stop())).toMatchObject([{ event: "push", action: "opened", body: { action: "opened" } }]);
  });

  it("prints the fields of --json, and never the secret", async () => {
    const { url, stop } = await listening(["--json", "event,action", "--secret-env", "S", "--debug"], {
      env: { S: "a-false-secret" },
    });
    const body = '{"action":"opened"}';
    await post(url, body, signed(body, "a-false-secret"));
    const ran = await stop();
    expect(ran.stdout).toBe('{"event":"push","action":"opened"}\n');
    expect(ran.stderr).not.toContain("a-false-secret");
  });

  it.each([
    [["--secret-env", "MISSING"], 2, "MISSING is not set"],
    [["--forward", "ftp://x"], 2, "--forward must be"],
    [["--port", "70000"], 2, "from 0 to 65535"],
  ])("refuses %j", async (flags, code, message) => {
    expect(await tongs(["hook", "listen", ...flags])).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  it("says that the port is taken", async () => {
    const { url, stop } = await listening();
    const ran = await tongs(["hook", "listen", "--port", new URL(url).port]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("Could not listen") });
    await stop();
  });
});
