import { describe, expect, it } from "vitest";
import { type Handler, serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { gitea, run } from "./forge.ts";
import { asked, on } from "./on.ts";

describe("changing runs", () => {
  it("takes a run without an end time by its start, and no run without both for an old one", async () => {
    const epoch = "1970-01-01T00:00:00Z";
    const runs = [
      run(31, { started_at: epoch, completed_at: epoch, conclusion: "cancelled" }),
      run(30, { started_at: "2026-11-20T00:00:00Z", completed_at: epoch }),
      run(29, { started_at: "2026-01-01T00:00:00Z", completed_at: epoch }),
      run(28, { started_at: undefined, completed_at: undefined }),
    ];
    const handler = gitea({ runs }, ({ method }) => (method === "DELETE" ? { status: 204 } : undefined));
    const now = new Date("2026-11-21T00:00:00Z");
    expect((await on(handler, "run delete --older-than 30d --yes", { now })).code).toBe(0);
    expect(asked().filter((line) => line.startsWith("DELETE"))).toEqual(["DELETE /runs/29"]);
  });

  it("cancels a run: at once, or later, or not if it finished before: exit code 9", async () => {
    const states = [{ conclusion: "cancelled" }, { status: "in_progress", conclusion: undefined }, {}];
    const running = run(31, { status: "in_progress", conclusion: undefined });
    const said = [];
    for (const after of states) {
      let sent = false;
      const handler = gitea({ runs: [running] }, ({ method, url }) => {
        if (method === "POST") sent = url.endsWith("/runs/31/cancel");
        return method === "POST" ? { status: 202 } : sent ? { body: run(31, after) } : undefined;
      });
      const { code, stderr } = await on(handler, "run cancel 31");
      said.push([code, stderr.replace(/ as .*/, "").trim()]);
    }
    const name = "mara/harbor run #11 (id 31)";
    expect(said).toEqual([
      [0, expect.stringContaining(`Cancelled ${name}`)],
      [0, expect.stringContaining(`Requested cancellation of ${name}`)],
      [9, expect.stringContaining(`${name} has already finished: success`)],
    ]);
  });

  it("reruns the failed jobs, and says if there are none, which Gitea 1.26 accepts", async () => {
    const rerun = async (after: Readonly<Record<string, unknown>>) => {
      const runs = [run(31, { conclusion: "failure" })];
      let sent = false;
      const handler = gitea({ runs }, ({ method }) => {
        if (method === "POST") sent = true;
        return method === "POST" ? { status: 201 } : sent ? { body: run(31, after) } : undefined;
      });
      return on(handler, "run rerun #11 --failed");
    };
    expect((await rerun({ status: "queued", conclusion: undefined })).code).toBe(0);
    expect(asked()).toContain("POST /runs/31/rerun-failed-jobs");
    const none = await rerun({});
    expect(none).toMatchObject({ code: 9, stderr: expect.stringContaining("run #11 (id 31) has no failed jobs") });
  });

  it("deletes each named run, even if others fail", async () => {
    const handler = gitea({}, ({ method }) => (method === "DELETE" ? { status: 204 } : undefined));
    const ran = await on(handler, "run delete #77 30 29 --yes");
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("#77: mara/harbor has no run number 77") });
    const deleted = asked().filter((line) => line.startsWith("DELETE"));
    expect(deleted.sort()).toEqual(["DELETE /runs/29", "DELETE /runs/30"]);
    expect((await on(handler, "run delete 30 a..b --yes")).code).toBe(2);
    expect(asked()).toEqual([]);
  });

  it("looks up each run in the repository of its URL", async () => {
    const handler: Handler = (seen, ...rest) => {
      if (seen.method === "DELETE") return { status: 204 };
      const other = /^\/api\/v1\/repos\/pilots\/tooling\/actions\/runs\/(\d+)$/.exec(seen.url)?.[1];
      if (other === undefined) return gitea()(seen, ...rest);
      return {
        body: run(Number(other), { html_url: `https://forge.example.org/pilots/tooling/actions/runs/${other}` }),
      };
    };
    const server = await serve(handler);
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const page = (repo: string, id: number) => `${server?.url}/${repo}/actions/runs/${id}`;
    const deleted = () => server?.lines().filter((line) => line.startsWith("DELETE"));

    const given = [page("mara/harbor", 30), page("pilots/tooling", 31)];
    const ran = await tongs(["run", "delete", ...given, "--yes"], { env });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Deleted pilots/tooling run #11 (id 31)") });
    expect(deleted()?.sort()).toEqual([
      "DELETE /api/v1/repos/mara/harbor/actions/runs/30",
      "DELETE /api/v1/repos/pilots/tooling/actions/runs/31",
    ]);

    const mixed = ["run", "delete", page("pilots/tooling", 31), "29", "--yes"];
    expect((await tongs(mixed, { env: { ...env, TONGS_REPO: "mara/harbor" } })).code).toBe(0);
    expect(deleted()).toContain("DELETE /api/v1/repos/mara/harbor/actions/runs/29");

    const cancelled = await tongs(["run", "cancel", "-"], { env, stdin: `${page("pilots/tooling", 31)}\n` });
    expect(cancelled.stderr).toContain(page("pilots/tooling", 31));
  });

  it("refuses the URL of a run on another server, also from stdin", async () => {
    const argv = "run delete - --yes";
    const ran = await on(gitea(), argv, { stdin: "30\nhttps://evil.example/x/y/actions/runs/31\n" });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("is on another server") });
    expect(asked()).toEqual([]);
  });

  it("reports an action that the state does not allow, with a hint: exit code 9", async () => {
    const refusing = (message: string) =>
      gitea({}, ({ method }) => (method === "GET" ? undefined : { status: 400, body: { message } }));
    const early = await on(refusing("this workflow run is not done"), "run delete 31 --yes");
    expect(early).toMatchObject({ code: 9, stderr: expect.stringContaining("tongs run watch") });
    const off = await on(refusing("workflow build.yml is disabled"), "run rerun 31");
    expect(off).toMatchObject({ code: 9, stderr: expect.stringContaining("tongs workflow enable build.yml") });
    const none = await on(refusing("this workflow run has no failed jobs to re-run"), "run rerun 31 --failed");
    expect(none).toMatchObject({ code: 9, stderr: expect.stringContaining("has no failed jobs") });
    expect((await on(refusing("runID must be a positive integer"), "run rerun 31")).code).toBe(13);
  });

  it("deletes old runs, after confirmation", async () => {
    const runs = [run(31, { completed_at: "2026-11-20T00:00:00Z" }), run(30, { completed_at: "2026-01-01T00:00:00Z" })];
    const handler = gitea({ runs }, ({ method }) => (method === "DELETE" ? { status: 204 } : undefined));
    const now = new Date("2026-11-21T00:00:00Z");
    const argv = "run delete --older-than 30d";
    expect((await on(handler, argv, { now })).code).toBe(2);
    expect((await on(handler, `${argv} --yes`, { now })).code).toBe(0);
    expect(asked()).toEqual(["GET /runs?status=completed&page=1&limit=50", "DELETE /runs/30"]);
  });
});
