import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createForgeReader } from "../../../src/commands/metrics/forge-reader.ts";
import { clientFor } from "../../http/client-for.ts";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";
import { job, run, unknownRoute } from "../run/forge.ts";

const now = new Date("2026-11-21T10:00:00Z");
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A reader of a server that answers each path below /api/v1 so; `problems` are what it says. */
async function readerOf(answers: Readonly<Record<string, Handler>>, repos: readonly string[] = []) {
  const handler: Handler = (seen, ...rest) => {
    const path = new URL(seen.url, "http://server").pathname.replace("/api/v1", "");
    return answers[path]?.(seen, ...rest) ?? unknownRoute;
  };
  const server = await serve(handler, { saysVersion: true });
  const { http, close } = clientFor(server.url);
  closing.push(close, server.close);
  const problems: string[] = [];
  const read = createForgeReader({
    http,
    level: { of: "server" },
    repos: repos.map((name) => ({ owner: "acme", name })),
    now: () => now,
    onProblem: (problem) => problems.push(problem),
  });
  const round = async () => {
    const found = await read();
    return Object.fromEntries(found.map((one) => [`${one.instance}/${one.series}`, one.value]));
  };
  return { server, problems, round };
}

const version = (text: string) => ({ "/version": () => ({ body: { version: text } }) });
const list = (envelope: string, items: readonly unknown[]): Handler => {
  return ({ url }) => {
    const query = new URL(url, "http://server").searchParams;
    const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
    return { body: { [envelope]: items.slice((page - 1) * limit, page * limit), total_count: items.length } };
  };
};
const runs = (...given: readonly unknown[]) => list("workflow_runs", given);

