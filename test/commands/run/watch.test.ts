import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { redraws, screen } from "../../support/screen.ts";
import { type Handler, type Reply, serve, type TestServer } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";
import { gitea, job, run, step } from "./forge.ts";

let server: TestServer | undefined;

const environment = (url: string) => ({
  TONGS_HOST: url,
  TONGS_TOKEN: "not-a-real-token",
  TONGS_REPO: "mara/harbor",
});

async function watch(handler: Handler, flags: readonly string[] = [], world: World = {}): Promise<Ran> {
  await server?.close();
  server = await serve(handler);
  return tongs(["run", "watch", "31", ...flags], { ...world, env: { ...environment(server.url), ...world.env } });
}

type Jobs = readonly unknown[];

/** One refresh after the other: the jobs of the run, which is completed when all of them are, or another response. */
function looks(...moments: readonly (Jobs | Reply)[]): Handler {
  let look = -2;
  return (seen, ...rest) => {
    // The first request for the run is that of the selector.
    if (/\/runs\/31$/.test(seen.url)) look += 1;
    const moment = moments[Math.max(0, Math.min(look, moments.length - 1))] ?? [];
    if (!Array.isArray(moment)) return moment as Reply;
    const states = (moment as { status: string; conclusion?: string }[]).map((one) => one.conclusion ?? one.status);
    const over = states.every((state) => ["success", "failure", "skipped"].includes(state));
    const conclusion = states.includes("failure") ? "failure" : "success";
    const now = over ? { status: "completed", conclusion } : { status: "in_progress", conclusion: undefined };
    return gitea({ runs: [run(31, now)], jobs: moment as Jobs })(seen, ...rest);
  };
}

const queued = { status: "queued", conclusion: undefined, started_at: "1970-01-01T00:00:00Z" };
const working = { status: "in_progress", conclusion: undefined, completed_at: "1970-01-01T00:00:00Z" };
const failed = { conclusion: "failure" };
const mending = { name: "Mend the net", status: "in_progress", started_at: "", completed_at: "" };
const unwell = step("Mend the net", "failure", 44, 46);

/** The lines on the terminal that are not empty. */
const linesOn = (written: string) => screen(written).filter((line) => line !== "");

describe("tongs run watch on a terminal", () => {
  const terminal = { terminal: true, env: { NO_COLOR: "1" }, now: new Date("2026-05-01T10:00:30Z") };

  it("redraws one block: jobs, the running step, and the result at the end", async () => {
    const moments = looks(
      [job(1, working), job(2, { name: "publish", ...queued })],
      [job(1, { ...working, steps: [mending] }), job(2, { name: "publish", ...queued })],
      [job(1), job(2, { name: "publish" })],
    );
    const ran = await watch(moments, [], terminal);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(linesOn(ran.stdout)).toEqual([
      "→ ✓ success      check  (7s)",
      "→ ✓ success      publish  (7s)",
      "run #11: success, 2 of 2 jobs finished",
    ]);
    expect(ran.stdout).toContain("    ● in_progress  Mend the net");
  });

  it("shows a skipped job, which never started, without a duration", async () => {
    const skipped = { name: "publish", conclusion: "skipped", started_at: "1970-01-01T00:00:00Z" };
    const ran = await watch(looks([job(1), job(2, skipped)]), [], terminal);
    expect(linesOn(ran.stdout).slice(0, 2)).toEqual(["  ✓ success      check  (7s)", "  − skipped      publish"]);
  });

  it("names the failed step, and the command that explains it", async () => {
    const ran = await watch(looks([job(1, { ...failed, steps: [unwell] })]), [], terminal);
    expect(ran).toMatchObject({ code: 12, stderr: "To see why it failed, run: tongs run why 31 -R mara/harbor\n" });
    expect(linesOn(ran.stdout)[1]).toBe("    ✗ failure      Mend the net");
  });

  it("moves only the last line while nothing changes, then marks what changed, finished jobs above", async () => {
    const same = [job(1, working), job(2, { name: "publish", ...queued })];
    const ran = await watch(
      looks(same, same, same, [job(1, working), job(2, { name: "publish" })], [job(1)]),
      [],
      terminal,
    );
    expect(ran.stdout.match(/queued {7}publish/g)).toHaveLength(1);
    const frames = redraws(ran.stdout);
    const at = (count: number) => screen(frames.slice(0, count + 1).join("\u001b[?2026h"));
    const [before, after] = [at(1), at(3)];
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
    expect(after.at(-1)).not.toBe(before.at(-1));
    expect(at(4).slice(0, 2)).toEqual([
      expect.stringMatching(/^→ ✓ success {6}publish/),
      expect.stringMatching(/^ {2}● in_progress {2}check/),
    ]);
    expect(linesOn(ran.stdout)).toEqual(["→ ✓ success      check  (7s)", "run #11: success, 1 of 1 jobs finished"]);
  });

  it("shows below the block that the server is unavailable, and removes it afterwards", async () => {
    const away: Reply = { status: 503, body: { message: "restarting" } };
    const ran = await watch(looks([job(1, working)], away, away, away, away, [job(1)]), [], terminal);
    // The client's own retry notes are not printed beside the block.
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("restarting");
    expect(linesOn(ran.stdout)).toEqual(["→ ✓ success      check  (7s)", "run #11: success, 1 of 1 jobs finished"]);
  });

  it("prints a warning of the server after the block is done", async () => {
    const moments = looks([job(1, working)], [job(1)]);
    const handler: Handler = async (...asked) => {
      const reply = await moments(...asked);
      return { ...reply, headers: { ...reply?.headers, "x-gitea-warning": "the quay is closed" } };
    };
    const ran = await watch(handler, [], terminal);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^! .*the quay is closed\n$/) });
    expect(linesOn(ran.stdout)).toHaveLength(2);
  });

  it("never exceeds the screen, and never passes control characters of a name to it", async () => {
    const many = Array.from({ length: 60 }, (_none, at) =>
      job(at + 1, { name: `berth ${at}\u001b[2J${"x".repeat(200)}` }),
    );
    const ran = await watch(looks(many), [], terminal);
    const shown = screen(ran.stdout);
    expect(shown).toHaveLength(39);
    expect(shown.at(-2)).toBe("… 23 more");
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThan(100);
    expect(ran.stdout).not.toContain("\u001b[2J");
  });
});

