import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Interruption } from "../../../src/failure/interruption.ts";
import { servePages } from "../../http/paged-server.ts";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, quietSignal, type Ran, tongs, type World } from "../../support/tongs.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const answering: Handler = () => ({ body: { ok: true } });

async function api(words: readonly string[], handler: Handler = answering, world: World = {}): Promise<Ran> {
  await server?.close();
  server = await serve(handler, { saysVersion: true });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor", ...world.env };
  return tongs(["api", ...words], { ...world, env });
}

const sent = () => server?.seen[0];
const line = () => server?.lines()[0];

describe("tongs api", () => {
  it("prints the body byte for byte", async () => {
    const body = '{ "a" : 1.0,\r\n"b":"\\u00fc" }  ';
    expect(await api(["version"], () => ({ body }))).toMatchObject({ code: 0, stdout: body, stderr: "" });
    expect(line()).toBe("GET /api/v1/version");
    expect(sent()?.headers).toMatchObject({
      authorization: "token not-a-real-token",
      accept: expect.stringContaining("json"),
    });
  });

  it("prints nothing for an empty response", async () => {
    expect(await api(["-X", "DELETE", "/x"], () => ({ status: 204 }))).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(sent()).toMatchObject({ method: "DELETE", body: "{}" });
  });

  it.each(["version", "/version", "/api/v1/version", "SERVER/api/v1/version"])("accepts the path %s", async (typed) => {
    server = await serve(answering, { saysVersion: true });
    const { url } = server;
    const ran = await tongs(["api", typed.replace("SERVER", url)], { env: { TONGS_HOST: url } });
    expect(ran.code).toBe(0);
    expect(server.lines()).toEqual(["GET /api/v1/version"]);
  });

  it("reaches paths beside /api/v1, and servers with a path prefix", async () => {
    await api(["/api/forgejo/v1/version"]);
    expect(line()).toBe("GET /api/forgejo/v1/version");
    const { url } = server as TestServer;
    const folder = { env: { TONGS_HOST: `${url}/git` } };
    await tongs(["api", "version"], folder);
    await tongs(["api", `${url}/git/api/v1/user?a=1`], folder);
    expect(server?.lines().slice(1)).toEqual(["GET /git/api/v1/version", "GET /git/api/v1/user?a=1"]);
  });

  it.each([
    ["https://elsewhere.example/api/v1/user", "elsewhere.example"],
    ["SERVER/mara/harbor", "not an API address"],
    ["/repos/../admin/users", "Invalid path"],
    ["/repos/..\\..\\x", "Invalid path"],
    ["/repos/.\t./.\r./x", "Invalid path"],
    ["/repos/.\n./x", "Invalid path"],
    ["/repos/\u0000../x", "Invalid path"],
    ["/repos/%2e%2E/admin", "Invalid path"],
  ])("rejects %s with exit code 2 and sends nothing", async (typed, words) => {
    server = await serve(answering, { saysVersion: true });
    const ran = await tongs(["api", typed.replace("SERVER", server.url)], { env: { TONGS_HOST: server.url } });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(server.seen).toEqual([]);
  });

  it("replaces {owner}, {repo} and {branch}, URL-encoded", async () => {
    const cwd = emptyFolder();
    execFileSync("git", ["init", "--quiet", "--initial-branch", "quay/wall", cwd]);
    await api(["/repos/{owner}/{repo}/branches/{branch}?q={other}"], answering, { cwd });
    expect(line()).toBe("GET /api/v1/repos/mara/harbor/branches/quay%2Fwall?q=%7Bother%7D");
    expect(await api(["/x/{branch}"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no branch is checked out"),
    });
    expect(server?.seen).toEqual([]);
  });

  it("keeps the query of the path, with repeated parameters", async () => {
    await api(["/x?labels=1&labels=2&a[b]=c&q=a%20b"]);
    expect(line()).toBe("GET /api/v1/x?labels=1&labels=2&a%5Bb%5D=c&q=a+b");
  });
});

describe("the fields of tongs api", () => {
  it("make the request a POST with a JSON body", async () => {
    await api([
      "/x",
      "-f",
      "title=a=b",
      "-f",
      "n=1",
      "-F",
      "n2=1",
      "-F",
      "yes=true",
      "-F",
      "no=false",
      "-F",
      "nil=null",
    ]);
    expect(sent()).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });
    expect(JSON.parse(sent()?.body ?? "")).toEqual({ title: "a=b", n: "1", n2: 1, yes: true, no: false, nil: null });
  });

  it("keep large integers exact, and text that only looks like a number as text", async () => {
    await api(["/x", "-F", "id=9007199254740993", "-F", "sha=007", "-F", "half=1.5", "-F", "minus=-3"]);
    expect(sent()?.body).toBe('{"id":9007199254740993,"sha":"007","half":"1.5","minus":-3}');
  });

  it("can be nested", async () => {
    const fields = [
      "a[b]=1",
      "a[c][d]=2",
      "list[]=x",
      "list[]=y",
      "files[][path]=p",
      "files[][op]=q",
      "files[][path]=r",
    ];
    await api(["/x", ...fields.flatMap((field) => ["-f", field])]);
    expect(JSON.parse(sent()?.body ?? "")).toEqual({
      a: { b: "1", c: { d: "2" } },
      list: ["x", "y"],
      files: [{ path: "p", op: "q" }, { path: "r" }],
    });
  });

  it("with -F read files and stdin, and replace placeholders", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "body.md"), "# Quay\n");
    await api(["/x", "-F", "a=@body.md", "-F", "b=@-", "-F", "c={owner}", "-f", "d={owner}"], answering, {
      cwd,
      stdin: "in\n",
    });
    expect(JSON.parse(sent()?.body ?? "")).toEqual({ d: "{owner}", a: "# Quay\n", b: "in\n", c: "mara" });
  });

  it("become query parameters of a GET request", async () => {
    await api(["/x?state=open", "-X", "get", "-f", "labels[]=1", "-f", "labels[]=2", "-F", "draft=true"]);
    expect(line()).toBe("GET /api/v1/x?state=open&labels=1&labels=2&draft=true");
    expect(sent()?.body).toBe("");
  });

  it("become query parameters with --input, which is sent byte for byte", async () => {
    const stdin = '{"a": 1.0}\n';
    await api(["/x", "-X", "PATCH", "--input", "-", "-f", "q=1"], answering, { stdin });
    expect(sent()).toMatchObject({ method: "PATCH", body: stdin, url: "/api/v1/x?q=1" });
    expect(sent()?.headers["content-type"]).toBe("application/json");
    await api(["/x", "--input", "-", "-H", "Content-Type: text/plain"], answering, { stdin: "text" });
    expect(sent()).toMatchObject({ method: "POST", body: "text" });
    expect(sent()?.headers["content-type"]).toBe("text/plain");
  });

  it("have no byte order mark in the JSON of --input", async () => {
    await api(["/x", "--input", "-"], answering, { stdin: '\ufeff{"a":1}' });
    expect(sent()?.body).toBe('{"a":1}');
    await api(["/x", "--input", "-", "-H", "Content-Type: text/plain"], answering, { stdin: "\ufeffa" });
    expect(sent()?.body).toBe("\ufeffa");
  });

  it.each([
    [["-f", "novalue"], "KEY=VALUE"],
    [["-f", "=x"], "KEY=VALUE"],
    [["-f", "a]b=x"], "KEY=VALUE"],
    [["-f", "a=1", "-f", "a[b]=2"], "conflicts"],
    [["-f", "a[b]=1", "-f", "a=2"], "conflicts"],
    [["-f", "a[]=1", "-f", "a[b]=2"], "conflicts"],
    [["-X", "GET", "-f", "a[b]=1"], "cannot be a query parameter"],
    [["-X", "BREW"], "not an HTTP method"],
    [["-H", "nocolon"], "NAME:VALUE"],
    [["--input", "/nowhere/body.json"], "no such file or directory"],
    [["-F", "a=@/nowhere/x"], "no such file or directory"],
    [["--paginate", "-X", "POST"], "--paginate"],
    [["--paginate", "--include"], "Specify only one of"],
  ])("%j is a usage error and sends nothing", async (words, message) => {
    expect(await api(["/x", ...words])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(message),
    });
    expect(server?.seen).toEqual([]);
  });
});

