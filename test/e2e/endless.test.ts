import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { gitea, job } from "../commands/run/forge.ts";
import { type Handler, serve, type TestServer } from "../support/server.ts";
import { startBuilt } from "./built.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Starts the built program on a server in this test; `asked` resolves when the server has received the last request. */
async function startOn(handler: Handler, last: RegExp, argv: readonly string[]) {
  let tell = (): void => {};
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  server = await serve((seen, ...more) => {
    if (last.test(seen.url)) tell();
    return handler(seen, ...more);
  });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return { asked, ...startBuilt(argv, { env }) };
}

/** Long enough for the program to be in the middle of its work, and far shorter than that work. */
const atWork = 1500;

const signals = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

describe("work without an end", () => {
  it.each(signals)("of a jq program is stopped by %s", async (signal, code) => {
    const pulls = () => ({ headers: { "x-total-count": "1" }, body: [{ id: 1, number: 1 }] });
    const list = await startOn(pulls, /pulls/, ["pr", "list", "--jq", "last(repeat(1))"]);
    await list.asked;
    await wait(atWork);
    list.kill(signal);
    expect(await list.ended).toBe(code);
    expect(list.stdout()).toBe("");
    expect(list.stderr()).toMatch(signal === "SIGINT" ? /"interrupted"/ : /"terminated"/);
  });

  it.each(signals)("of a pattern for a log is stopped by %s", async (signal, code) => {
    const log = `first line\n${"a".repeat(60)}\n`;
    const argv = ["run", "logs", "31", "--grep", "^(.*)*$x"];
    const logs = await startOn(gitea({ jobs: [job(5)], log }), /logs/, argv);
    await logs.asked;
    await wait(atWork);
    logs.kill(signal);
    expect(await logs.ended).toBe(code);
    expect(logs.stdout()).toBe("");
    expect(logs.stderr()).toMatch(/^✗ (Interrupted|Terminated)/);
  });
});