describe("tongs run watch", () => {
  it("stops at the first failed job with --fail-fast, and notes that the run is still in progress", async () => {
    const both = [job(1, failed), job(2, { name: "publish", ...working })];
    const ran = await watch(looks([job(1, working), job(2, { name: "publish", ...working })], both), ["--fail-fast"]);
    expect(ran).toMatchObject({ code: 12, stdout: expect.stringContaining("check\tfailure\n") });
    expect(ran.stderr).toBe(
      "A job failed; the run is still in progress.\nTo see why it failed, run: tongs run why 31 -R mara/harbor\n",
    );
    const patient = await watch(looks(both, [job(1, failed), job(2, { name: "publish" })]));
    expect(patient.stdout).toContain("publish\tsuccess\n#11\tfailure\n");
  });

  it("keeps watching during a restart: refused connections are retried, and reported once", async () => {
    const listener: RequestListener = (seen, response) => {
      const body = /\/jobs/.test(seen.url ?? "")
        ? { jobs: [job(1, back ? {} : working)], total_count: 1 }
        : run(31, back ? {} : { status: "in_progress", conclusion: undefined });
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    let back = false;
    let slept = 0;
    const start = (port: number) =>
      new Promise<Server>((resolve) => {
        const one = createServer(listener).listen(port, "127.0.0.1", () => resolve(one));
      });
    const stop = (one: Server) =>
      new Promise<void>((resolve) => {
        one.close(() => resolve());
        one.closeAllConnections();
      });
    let own = await start(0);
    const { port } = own.address() as AddressInfo;
    const waits: number[] = [];
    const ran = await tongs(["run", "watch", "31"], {
      env: environment(`http://127.0.0.1:${port}`),
      async onSleep(milliseconds) {
        waits.push(milliseconds / 1000);
        slept += 1;
        if (slept === 1) await stop(own);
        if (slept === 6) {
          back = true;
          own = await start(port);
        }
      },
    });
    await stop(own);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/#11\tsuccess\n$/) });
    expect(ran.stderr.match(/ECONNREFUSED\); still waiting\.\n/g)).toHaveLength(1);
    expect(ran.stderr).toContain("The server can be reached again.\n");
    expect(waits.slice(1, 6)).toEqual([...waits.slice(1, 6)].sort((one, other) => one - other));
  });

  it("gives up with 6 on a server that stays unavailable, after pauses of up to a minute", async () => {
    const waits: number[] = [];
    const onSleep = (milliseconds: number) => waits.push(milliseconds / 1000);
    let requests = 0;
    const handler: Handler = (seen, request, response) => {
      requests += 1;
      if (requests > 3) {
        request.socket.destroy();
        return undefined;
      }
      return looks([job(1, working)])(seen, request, response);
    };
    expect((await watch(handler, [], { onSleep })).code).toBe(6);
    expect(Math.max(...waits)).toBe(60);
  });

  it("ends at once when access is denied", async () => {
    const ran = await watch(looks([job(1, working)], { status: 401, body: { message: "token is gone" } }));
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("token is gone") });
  });

  it.each([
    ["a fork", 2, { code: 8, stderr: expect.stringContaining("Run #11 waits for an approval before any of its jobs") }],
    ["the same repository", 1, { code: 8, stderr: "The run did not complete within 30 s.\n" }],
  ])("ends with 8 if the run of a pull request from %s waits for an approval", async (_, repo_id, ends) => {
    const blocked = { status: "waiting", conclusion: undefined };
    const of = { path: "build.yml@refs/pull/4/head", head_branch: undefined, event: "pull_request" };
    const info = { ref: "main", sha: "a".repeat(40) };
    const [base, head] = [
      { ...info, repo_id: 1 },
      { ...info, repo_id },
    ];
    const asks = gitea({ runs: [run(31, { ...blocked, ...of })], jobs: [job(1, blocked)] }, ({ url }) =>
      url.endsWith("/pulls/4")
        ? { body: { number: 4, title: "x", state: "open", merged: false, base, head } }
        : undefined,
    );
    const ran = await watch(asks, ["--wait", "30", "--json", "id"]);
    expect(ran).toMatchObject(ends);
    expect(ran.json()).toEqual({ id: 31 });
  });

  it("applies --wait to the wait, not to a slow response", async () => {
    const handler: Handler = async (seen, ...rest) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return looks([job(1, working)])(seen, ...rest);
    };
    const ran = await watch(handler, ["--wait", "0.02"]);
    expect(ran).toMatchObject({ code: 8, stderr: "The run did not complete within 0.02 s.\n" });
  });

  it("prints only the record with --json", async () => {
    const ran = await watch(looks([job(1, working)], [job(1)]), ["--json", "id,conclusion"]);
    expect(ran.json()).toEqual({ id: 31, conclusion: "success" });
    expect(ran.stderr).toBe("");
  });
});