describe("a round of metrics forge", () => {
  it("has jobs by label, the oldest, runners and runs of Gitea", async () => {
    const waiting = [
      job(1, { status: "queued", labels: ["linux", "gpu"], created_at: "2026-11-21T09:50:00Z" }),
      job(2, { status: "queued", labels: ["linux"], created_at: "2026-11-21T09:59:00Z" }),
    ];
    const runner = (id: number, over: object) => ({ id, name: `dock-${id}`, status: "online", labels: [], ...over });
    const isQueued = (url: string) => url.includes("status=queued");
    let queued: readonly unknown[] = waiting;
    const { round, problems } = await readerOf(
      {
        ...version("1.26.0"),
        "/admin/actions/jobs": (seen, ...rest) => list("jobs", isQueued(seen.url) ? queued : [job(3)])(seen, ...rest),
        "/admin/actions/runners": list("runners", [
          runner(1, { busy: true }),
          runner(2, { busy: false }),
          runner(3, { busy: false, disabled: true }),
          runner(4, { status: "offline" }),
        ]),
        "/repos/acme/harbor/actions/runs": runs(run(31)),
      },
      ["harbor"],
    );
    const first = await round();
    expect(first).toMatchObject({
      "server/gauge-version_1.26.0": 1,
      "server/queue_length-waiting": 2,
      "server/queue_length-waiting_linux": 2,
      "server/queue_length-waiting_gpu": 1,
      "server/queue_length-running": 1,
      "server/duration-oldest_waiting": 600,
      "server/count-runners_online": 3,
      "server/count-runners_busy": 1,
      "server/count-runners_idle": 1,
      "acme+harbor/duration-build.yml": 14,
      "acme+harbor/operations-build.yml_success": 0,
    });
    queued = [];
    expect(await round()).toMatchObject({ "server/queue_length-waiting_gpu": 0, "server/duration-oldest_waiting": 0 });
    expect(problems).toEqual([]);
  });

  it("counts each run once that finishes between two rounds, as digest tells outcomes", async () => {
    const unfinished = { status: "in_progress", conclusion: undefined, completed_at: "1970-01-01T00:00:00Z" };
    let newest = [run(33, unfinished), run(32), run(31, { conclusion: "failure" })];
    const { round } = await readerOf(
      { ...version("1.26.0"), "/repos/acme/harbor/actions/runs": (...seen) => runs(...newest)(...seen) },
      ["harbor"],
    );
    const outcomes = async () =>
      Object.entries(await round()).flatMap(([name, value]) => (name.includes("operations") ? [value] : []));
    expect(await outcomes()).toEqual([0, 0, 0]);
    newest = [run(34, { conclusion: "cancelled" }), run(33, { conclusion: "failure" }), run(32)];
    expect(await outcomes()).toEqual([0, 1, 1]);
    expect(await outcomes()).toEqual([0, 1, 1]);
    // Run again, and an older run that is there again because another one was deleted.
    newest = [run(33, { run_attempt: 2, completed_at: "2026-11-21T09:58:00Z" }), run(32), run(31), run(30)];
    expect(await outcomes()).toEqual([1, 1, 1]);
  });

  it("has the quota, packages and waiting jobs of Forgejo, and leaves out what it does not have", async () => {
    const size = { repos: { public: 1, private: 2 }, git: { LFS: 4 } };
    const assets = { attachments: { issues: 8, releases: 16 }, artifacts: 32, packages: { all: 64 } };
    const groups = [{ rules: [{ limit: 1000, subjects: ["size:all"] }] }];
    const waits = { id: 1, name: "build", status: "waiting", runs_on: ["docker"], task_id: 0 };
    const { round, problems } = await readerOf({
      ...version("16.0.0+gitea-1.22.0"),
      "/admin/actions/runners/jobs": () => ({ body: [waits, { ...waits, id: 2, status: "running" }] }),
      "/user/quota": () => ({ body: { used: { size: { ...size, assets } }, groups } }),
      "/notifications": () => ({ body: [], headers: { "x-total-count": "0" } }),
    });
    const { "server/response_time": time, ...others } = await round();
    expect([time, problems]).toEqual([expect.any(Number), []]);
    expect(others).toEqual({
      "server/gauge-version_16.0.0+gitea-1.22.0": 1,
      "server/queue_length-waiting": 1,
      "server/queue_length-waiting_docker": 1,
      "server/bytes-used": 127,
      "server/bytes-left": 873,
      "server/bytes-packages": 64,
      "server/count-notifications": 0,
    });
  });

  it("sends at most ten requests, and repositories take turns", async () => {
    const many = Array.from({ length: 200 }, (_, id) => job(id, { status: "queued" }));
    const repos = ["a", "b", "c", "d"];
    const { round, problems, server } = await readerOf(
      {
        ...version("1.26.0"),
        "/admin/actions/jobs": list("jobs", many),
        "/admin/actions/runners": list("runners", []),
        "/repos/search": list("data", []),
        "/notifications": () => ({ body: [], headers: { "x-total-count": "7" } }),
        ...Object.fromEntries(repos.map((name) => [`/repos/acme/${name}/actions/runs`, runs(run(31))])),
      },
      repos,
    );
    const read = new Set<string>();
    for (let rounds = 0; rounds < 2; rounds += 1) {
      server.seen.length = 0;
      const found = await round();
      expect(server.seen.length).toBeLessThanOrEqual(10);
      expect(found).toMatchObject({ "server/queue_length-waiting": 200, "server/count-notifications": 7 });
      for (const name of Object.keys(found)) read.add(name.split("/")[0] ?? "");
    }
    expect([...read].sort()).toEqual(["acme+a", "acme+b", "acme+c", "acme+d", "server"]);
    // It does not guess how many wait for each label.
    expect(problems[0]).toBe("More than 100 waiting jobs: not all of them are read");
  });

  it("says once what the token may not read, and is a gap while the server does not answer", async () => {
    let up = true;
    const { round, problems } = await readerOf({
      "/version": () => (up ? { body: { version: "1.26.0" } } : { status: 500 }),
      "/admin/actions/runners": () => ({ status: 403, body: { message: "user should be the site admin" } }),
      "/notifications": () => ({ body: [], headers: { "x-total-count": "0" } }),
    });
    await round();
    await round();
    expect(problems).toEqual([expect.stringContaining("Cannot read runners: Permission denied")]);
    up = false;
    await expect(round()).rejects.toMatchObject({ exit: "serverFailed" });
  });
});

