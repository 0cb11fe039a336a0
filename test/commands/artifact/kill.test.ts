import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../support/bundle.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, type Storage, serveArtifacts, usual } from "./artifact-server.ts";

const contents = new Map(Array.from({ length: 300 }, (_, index) => [`d${index % 7}/f${index}`, randomBytes(40_000)]));
const archive = zip([...contents].map(([name, content]) => ({ name, content, stored: true })));

/** Sends the usual answer piece by piece, so that there is time to be killed in. */
const slowly: Storage = async (seen, response, kept) => {
  const { status = 200, headers, body } = usual(seen, kept);
  response.writeHead(status, headers);
  const bytes = body as Buffer;
  for (let at = 0; at < bytes.length && !response.destroyed; at += 100_000) {
    response.write(bytes.subarray(at, at + 100_000));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  response.end();
  return undefined;
};

let program = "";
let server: ArtifactServer;
beforeAll(async () => {
  program = await bundle();
  server = await serveArtifacts([{ id: 14, name: "docs", content: archive, etag: '"one"' }], slowly);
});
afterAll(async () => server.close());

/** Runs the program, kills it after so many milliseconds if it still runs, and returns its exit code, if any. */
function runFor(milliseconds: number, cwd: string, args: readonly string[]): Promise<number | null> {
  const env = { PATH: process.env["PATH"], HOME: cwd, TONGS_CONFIG_DIR: join(cwd, ".tongs-test"), ...server.env };
  const child = spawn(process.execPath, [program, "artifact", "download", "14", ...args], {
    cwd,
    env,
    stdio: "ignore",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
  return new Promise((resolve) =>
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve(code);
    }),
  );
}

describe("a download that is killed at any moment", () => {
  it("leaves the finished archive or a part that is gone on with, never a wrong file", async () => {
    const cwd = emptyFolder();
    const before = server.storage.seen.length;
    let code: number | null = null;
    for (let round = 0; code === null && round < 60; round += 1) {
      code = await runFor(250 + (randomBytes(1)[0] ?? 0) + 10 * round, cwd, ["--zip"]);
      const part = join(cwd, "docs.zip.part");
      if (existsSync(join(cwd, "docs.zip"))) expect(readFileSync(join(cwd, "docs.zip")).equals(archive)).toBe(true);
      else if (existsSync(part)) expect(archive.subarray(0, statSync(part).size).equals(readFileSync(part))).toBe(true);
    }
    expect(code).toBe(0);
    expect(readdirSync(cwd).filter((name) => !name.startsWith("."))).toEqual(["docs.zip"]);
    const ranges = server.storage.seen.slice(before).map(({ headers }) => headers["range"]);
    expect(ranges.filter((range) => range !== undefined).length).toBeGreaterThan(0);
  }, 120_000);

  it("leaves whole files only while it unpacks, and is finished by the same command", async () => {
    const cwd = emptyFolder();
    let code: number | null = null;
    for (let round = 0; code === null && round < 60; round += 1) {
      code = await runFor(300 + (randomBytes(1)[0] ?? 0) + 10 * round, cwd, ["--dir", "out"]);
      for (const [name, content] of contents) {
        const path = join(cwd, "out", name);
        if (existsSync(path)) expect(readFileSync(path).equals(content)).toBe(true);
      }
    }
    expect(code).toBe(0);
    for (const name of contents.keys()) expect(existsSync(join(cwd, "out", name))).toBe(true);
    expect(readdirSync(join(cwd, "out")).sort()).toEqual(["d0", "d1", "d2", "d3", "d4", "d5", "d6"]);
  }, 120_000);
});