describe("tongs run watch --logs", () => {
  const time = "2026-11-21T09:53:43.0000000Z";
  const whole = Buffer.from(`${time} \u001b[31mhigh\u001b[0m water\n${time} naïve\n${time} the end`);

  /** A log that has grown to a length at each refresh, served by ranges as Gitea does. */
  function growing(...lengths: readonly number[]): Handler {
    let look = -2;
    return (seen, request, response) => {
      if (/\/runs\/31$/.test(seen.url)) look += 1;
      const at = Math.max(0, Math.min(look, lengths.length - 1));
      const over = at === lengths.length - 1;
      const jobs = [
        job(1, over ? {} : working),
        job(2, over ? { name: "publish", conclusion: "skipped" } : { name: "publish", ...queued }),
      ];
      if (seen.url.endsWith("/jobs/2/logs")) return { status: 404, body: { message: "job not started" } };
      if (!seen.url.endsWith("/jobs/1/logs")) {
        const now = over ? {} : { status: "in_progress", conclusion: undefined };
        return gitea({ runs: [run(31, now)], jobs })(seen, request, response);
      }
      const body = whole.subarray(0, lengths[at]);
      const from = Number(/bytes=(\d+)-/.exec(String(seen.headers["range"]))?.[1] ?? 0);
      const type = { "content-type": "text/plain; charset=utf-8" };
      if (from >= body.length) return { status: 416, headers: type, body: "invalid range: failed to overlap" };
      return { status: 206, headers: type, body: body.subarray(from) };
    };
  }

  it("prints each line once, when it is complete, prefixed with its job", async () => {
    const half = whole.indexOf("\u00ef") + 1;
    const first = whole.indexOf("\n") + 1;
    const ran = await watch(growing(10, first, first, half, whole.length), ["--logs"]);
    expect(ran).toMatchObject({ code: 0, stdout: "check\thigh water\ncheck\tnaïve\ncheck\tthe end\n" });
    expect(ran.stderr).toContain("publish: skipped\n");
    const ranges = server?.seen
      .filter(({ url }) => url.endsWith("/jobs/1/logs"))
      .map(({ headers }) => headers["range"]);
    expect(ranges).toEqual([undefined, "bytes=10-", `bytes=${first}-`, `bytes=${first}-`, `bytes=${half}-`]);
  });
});

describe("tongs run watch --wait on a server that stops responding", () => {
  it.each([
    ["at once", 0],
    ["while it watches", 3],
  ])("%s ends with exit 8 when the time is up, and ends the request", async (_when, answers) => {
    const moments = looks([job(1, working)]);
    let asked = 0;
    let ended: Promise<unknown> | undefined;
    const ran = await watch(
      (seen, request, response) => {
        asked += 1;
        if (asked <= answers) return moments(seen, request, response);
        ended = once(response, "close");
        return undefined;
      },
      ["--wait", "0.1"],
    );
    expect(ran.code).toBe(8);
    expect(ran.stderr).toContain("The run did not complete within 0.1 s");
    await ended;
  });
});
