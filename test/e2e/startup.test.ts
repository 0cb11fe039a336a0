import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type TestServer } from "../support/server.ts";
import { emptyFolder } from "../support/tongs.ts";

const top = fileURLToPath(new URL("../..", import.meta.url));

/** Every module that a run of the built program requires, in order. */
async function loads(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const folder = emptyFolder();
  const list = join(folder, "loads");
  const record = join(top, "test", "e2e", "record-loads.cjs");
  await promisify(execFile)(process.execPath, ["--require", record, join(top, "bin", "tongs.js"), ...argv], {
    env: { PATH: process.env["PATH"] ?? "", TONGS_CONFIG_DIR: folder, TONGS_TEST_LOADS: list, NO_PROXY: "*", ...env },
  });
  return readFileSync(list, "utf8").trim().split("\n");
}

/** What every start loads. */
const least = ["tongs.js", "main.js", "node:events", "node:fs", "node:path"];

describe("what a start loads", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await serve(() => ({ body: { number: 12, title: "Mend the quay", state: "open", comments: 0 } }));
  });
  afterAll(() => server.close());

  it("is next to nothing for --version and --help", async () => {
    expect(await loads(["--version"])).toEqual(least);
    expect(await loads(["--help"])).toEqual(least);
  });

  it("is the command, the core and Node's HTTP client for pr view, and no other verb or library", async () => {
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
    expect(new Set(await loads(["pr", "view", "12"], env))).toEqual(
      new Set([
        ...least,
        ...["run.js", "core.js", "common.js", "pr-view.js", "chunk.js"],
        ...["node:buffer", "node:http", "node:net", "node:os", "node:stream"],
      ]),
    );
    expect(server.lines()).toEqual(["GET /api/v1/repos/mara/harbor/pulls/12"]);
  });

  it("begins with an entry of at most 30 KB", () => {
    expect(statSync(join(top, "dist", "main.js")).size).toBeLessThanOrEqual(30 * 1024);
  });
});
