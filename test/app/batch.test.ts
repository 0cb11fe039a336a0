import { describe, expect, it } from "vitest";
import { Interruption } from "../../src/failure/interruption.ts";
import { serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

describe("several targets and Ctrl-C", () => {
  it.each(["1.26.0", "16.0.0+gitea-1.22.0"])(
    "says on %s what is done, what was sent, and what was not",
    async (version) => {
      const stop = new AbortController();
      let waiting = 0;
      const issue = (number: number, state: string) => ({
        id: number,
        number,
        title: "Lamp",
        state,
        user: { login: "mara" },
        labels: [],
        comments: 0,
        repository: { id: 1, name: "lamps", owner: "mara", full_name: "mara/lamps" },
      });
      const server = await serve(
        ({ method, url }) => {
          if (url === "/api/v1/version") return { body: { version } };
          const number = Number(/issues\/(\d+)/.exec(url)?.[1]);
          if (method !== "PATCH") return { body: issue(number, "open") };
          if (number === 1) return { status: 201, body: issue(1, "closed") };
          if (number === 2) return { status: 403, body: { message: "no" } };
          waiting += 1;
          // The answers to the others never come.
          return new Promise(() => {});
        },
        { saysVersion: true },
      );
      const env = {
        TONGS_HOST: server.url,
        TONGS_TOKEN: "not-a-secret",
        TONGS_REPO: "mara/lamps",
        TONGS_JOURNAL: "off",
      };
      const numbers = Array.from({ length: 12 }, (_, at) => `${at + 1}`);
      const running = tongs(["issue", "close", ...numbers], { env, cwd: emptyFolder(), signal: stop.signal });
      await expect.poll(() => waiting).toBe(8);
      stop.abort(new Interruption("SIGINT"));
      const ran = await running;
      await server.close();
      const waitingFor = [3, 4, 5, 6, 7, 8, 9, 10].map((number) => `mara/lamps#${number}`).join(", ");
      expect(ran.code).toBe(130);
      expect(ran.stderr).toContain("Closed issue mara/lamps#1 ");
      expect(ran.stderr).toContain("no\n");
      expect(ran.stderr).toContain(
        `1 of 12 are done, 1 failed. Sent, but the answer is not known: ${waitingFor}. Nothing was sent for the other 2.`,
      );
    },
  );
});

describe("several targets and a token that is not accepted", () => {
  const close = async (accepts: (count: number) => boolean) => {
    let count = 0;
    const issue = (state: string) => ({ id: 1, number: 1, title: "Lamp", state, labels: [], comments: 0 });
    const server = await serve(({ method }) => {
      if (method !== "PATCH") return { body: issue("open") };
      count += 1;
      return accepts(count) ? { status: 201, body: issue("closed") } : { status: 401, body: {} };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "x", TONGS_REPO: "mara/lamps", TONGS_JOURNAL: "off" };
    const numbers = Array.from({ length: 100 }, (_, at) => `${at + 1}`);
    const ran = await tongs(["issue", "close", ...numbers], { env, cwd: emptyFolder() });
    await server.close();
    return { ...ran, sent: server.seen.filter(({ method }) => method === "PATCH").length };
  };

  it("stop at the first refusal, and say what was not tried", async () => {
    const ran = await close(() => false);
    expect(ran.code).toBe(4);
    expect(ran.sent).toBeLessThanOrEqual(16);
    expect(ran.stderr).toMatch(/of 100 failed\. Nothing was sent for the other \d+\./);
  });

  it("are done in part if it was accepted at first", async () => {
    const ran = await close((count) => count <= 3);
    expect([ran.code, ran.sent <= 24]).toEqual([11, true]);
  });
});

describe("several targets, a signal and JSON", () => {
  it("says in the error how far the work is", async () => {
    const stop = new AbortController();
    let waiting = 0;
    const server = await serve(({ method, url }) => {
      if (url === "/api/v1/version") return { body: { version: "1.26.0" } };
      if (method === "GET")
        return { body: { id: 1, number: 1, title: "Lamp", state: "open", user: { login: "mara" } } };
      waiting += 1;
      return new Promise(() => {});
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/lamps" };
    const running = tongs(["issue", "close", "1", "2", "--json"], { env, cwd: emptyFolder(), signal: stop.signal });
    await expect.poll(() => waiting).toBe(2);
    stop.abort(new Interruption("SIGINT"));
    const ran = await running;
    const hint =
      "0 of 2 are done. Sent, but the answer is not known: mara/lamps#1, mara/lamps#2. To continue, run the same command again.";
    expect([ran.code, JSON.parse(ran.stderr)]).toEqual([
      130,
      { error: { code: "interrupted", message: "Interrupted", hint } },
    ]);
  });
});

describe("one write and a signal", () => {
  it.each([
    [
      "SIGINT",
      [],
      130,
      /^✗ Interrupted\n {2}The request may have taken effect\. Check before you run the command again\.\n$/,
    ],
    [
      "SIGTERM",
      ["--json"],
      143,
      /^\{"error":\{"code":"terminated","message":"Terminated","hint":"The request may have/,
    ],
  ] as const)("says that it may have taken effect: %s %j", async (signal, flags, code, said) => {
    const stop = new AbortController();
    let isSent = false;
    const server = await serve(({ method, url }) => {
      if (url === "/api/v1/version") return { body: { version: "1.26.0" } };
      if (method === "GET") return { body: [] };
      isSent = true;
      return new Promise(() => {});
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/lamps" };
    const line = ["milestone", "create", "summer", ...flags];
    const running = tongs(line, { env, cwd: emptyFolder(), signal: stop.signal });
    await expect.poll(() => isSent).toBe(true);
    stop.abort(new Interruption(signal));
    const ran = await running;
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, "", expect.stringMatching(said)]);
  });

  it("says nothing of the kind of a read", async () => {
    const stop = new AbortController();
    let isSent = false;
    const server = await serve(() => {
      isSent = true;
      return new Promise(() => {});
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/lamps" };
    const running = tongs(["label", "list"], { env, cwd: emptyFolder(), signal: stop.signal });
    await expect.poll(() => isSent).toBe(true);
    stop.abort(new Interruption("SIGINT"));
    expect([(await running).code, (await running).stderr]).toEqual([130, "✗ Interrupted\n"]);
  });
});
