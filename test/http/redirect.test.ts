import https from "node:https";
import { describe, expect, it } from "vitest";
import { json, stream } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { listen } from "../support/at-end.ts";
import { serve, type TestServer } from "../support/server.ts";
import { clientFor } from "./client-for.ts";
import { ca, identity } from "./tls-server.ts";

const opened = (server: TestServer, folder = "") => clientFor(server.url + folder);

const to = (location: string, status = 307) => ({ status, headers: { location }, body: "<a>moved</a>" });

describe("a redirect on the same origin", () => {
  it.each([301, 302, 307, 308])("keeps method, body and token (%i)", async (status) => {
    const server = await serve((seen) =>
      seen.url.endsWith("/old") ? to("/api/v1/new?kept=1", status) : { status: 201, body: { made: true } },
    );
    const answer = await opened(server).http.post(path`/old`, { body: { a: 1 }, answers: json() });
    expect(answer).toEqual({ made: true });
    expect(server.lines()).toEqual(["POST /api/v1/old", "POST /api/v1/new?kept=1"]);
    expect(server.seen[1]).toMatchObject({ body: '{"a":1}', headers: { authorization: "token not-a-real-token" } });
  });

  it("turns a write into GET for 303", async () => {
    const server = await serve((seen) => (seen.method === "POST" ? to("/api/v1/new", 303) : { body: { found: true } }));
    expect(await opened(server).http.post(path`/old`, { body: { a: 1 }, answers: json() })).toEqual({ found: true });
    expect(server.seen[1]).toMatchObject({ method: "GET", body: "" });
    expect(server.seen[1]?.headers["content-type"]).toBeUndefined();
  });

  it("can be followed twice on one connection, below a path prefix", async () => {
    const sockets = new Set<unknown>();
    const server = await serve((seen, request) => {
      sockets.add(request.socket);
      if (seen.url === "/git/api/v1/one") return to("two");
      return seen.url === "/git/api/v1/two" ? to("/git/api/v1/three", 301) : { body: [] };
    });
    expect(await opened(server, "/git/").http.get(path`/one`, { answers: json() })).toEqual([]);
    expect(sockets.size).toBe(1);
  });

  it("stops after ten redirects", async () => {
    const server = await serve((seen) => to(seen.url));
    await expect(opened(server).http.get(path`/round`, { answers: json() })).rejects.toMatchObject({
      code: "broken_answer",
      message: expect.stringContaining("too many times"),
    });
    expect(server.seen).toHaveLength(11);
  });

  it.each(["http://[", "javascript:alert(1)", "file:///etc/passwd"])("is refused to %s", async (where) => {
    const server = await serve(() => to(where));
    await expect(opened(server).http.get(path`/x`, { answers: json() })).rejects.toMatchObject({
      code: "broken_answer",
    });
    expect(server.seen).toHaveLength(1);
  });

  it("is an error without a Location", async () => {
    const server = await serve(() => ({ status: 307 }));
    await expect(opened(server).http.get(path`/x`, { answers: json() })).rejects.toMatchObject({ status: 307 });
  });
});

describe("a redirect to another origin", () => {
  it("does not send the token or headers that may be secret, and warns", async () => {
    const other = await serve(() => ({ body: { public: true } }));
    const server = await serve(() => to(`${other.url}/elsewhere`));
    const client = opened(server);
    const headers = { "PRIVATE-TOKEN": "not-a-secret-2", cookie: "s=1", sudo: "mara", "x-gitea-otp": "123456" };
    expect(await client.http.get(path`/x`, { headers, answers: json() })).toEqual({ public: true });
    expect(server.seen[0]?.headers).toMatchObject({ "private-token": "not-a-secret-2" });
    expect(Object.keys(other.seen[0]?.headers ?? {}).sort()).toEqual([
      ...["accept", "accept-encoding", "connection", "host", "user-agent"],
    ]);
    expect(client.warnings).toEqual([expect.stringContaining("your token was not sent there")]);
  });

  it("does not send the token after a redirect back", async () => {
    let home = "";
    const other = await serve(() => to(`${home}/api/v1/back`));
    const server = await serve((seen) => (seen.url.endsWith("back") ? { body: {} } : to(`${other.url}/away`)));
    home = server.url;
    await opened(server).http.get(path`/x`, { answers: json() });
    expect(server.seen[1]?.headers["authorization"]).toBeUndefined();
  });

  it("never sends credentials in the URL", async () => {
    const other = await serve(() => ({ body: {} }));
    const server = await serve(() => to(other.url.replace("http://", "http://a:b@")));
    await opened(server).http.get(path`/x`, { answers: json() });
    expect(other.seen[0]?.headers["authorization"]).toBeUndefined();
  });

  it("is refused from https to http, before anything is sent there", async () => {
    const plain = await serve(() => ({ body: Buffer.from("PK") }));
    const secure = https.createServer(identity, (_request, response) => {
      response.writeHead(302, { location: `${plain.url}/object?sig=not-a-secret` }).end();
    });
    const client = clientFor(`https://127.0.0.1:${(await listen(secure)).port}`, { ca });
    for (const answers of [stream, json()]) {
      await expect(client.http.get(path`/zip`, { answers })).rejects.toMatchObject({
        code: "broken_answer",
        message: expect.stringMatching(/redirected from https to plain http .*not followed$/),
      });
    }
    expect(plain.seen).toEqual([]);
  });

  it("is refused for a write", async () => {
    const other = await serve(() => ({ body: {} }));
    const server = await serve(() => to(other.url));
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      await expect(opened(server).http.send(method, path`/x`, { answers: json() })).rejects.toMatchObject({
        message: expect.stringContaining("not sent there"),
        hint: expect.stringContaining(other.url),
      });
    }
    expect(other.seen).toEqual([]);
  });

  it("is followed without a warning for a download, without the token", async () => {
    const store = await serve(() => ({ body: Buffer.from("PK") }));
    const server = await serve(() => to(`${store.url}/object?sig=not-a-secret`, 302));
    const client = opened(server);
    const { body, url } = await client.http.get(path`/zip`, { answers: stream });
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe("PK");
    expect(url.origin).toBe(store.url);
    expect(store.seen[0]?.headers["authorization"]).toBeUndefined();
    expect(client.warnings).toEqual([]);
  });
});
