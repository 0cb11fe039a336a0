import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Handler, type Reply, serve, type TestServer } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";
import { unknownRoute } from "./forge.ts";
import { type Forgejo16Run, forgejo16, recorded, recordedRuns } from "./forgejo16.ts";

let server: TestServer | undefined;

async function on(line: string, handler: Handler = forgejo16(), world: World = {}): Promise<Ran> {
  await server?.close();
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "root1/ci", PAGER: "cat" };
  return tongs(line.split(" "), { now: new Date("2026-11-24T00:00:00Z"), ...world, env });
}

/** A repository with a workflow, whose dispatch gets a recorded answer. */
function dispatching(label: string, text = "on: workflow_dispatch\njobs: {}\n") {
  const content = Buffer.from(text).toString("base64");
  const file = { type: "file", name: "test.yml", path: ".gitea/workflows/test.yml", sha: "1", encoding: "base64" };
  return ({ method, url }: { readonly method: string; readonly url: string }): Reply | undefined => {
    if (method === "POST") return recorded(label);
    if (/\/ci(\?|$)/.test(url)) return { body: { name: "ci", full_name: "root1/ci", default_branch: "main" } };
    return url.includes("/contents/") ? { body: { ...file, content } } : undefined;
  };
}

const asked = () => server?.lines().map((line) => line.replace("/api/v1/repos/root1/ci/actions/", "")) ?? [];
const sha = "f0cdcdd184feeb716e8719f4a4da2480931adbab";
const ids = (...found: number[]) => found.map((id) => ({ id }));

