import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type Handler, serve } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { forgejo, gitea, job, run, step, task } from "./forge.ts";
import { asked, on } from "./on.ts";

describe("tongs run list", () => {
  it("sends its filters and prints the records unchanged", async () => {
    const ran = await on(gitea(), "run list --branch main --status failure,queued --json id,conclusion");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.json()).toEqual([31, 30, 29].map((id) => ({ id, conclusion: "success" })));
    expect(asked()).toEqual(["GET /runs?branch=main&status=failure&status=queued&page=1&limit=30"]);
  });

  it("filters by workflow itself if the server cannot", async () => {
    const runs = [run(31), run(30, { path: "nightly.yml@refs/heads/main" })];
    const ran = await on(gitea({ runs }), "run list --workflow nightly.yml");
    expect(ran.stdout.split("\t")[0]).toBe("30");
    expect(asked()[0]).toContain("GET /workflows/nightly.yml/runs");
  });

  it("reports an unknown user if the server fails for an unknown actor", async () => {
    const handler = gitea({}, ({ url }) =>
      url.includes("actor=")
        ? { status: 500, body: { message: "" } }
        : { status: 404, body: { message: "user redirect does not exist [name: nobody]" } },
    );
    expect(await on(handler, "run list --actor nobody")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("User nobody not found"),
    });
  });

  it("lists and filters tasks on a server without run records", async () => {
    const tasks = [task(9, 4, { status: "running" }), task(8, 3, { status: "failure" }), task(7, 3)];
    const ran = await on(forgejo(tasks), "run list --status in_progress --json id,workflow_id");
    expect(ran.json()).toEqual([{ id: 9, workflow_id: "build.yml" }]);
  });

  it("shows a state by the same word for a run and a task", async () => {
    const states = async (handler: Handler) =>
      (await on(handler, "run list")).stdout.split("\n").flatMap((line) => line.split("\t")[2] ?? []);
    const words = ["waiting", "blocked", "running", "cancelling", "cancelled"];
    const tasks = words.map((status, at) => task(9 - at, 4, { status }));
    expect(await states(forgejo(tasks))).toEqual(["queued", "waiting", "in_progress", "in_progress", "cancelled"]);
    // Of a run, waiting is the word for a blocked one.
    const runs = ["queued", "waiting", "in_progress"].map((status, at) => run(31 - at, { status, conclusion: "" }));
    expect(await states(gitea({ runs }))).toEqual(["queued", "waiting", "in_progress"]);
  });
});

describe("run view --log and --log-failed", () => {
  it("name the command that prints logs", async () => {
    for (const [flags, words] of [
      [["--log"], "Run: tongs run logs"],
      [["--log-failed"], "Run: tongs run logs --failed"],
      [["--job", "lint", "--log"], "Run: tongs run logs --job lint"],
      [["2", "--log-failed"], "Run: tongs run logs 2 --failed"],
      [["#7", "--job", "a b", "--log"], "Run: tongs run logs '#7' --job 'a b'"],
    ] as const) {
      const ran = await on(gitea(), ["run", "view", ...flags]);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });
});

describe("selecting a run", () => {
  it("accepts an ID, with one request for the run", async () => {
    expect((await on(gitea(), "run view 30 --json id")).json()).toEqual({ id: 30 });
    expect(asked()).toEqual(["GET /runs/30", "GET /runs/30/jobs?page=1&limit=50"]);
  });

  it.each([
    ["#10", 30],
    ["https://forge.example.org/mara/harbor/actions/runs/30/jobs/1", 30],
    ["latest", 31],
    ["main", 31],
  ])("accepts %s", async (typed, id) => {
    const host = typed.startsWith("http");
    const server = await serve(gitea());
    const url = host ? typed.replace("https://forge.example.org", server.url) : typed;
    const env = {
      TONGS_HOST: server.url,
      TONGS_TOKEN: "not-a-real-token",
      ...(host ? {} : { TONGS_REPO: "mara/harbor" }),
    };
    expect((await tongs(["run", "view", url, "--json", "id"], { env })).json()).toEqual({ id });
  });

  it("accepts a URL that ends in the number, as on older servers", async () => {
    const runs = [run(31, { html_url: "https://forge.example.org/mara/harbor/actions/runs/11" })];
    const server = await serve(gitea({ runs }));
    const env = { TONGS_HOST: server.url };
    const ran = await tongs(["run", "view", `${server.url}/mara/harbor/actions/runs/11`, "--json", "id"], { env });
    expect(ran.json()).toEqual({ id: 31 });
  });

  it("explains a number that was passed as an ID, and the reverse", async () => {
    const id = await on(gitea(), "run view 10");
    expect(id).toMatchObject({ code: 5, stderr: expect.stringContaining("Run number 10 has ID 30") });
    const number = await on(gitea(), "run view #30");
    expect(number).toMatchObject({ code: 5, stderr: expect.stringContaining("The run with ID 30 has number 10") });
  });

  it("accepts numbers on a server that has only tasks", async () => {
    const tasks = [task(9, 4), task(8, 3), task(7, 3)];
    const ran = await on(forgejo(tasks), "run view #3 --json");
    expect(ran.json()).toMatchObject({ run_number: 3, task_list: [{ id: 7 }, { id: 8 }] });
    expect(await on(forgejo(tasks), "run view 3")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("To select it, pass '#3'"),
    });
  });
});

