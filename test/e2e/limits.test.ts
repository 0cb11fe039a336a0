import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { pull } from "../commands/pr/pulls.ts";
import { type Handler, serve, type TestServer } from "../support/server.ts";
import { emptyFolder, startBuilt } from "./built.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Runs the built program, and ends it after four minutes. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>>, cwd = emptyFolder()) {
  const token = { TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  const running = startBuilt(argv, { env: { ...token, ...env }, cwd });
  const late = setTimeout(() => running.kill("SIGKILL"), 240_000);
  const code = await running.ended;
  clearTimeout(late);
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

async function runOn(handler: Handler, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  server = await serve(handler);
  return { ...(await run(argv, { TONGS_HOST: server.url, ...env })), requests: server.seen.length };
}

describe("a list", () => {
  it("ends after two empty pages, whatever total the server claims", async () => {
    const empty: Handler = () => ({ headers: { "x-total-count": "999999999999999" }, body: [] });
    const ran = await runOn(empty, ["pr", "list", "--all", "--json", "number"]);
    expect(ran).toMatchObject({ code: 0, stdout: "[]\n" });
    expect(ran.requests).toBeLessThan(40);
  });

  it("ends when a page has no new record, although Link has a next one", async () => {
    const same: Handler = (_seen, request) => ({
      headers: { link: `<http://${request.headers.host}/api/v1/x?page=9>; rel="next"` },
      body: [pull(1, { title: randomUUID() })],
    });
    const ran = await runOn(same, ["pr", "list", "--json", "number"]);
    expect(ran).toMatchObject({ code: 0, stdout: '[{"number":1}]\n' });
    expect(ran.requests).toBeLessThan(40);
  });
});

describe("a response", () => {
  it("that is a web page of <title is reported at once", async () => {
    const page: Handler = () => ({ headers: { "content-type": "text/html" }, body: "<title ".repeat(100_000) });
    expect(await runOn(page, ["pr", "view", "12"])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("HTML page"),
    });
  });

  it.each([
    ["bytes of a header", (response: ServerResponse) => response.socket?.write("HTTP/1.1 200 OK\r\nx-slow: "), "x"],
    ["informational responses", () => undefined, "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ])("of which only %s arrive counts under --timeout", async (_what, start, piece) => {
    const drip: Handler = (_seen, _request, response) => {
      start(response);
      const timer = setInterval(() => response.socket?.write(piece), 50);
      response.socket?.on("close", () => clearInterval(timer));
      return undefined;
    };
    const ran = await runOn(drip, ["pr", "view", "12", "--timeout", "1"]);
    expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining("did not respond within 1 s"), requests: 1 });
  });

  it("of 300 KB that unpacks to 250 MB is refused", async () => {
    const body = gzipSync(Buffer.alloc(250 << 20, '{"a":1},'), { level: 9 });
    const packed: Handler = () => ({
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body,
    });
    const ran = await runOn(packed, ["pr", "view", "12"]);
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringMatching(/64 ?MiB/) });
  });

  it("does not time out at once with --timeout 3000000", async () => {
    expect(await runOn(() => ({ body: pull(12) }), ["pr", "view", "12", "--timeout", "3000000"])).toMatchObject({
      code: 0,
    });
  });

  it("with a number that is not a number is exit 7, with the path and the field", async () => {
    const odd: Handler = () => ({ body: { ...pull(12), number: "7/head:refs/heads/main" } });
    const ran = await runOn(odd, ["pr", "view", "12"]);
    expect(ran.code).toBe(7);
    expect(ran.stderr).toMatch(/answered GET \S+ with something that is not a pull request: number is not an integer/);
  });

  it("that is nested 100,000 deep is exit 7", async () => {
    const deep: Handler = () => ({
      headers: { "content-type": "application/json" },
      body: `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    });
    const ran = await runOn(deep, ["api", "/x", "--jq", "."]);
    expect(ran).toMatchObject({ code: 7, stdout: "" });
    expect(ran.stderr).not.toContain("bug in tongs");
  });
});

describe("the settings", () => {
  it.each(["http://proxy.test:8080/path", "http://u:%zz@proxy.test:8080", "http://["])(
    "HTTPS_PROXY=%s is a usage error with its name",
    async (proxy) => {
      const ran = await run(["pr", "view", "12"], { TONGS_HOST: "https://forge.test", HTTPS_PROXY: proxy });
      expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("HTTPS_PROXY") });
      expect(ran.stderr).not.toContain("    at ");
    },
  );

  it("NODE_TLS_REJECT_UNAUTHORIZED=0 is warned of on every use", async () => {
    const env = { TONGS_HOST: "https://127.0.0.1:9", NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" };
    const ran = await run(["pr", "view", "12"], env);
    expect(ran.stderr).toContain("Certificates are not verified: NODE_TLS_REJECT_UNAUTHORIZED is 0");
  });

  it.each(["config", "config/config.json"])("that others can write are refused (%s)", async (name) => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "config"), { mode: 0o700 });
    writeFileSync(join(cwd, "config/config.json"), "{}", { mode: 0o600 });
    chmodSync(join(cwd, name), name === "config" ? 0o777 : 0o666);
    const ran = await run(["profile", "list"], {}, cwd);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(`Run: chmod go-w ${join(cwd, name)}`);
  });

  it.each(["/repos/..\\..\\x", "/repos/..%5c..%5cx", "/repos/.\t./.\t./x", "/repos/../../x"])(
    "and the path of api (%j) cannot climb out of the API",
    async (path) => {
      const ran = await runOn(() => ({ body: {} }), ["api", path]);
      expect(ran.code === 2 || server?.seen.every(({ url }) => url.startsWith("/api/v1/repos/"))).toBe(true);
    },
  );
});
