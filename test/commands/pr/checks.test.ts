import { describe, expect, it } from "vitest";
import { redraws, screen } from "../../support/screen.ts";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { tongs, type World } from "../../support/tongs.ts";
import { end, listed, pull } from "./pulls.ts";

let server: TestServer | undefined;

interface Status {
  readonly id: number;
  readonly context: string;
  readonly status: string;
  readonly target_url?: string;
}

interface Script {
  /** The statuses of each poll; the last ones repeat. A number is an HTTP status to fail with. */
  readonly polls: readonly (readonly Status[] | number)[];
  readonly required?: readonly string[];
  readonly head?: (poll: number) => string;
  /** The workflow file of the head. */
  readonly workflow?: string;
  /** The state of a run of the head, which is then in a fork. */
  readonly run?: string;
}

let id = 0;
const is = (context: string, status: string, target_url = ""): Status => ({ id: ++id, context, status, target_url });

async function checks({ polls, required, head, workflow, run }: Script, argv: readonly string[], world: World = {}) {
  let poll = -1;
  const handler: Handler = ({ url }) => {
    if (url.includes("/branches/")) {
      return { body: { enable_status_check: required !== undefined, status_check_contexts: required ?? null } };
    }
    if (url.includes("/contents/.gitea/workflows") && workflow !== undefined) {
      const file = { type: "file", name: "ci.yml", path: ".gitea/workflows/ci.yml", sha: "1" };
      const content = Buffer.from(workflow).toString("base64");
      return { body: url.includes("ci.yml") ? { ...file, encoding: "base64", content } : [file] };
    }
    if (url.includes("/contents/")) return { status: 404, body: { message: "not found" } };
    if (url.includes("/actions/runs")) {
      const record = { id: 5, run_number: 3, path: "ci.yml@refs/pull/12/head", head_sha: "a".repeat(40), status: run };
      return { body: { workflow_runs: [record], total_count: 1 } };
    }
    if (!url.includes("/status")) {
      const owner = run === undefined ? "mara" : "nils";
      return { body: pull(12, { head: { ...end("change-12", owner), sha: head?.(poll + 1) ?? "a".repeat(40) } }) };
    }
    poll += 1;
    const now = polls[Math.min(poll, polls.length - 1)] ?? [];
    if (typeof now === "number") return { status: now, body: { message: "gone fishing" } };
    const { headers } = listed(now);
    return { headers, body: { state: "success", total_count: now.length, statuses: now.length === 0 ? null : now } };
  };
  server = await serve(handler);
  const own = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  const env = { ...own, ...world.env };
  return tongs(["pr", "checks", "12", ...argv], { ...world, env });
}

const first = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split("\t").slice(0, 3).join(" ").trim());