describe("run list on Forgejo 16", () => {
  it("prints runs in the columns of every server, and their records unchanged", async () => {
    const ran = await on("run list --limit 3");
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout.split("\n").slice(0, 3)).toEqual([
      "21\t20\tin_progress\tSlow\tslow.yml\tmain\tworkflow_dispatch\t2026-11-23T22:23:57Z",
      "17\t16\tsuccess\tTest\ttest.yml\tmain\tworkflow_dispatch\t2026-11-23T22:23:56Z",
      "16\t15\tfailure\tTest\ttest.yml\tmain\tworkflow_dispatch\t2026-11-23T22:23:56Z",
    ]);
    expect((await on("run list --all --json")).json()).toEqual(recordedRuns);
    expect((await on("run list --limit 1 --json title,prettyref,index_in_repo")).json()).toEqual([
      { title: "Slow", prettyref: "main", index_in_repo: 20 },
    ]);
    expect((await on("run list --limit 1 --csv")).stdout).toContain(
      "index_in_repo,title,prettyref,trigger_event,started",
    );
  });

  it.each([
    ["-s failure", [16, 8, 5]],
    ["-s in_progress", [21]],
    ["-s queued", []],
    ["-s waiting", []],
    ["-s completed -s in_progress --limit 3", [21, 17, 16]],
    ["-s timed_out --limit 1", [15]],
    ["-b main --limit 2", [21, 17]],
    ["-b absent", []],
    ["-u root1 --limit 2", [21, 17]],
    ["-u @me --limit 1", [21]],
    ["-w matrix.yml", [11, 10, 6]],
    ["-e push", [3, 2, 1]],
    [`-c ${sha} -s failure --limit 1`, [16]],
    ["-w test.yml -b main -s success -e push", [3]],
    ["--all-repos -s failure", [16, 8, 5]],
  ] as const)("filters by %s", async (flags, wanted) => {
    const over = ({ url }: { readonly url: string }): Reply | undefined => {
      if (/^\/api\/v1\/users?(\/root1)?(\?|$)/.test(url)) return { body: { id: 1, login: "root1" } };
      const repo = { id: 1, name: "ci", full_name: "root1/ci", owner: { login: "root1" } };
      return url.includes("/repos/search") ? { body: { ok: true, data: [repo] } } : undefined;
    };
    const ran = await on(`run list ${flags} --json id`, forgejo16({ over }));
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, ids(...wanted)]);
    // Even where the server ignores filters, as older ones do.
    const older = forgejo16({ over, ignored: ["ref", "workflow_id", "event"] });
    expect((await on(`run list ${flags} --json id`, older)).json()).toEqual(ids(...wanted));
  });

  it("finds runs that wait for a runner, and runs that are blocked", async () => {
    const [first, second] = recordedRuns;
    const runs = [
      { ...first, id: 31, status: "waiting" },
      { ...second, id: 30, status: "blocked" },
    ] as Forgejo16Run[];
    expect((await on("run list -s waiting --json id", forgejo16({ runs }))).json()).toEqual(ids(31, 30));
    expect((await on("run list -s blocked --json id", forgejo16({ runs }))).json()).toEqual(ids(30));
    expect((await on("run list -s queued --json id", forgejo16({ runs }))).json()).toEqual(ids(31));
    expect((await on("run list", forgejo16({ runs }))).stdout).toMatch(/^31\t20\tqueued\t.*\n30\t16\twaiting\t/);
  });

  it.each([
    ["null", null],
    ["absent", undefined],
    ["1970", "1970-01-01T01:00:00+01:00"],
    ["0001", "0001-01-01T00:00:00Z"],
  ])("takes a time that is %s for one that is not set, in lists and of one run", async (_, time) => {
    const waiting = { ...recordedRuns[2], id: 16, status: "waiting", created: time, started: time, stopped: time };
    const runs = [waiting] as Forgejo16Run[];
    const listed = await on("run list", forgejo16({ runs }));
    expect([listed.code, listed.stdout], listed.stderr).toEqual([0, expect.stringMatching(/^16\t15\tqueued\t.*\t\n$/)]);
    const viewed = await on("run view 16", forgejo16({ runs }));
    expect([viewed.code, viewed.stdout], viewed.stderr).toEqual([
      0,
      expect.stringMatching(/^started\t\nduration\t\n/m),
    ]);
    for (const line of ["run why 16", "run jobs 16"]) {
      const ran = await on(line, forgejo16({ runs }));
      expect([line, ran.code], ran.stderr).toEqual([line, 0]);
    }
  });

  it("asks in the words of Forgejo, with a page, once it has seen a record of it, if they differ", async () => {
    await on("run list -s failure -e push");
    expect(asked()).toEqual(["GET runs?event=push&status=failure&page=1&limit=30"]);
    await on("run list -b main -s failure");
    expect(asked()).toEqual([
      "GET runs?branch=main&status=failure&page=1&limit=30",
      "GET runs?ref=refs%2Fheads%2Fmain&status=failure&page=1&limit=30",
    ]);
  });

  it("searches a thousand runs for a filter that the server lacks, says so, and all with --all", async () => {
    const runs = Array.from({ length: 1100 }, (_, at) => ({
      ...recordedRuns[1],
      id: 2000 - at,
      index_in_repo: 1100 - at,
      trigger_user: { login: at === 10 || at === 1050 ? "nils" : "mara" },
    })) as readonly Forgejo16Run[];
    const ran = await on("run list -u nils --json id", forgejo16({ runs }));
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, ids(1990)]);
    expect(ran.stderr).toContain("Searched only the newest 1000 runs");
    const all = await on("run list -u nils --all --json id", forgejo16({ runs }));
    expect([all.json(), all.stderr]).toEqual([ids(1990, 950), ""]);
  });

  it("says that an actor does not exist, and that no server-wide list does", async () => {
    const over = ({ url }: { readonly url: string }) =>
      url.endsWith("/users/nobody")
        ? { status: 404, body: { message: "user redirect does not exist [name: nobody]" } }
        : undefined;
    const ran = await on("run list -u nobody", forgejo16({ over }));
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("User nobody not found") });
    const mine = await on("run list --user");
    expect(mine).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Available since Gitea 1.25. Forgejo 17.0"),
    });
  });
});