const log = [
  "2026-11-21T09:53:43.2184636Z dock-1 received task 21 of job check",
  "2026-11-21T09:53:44.0000000Z first step is fine",
  "2026-11-21T09:53:46.0000000Z ::group::Crane",
  "2026-11-21T09:53:46.5000000Z \u001b[31mError:\u001b[0m the crane is stuck\u001b]0;title\u0007\u001b[2J",
  "2026-11-21T09:53:46.6000000Z ::error file=crane.ts,line=3::no oil",
  "2026-11-21T09:53:46.7000000Z ::endgroup::",
  "2026-11-21T09:53:49.0000000Z cleaning",
  "",
].join("\n");
const failed = job(27, {
  conclusion: "failure",
  steps: [step("Works", "success", 43, 45), step("Breaks", "failure", 46, 47), step("Cleanup", "success", 48, 50)],
});

describe("tongs run logs", () => {
  const logs = (argv: readonly string[], world?: World) =>
    on(gitea({ jobs: [failed], log }), ["run", "logs", "31", ...argv], world);

  it("prints only the lines of the failed step with --failed, without escape sequences and marks in a pipe", async () => {
    const ran = await logs(["--failed", "--no-timestamps"]);
    expect(ran).toMatchObject({ code: 0, stdout: "Crane\nError: the crane is stuck\nerror: crane.ts:3: no oil\n" });
  });

  it("never passes escape sequences of the log to a terminal, except its own colors", async () => {
    const ran = await logs(["--no-timestamps"], { terminal: true, env: { FORCE_COLOR: "1" } });
    expect(ran.stdout).toContain("\u001b[31mError:\u001b[39m the crane is stuck\n");
    expect(ran.stdout).not.toMatch(/\u001b\]|\u001b\[2J|\u0007/);
  });

  it("searches, and prints the last lines", async () => {
    expect((await logs(["--grep", "(?i)STUCK|fine", "--tail", "1"])).stdout).toBe(
      "2026-11-21T09:53:46.5000000Z Error: the crane is stuck\n",
    );
    expect((await logs(["--grep", "("])).code).toBe(2);
    expect(asked()).toEqual([]);
  });

  it("prefixes each line with its job if there are several, and notes jobs without a log", async () => {
    const handler = gitea({ jobs: [failed, job(28, { name: "publish", conclusion: "skipped" })], log }, ({ url }) =>
      url.includes("/jobs/28/logs") ? { status: 404, body: { message: "job not started" } } : undefined,
    );
    const ran = await on(handler, "run logs 31 --tail 1");
    expect(ran).toMatchObject({ code: 0, stdout: "check\t2026-11-21T09:53:49.0000000Z cleaning\n" });
    expect(ran.stderr).toContain("publish: job not started");
  });
});

