import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../support/bundle.ts";
import { scratchesIn } from "../../support/scratch.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, type Storage, serveArtifacts, usual } from "./artifact-server.ts";

const contents = new Map(Array.from({ length: 300 }, (_, index) => [`d${index % 7}/f${index}`, randomBytes(40_000)]));
const archive = zip([...contents].map(([name, content]) => ({ name, content, stored: true })));

/** Sends the usual response slowly, so that there is time to kill the download. */
const slowly: Storage = async (seen, response, kept) => {
  const { status = 200, headers, body } = usual(seen, kept);
  response.writeHead(status, headers);
  const bytes = body as Buffer;
  for (let at = 0; at < bytes.length && !response.destroyed; at += 100_000) {
    response.write(bytes.subarray(at, at + 100_000));
    await pause(5);
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

/** A download running in another process. */
interface Started {
  readonly child: ChildProcess;
  /** Its exit code, if any, and its stderr. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

function start(cwd: string, args: readonly string[]): Started {
  const env = { PATH: process.env["PATH"], HOME: cwd, TONGS_CONFIG_DIR: join(cwd, ".tongs-test"), ...server.env };
  const child = spawn(process.execPath, [program, "artifact", "download", "14", ...args], {
    ...{ cwd, env, stdio: ["ignore", "ignore", "pipe"] },
  });
  let stderr = "";
  child.stderr?.on("data", (text) => {
    stderr += String(text);
  });
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, stderr })) };
}

/** Runs the program, kills it after some milliseconds if it is still running, and returns its exit code, if any. */
async function runFor(milliseconds: number, cwd: string, args: readonly string[]): Promise<number | null> {
  const { child, ended } = start(cwd, args);
  const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
  const { code } = await ended;
  clearTimeout(timer);
  return code;
}

/** Waits until a download has started. */
async function partIn(folder: string): Promise<void> {
  while (!existsSync(folder) || !scratchesIn(folder).some(({ part }) => existsSync(part))) await pause(5);
}

describe("a download that is killed", () => {
  it("leaves the complete archive or a part that is resumed, never a wrong file", async () => {
    const cwd = emptyFolder();
    const before = server.storage.seen.length;
    let code: number | null = null;
    for (let round = 0; code === null && round < 60; round += 1) {
      code = await runFor(250 + (randomBytes(1)[0] ?? 0) + 10 * round, cwd, ["--zip"]);
      const place = join(cwd, "docs.zip");
      if (existsSync(place)) {
        expect(readFileSync(place).equals(archive)).toBe(true);
        // Killed after the archive was in place: the same command would refuse to overwrite it.
        if (code === null) rmSync(place);
      } else {
        for (const { part } of scratchesIn(cwd).filter((one) => existsSync(one.part))) {
          expect(archive.subarray(0, statSync(part).size).equals(readFileSync(part))).toBe(true);
        }
      }
    }
    expect(code).toBe(0);
    expect(readdirSync(cwd).filter((name) => name !== ".tongs-test")).toEqual(["docs.zip"]);
    const ranges = server.storage.seen.slice(before).map(({ headers }) => headers["range"]);
    expect(ranges.filter((range) => range !== undefined).length).toBeGreaterThan(0);
  }, 120_000);

  it("leaves only complete files while it unpacks, and is completed by the same command", async () => {
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

describe("parallel downloads of an artifact into the same folder", () => {
  it("are refused while the first one runs", async () => {
    const cwd = emptyFolder();
    const before = server.storage.seen.length;
    const first = start(cwd, ["--zip"]);
    await partIn(cwd);
    // By another path of the folder.
    symlinkSync(cwd, join(cwd, "also-here"));
    const second = await start(cwd, ["--zip", "--dir", "also-here"]).ended;
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Another tongs process is downloading docs into"),
    });
    expect((await first.ended).code).toBe(0);
    expect(readFileSync(join(cwd, "docs.zip")).equals(archive)).toBe(true);
    expect(server.storage.seen.length - before).toBe(1);
  }, 60_000);

  it.skipIf(process.platform === "win32")(
    "are refused while the first one is stopped, which succeeds when it continues",
    async () => {
      const cwd = emptyFolder();
      const first = start(cwd, ["--dir", "out"]);
      await partIn(join(cwd, "out"));
      first.child.kill("SIGSTOP");
      const second = await start(cwd, ["--dir", "out", "--overwrite"]).ended;
      expect(second).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Another tongs process is downloading docs"),
      });
      first.child.kill("SIGCONT");
      expect((await first.ended).code).toBe(0);
      for (const [name, content] of contents) {
        expect(readFileSync(join(cwd, "out", name)).equals(content)).toBe(true);
      }
    },
    60_000,
  );

  it("leave only complete files when several start at once and some are killed", async () => {
    const cwd = emptyFolder();
    const codes: (number | null)[] = [];
    const oneOfMany = async () => {
      for (let code: number | null = null; code !== 0 && codes.length < 100; ) {
        // Longer with every run, so that all three finish on a slow machine, too.
        const milliseconds = 200 + 4 * (randomBytes(1)[0] ?? 0) + 30 * codes.length;
        code = await runFor(milliseconds, cwd, ["--zip", "--overwrite"]);
        codes.push(code);
        const path = join(cwd, "docs.zip");
        if (existsSync(path)) expect(readFileSync(path).equals(archive)).toBe(true);
      }
    };
    await Promise.all([oneOfMany(), oneOfMany(), oneOfMany()]);
    expect(codes.filter((code) => code === 0)).toHaveLength(3);
    expect(new Set(codes.filter((code) => code !== null && code !== 0))).toEqual(new Set([1]));
    expect(readdirSync(cwd).filter((name) => name !== ".tongs-test")).toEqual(["docs.zip"]);
  }, 120_000);
});
