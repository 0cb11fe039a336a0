import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { run } from "../../../src/app/run.ts";
import { aliases, table } from "../../../src/commands/index.ts";
import { streamed } from "../../../src/system/output-stream.ts";
import type { System } from "../../../src/system/system.ts";
import { checkRecords } from "../../support/records.ts";
import { asCommand } from "../../support/requests.ts";
import { emptyFolder } from "../../support/tongs.ts";

/** The result of a run, with stdout as bytes. */
export interface RanBytes {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The environment of a run. */
export interface BytesWorld {
  readonly stdin?: Uint8Array | PassThrough;
  readonly cwd?: string;
  readonly now?: Date;
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: boolean;
  readonly signal?: AbortSignal;
  /** Receives the function that acts as SIGHUP. */
  readonly onHangup?: (hangup: () => void) => void;
  readonly onOutput?: (chunk: Buffer) => void;
  /** The reader of stdout takes nothing more until this resolves. */
  readonly readsAgain?: Promise<void>;
  readonly onNote?: (text: string) => void;
}

/** Runs `tongs` in this process with bytes or an open pipe on stdin. */
export async function tongsBytes(argv: readonly string[], world: BytesWorld = {}): Promise<RanBytes> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const stdin = world.stdin instanceof PassThrough ? world.stdin : new PassThrough();
  if (!(world.stdin instanceof PassThrough)) stdin.end(world.stdin ?? new Uint8Array());
  const cwd = world.cwd ?? emptyFolder();
  const look = { isTTY: world.terminal === true, columns: 100, rows: 40 };
  const collect = (chunks: Buffer[], tell?: (chunk: Buffer) => void, readsAgain?: Promise<void>) =>
    streamed(
      Object.assign(
        new Writable({
          write(chunk: Buffer | string, _encoding, done) {
            const bytes = Buffer.from(chunk);
            chunks.push(bytes);
            tell?.(bytes);
            if (readsAgain === undefined) done();
            else void readsAgain.then(() => done());
          },
        }),
        look,
      ),
    );
  const system: System = {
    stdin: Object.assign(stdin, { isTTY: world.terminal === true && world.stdin === undefined }),
    stdout: collect(stdout, world.onOutput, world.readsAgain),
    stderr: collect(stderr, (chunk) => world.onNote?.(chunk.toString())),
    env: { HOME: cwd, TONGS_CONFIG_DIR: join(cwd, ".tongs-test"), ...world.env },
    platform: process.platform,
    cwd,
    now: () => world.now ?? new Date(),
    random: () => 0.5,
    signal: world.signal ?? new AbortController().signal,
    sleep: async () => {},
    onHangup: (work) => {
      world.onHangup?.(work);
      return () => {};
    },
  };
  const code = await asCommand(argv, async (running) => {
    const ended = await run(argv, system, { table, aliases });
    await checkRecords(argv, Buffer.concat(stdout).toString(), running);
    return ended;
  });
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}

/** A reading as encode takes it: of h/p/t, at a second of 2026 if there is one, with whatever else is given. */
export function reading(values: readonly object[], second?: number, given: object = {}): object {
  const time = second === undefined ? {} : { time: new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString() };
  const identifier = { host: "h", plugin: "p", type: "t" };
  return Object.assign({ values, identifier, ds_names: ["value"] }, time, given);
}

/** Readings as a recording. */
export async function encoded(...readings: readonly object[]): Promise<Buffer> {
  const stdin = Buffer.from(readings.map((one) => JSON.stringify(one)).join("\n"));
  return (await tongsBytes(["metrics", "encode"], { stdin })).stdout;
}

/** Parses NDJSON. */
export function records(stdout: Buffer): unknown[] {
  const lines = stdout.toString().split("\n");
  if (lines.pop() !== "") throw new Error("the last line is not terminated");
  return lines.map((line) => JSON.parse(line) as unknown);
}

/** The bytes of a file in the working directory of a run. */
export function fileBytes(cwd: string, name: string): Buffer {
  return readFileSync(join(cwd, name));
}
