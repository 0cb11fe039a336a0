import { afterEach, describe, expect, it } from "vitest";
import { json } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { type Reply, serve, type TestServer } from "../support/server.ts";
import { clientFor, type TestClient } from "./client-for.ts";

let server: TestServer;
let client: TestClient;
afterEach(async () => {
  client.close();
  await server.close();
});

/** Answers with these in turn, the last one for ever. */
async function answering(...replies: Reply[]): Promise<void> {
  let at = 0;
  server = await serve(() => replies[Math.min(at++, replies.length - 1)]);
  client = clientFor(server.url);
}

const thing = path`/thing`;
const ok: Reply = { body: { ok: true } };
const busy: Reply = {
  status: 503,
  headers: { "content-type": "text/html" },
  body: "<html><title>Service unavailable</title></html>",
};

describe("a server that cannot answer now", () => {
  it.each([502, 503, 504, 429])("is asked again after %i, waiting a little longer each time", async (status) => {
    await answering({ status }, { status }, ok);
    expect(await client.http.get(thing, { answers: json() })).toEqual({ ok: true });
    expect(client.waits).toEqual([300, 550]);
  });

  it("is not asked again after 500", async () => {
    await answering({ status: 500, body: { message: "" } });
    await expect(client.http.get(thing, { answers: json() })).rejects.toMatchObject({
      exit: "serverFailed",
      status: 500,
    });
    expect(server.seen).toHaveLength(1);
  });

  it("is told from a broken one by the page of the queue limiter, and the HTML is not shown", async () => {
    await answering(busy);
    await expect(client.http.get(thing, { answers: json() })).rejects.toMatchObject({
      exit: "serverFailed",
      message: expect.not.stringContaining("<"),
      hint: expect.stringContaining("overloaded or in maintenance"),
    });
    expect(server.seen).toHaveLength(4);
  });

  it("gets a POST again after 429 only, since 502, 503 and 504 may come from behind the deed", async () => {
    await answering({ status: 429 }, ok);
    expect(await client.http.post(thing, { answers: json() })).toEqual({ ok: true });
    expect(server.seen).toHaveLength(2);
    for (const status of [502, 503, 504]) {
      await client.close();
      await server.close();
      await answering({ status }, ok);
      await expect(client.http.post(thing, { answers: json() })).rejects.toMatchObject({ exit: "serverFailed" });
      expect(server.seen).toHaveLength(1);
    }
  });

  it("is waited for as long as Retry-After says, in seconds or as a date", async () => {
    await answering(
      { status: 429, headers: { "retry-after": "7" } },
      { status: 503, headers: { "retry-after": "Sat, 21 Nov 2026 12:00:09 GMT" } },
      ok,
    );
    await client.http.get(thing, { answers: json() });
    expect(client.waits).toEqual([7000, 9000]);
  });

  it("is given up at once when it asks for more than a minute, with exit 10", async () => {
    await answering({ status: 429, headers: { "retry-after": "3600" } });
    await expect(client.http.get(thing, { answers: json() })).rejects.toMatchObject({
      exit: "rateLimited",
      hint: expect.stringContaining("3600"),
    });
    expect(server.seen).toHaveLength(1);
  });

  it("ends with exit 10 when it still asks to slow down after all tries", async () => {
    await answering({ status: 429 });
    await expect(client.http.post(thing, { answers: json() })).rejects.toMatchObject({ exit: "rateLimited" });
    expect(server.seen).toHaveLength(4);
  });
});
