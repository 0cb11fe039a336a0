import { afterEach, describe, expect, it } from "vitest";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";
import { gitea, run } from "./forge.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function on(handler: Handler, argv: readonly string[], world: World = {}): Promise<Ran> {
  await server?.close();
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return tongs(argv, { ...world, env: { PAGER: "cat", ...env, ...world.env } });
}

const asked = () => server?.lines().map((line) => line.replace("/api/v1/repos/mara/harbor/actions", "")) ?? [];

describe("steering runs", () => {
  it("names the page where no operation cancels a run", async () => {
    const ran = await on(gitea(), ["run", "cancel", "31"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(`Its page can: ${server?.url}/mara/harbor/actions/runs/31`);
  });

  it("cancels by the operation that a server describes", async () => {
    const handler = gitea({}, ({ method, url }) => {
      if (url === "/swagger.v1.json") {
        return { body: { paths: { "/repos/{owner}/{repo}/actions/run/{id}/cancel": { put: {} } } } };
      }
      return method === "PUT" ? { status: 204 } : undefined;
    });
    expect((await on(handler, ["run", "cancel", "31"])).code).toBe(0);
    expect(asked().at(-1)).toBe("PUT /run/31/cancel");
  });

  it("reruns the failed jobs", async () => {
    const handler = gitea({}, ({ method }) => (method === "POST" ? { status: 201 } : undefined));
    expect((await on(handler, ["run", "rerun", "#11", "--failed"])).code).toBe(0);
    expect(asked().at(-1)).toBe("POST /runs/31/rerun-failed-jobs");
  });

  it("deletes each run that was named, whatever came of the others", async () => {
    const handler = gitea({}, ({ method }) => (method === "DELETE" ? { status: 204 } : undefined));
    const ran = await on(handler, ["run", "delete", "#77", "30", "29", "--yes"]);
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("#77: mara/harbor has no run number 77") });
    const deleted = asked().filter((line) => line.startsWith("DELETE"));
    expect(deleted.sort()).toEqual(["DELETE /runs/29", "DELETE /runs/30"]);
    expect((await on(handler, ["run", "delete", "30", "a..b", "--yes"])).code).toBe(2);
    expect(asked()).toEqual([]);
  });

  it("deletes what is old, after it was confirmed", async () => {
    const runs = [run(31, { completed_at: "2026-11-20T00:00:00Z" }), run(30, { completed_at: "2026-01-01T00:00:00Z" })];
    const handler = gitea({ runs }, ({ method }) => (method === "DELETE" ? { status: 204 } : undefined));
    const now = new Date("2026-11-21T00:00:00Z");
    const argv = ["run", "delete", "--older-than", "30d"];
    expect((await on(handler, argv, { now })).code).toBe(2);
    expect((await on(handler, [...argv, "--yes"], { now })).code).toBe(0);
    expect(asked()).toEqual(["GET /runs?status=completed&page=1&limit=50", "DELETE /runs/30"]);
  });
});