describe("metrics forge", () => {
  let box: OnSandbox;
  const cwd = emptyFolder();
  beforeAll(async () => {
    box = await onSandbox();
    // As collectd has them.
    const types = "bytes count gauge queue_length response_time".split(" ").map((name) => `${name} value:GAUGE:U:U\n`);
    writeFileSync(join(cwd, "types.db"), `${types.join("")}duration seconds:GAUGE:0:U\noperations value:DERIVE:0:U\n`);
  });

  it("prints what types.db has, for collectd's exec plugin", async () => {
    const { code, stdout } = await box.run(["metrics", "forge", "mara/harbor", "--once"], {
      env: { COLLECTD_INTERVAL: "60.000" },
    });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^PUTVAL "127\.0\.0\.1:\d+\/forge-server\/\S+" interval=60 /),
    ]);
    const decoded = await box.run(["metrics", "encode", "--types", "types.db", "-o", "put.bin"], {
      cwd,
      stdin: stdout,
    });
    expect([decoded.code, decoded.stderr]).toEqual([0, ""]);
    const json = await box.run(["metrics", "forge", "mara/harbor", "--once", "--json"]);
    const series = (one: { identifier: object; ds_names: readonly string[] }) => [one.identifier, one.ds_names];
    const stored = await box.run(["metrics", "decode", "put.bin", "--format", "json"], { cwd });
    expect((json.json() as Parameters<typeof series>[0][]).map(series)).toEqual(
      (stored.json() as Parameters<typeof series>[0][]).map(series),
    );
  });

  it("reads the runs of repositories that a pattern matches", async () => {
    const series = async (repository: string) =>
      (await box.run(["metrics", "forge", repository, "--once"])).stdout.match(/forge-mara\+harbor\/\S+(?=")/g);
    const named = await series("mara/harbor");
    expect(named).toContain("forge-mara+harbor/operations-ci.yml_success");
    expect(await series("mara/har*")).toEqual(named);
  });

  it("records what check guards and report draws", async () => {
    const recorded = await box.run(["metrics", "forge", "--every", "1s", "--count", "12", "--to", "forge.bin"], {
      cwd,
    });
    expect([recorded.code, recorded.stdout]).toEqual([0, ""]);
    const check = (...words: string[]) =>
      box.run(["metrics", "check", "forge-*/count-runners_online", "forge.bin", ...words], { cwd });
    expect([(await check("--crit", "1:")).code, (await check("--crit", "2:")).code]).toEqual([0, 2]);
    expect((await box.run(["metrics", "report", "forge.bin", "-o", "forge.html"], { cwd })).code).toBe(0);
  });

  it("ends with 5 if there is no such organization", async () => {
    const ran = await box.run(["metrics", "forge", "--org", "nosuch"]);
    expect([ran.code, ran.stdout]).toEqual([5, ""]);
  });

  it("says nothing but problems on stderr below collectd, which takes all for errors", async () => {
    const line = ["metrics", "forge", "--every", "1s", "--count", "1"];
    expect((await box.run(line)).stderr).toContain("until Ctrl-C");
    const below = await box.run([...line, "--expose", "0"], { env: { COLLECTD_INTERVAL: "10.000" } });
    expect([below.code, below.stderr]).toEqual([0, ""]);
  });

  it("goes on after an outage, and ends if the token is refused", async () => {
    const ended = await tongs(["metrics", "forge"], { env: { TONGS_HOST: box.url, TONGS_TOKEN: "0".repeat(40) } });
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringContaining("Authentication failed")]);
    let asked = 0;
    const server: TestServer = await serve(
      ({ url }) => {
        if (!url.endsWith("/version")) return unknownRoute;
        asked += 1;
        return asked === 3 ? { status: 500 } : { body: { version: "1.26.0" } };
      },
      { saysVersion: true },
    );
    closing.push(server.close);
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["metrics", "forge", "--every", "1s", "--count", "4"], { env });
    expect([ran.code, ran.stdout.match(/response_time/g)?.length]).toEqual([0, 2]);
    expect(ran.stderr).toMatch(/Could not read 127\.0\.0\.1:\d+: .* 500/);
    expect(
      (await tongs(["metrics", "forge", "--once"], { env: { ...env, TONGS_HOST: "http://127.0.0.1:1" } })).code,
    ).toBe(6);
  });
});