describe("tongs pr checks", () => {
  it("exits 0 when all checks passed, including warnings and skipped checks", async () => {
    const polls = [[is("test", "success"), is("lint", "warning"), is("docs", "skipped")]];
    const ran = await checks({ polls }, []);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(first(ran.stdout)).toEqual(["docs skipped", "lint warning", "test success"]);
    expect(server?.lines().sort()).toEqual([
      "GET /api/v1/repos/mara/harbor/branches/main",
      `GET /api/v1/repos/mara/harbor/commits/${"a".repeat(40)}/status?page=1&limit=50`,
      "GET /api/v1/repos/mara/harbor/pulls/12",
    ]);
  });

  it.each([
    [8, ["success", "pending"]],
    [8, ["success", "odd word"]],
    [8, ["success", ""]],
    [12, ["pending", "failure"]],
    [12, ["success", "error"]],
  ])("exits %i for %j", async (code, states) => {
    const polls = [states.map((state, index) => is(`c${index}`, state))];
    expect((await checks({ polls }, [])).code).toBe(code);
  });

  it("reads all pages of checks, not only the combined state of the first", async () => {
    const many = Array.from({ length: 60 }, (_, index) => is(`c${index}`, index === 59 ? "failure" : "success"));
    server = await serve(({ url }) => {
      if (!url.includes("/status")) return { body: url.includes("/branches/") ? {} : pull(12) };
      const page = Number(new URL(url, "http://x").searchParams.get("page"));
      const statuses = many.slice((page - 1) * 50, page * 50);
      const link = '<http://other/x?page=2>; rel="next",<http://other/x?page=2>; rel="last"';
      return {
        headers: { "x-total-count": "60", ...(page === 1 ? { link } : {}) },
        body: { state: "success", statuses },
      };
    });
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["pr", "checks", "12"], { env });
    expect(ran.code).toBe(12);
    expect(first(ran.stdout)).toHaveLength(60);
  });

  it("reports that there are no checks, with exit code 1", async () => {
    const ran = await checks({ polls: [[]] }, []);
    expect(ran).toMatchObject({ code: 1, stdout: "", stderr: "No checks reported on aaaaaaaaaa.\n" });
    expect((await checks({ polls: [[]] }, ["--json"])).json()).toEqual([]);
  });

  it("is pending while a required check is not reported", async () => {
    const ran = await checks({ polls: [[is("lint", "success")]], required: ["ci/*", "lint"] }, []);
    expect(ran.code).toBe(8);
    expect(first(ran.stdout)).toEqual(["ci/* expected required", "lint success required"]);
  });

  it("shows and counts only required checks with --required", async () => {
    const polls = [[is("ci/test", "success"), is("spelling", "failure")]];
    const ran = await checks({ polls, required: ["ci/*"] }, ["--required"]);
    expect(ran.code).toBe(0);
    expect(first(ran.stdout)).toEqual(["ci/test success required"]);
    const none = await checks({ polls }, ["--required"]);
    expect(none).toMatchObject({ code: 1, stderr: "No required checks for main.\n" });
  });

  it("works if the base branch was deleted", async () => {
    server = await serve(({ url }) => {
      if (url.includes("/branches/")) return { status: 404, body: { message: "not found" } };
      if (!url.includes("/status")) return { body: pull(12) };
      return { headers: { "x-total-count": "1" }, body: { statuses: [is("test", "success")] } };
    });
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor" };
    expect((await tongs(["pr", "checks", "12"], { env })).code).toBe(0);
  });

  it("prints the records as JSON, and lists required checks that were not reported on stderr", async () => {
    const status = is("lint", "success");
    const ran = await checks({ polls: [[status]], required: ["ci/test"] }, ["--json"]);
    expect(ran.json()).toEqual([status]);
    expect(ran.stderr).toContain("required but not reported: ci/test");
    expect(ran.code).toBe(8);
  });

  it("makes a URL of the path that Forgejo Actions report", async () => {
    const ran = await checks({ polls: [[is("build", "success", "/mara/harbor/actions/runs/3")]] }, []);
    expect(ran.stdout).toContain(`\t${server?.url}/mara/harbor/actions/runs/3\n`);
  });

  it.each([["--fail-fast"], ["--interval", "3"], ["--watch", "--interval", "0"]])(
    "refuses %s %s %s",
    async (...argv) => {
      const ran = await checks({ polls: [[]] }, argv);
      expect(ran.code).toBe(2);
      expect(server?.lines()).toEqual([]);
    },
  );
});