describe("a run of Forgejo 16", () => {
  it.each(["17", "#16", "SERVER/root1/ci/actions/runs/16"])("is selected by %s", async (selector) => {
    server = await serve(forgejo16());
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "root1/ci" };
    const ran = await tongs(["run", "view", selector.replace("SERVER", server.url), "--json", "id"], { env });
    expect(ran.json(), ran.stderr).toEqual({ id: 17 });
  });

  it("is found by its number beyond the first page with one more request", async () => {
    const runs = Array.from({ length: 120 }, (_, at) => ({
      ...recordedRuns[1],
      id: 320 - at,
      index_in_repo: 120 - at,
    }));
    const ran = await on(
      "run view #3 --json id",
      forgejo16({
        runs: runs as Forgejo16Run[],
        over: ({ url }) => (url.includes("/jobs") ? { body: [] } : undefined),
      }),
    );
    expect(ran.json(), ran.stderr).toEqual({ id: 203 });
    expect(asked().filter((line) => line.startsWith("GET runs?"))).toEqual([
      "GET runs?page=1&limit=50",
      "GET runs?run_number=3&page=1&limit=1",
    ]);
  });

  it.each([
    ["run view 16", 0, "title\tTest #15\nid\t16\nstate\tfailure\nworkflow\ttest.yml\nbranch\tmain\n"],
    [
      "run view 16",
      0,
      "event\tworkflow_dispatch\nactor\troot1\nattempt\t\nstarted\t2026-11-23T22:23:56Z\nduration\t4s\n",
    ],
    ["run view 16", 0, "success      Build it  (id 34)\nfailure      check  (id 35)\n"],
    ["run view latest", 0, "in_progress  wait  (id 46)\nqueued       nobody  (id 47)\n"],
    ["run view main", 0, "title\tSlow #20\n"],
    ["run view 16 --job check", 0, "id\t35\nrun\t16\nstate\tfailure\nruns on\thost\n"],
    ["run jobs 16", 0, "34\tsuccess\tBuild it\tubuntu-latest\t\t\t\n35\tfailure\tcheck\t"],
    [
      "run jobs 16 --csv",
      0,
      "id,conclusion,name,labels,runner_name,started_at,status,runs_on\n34,,Build it,,,,success,",
    ],
    ["run logs 16 --job check --no-timestamps", 0, "Error: asked to fail\n"],
    ["run logs 16 --failed", 0, "Error: asked to fail\n"],
    ["run logs 16 --grep asked", 0, "check\t2026-11-23T22:24:00.0059626Z Error: asked to fail\n"],
    ["run logs 21", 0, "wait\t2026-11-23T22:24:01.8142544Z tick 5\n"],
    ["run why 16", 0, "Error: asked to fail\n"],
    ["run why 16", 0, "last success\t#11 (id 12)\n"],
    ["run watch 16", 12, "Build it\tsuccess\ncheck\tfailure\n#15\tfailure\n"],
    ["run watch 17", 0, "#16\tsuccess\n"],
    ["run watch 16 --logs", 12, "check\tError: asked to fail\n"],
    ["run digest --since 30d", 0, "test.yml\tmain\t10\t3\t38%\t3s\t4s\n"],
    ["artifact list --run 17", 0, "8\thello-zip\t132 B\t17\tavailable\t"],
    ["artifact list --run #16", 0, "8\thello-zip\t"],
    ["artifact view 10", 0, "run\t20\n"],
  ])("is read by %s (exit code %i)", async (line, code, words) => {
    const ran = await on(line);
    expect([ran.code, ran.stdout], ran.stderr).toEqual([code, expect.stringContaining(words)]);
  });

  it("is printed as JSON unchanged by view, why and watch", async () => {
    const run = recordedRuns.find(({ id }) => id === 16);
    const jobs = recorded("run jobs, failed").body;
    expect((await on("run view 16 --json")).json()).toEqual({ ...run, job_list: jobs });
    expect((await on("run jobs 16 --json")).json()).toEqual(jobs);
    expect((await on("run watch 16 --json")).json()).toEqual(run);
    expect((await on("run why 16 --json")).json()).toMatchObject({
      run,
      failures: [{ job_id: 35, job: "check" }],
      last_success: recordedRuns.find(({ id }) => id === 12),
    });
  });

  it("waits for a runner with the labels of its job", async () => {
    const over = ({ url }: { readonly url: string }) =>
      url.startsWith("/api/v1/admin/actions/runners") ? recorded("admin runners, one active") : undefined;
    const ran = await on("run why 21", forgejo16({ over }));
    expect(ran.stdout).toContain(
      "nobody is waiting for a runner with no-such-label: no runner has no-such-label. Runners of the server: r16 (host, ubuntu-latest); admin-two ()",
    );
  });

  it("is cancelled, and read afterwards: a finished one is exit code 9, though the server accepts it", async () => {
    const ran = await on("run cancel 21 --json status");
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, [{ status: "cancelled" }]]);
    expect(asked()).toEqual(["GET runs/21", "POST runs/21/cancel", "GET runs/21"]);
    expect((await on("run cancel latest")).stderr).toContain("Cancelled root1/ci run #20 (id 21)");
    const finished = await on("run cancel 17");
    expect(finished).toMatchObject({ code: 9, stderr: expect.stringContaining("has already finished: success") });
    expect((await on("run cancel 9999")).code).toBe(5);
  });

  it("is deleted, by age too; one that has not completed is exit code 9", async () => {
    const deleted = () => asked().filter((line) => line.startsWith("DELETE"));
    expect((await on("run delete 17 --yes")).code).toBe(0);
    expect(deleted()).toEqual(["DELETE runs/17"]);
    expect(await on("run delete 21 --yes")).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("tongs run watch"),
    });
    // The server says why to administrators only, and another failure is none of the state.
    const over = ({ method }: { readonly method: string }): Reply | undefined =>
      method === "DELETE" ? { status: 500, body: { message: "" } } : undefined;
    const hidden = await on("run delete 21 --yes", forgejo16({ over }));
    expect(hidden).toMatchObject({ code: 9, stderr: expect.stringContaining("run #20 (id 21) has not completed") });
    expect((await on("run delete 17 --yes", forgejo16({ over }))).code).toBe(7);
    const now = new Date("2026-11-24T22:17:00Z");
    expect((await on("run delete --older-than 1d --yes", forgejo16(), { now })).code).toBe(0);
    expect(deleted().sort()).toEqual([1, 2, 3, 5, 6, 7].map((id) => `DELETE runs/${id}`));
    expect((await on("run delete -w matrix.yml -s success --yes")).code).toBe(0);
    expect(deleted().sort()).toEqual(["DELETE runs/10", "DELETE runs/11", "DELETE runs/6"]);
  });

  it.each(["run download #16", "artifact download --run #16", "artifact download 8"])(
    "has artifacts that %s saves",
    async (line) => {
      const dir = mkdtempSync(join(tmpdir(), "tongs-test-"));
      const over = ({ url }: { readonly url: string }) =>
        url.endsWith("/artifacts/8") ? { body: (recorded("artifacts of run").body as unknown[])[0] } : undefined;
      const ran = await on(`${line} --dir ${dir}`, forgejo16({ over }));
      expect(ran.code, ran.stderr).toBe(0);
      expect(readFileSync(join(dir, "hello.txt"), "utf8")).toBe("hello hello-zip\n");
      rmSync(dir, { recursive: true });
    },
  );

  it.each(["artifact view 10", "artifact list --run 20"])(
    "has a web page by its number, not its ID: %s",
    async (line) => {
      const runs = [{ ...recordedRuns[0], id: 20, html_url: "http://127.0.0.1:3316/root1/ci/actions/runs/19" }];
      const ran = await on(`${line} --web --no-input`, forgejo16({ runs: runs as Forgejo16Run[] }));
      expect(ran.stdout + ran.stderr).toContain(`${server?.url}/root1/ci/actions/runs/19`);
    },
  );

  it("is started by workflow run, which asks for the run in the body", async () => {
    const text = "on: {workflow_dispatch: {inputs: {fail: {type: string}, message: {type: string}}}}\njobs: {}\n";
    const over = dispatching("dispatch, return_run_info", text);
    const ran = await on("workflow run test.yml -f fail=true -f message=recorded", forgejo16({ over }));
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: `${server?.url}/root1/ci/actions/runs/15\n` });
    expect(ran.stderr).toContain("run #15 (id 16)");
    const sent = server?.seen.filter(({ method }) => method === "POST");
    expect(sent?.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      [
        "/api/v1/repos/root1/ci/actions/workflows/test.yml/dispatches",
        { ref: "main", inputs: { fail: "true", message: "recorded" }, return_run_info: true },
      ],
    ]);
  });

  it.each([
    ["--watch", "dispatch, return_run_info", 12],
    ["--watch", "dispatch, return_run_info, passes", 0],
    ["--collect DIR", "dispatch, return_run_info, passes", 0],
  ])("is waited for by workflow run %s, after the %s: exit code %i", async (flags, label, code) => {
    const dir = mkdtempSync(join(tmpdir(), "tongs-test-"));
    const line = `workflow run test.yml ${flags.replace("DIR", dir)}`;
    const ran = await on(line, forgejo16({ over: dispatching(label) }));
    expect([ran.code, ran.stdout.split("\n")[0]]).toEqual([
      code,
      expect.stringContaining(`${server?.url}/root1/ci/actions/runs/`),
    ]);
    const isCollected = flags.startsWith("--collect");
    expect(existsSync(join(dir, "hello.txt"))).toBe(isCollected);
    rmSync(dir, { recursive: true });
  });

  it.each(["dispatch, unknown workflow", "dispatch, unknown ref"])(
    "is not started if the server answers 500 to a %s: exit code 5",
    async (label) => {
      const ran = await on("workflow run test.yml", forgejo16({ over: dispatching(label) }));
      expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Workflow test.yml not found at main") });
    },
  );

  it.each([
    ["run rerun 16", "has no API operation to rerun a run", "Available since Gitea 1.26 and Forgejo 17.0."],
    [
      "run approve 16",
      "has no API operation to approve a run",
      "Available since Gitea 28. Forgejo 17.0 does not have it.",
    ],
    ["run view -j 34", "does not support GET", "Available since Gitea 1.25 and Forgejo 17.0."],
    ["run jobs --all-runs", "does not support GET", "Available since Gitea 1.25. Forgejo 17.0 does not have it."],
    ["run view 16 --attempt 1", "does not support GET", "Available since Gitea 1.27. Forgejo 17.0 does not have it."],
    ["workflow list", "has no API operation to list workflows", "Available since Gitea 1.24. Forgejo 17.0"],
  ])("is not what %s can work on, which says so truly: exit code 5", async (line, ...words) => {
    const ran = await on(line);
    expect(ran.code).toBe(5);
    for (const word of words) expect(ran.stderr).toContain(word);
  });
});

