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
  server = await serve(handler);
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

  it("prints nothing where nothing comes", async () => {
    expect(await api(["-X", "DELETE", "/x"], () => ({ status: 204 }))).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(sent()).toMatchObject({ method: "DELETE", body: "{}" });
  });

  it.each(["version", "/version", "/api/v1/version", "SERVER/api/v1/version"])(
    "takes the path as %s",
    async (typed) => {
      server = await serve(answering);
      const { url } = server;
      const ran = await tongs(["api", typed.replace("SERVER", url)], { env: { TONGS_HOST: url } });
      expect(ran.code).toBe(0);
      expect(server.lines()).toEqual(["GET /api/v1/version"]);
    },
  );

  it("reaches what stands beside /api/v1, and servers below a folder", async () => {
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
    ["/repos/../admin/users", "climbs out"],
    ["/repos/%2e%2E/admin", "climbs out"],
  ])("refuses %s with exit 2, and sends nothing", async (typed, words) => {
    server = await serve(answering);
    const ran = await tongs(["api", typed.replace("SERVER", server.url)], { env: { TONGS_HOST: server.url } });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(server.seen).toEqual([]);
  });

  it("fills in owner, repository and branch, escaped", async () => {
    const cwd = emptyFolder();
    execFileSync("git", ["init", "--quiet", "--initial-branch", "quay/wall", cwd]);
    await api(["/repos/{owner}/{repo}/branches/{branch}?q={other}"], answering, { cwd });
    expect(line()).toBe("GET /api/v1/repos/mara/harbor/branches/quay%2Fwall?q=%7Bother%7D");
    expect(await api(["/x/{branch}"])).toMatchObject({ code: 2, stderr: expect.stringContaining("No branch") });
    expect(server?.seen).toEqual([]);
  });

  it("keeps the query of the path and its repeated parameters", async () => {
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

  it("keep large integers, and text that only looks like a number", async () => {
    await api(["/x", "-F", "id=9007199254740993", "-F", "sha=007", "-F", "half=1.5", "-F", "minus=-3"]);
    expect(sent()?.body).toBe('{"id":9007199254740993,"sha":"007","half":"1.5","minus":-3}');
  });

  it("may be nested", async () => {
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

  it("come from files and stdin, and with -F from the repository in force", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "body.md"), "# Quay\n");
    await api(["/x", "-F", "a=@body.md", "-F", "b=@-", "-F", "c={owner}", "-f", "d={owner}"], answering, {
      cwd,
      stdin: "in\n",
    });
    expect(JSON.parse(sent()?.body ?? "")).toEqual({ d: "{owner}", a: "# Quay\n", b: "in\n", c: "mara" });
  });

  it("go into the query of a GET", async () => {
    await api(["/x?state=open", "-X", "get", "-f", "labels[]=1", "-f", "labels[]=2", "-F", "draft=true"]);
    expect(line()).toBe("GET /api/v1/x?state=open&labels=1&labels=2&draft=true");
    expect(sent()?.body).toBe("");
  });

  it("go into the query beside --input, which is sent byte for byte", async () => {
    const stdin = '{"a": 1.0}\n';
    await api(["/x", "-X", "PATCH", "--input", "-", "-f", "q=1"], answering, { stdin });
    expect(sent()).toMatchObject({ method: "PATCH", body: stdin, url: "/api/v1/x?q=1" });
    expect(sent()?.headers["content-type"]).toBe("application/json");
    await api(["/x", "--input", "-", "-H", "Content-Type: text/plain"], answering, { stdin: "text" });
    expect(sent()).toMatchObject({ method: "POST", body: "text" });
    expect(sent()?.headers["content-type"]).toBe("text/plain");
  });

  it.each([
    [["-f", "novalue"], "KEY=VALUE"],
    [["-f", "=x"], "KEY=VALUE"],
    [["-f", "a]b=x"], "KEY=VALUE"],
    [["-f", "a=1", "-f", "a[b]=2"], "contradicts"],
    [["-f", "a[b]=1", "-f", "a=2"], "contradicts"],
    [["-f", "a[]=1", "-f", "a[b]=2"], "contradicts"],
    [["-X", "GET", "-f", "a[b]=1"], "no place in a query"],
    [["-X", "BREW"], "no method"],
    [["-H", "nocolon"], "NAME:VALUE"],
    [["--input", "/nowhere/body.json"], "ENOENT"],
    [["-F", "a=@/nowhere/x"], "ENOENT"],
    [["--paginate", "-X", "POST"], "--paginate"],
    [["--paginate", "--include"], "Specify only one of"],
  ])("%j is a usage error, and nothing is sent", async (words, message) => {
    expect(await api(["/x", ...words])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(message),
    });
    expect(server?.seen).toEqual([]);
  });
});

describe("the answer of tongs api", () => {
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
  ])("with status %i ends with exit %i, and its body is printed all the same", async (status, code) => {
    const ran = await api(["/x"], () => ({ status, body: { message: "Why not", url: "" } }));
    expect(ran).toMatchObject({ code, stdout: '{"message":"Why not","url":""}' });
    expect(ran.stderr).not.toBe("");
  });

  it("is one JSON error on stderr and nothing on stdout with --json", async () => {
    const ran = await api(["/x", "--json"], () => ({ status: 422, body: { message: "Why not" } }));
    expect(ran).toMatchObject({ code: 13, stdout: "" });
    expect(JSON.parse(ran.stderr)).toEqual({
      error: {
        ...{ code: "invalid", message: "The server rejects this as invalid: Why not" },
        ...{ status: 422, method: "GET", path: "/api/v1/x" },
      },
    });
  });

  it("is led by its status and headers with --include, also when it is a refusal", async () => {
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

  it("goes through --json, --jq, --jsonl and --csv, every digit kept, and no limit cuts it", async () => {
    const items = Array.from({ length: 40 }, (_, id) => ({ id }));
    const large = () => ({ body: '{"id": 9007199254740993}' });
    expect((await api(["/x", "--json"], large)).stdout).toBe('{"id":9007199254740993}\n');
    expect((await api(["/x", "--jq", ".ok"])).stdout).toBe("true\n");
    expect((await api(["/x", "--json"], () => ({ body: items }))).json()).toHaveLength(40);
    expect((await api(["/x", "--jsonl"], () => ({ body: items }))).stdout.trim().split("\n")).toHaveLength(40);
    expect((await api(["/x", "--csv"], () => ({ body: items }))).stdout.split("\n").slice(0, 2)).toEqual(["id", "0"]);
    expect(await api(["/x", "--json"], () => ({ body: "text" }))).toMatchObject({ code: 7, stdout: "" });
  });

  it("is made safe where it goes to a terminal", async () => {
    const ran = await api(["/x"], () => ({ body: '"\u001b]0;owned\u0007\u009b2J"' }), { terminal: true });
    expect(ran.stdout).toBe('"␛]0;owned␇\ufffd2J"\n');
  });

  it("is merged into one array with --paginate, out of envelopes too", async () => {
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

  it("is no list: --paginate says so", async () => {
    expect(await api(["/x", "--paginate"])).toMatchObject({ code: 7, stderr: expect.stringContaining("not a list") });
  });

  it("is not waited for after Ctrl-C: exit 130", async () => {
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