describe("the response of tongs api", () => {
  it.each([
    [400, 13],
    [401, 4],
    [403, 4],
    [404, 5],
    [405, 9],
    [409, 9],
    [413, 1],
    [422, 13],
    [423, 9],
    [429, 10],
    [500, 7],
    [501, 5],
    [503, 7],
  ])("with status %i exits with %i, and its body is still printed", async (status, code) => {
    const ran = await api(["/x"], () => ({ status, body: { message: "Why not", url: "" } }));
    expect(ran).toMatchObject({ code, stdout: '{"message":"Why not","url":""}' });
    expect(ran.stderr).not.toBe("");
  });

  it("is one JSON error on stderr and nothing on stdout with --json", async () => {
    const ran = await api(["/x", "--json"], () => ({ status: 422, body: { message: "Why not" } }));
    expect(ran).toMatchObject({ code: 13, stdout: "" });
    expect(JSON.parse(ran.stderr)).toEqual({
      error: {
        code: "invalid",
        message: "The server rejected the request as invalid: Why not",
        status: 422,
        method: "GET",
        path: "/api/v1/x",
      },
    });
  });

  it("is printed after its status and headers with --include, also when the request fails", async () => {
    const ran = await api(["/x", "-i"], () => ({
      status: 404,
      headers: { "x-a": "1" },
      body: { message: "not found" },
    }));
    expect(ran.code).toBe(5);
    expect(ran.stdout).toMatch(/^HTTP\/1\.1 404 Not Found\n[\s\S]*x-a: 1\n[\s\S]*\n\n\{"message":"not found"\}$/);
    const head = await api(["/x", "-X", "HEAD", "-i"], () => ({ headers: { "x-a": "1" } }));
    expect(head).toMatchObject({ code: 0, stdout: expect.stringMatching(/^HTTP\/1\.1 200 OK\n[\s\S]*\n\n$/) });
  });

  it("is printed by --json, --jq, --jsonl and --csv with exact integers and without a limit", async () => {
    const items = Array.from({ length: 40 }, (_, id) => ({ id }));
    const large = () => ({ body: '{"id": 9007199254740993}' });
    expect((await api(["/x", "--json"], large)).stdout).toBe('{"id":9007199254740993}\n');
    expect((await api(["/x", "--jq", ".ok"])).stdout).toBe("true\n");
    expect((await api(["/x", "--json"], () => ({ body: items }))).json()).toHaveLength(40);
    expect((await api(["/x", "--jsonl"], () => ({ body: items }))).stdout.trim().split("\n")).toHaveLength(40);
    expect((await api(["/x", "--csv"], () => ({ body: items }))).stdout.split("\n").slice(0, 2)).toEqual(["id", "0"]);
    expect(await api(["/x", "--json"], () => ({ body: "text" }))).toMatchObject({ code: 7, stdout: "" });
  });

  it("has its control characters replaced on a terminal", async () => {
    const ran = await api(["/x"], () => ({ body: '"\u001b]0;owned\u0007\u009b2J"' }), { terminal: true });
    expect(ran.stdout).toBe('"␛]0;owned␇\ufffd2J"\n');
  });

  it("is merged into one array with --paginate, also when the items are wrapped in an object", async () => {
    for (const paging of [{ total: true }, {}, { envelope: "workflow_runs" }]) {
      server = await servePages({ count: 137, ...paging });
      const env = { TONGS_HOST: server.url };
      const ran = await tongs(["api", "/list?page=7&limit=3&state=open", "--paginate"], { env });
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      expect(ran.json()).toEqual(Array.from({ length: 137 }, (_, index) => ({ id: index + 1 })));
      expect(server.lines()[0]).toBe("GET /api/v1/list?state=open&page=1&limit=50");
      const jq = await tongs(["api", "/list", "--paginate", "--jq", "length"], { env });
      expect(jq.stdout).toBe("137\n");
      expect((await tongs(["api", "/list", "--paginate", "--limit", "60"], { env })).json()).toHaveLength(60);
      await server.close();
    }
  });

  it("must be a list with --paginate", async () => {
    expect(await api(["/x", "--paginate"])).toMatchObject({ code: 7, stderr: expect.stringContaining("not a list") });
  });

  it("is abandoned on Ctrl-C with exit code 130", async () => {
    const stop = new AbortController();
    const ran = await api(
      ["/x"],
      () => {
        stop.abort(new Interruption("SIGINT"));
        return undefined;
      },
      { signal: stop.signal },
    );
    expect(ran).toMatchObject({ code: 130, stdout: "" });
    expect(quietSignal().aborted).toBe(false);
  });
});