describe("tongs run watch", () => {
  const moments = (...states: readonly (readonly [string, string?])[]): Handler => {
    let look = -2;
    return (seen, ...rest) => {
      if (/\/runs\/31$/.test(seen.url)) look += 1;
      const [status, conclusion] = states[Math.max(0, Math.min(look, states.length - 1))] ?? ["queued"];
      const now = { status, conclusion };
      return gitea({ runs: [run(31, now)], jobs: [job(27, now)] })(seen, ...rest);
    };
  };

  it("prints each change once and exits with 0 or 12", async () => {
    const good = await on(
      moments(["queued"], ["in_progress"], ["in_progress"], ["completed", "success"]),
      "run watch 31",
    );
    expect(good).toMatchObject({
      code: 0,
      stdout: "check\tqueued\n#11\tqueued\ncheck\tin_progress\n#11\tin_progress\ncheck\tsuccess\n#11\tsuccess\n",
    });
    expect((await on(moments(["completed", "failure"]), "run watch 31")).code).toBe(12);
    // As gh users write it.
    expect((await on(moments(["completed", "failure"]), "run watch 31 --exit-status")).code).toBe(12);
    expect((await on(moments(["completed", "cancelled"]), "run watch 31")).code).toBe(12);
  });

  it("refreshes less often while nothing changes", async () => {
    const waits: number[] = [];
    const same = Array.from({ length: 12 }, () => ["in_progress"] as const);
    const onSleep = (milliseconds: number) => waits.push(milliseconds / 1000);
    await on(moments(...same, ["completed", "success"]), "run watch 31 --interval 2", { onSleep });
    expect(waits[0]).toBe(2);
    expect(Math.max(...waits)).toBe(10);
  });

  it("exits with 8 when --timeout is reached", async () => {
    const ran = await on(moments(["in_progress"]), "run watch 31 --timeout 9");
    expect(ran.code).toBe(8);
  });

  it("waits for the run of the commit that was just pushed, and fails if there is none", async () => {
    const cwd = emptyFolder();
    const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
    git("init", "-q", "-b", "main");
    git("-c", "user.name=Mara", "-c", "user.email=m@example.org", "commit", "-q", "--allow-empty", "-m", "One");
    const pushed = git("rev-parse", "HEAD");
    let lists = 0;
    const server = (created: number): Handler => {
      lists = 0;
      return (seen, ...rest) => {
        if (seen.url.endsWith("/branches/main")) return { body: { name: "main", commit: { id: pushed } } };
        if (/\/runs\?/.test(seen.url)) lists += 1;
        const runs = [...(lists > created ? [run(32, { head_sha: pushed })] : []), run(31)];
        return gitea({ runs, jobs: [job(27)] })(seen, ...rest);
      };
    };
    const watched = await on(server(2), "run watch --json id", { cwd });
    expect(watched.json()).toEqual({ id: 32 });
    expect(watched.stderr).toContain(`Waiting for a run of commit ${pushed.slice(0, 10)}`);
    // As Gitea does for a moment after the first push.
    const away = (failing: number): Handler => {
      let asked = 0;
      const later = server(1);
      return (seen, ...rest) => {
        if (seen.url.endsWith("/branches/main")) asked += 1;
        return asked <= failing && /\/branches\/main$/.test(seen.url)
          ? { status: 500, body: { message: "" } }
          : later(seen, ...rest);
      };
    };
    expect((await on(away(3), "run watch --json id", { cwd })).json()).toEqual({ id: 32 });
    expect(await on(server(1000), "run watch", { cwd })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("tongs run watch latest"),
    });
    expect((await on(server(1000), "run watch latest --json id", { cwd })).json()).toEqual({ id: 31 });
  });
});

