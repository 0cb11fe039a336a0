import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { end, listed, pull, pull as pullRecord } from "../commands/pr/pulls.ts";
import { gitea, job } from "../commands/run/forge.ts";
import { type Handler, serve, type TestServer } from "../support/server.ts";
import { isStandalone, type Started, startBuilt } from "./built.ts";

let server: TestServer | undefined;
let started: Started | undefined;
afterEach(async () => {
  started?.kill("SIGKILL");
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
  started = startBuilt(argv, { env });
  return { asked, ...started };
}

/** Long enough for the program to be in the middle of its work, and far shorter than that work. */
const atWork = 500;

const signals = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

describe("work without an end", () => {
  it.each(signals)("of a jq program is stopped by %s", async (signal, code) => {
    const pulls = () => ({ headers: { "x-total-count": "1" }, body: [pullRecord(1)] });
    const list = await startOn(pulls, /pulls/, ["pr", "list", "--jq", "last(repeat(1))"]);
    await list.asked;
    await wait(atWork);
    list.kill(signal);
    expect(await list.ended).toBe(code);
    expect(list.stdout()).toBe("");
    expect(list.stderr()).toMatch(signal === "SIGINT" ? /"interrupted"/ : /"terminated"/);
  });

  // The engine of standalone programs gives up on such a pattern, and the line does not match.
  it.runIf(isStandalone)("of a pattern for a log ends by itself in a standalone program", async () => {
    const argv = ["run", "logs", "31", "--grep", "^(.*)*$x"];
    const logs = await startOn(gitea({ jobs: [job(5)], log: `${"a".repeat(60)}\n` }), /logs/, argv);
    expect([await logs.ended, logs.stdout()]).toEqual([0, ""]);
  });

  const stopped = `of a pattern for a log is stopped by %s${isStandalone ? " (skipped: it ends by itself)" : ""}`;
  it.skipIf(isStandalone).each(signals)(stopped, async (signal, code) => {
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

it.each([
  ["--1", "1\n"],
  ["--(.[0].number)", "7\n"],
  ["-1", "-1\n"],
])("--jq takes %s as a program", async (program, printed) => {
  const pulls = () => ({ headers: { "x-total-count": "1" }, body: [pullRecord(7)] });
  for (const argv of [
    ["pr", "list", "--jq", program],
    ["pr", "list", `--jq=${program}`],
    ["--jq", program, "pr", "list"],
    ["pr", "list", "-qy", "--jq", program],
  ]) {
    const list = await startOn(pulls, /pulls/, argv);
    expect([await list.ended, list.stdout(), list.stderr()], argv.join(" ")).toEqual([0, printed, ""]);
    await server?.close();
  }
});

it("what a jq program writes to stderr is made safe", async () => {
  const title = "\u001b]52;c;eA==\u0007\u009b2J";
  const pulls = () => ({ headers: { "x-total-count": "1" }, body: [pullRecord(7, { title })] });
  const list = await startOn(pulls, /pulls/, ["pr", "list", "--jq", ".[].title | stderr | debug | length"]);
  expect(await list.ended).toBe(0);
  expect(list.stdout()).toBe("15\n");
  expect(list.stderr()).toContain("\u241b]52;c;eA==\u2407\ufffd2J");
  expect([...list.stderr()].filter((character) => /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(character))).toEqual(
    [],
  );
});

describe("run logs", () => {
  const long = 8 << 20;
  it.each([
    ["4,000,000 escape sequences without an end", `${"\u009d".repeat(4_000_000)}\u001bX`, 4_000_000],
    ["a workflow command of 8 MiB", `::error ${"a,".repeat(long / 2)}`, long + 8],
    ["one line of 40 MB", "x".repeat(40_000_000), 40_000_000],
  ])("prints %s in linear time", async (_name, log, length) => {
    const logs = await startOn(gitea({ jobs: [job(5)], log }), /logs/, ["run", "logs", "31"]);
    expect(await logs.ended).toBe(0);
    expect(logs.stderr()).toBe("");
    expect(logs.stdout()).toHaveLength(length + 1);
  });

  const tooLong = `says that a line is too long for a pattern${isStandalone ? " (skipped: its engine has no such limit)" : ""}`;
  it.skipIf(isStandalone)(tooLong, async () => {
    const argv = ["run", "logs", "31", "--grep", "^(?:.|y)*z$"];
    const logs = await startOn(gitea({ jobs: [job(5)], log: "x".repeat(long) }), /logs/, argv);
    expect(await logs.ended).toBe(1);
    expect(logs.stderr()).toMatch(/^✗ --grep: Could not match a line of the log\n {2}The line is too long/);
  });

  it("prints the lines that match, in order, of two jobs with 20,000 lines each", async () => {
    const log = Array.from({ length: 20_000 }, (_, at) => `2026-11-21T09:53:44Z line ${at}`).join("\n");
    const argv = ["run", "logs", "31", "--grep", "(?i)LINE \\d*[05]$", "--no-timestamps"];
    const logs = await startOn(gitea({ jobs: [job(5), job(6, { name: "lint" })], log }), /logs/, argv);
    expect(await logs.ended).toBe(0);
    const fives = Array.from({ length: 4_000 }, (_, at) => `line ${at * 5}`);
    const expected = ["check", "lint"].flatMap((name) => fives.map((line) => `${name}\t${line}\n`));
    expect(logs.stdout()).toBe(expected.join(""));
  });
});

it("pr checks matches a pattern of many stars without backtracking, which would not end", async () => {
  const status = { id: 1, context: "a".repeat(10_000), status: "success", target_url: "" };
  const handler: Handler = ({ url }) => {
    if (url.includes("/branches/"))
      return { body: { enable_status_check: true, status_check_contexts: ["*a*a*a*a*a*a*b", "*a"] } };
    if (!url.includes("/status")) return { body: pull(12, { head: { ...end("change-12"), sha: "a".repeat(40) } }) };
    return { headers: listed([status]).headers, body: { state: "success", total_count: 1, statuses: [status] } };
  };
  const checks = await startOn(handler, /status/, ["pr", "checks", "12", "--jsonl"]);
  expect(await checks.ended).toBe(8);
  expect(checks.stderr()).toContain("required but not reported: *a*a*a*a*a*a*b\n");
});