describe("Forgejo 12 to 15, which have runs but no list of their jobs", () => {
  const older = forgejo16({
    ignored: ["ref", "workflow_id"],
    over: ({ method, url }) =>
      /\/(jobs|cancel|artifacts|logs)(\?|$)/.test(url) || method === "DELETE" ? unknownRoute : undefined,
  });

  it("show the tasks of a run, and watch it by its state", async () => {
    expect((await on("run view 16", older)).stdout).toContain("failure      check  (1s, id 33)\n");
    expect((await on("run view 16 --json task_list", older)).json()).toMatchObject({
      task_list: [{ id: 33, name: "check" }],
    });
    expect(await on("run watch 16", older)).toMatchObject({ code: 12, stdout: "check\tfailure\n#15\tfailure\n" });
  });

  it("start a workflow and watch its run, but download nothing, which is said before it is started", async () => {
    const answers = dispatching("dispatch, return_run_info");
    const over: typeof answers = (seen) => {
      const isMissing = /\/(jobs|artifacts)(\?|$)/.test(seen.url);
      return answers(seen) ?? (isMissing ? unknownRoute : undefined);
    };
    expect((await on("workflow run test.yml --watch", forgejo16({ over }))).code).toBe(12);
    const ran = await on("workflow run test.yml --collect out", forgejo16({ over }));
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Forgejo 16.0") });
    expect(server?.lines().filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  it.each([
    ["run jobs 16", "Available since Gitea 1.25 and Forgejo 16.0."],
    ["run logs 16", "Available since Gitea 1.25 and Forgejo 16.0."],
    ["run logs 16 --zip", "Available since Gitea 1.25 and Forgejo 16.0."],
    ["run delete 16 --yes", "Available since Gitea 1.24 and Forgejo 16.0."],
    ["run download 16", "Available since Gitea 1.24 and Forgejo 16.0."],
    ["run why 16", "Available since Gitea 1.25 and Forgejo 16.0."],
    ["run watch 16 --logs", "Available since Gitea 1.25 and Forgejo 16.0."],
    ["run cancel 16", "Available since Gitea 28 and Forgejo 16.0."],
  ])("say for %s which release has it: exit code 5", async (line, words) => {
    expect(await on(line, older)).toMatchObject({ code: 5, stderr: expect.stringContaining(words) });
  });
});