describe("tongs run why", () => {
  it("shows the failed step, its error lines and the last successful run", async () => {
    const runs = [run(31, { conclusion: "failure" }), run(30, { head_sha: "b".repeat(40) })];
    const ran = await on(gitea({ runs, jobs: [failed], log }), "run why 31 --json");
    expect(ran.json()).toMatchObject({
      failures: [
        { job: "check", step: "Breaks", lines: ["Crane", "Error: the crane is stuck", "error: crane.ts:3: no oil"] },
      ],
      last_success: { id: 30 },
    });
  });

  it("shows only the failed command if the runner marks commands within the same second", async () => {
    const at = "2026-11-21T09:53:46.0000000Z";
    const texts = ["##[group]Run make", "Error: not this", "##[group]Run ship", "##[endgroup]", "adrift"];
    const marked = [...texts, "##[error]Process completed with exit code 3.", "cleaning, error 7"];
    const ran = await on(gitea({ jobs: [failed], log: marked.map((line) => `${at} ${line}\n`).join("") }), [
      ...["run", "why", "31", "--json", "failures"],
    ]);
    const lines = ["Run ship", "adrift", "error: Process completed with exit code 3."];
    expect(ran.json()).toMatchObject({ failures: [{ step: "Breaks", lines }] });
  });

  it("finds the failed step in the log if the server does not tell how each step ended", async () => {
    const lines = [
      ["43", "⭐ Run Main Sound the depth"],
      ["43", "Error: nine metres"],
      ["45", "Error: the crane is stuck"],
      ["45", "  ❌  Failure - Main Ship [12.5ms]"],
      ["45", "exit status 3"],
    ];
    const text = lines.map(([second, line]) => `2026-11-21T09:53:${second}.5000000Z ${line}\n`).join("");
    const all = [step("Sound the depth", "failure", 43, 44), step("Ship", "failure", 45, 46)];
    for (const [steps, shown] of [
      [all, ["Error: the crane is stuck"]],
      // Gitea before 1.26 has no steps either.
      [null, ["Error: nine metres", "Error: the crane is stuck"]],
    ] as const) {
      const jobs = [job(27, { conclusion: "failure", steps })];
      const handler = gitea({ runs: [run(31, { conclusion: "failure" })], jobs, log: text });
      const why = (await on(handler, "run why 31 --json failures")).json();
      expect(why).toMatchObject({ failures: [{ step: "Ship", lines: expect.arrayContaining([...shown]) }] });
      const printed = (await on(handler, "run logs 31 --failed --no-timestamps")).stdout;
      expect(printed.includes("Error: nine metres")).toBe(steps === null);
      expect(printed).toContain("Error: the crane is stuck");
      const viewed = await on(handler, "run view 31 --job check");
      expect(viewed.stdout).not.toMatch(/failure\s+Sound the depth/);
      expect((await on(handler, "run view 31")).stdout).not.toContain("failed in");
    }
  });

  it("finds the failed step by the time of the failed command if the runner does not name it", async () => {
    const lines = [
      ["43.1", "::group::Run echo nine metres"],
      ["43.2", "nine metres"],
      ["45.3", "::group::Run ship"],
      ["46.4", "##[error]Process completed with exit code 3."],
      ["46.5", "::group::Run echo after"],
    ];
    const log = lines.map(([second, line]) => `2026-11-21T09:53:${second}000000Z ${line}\n`).join("");
    const of = (steps: unknown[]) =>
      gitea({ runs: [run(31, { conclusion: "failure" })], jobs: [job(27, { conclusion: "failure", steps })], log });
    const why = async (...steps: unknown[]) => (await on(of(steps), "run why 31 --json failures")).json();
    const [first, after] = [step("Sound", "failure", 43, 45), step("After", "failure", 46, 46)];
    const command = ["Run ship", "error: Process completed with exit code 3."];
    expect(await why(first, step("Ship", "failure", 45, 46), after)).toMatchObject({
      failures: [{ step: "Ship", lines: command }],
    });
    // Two steps were running at both times, as far as whole seconds tell.
    const both = [step("Ship", "failure", 45, 46), step("Sail", "failure", 45, 46)];
    expect(await why(first, ...both, after)).toMatchObject({ failures: [{ step: null, lines: command }] });
    const printed = await on(of([first, ...both, after]), "run logs 31 --failed --jsonl");
    expect(printed.stdout.match(/"text":"[^"]*"/g)).toEqual([
      '"text":"::group::Run ship"',
      '"text":"##[error]Process completed with exit code 3."',
    ]);
  });

  describe("a job that waits for a runner", () => {
    const waiting = { status: "queued", conclusion: undefined };
    const jobs = [job(27, { ...waiting, name: "train", labels: ["gpu", "linux"], steps: null })];
    const runner = (id: number, labels: readonly string[], over: Readonly<Record<string, unknown>> = {}) => ({
      id,
      name: `dock-${id}`,
      status: "online",
      busy: false,
      labels: labels.map((name, at) => ({ id: at, name, type: "custom" })),
      ...over,
    });
    /** The reasons, where the lists of runners are the answers given; others are refused. */
    async function reasons(lists: { readonly [place: string]: readonly unknown[] | "missing" }): Promise<string> {
      const handler = gitea({ runs: [run(31, waiting)], jobs }, ({ url }) => {
        if (url.endsWith("/user")) return { body: { login: "mara" } };
        const place = /^\/api\/v1\/(.*)\/actions\/runners/.exec(url)?.[1];
        if (place === undefined) return undefined;
        const list = lists[place];
        if (list === "missing") return { status: 404, body: { message: "not found" } };
        if (list === undefined) return { status: 403, body: { message: "no" } };
        return { body: { runners: list, total_count: list.length } };
      });
      const ran = await on(handler, "run why 31 --jq .waiting[]");
      return ran.stdout.replace("train is waiting for a runner with gpu, linux", "").trim();
    }

    it("is compared with the runners of the repository and its owner, without a word on those of the server", async () => {
      const [linux, gpu] = [runner(1, ["linux"]), runner(2, ["gpu", "linux"], { busy: true })];
      expect(await reasons({ "repos/mara/harbor": [linux], "orgs/mara": "missing", user: [] })).toBe(
        ": none of the runners that you can list has gpu; those of the server are not visible to you. " +
          "Runners that you can list: dock-1 (linux)",
      );
      expect(await reasons({ "repos/mara/harbor": [linux], user: [gpu] })).toBe(
        ": dock-2 is busy; those of the server are not visible to you",
      );
      expect(await reasons({ "repos/mara/harbor": [{ ...gpu, busy: false }] })).toBe(": dock-2 should pick it up soon");
    });

    it("is compared with all runners of the server, of which some are not for this repository", async () => {
      const [linux, gpu] = [runner(1, ["linux"]), runner(2, ["gpu", "linux"])];
      expect(await reasons({ admin: [linux] })).toBe(": no runner has gpu. Runners of the server: dock-1 (linux)");
      const doubt = "; not every runner of the server is available to mara/harbor";
      expect(await reasons({ admin: [linux, gpu] })).toBe(`: dock-2 is idle${doubt}`);
      const busy = [2, 3].map((id) => runner(id, ["gpu", "linux"], { busy: true }));
      expect(await reasons({ admin: busy })).toBe(`: dock-2, dock-3 are busy${doubt}`);
      expect(await reasons({ admin: [linux, gpu], "repos/mara/harbor": [gpu] })).toBe(
        ": dock-2 should pick it up soon",
      );
      const off = runner(2, ["gpu", "linux"], { status: "offline" });
      expect(await reasons({ admin: [off], "repos/mara/harbor": [off] })).toBe(": dock-2 is offline");
    });

    it("is not compared if no list may be read, or the server has none", async () => {
      expect(await reasons({})).toBe("; you do not have permission to list runners");
      const none = {
        admin: "missing",
        "repos/mara/harbor": "missing",
        "orgs/mara": "missing",
        user: "missing",
      } as const;
      expect(await reasons(none)).toBe("; the server does not list its runners");
    });
  });
});
