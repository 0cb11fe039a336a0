import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tree, unpack } from "../../archive/unpacked.ts";
import { cassette } from "../../support/cassette.ts";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { type Ran, tongs } from "../../support/tongs.ts";
import { gitea, job, unknownRoute } from "./forge.ts";
import { forgejo16 } from "./forgejo16.ts";

let dir: string;
let server: TestServer | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tongs-test-"));
});
afterEach(async () => {
  server = undefined;
  rmSync(dir, { recursive: true });
});

async function on(line: string, handler: Handler, repo = "mara/harbor"): Promise<Ran> {
  await server?.close();
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: repo };
  return tongs([...line.split(" "), "--dir", dir], { env });
}

/** The files in the saved zip file, which the reader of tongs finds intact. */
async function saved(name: string): Promise<Record<string, string>> {
  const { into, warnings, error } = await unpack(readFileSync(join(dir, name)));
  expect([warnings, error]).toEqual([[], undefined]);
  return tree(into);
}

describe("run logs --zip", () => {
  it("saves the zip file of Gitea 28", async () => {
    const player = await cassette("gitea-28-runs", ["run 17", "run logs"], { repo: "mara/harbor" });
    const ran = await player.run(["run", "logs", "17", "--zip", "--dir", dir]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: `${join(dir, "run-17-logs.zip")}\n` });
    await player.close();
    const files = await saved("run-17-logs.zip");
    expect(files["build-31.log"]).toContain("Hello from the log");
  });

  it("saves the zip file of Forgejo 16", async () => {
    const ran = await on("run logs 16 --zip", forgejo16(), "root1/ci");
    expect(ran.code, ran.stderr).toBe(0);
    const files = await saved("run-16-logs.zip");
    expect(Object.keys(files).sort()).toEqual(["Build it-34-attempt-1.log", "check-35-attempt-1.log"]);
    expect(files["check-35-attempt-1.log"]).toContain("Error: asked to fail");
  });

  const jobs = [job(61, { name: "build" }), job(62, { name: "te/st", run_attempt: 2 }), job(63, { name: "skipped" })];
  const missing = { status: 404, body: { message: "job has not been executed yet" } };
  const older = gitea({ jobs }, ({ url }) => {
    if (url.endsWith("/runs/31/logs")) return unknownRoute;
    if (url.endsWith("/jobs/63/logs")) return missing;
    const id = /\/jobs\/(\d+)\/logs$/.exec(url)?.[1];
    return id === undefined ? undefined : { body: `2026-11-21T09:53:43.0000000Z Log of ${id}\n` };
  });

  it("makes one of the logs of the jobs where the server has none, and names the jobs without a log", async () => {
    const ran = await on("run logs 31 --zip", older);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("skipped: job has not been executed yet.");
    const files = await saved("run-31-logs.zip");
    expect(files).toEqual({
      "build-61-attempt-1.log": "2026-11-21T09:53:43.0000000Z Log of 61\n",
      "te_st-62-attempt-2.log": "2026-11-21T09:53:43.0000000Z Log of 62\n",
    });
  });

  it("saves nothing if no job has a log: exit code 5", async () => {
    const none = gitea({ jobs }, ({ url }) => {
      if (/\/jobs\/\d+\/logs$/.test(url)) return missing;
      return url.endsWith("/runs/31/logs") ? unknownRoute : undefined;
    });
    const ran = await on("run logs 31 --zip", none);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("has no logs") });
    expect(existsSync(join(dir, "run-31-logs.zip"))).toBe(false);
  });

  it("does not replace a file unless told to, and saves nothing with --dry-run", async () => {
    const file = join(dir, "run-31-logs.zip");
    expect((await on("run logs 31 --zip --dry-run", older)).code).toBe(0);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, "mine");
    expect(await on("run logs 31 --zip", older)).toMatchObject({ code: 9, stderr: expect.stringContaining("exists") });
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect((await on("run logs 31 --zip --skip-existing", older)).stderr).toContain("already exists");
    expect((await on("run logs 31 --zip --overwrite", older)).code).toBe(0);
    expect(readFileSync(file).subarray(0, 2).toString()).toBe("PK");
  });

  it.each(["run logs 31", "run logs 31 --zip --failed", "run logs 31 --zip --json"])(
    "is a usage error for %s --dir",
    async (line) => {
      expect((await on(line, older)).code).toBe(2);
      expect(server?.lines()).toEqual([]);
    },
  );
});
