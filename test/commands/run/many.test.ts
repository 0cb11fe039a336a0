import { describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../../support/cassette.ts";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";
import { gitea, run } from "./forge.ts";
import { forgejo16 } from "./forgejo16.ts";

let server: TestServer | undefined;

async function on(line: string, handler: Handler, repo = "mara/harbor", world: World = {}): Promise<Ran> {
  await server?.close();
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: repo };
  return tongs(line.split(" "), { ...world, env: { ...env, ...world.env } });
}

const asked = () => server?.lines().map((line) => line.replace(/\/api\/v1\/repos\/[^/]+\/[^/]+\/actions\//, "")) ?? [];
const written = () => asked().filter((line) => !line.startsWith("GET"));

describe("Gitea 28", () => {
  const play = (...labels: readonly string[]): Promise<Cassette> =>
    cassette("gitea-28-runs", labels, { repo: "mara/harbor" });

  it("approves a run of a pull request from a fork", async () => {
    const player = await play("run 16, waiting for approval", "approve", "run 16, approved");
    const ran = await player.run(["run", "approve", "16", "--json"]);
    expect([ran.code, ran.json()], ran.stderr).toMatchObject([0, [{ status: "queued" }]]);
    expect(ran.stderr).toContain("Approved mara/harbor run #");
  });

  it("refuses to approve a run that never waited for it: exit code 9", async () => {
    const player = await play("run 17", "approve a run that never waited");
    const ran = await player.run(["run", "approve", "17"]);
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("run is not waiting for approval") });
  });

  it("approves the blocked runs that filters select, after confirmation", async () => {
    const player = await play("blocked runs", "approve", "run 16, approved");
    const ran = await player.run(["run", "approve", "--state", "waiting", "--yes", "--json", "id"]);
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, [{ id: 16 }]]);
  });

  it("cancels a run, with --force without waiting for its runner", async () => {
    const player = await play("run 19, running", "force-cancel", "run 19, cancelled");
    const ran = await player.run(["run", "cancel", "19", "--force"]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Cancelled mara/harbor run #") });
  });

  it("cancels the runs that filters select and that have not finished, after confirmation", async () => {
    const player = await play("runs that have not finished", "cancel", "run 19, cancelled");
    const ran = await player.run(["run", "cancel", "--branch", "main", "--yes", "--json"]);
    expect([ran.code, ran.json()], ran.stderr).toMatchObject([0, [{ conclusion: "cancelled" }]]);
  });

  it("refuses to cancel a finished run: exit code 9", async () => {
    const player = await play("run 17", "cancel a finished run");
    const ran = await player.run(["run", "cancel", "17"]);
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("run is already completed") });
  });
});

describe("runs that filters select", () => {
  const running = run(31, { status: "in_progress", conclusion: undefined });

  it.each(["cancel", "approve", "delete"])("are not changed by run %s without --yes or a prompt", async (verb) => {
    const state = verb === "approve" ? { status: "waiting", conclusion: undefined } : {};
    const runs = verb === "cancel" ? [running] : [run(31, state)];
    const ran = await on(`run ${verb} --event push`, gitea({ runs }));
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes is required") });
    expect(written()).toEqual([]);
  });

  it.each([
    ["cancel", [31]],
    ["approve", [29]],
    ["delete", [30]],
  ])("are listed by run %s --plan if it can be done to them, and nothing is changed", async (verb, ids) => {
    const runs = [running, run(30), run(29, { status: "waiting", conclusion: undefined })];
    const wanted = verb === "cancel" ? [31, 29] : ids;
    const ran = await on(`run ${verb} --actor mara --plan --json id`, gitea({ runs }));
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, wanted.map((id) => ({ id }))]);
    const table = await on(`run ${verb} 30 --plan`, gitea({ runs }));
    expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/^30\t10\tsuccess\t/) });
    expect(written()).toEqual([]);
  });

  it("are none of those of another state, branch, event, actor, commit or workflow", async () => {
    const ran = await on("run cancel -w ci.yml -b main -e push -u mara -c abc -s queued -y", gitea({ runs: [] }));
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("No runs found.") });
    expect(asked()[0]).toBe(
      "GET workflows/ci.yml/runs?branch=main&event=push&head_sha=abc&actor=mara&status=queued&page=1&limit=50",
    );
  });

  it.each(["run cancel", "run cancel 31 --branch main", "run approve", "run delete 31 --older-than 1d"])(
    "are a usage error with named runs, or without both: %s",
    async (line) => {
      expect(await on(line, gitea())).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("Specify either runs"),
      });
      expect(asked()).toEqual([]);
    },
  );

  it("continue after a failure: exit code 11", async () => {
    const runs = [running, run(30, { status: "queued", conclusion: undefined })];
    let cancelled = false;
    const handler = gitea({ runs }, ({ method, url }) => {
      if (method === "POST" && url.includes("/30/"))
        return { status: 409, body: { message: "run is already completed" } };
      if (method === "POST") cancelled = true;
      if (method === "POST") return { status: 200, body: running };
      return cancelled && url.endsWith("/runs/31") ? { body: run(31, { conclusion: "cancelled" }) } : undefined;
    });
    const ran = await on("run cancel --branch main --yes", handler);
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("#10: Not allowed in the current state") });
    expect(ran.stderr).toContain("Cancelled mara/harbor run #11 (id 31)");
  });

  it("of Forgejo 16 are cancelled, by the filters that it has, and --force is exit code 5", async () => {
    const ran = await on("run cancel --workflow slow.yml --yes", forgejo16(), "root1/ci");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Cancelled root1/ci run #20 (id 21)") });
    expect(written()).toEqual(["POST runs/21/cancel"]);
    const forced = await on("run cancel 21 --force", forgejo16(), "root1/ci");
    expect(forced).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Available since Gitea 28. Forgejo 17.0 does not have it."),
    });
  });
});
