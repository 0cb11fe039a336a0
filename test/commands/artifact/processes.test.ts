import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../support/bundle.ts";
import { scratchesIn } from "../../support/scratch.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, type Storage, serveArtifacts, usual } from "./artifact-server.ts";

const contents = new Map(Array.from({ length: 300 }, (_, index) => [`d${index % 7}/f${index}`, randomBytes(40_000)]));
const archive = zip([...contents].map(([name, content]) => ({ name, content, stored: true })));

/** How much of a response is sent before `released` resolves, in bytes. */
let sentFirst = Number.POSITIVE_INFINITY;
let released: Promise<unknown> = Promise.resolve();

/** Sends the first part of the usual response, and the rest later. */
const inTwo: Storage = async (seen, response, kept) => {
  const { status = 200, headers, body } = usual(seen, kept);
  response.writeHead(status, headers);
  const bytes = body as Buffer;
  response.write(bytes.subarray(0, sentFirst));
  if (sentFirst < bytes.length) await Promise.race([released, once(response, "close")]);
  response.end(bytes.subarray(sentFirst));
  return undefined;
};

let program = "";
let server: ArtifactServer;
beforeAll(async () => {
  program = await bundle();
  server = await serveArtifacts([{ id: 14, name: "docs", content: archive, etag: '"one"' }], inTwo);
});
afterEach(() => {
  sentFirst = Number.POSITIVE_INFINITY;
});
afterAll(async () => server.close());

/** A download running in another process. */
interface Started {
  readonly child: ChildProcess;
  /** Its exit code, if any, and its stderr. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

function start(cwd: string, args: readonly string[]): Started {
  const env = {
    PATH: process.env["PATH"],
    HOME: cwd,
    XDG_STATE_HOME: `${cwd}.state`,
    TONGS_CONFIG_DIR: join(cwd, ".tongs-test"),
    ...server.env,
  };
  const child = spawn(process.execPath, [program, "artifact", "download", "14", "--timeout", "0", ...args], {
    cwd,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr?.on("data", (text) => {
    stderr += String(text);
  });
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, stderr })) };
}

/** Runs the program, kills it when something has happened unless it ends before, and returns its exit code, if any. */
async function runUntil(happened: () => boolean, cwd: string, args: readonly string[]): Promise<number | null> {
  const { child, ended } = start(cwd, args);
  while (child.exitCode === null && !happened()) await pause(1);
  child.kill("SIGKILL");
  return (await ended).code;
}

/** The size of what was downloaded into a folder so far, in bytes; 0 if nothing was. */
function partSize(folder: string): number {
  const parts = existsSync(folder) ? scratchesIn(folder).map(({ part }) => part) : [];
  return Math.max(0, ...parts.map((part) => statSync(part, { throwIfNoEntry: false })?.size ?? 0));
}

/** Waits until a download has started. */
async function partIn(folder: string): Promise<void> {
  while (partSize(folder) === 0) await pause(5);
}

describe("a download that is killed", () => {
  it("leaves the complete archive or a part that is resumed, never a wrong file", async () => {
    const cwd = emptyFolder();
    const before = server.storage.seen.length;
    const place = join(cwd, "docs.zip");
    for (const most of [300_000, 3_000_000, 5_000_000, Number.POSITIVE_INFINITY]) {
      sentFirst = most;
      const known = partSize(cwd);
      const code = await runUntil(() => existsSync(place) || (most < archive.length && partSize(cwd) > known), cwd, [
        "--zip",
      ]);
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
    if (!existsSync(place)) expect(await start(cwd, ["--zip"]).ended).toMatchObject({ code: 0 });
    expect(readFileSync(place).equals(archive)).toBe(true);
    expect(readdirSync(cwd).filter((name) => name !== ".tongs-test")).toEqual(["docs.zip"]);
    const ranges = server.storage.seen.slice(before).map(({ headers }) => headers["range"]);
    expect(ranges.filter((range) => range !== undefined).length).toBeGreaterThan(0);
  });

  it("leaves only complete files while it unpacks, and is completed by the same command", async () => {
    const cwd = emptyFolder();
    let code: number | null = null;
    const out = join(cwd, "out");
    const found = () => {
      try {
        return readdirSync(out, { recursive: true }).length;
      } catch {
        // It is not there yet, or it changes.
        return 0;
      }
    };
    for (let most = 1; code === null; most += 45) {
      code = await runUntil(() => found() >= most, cwd, ["--dir", "out"]);
      for (const [name, content] of contents) {
        const path = join(cwd, "out", name);
        if (existsSync(path)) expect(readFileSync(path).equals(content)).toBe(true);
      }
    }
    expect(code).toBe(0);
    for (const name of contents.keys()) expect(existsSync(join(cwd, "out", name))).toBe(true);
    expect(readdirSync(join(cwd, "out")).sort()).toEqual(["d0", "d1", "d2", "d3", "d4", "d5", "d6"]);
  });
});

describe("parallel downloads of an artifact into the same folder", () => {
  it("are refused while the first one runs", async () => {
    const cwd = emptyFolder();
    const before = server.storage.seen.length;
    let release = () => {};
    released = new Promise<void>((resolve) => {
      release = resolve;
    });
    sentFirst = 1_000_000;
    const first = start(cwd, ["--zip"]);
    await partIn(cwd);
    // By another path of the folder.
    symlinkSync(cwd, join(cwd, "also-here"));
    const second = await start(cwd, ["--zip", "--dir", join(cwd, "also-here")]).ended;
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Another tongs process is downloading docs into"),
    });
    release();
    expect((await first.ended).code).toBe(0);
    expect(readFileSync(join(cwd, "docs.zip")).equals(archive)).toBe(true);
    expect(server.storage.seen.length - before).toBe(1);
  });

  it("leave only complete files when several start at once and some are killed", async () => {
    const cwd = emptyFolder();
    const codes: (number | null)[] = [];
    let refused = () => {};
    released = new Promise<void>((resolve) => {
      refused = resolve;
    });
    sentFirst = 6_000_000;
    const oneOfMany = async () => {
      for (let code: number | null = null, runs = 0; code !== 0; runs += 1) {
        code = await runUntil(() => runs === 0 && partSize(cwd) > 0, cwd, ["--zip", "--overwrite"]);
        codes.push(code);
        if (code === 1) refused();
        const path = join(cwd, "docs.zip");
        if (existsSync(path)) expect(readFileSync(path).equals(archive)).toBe(true);
      }
    };
    await Promise.all([oneOfMany(), oneOfMany(), oneOfMany()]);
    expect(codes.filter((code) => code === 0)).toHaveLength(3);
    expect(new Set(codes.filter((code) => code !== null && code !== 0))).toEqual(new Set([1]));
    expect(readdirSync(cwd).filter((name) => name !== ".tongs-test")).toEqual(["docs.zip"]);
  });
});