describe("tongs pr checks --watch", () => {
  it("prints each change once in a pipe, and exits with the code of the final result", async () => {
    const [test, lint] = [is("test", "pending"), is("lint", "success")];
    const polls = [
      [test, lint],
      [test, lint],
      [{ ...test, id: 900, status: "success" }, lint],
    ];
    const waits: number[] = [];
    const ran = await checks({ polls }, ["--watch", "--interval", "7"], { onSleep: (wait) => waits.push(wait) });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(first(ran.stdout)).toEqual(["lint success", "test pending", "test success"]);
    expect(waits).toEqual([7000, 7000]);
  });

  it("does not wait for the check of its own job", async () => {
    const own = { ...is("CI / gate (pull_request)", "pending"), target_url: "/mara/harbor/actions/runs/7/jobs/0" };
    const env = { GITHUB_REPOSITORY: "mara/harbor", GITHUB_RUN_ID: "7", GITHUB_JOB: "gate" };
    const ran = await checks(
      {
        polls: [
          [is("test", "pending"), own],
          [is("test", "success"), own],
        ],
      },
      ["--watch"],
      { env },
    );
    expect([ran.code, first(ran.stdout)]).toEqual([0, ["test pending", "test success"]]);
    const late = await checks({ polls: [[own], [own, is("test", "failure")]] }, ["--watch"], { env });
    expect([late.code, late.stderr]).toEqual([12, expect.stringContaining("Waiting at most")]);
    expect((await checks({ polls: [[own]] }, ["--watch"], { env })).code).toBe(1);
  });

  it("waits for the other checks after a failure, unless --fail-fast is given", async () => {
    const polls = [
      [is("a", "failure"), is("b", "pending")],
      [is("a", "failure"), is("b", "success")],
    ];
    expect(first((await checks({ polls }, ["--watch"])).stdout)).toContain("b success");
    const fast = await checks({ polls }, ["--watch", "--fail-fast"]);
    expect(fast.code).toBe(12);
    expect(first(fast.stdout)).toEqual(["a failure", "b pending"]);
  });

  it("retries while the server fails, and reports it", async () => {
    const pending = [is("test", "pending")];
    const polls = [pending, 500, 500, [is("test", "success")]];
    const ran = await checks({ polls }, ["--watch"]);
    expect(ran.code).toBe(0);
    expect(first(ran.stdout)).toEqual(["test pending", "test success"]);
    expect(ran.stderr).toContain("gone fishing");
  });

  it("gives up if the server keeps failing, and at once if access is denied", async () => {
    const ran = await checks({ polls: [[is("test", "pending")], 500] }, ["--watch"]);
    expect(ran.code).toBe(7);
    const denied = await checks({ polls: [[is("test", "pending")], 403] }, ["--watch"]);
    expect(denied.code).toBe(4);
    expect(server?.lines().filter((line) => line.includes("/status"))).toHaveLength(2);
  });

  it("follows the head when it changes", async () => {
    const polls = [[is("test", "pending")], [is("test", "success")]];
    const ran = await checks({ polls, head: (poll) => (poll === 0 ? "a" : "b").repeat(40) }, ["--watch"]);
    expect(ran.stderr).toContain("The head is now bbbbbbbbbb.");
    expect(server?.lines().at(-1)).toContain("b".repeat(40));
  });

  it("waits for the checks of a commit that is pushed meanwhile", async () => {
    const polls = [[is("test", "pending")], [], [], [is("test", "failure")]];
    const ran = await checks({ polls, head: (poll) => (poll === 0 ? "a" : "b").repeat(40) }, ["--watch"]);
    expect(ran.code).toBe(12);
    expect(first(ran.stdout)).toEqual(["test pending", "test failure"]);
  });

  it("waits for a first check after a push, and says so", async () => {
    const polls = [[], [], [is("test", "pending")], [is("test", "success")]];
    const ran = await checks({ polls }, ["--watch"]);
    expect([ran.code, first(ran.stdout)]).toEqual([0, ["test pending", "test success"]]);
    expect(ran.stderr).toBe("No checks reported on aaaaaaaaaa yet. Waiting at most 60 s for the first.\n");
  });

  it.each([
    [60, {}],
    [60, { workflow: "on: workflow_dispatch" }],
    [600, { workflow: "on:\n  pull_request:\n" }],
    [60, { workflow: "on:\n  push:\n    branches: [main, 'release/*']\n" }],
    [60, { workflow: "on:\n  push:\n    branches-ignore: ['change-*']\n" }],
    [600, { workflow: "on:\n  push:\n    branches: ['change-*']\n" }],
    [600, { required: [] }],
  ])("waits %i s for it with %j, and exits 1 without one", async (seconds, script) => {
    let slept = 0;
    const ran = await checks({ polls: [[]], ...script }, ["--watch"], { onSleep: (wait) => (slept += wait) });
    expect([ran.code, slept]).toEqual([1, seconds * 1000]);
    expect(ran.stderr).toContain(`Waiting at most ${seconds} s`);
  });

  it.each([[[]], [[is("test", "pending")]]])("reports a run that waits for an approval at once (%#)", async (now) => {
    const waits: number[] = [];
    const ran = await checks({ polls: [now], run: "waiting" }, ["--watch"], { onSleep: (wait) => waits.push(wait) });
    expect([ran.code, waits]).toEqual([8, []]);
    expect(ran.stderr).toContain(
      `Run #3 waits for an approval before any of its jobs can start. Approve the run at ${server?.url}/mara/harbor/actions`,
    );
  });

  it("is pending if no check of that commit is reported for a minute", async () => {
    const waits: number[] = [];
    const script = {
      polls: [[is("test", "pending")], []],
      head: (poll: number) => (poll === 0 ? "a" : "b").repeat(40),
    };
    const ran = await checks(script, ["--watch", "-i", "20"], { onSleep: (wait) => waits.push(wait) });
    expect(ran.code).toBe(8);
    expect(ran.stderr).toContain("No checks reported on bbbbbbbbbb.");
    expect(waits).toEqual([20_000, 20_000, 20_000, 20_000]);
    expect(await checks(script, ["--watch", "--json"])).toMatchObject({ code: 8, stdout: "[]\n" });
    const shown = await checks(script, ["--watch", "--color", "never"], { terminal: true });
    expect(shown.code).toBe(8);
    expect(shown.stdout).toContain("no checks yet, the head is now bbbbbbbbbb");
  });

  it("prints a record for each change with --jsonl, and the final records with --json", async () => {
    const [before, after] = [is("test", "pending"), is("test", "success")];
    const lines = await checks({ polls: [[before], [after]] }, ["--watch", "--jsonl"]);
    expect(lines.stdout).toBe(`${JSON.stringify(before)}\n${JSON.stringify(after)}\n`);
    expect((await checks({ polls: [[before], [after]] }, ["--watch", "--json"])).json()).toEqual([after]);
  });

  it("redraws the table in place on a terminal", async () => {
    const polls = [
      [is("a", "pending"), is("b", "success")],
      [is("a", "success"), is("b", "success")],
    ];
    const ran = await checks({ polls }, ["--watch", "--color", "never"], { terminal: true });
    const [start = "", one = "", two = ""] = redraws(ran.stdout);
    expect(screen(start + one)).toEqual([
      expect.stringMatching(/^ {2}CHECK /),
      expect.stringMatching(/^ {2}b {2}.*✓ success/),
      expect.stringMatching(/^ {2}a {2}.*● pending/),
      expect.stringMatching(/^[⠀-⣿] 1 pending, 1 passed · refreshing in 10 s, press Ctrl-C to quit$/),
    ]);
    expect(screen(start + one + two)).toEqual([
      expect.stringMatching(/^ {2}CHECK /),
      expect.stringMatching(/^→ a {2}.*✓ success/),
      expect.stringMatching(/^ {2}b {2}.*✓ success/),
    ]);
    expect(ran.stderr).toBe("2 passed\n");
  });

  it("never draws more lines than the terminal has, and shows failed and pending checks first", async () => {
    const many = Array.from({ length: 80 }, (_, index) => is(`c${index + 10}`, index === 70 ? "pending" : "success"));
    const polls = [many, many.map((one) => ({ ...one, status: "success" }))];
    const ran = await checks({ polls }, ["--watch", "--color", "never"], { terminal: true });
    const [start = "", one = ""] = redraws(ran.stdout);
    const shown = screen(start + one);
    expect(shown.length).toBeLessThanOrEqual(40);
    expect(shown[1]).toContain("c80");
    expect(shown.at(-2)).toBe("… 44 more");
  });
});
