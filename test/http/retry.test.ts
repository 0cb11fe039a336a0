import { afterEach, describe, expect, it } from "vitest";
import { json } from "../../src/http/answers.ts";
import { NoAnswerError } from "../../src/http/no-answer-error.ts";
import { path } from "../../src/http/path.ts";
import { withRetries } from "../../src/http/retry.ts";
import { type Reply, serve, type TestServer } from "../support/server.ts";
import { clientFor, type TestClient } from "./client-for.ts";

let server: TestServer;
let client: TestClient;
afterEach(async () => {
  client.close();
});

/** Sends these responses in turn, then repeats the last one. */
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

it("a lost connection is tried again more often for a read, and soon", async () => {
  await answering(ok);
  const waits: number[] = [];
  let lost = 0;
  const send = async () => {
    lost += 1;
    if (lost < 8) throw new NoAnswerError("connection_lost", "lost", "sent");
    return { status: 200, headers: {} };
  };
  const policy = {
    attempts: 4,
    readAttempts: 8,
    random: () => 1,
    now: () => new Date(0),
    sleep: async () => undefined,
    onRetry: (_reason: string, wait: number) => void waits.push(wait),
  };
  const request = (method: string) => ({ method, url: new URL("http://forge.example/"), headers: {} }) as never;
  expect(await withRetries(request("GET"), send, policy)).toMatchObject({ status: 200, mayHaveActed: true });
  expect(waits).toEqual([550, 1050, 2000, 2000, 2000, 2000, 2000]);
  lost = 0;
  await expect(withRetries(request("PUT"), send, policy)).rejects.toThrow("lost");
  expect(lost).toBe(4);
});

describe("a temporary error", () => {
  it.each([502, 503, 504, 429])("%i is retried, each time after a longer wait", async (status) => {
    await answering({ status }, { status }, ok);
    expect(await client.http.get(thing, { answers: json() })).toEqual({ ok: true });
    expect(client.waits).toEqual([300, 550]);
  });

  it("is not 500", async () => {
    await answering({ status: 500, body: { message: "" } });
    await expect(client.http.get(thing, { answers: json() })).rejects.toMatchObject({
      exit: "serverFailed",
      status: 500,
    });
    expect(server.seen).toHaveLength(1);
  });

  it("has a hint instead of the HTML of the response", async () => {
    await answering(busy);
    await expect(client.http.get(thing, { answers: json() })).rejects.toMatchObject({
      exit: "serverFailed",
      message: expect.not.stringContaining("<"),
      hint: expect.stringContaining("overloaded or down for maintenance"),
    });
    expect(server.seen).toHaveLength(4);
  });

  it("is retried for a POST only after 429: others may have taken effect", async () => {
    await answering({ status: 429 }, ok);
    expect(await client.http.post(thing, { answers: json() })).toEqual({ ok: true });
    expect(server.seen).toHaveLength(2);
    for (const status of [500, 502, 503, 504]) {
      await client.close();
      await server.close();
      await answering({ status, body: { message: "upstream" } }, ok);
      const hint = "The request may have taken effect. Check before you run the command again.";
      await expect(client.http.post(thing, { answers: json() })).rejects.toMatchObject({ exit: "serverFailed", hint });
      expect(server.seen).toHaveLength(1);
    }
  });

  it("is retried after Retry-After, in seconds or as a date", async () => {
    await answering(
      { status: 429, headers: { "retry-after": "7" } },
      { status: 503, headers: { "retry-after": "Sat, 21 Nov 2026 12:00:09 GMT" } },
      ok,
    );
    await client.http.get(thing, { answers: json() });
    expect(client.waits).toEqual([7000, 9000]);
  });

  it.each(["-5", "1.5", "soon 5", "0", "0x5", "", "Sat, 21 Nov 2020 12:00:00 GMT", "Sat, 99 Nov 2026 12:00:09 GMT"])(
    "is retried after the usual delay if Retry-After is '%s'",
    async (after) => {
      await answering({ status: 503, headers: { "retry-after": after } }, ok);
      await client.http.get(thing, { answers: json() });
      expect(client.waits).toEqual([300]);
    },
  );

  it("is exit 10 without a retry if Retry-After is more than a minute", async () => {
    await answering({ status: 429, headers: { "retry-after": "3600" } });
    await expect(client.http.get(thing, { answers: json() })).rejects.toMatchObject({
      exit: "rateLimited",
      hint: expect.stringContaining("3600"),
    });
    expect(server.seen).toHaveLength(1);
  });

  it("is no rate limit, but a server that fails, with 503 and Retry-After", async () => {
    await answering({ status: 503, headers: { "retry-after": "1" } });
    await expect(client.http.get(thing, { answers: json() })).rejects.toMatchObject({ exit: "serverFailed" });
  });

  it("is exit 10 if all attempts return 429", async () => {
    await answering({ status: 429 });
    await expect(client.http.post(thing, { answers: json() })).rejects.toMatchObject({ exit: "rateLimited" });
    expect(server.seen).toHaveLength(4);
  });
});
