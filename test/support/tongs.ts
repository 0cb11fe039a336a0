import { setMaxListeners } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { run } from "../../src/app/run.ts";
import { aliases, internal, table } from "../../src/commands/index.ts";
import { type OutputStream, streamed } from "../../src/system/output-stream.ts";
import type { System } from "../../src/system/system.ts";
import { scripted } from "./answers.ts";
import { checkRecords } from "./records.ts";
import { asCommand, startsOf } from "./requests.ts";

/** The result of a run of tongs inside the test. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  /** stdout as bytes. */
  readonly bytes: Buffer;
  readonly stderr: string;
  /** The messages of the prompts, in order. */
  readonly asked: readonly string[];
  /** stdout, parsed as JSON. */
  json(): unknown;
  /** stderr up to now, with what was written after the end. */
  said(): string;
}

/** The environment of a run. The real environment is not used. */
export interface World {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A text, or a stream that the test writes to while tongs runs. */
  readonly stdin?: string | PassThrough;
  /** Called with what is written to stderr, as it is written. */
  readonly onStderr?: (text: string) => void;
  /** Whether stdin, stdout and stderr are terminals. */
  readonly terminal?: boolean;
  readonly columns?: number;
  /** The answers to the prompts: text, yes or no, the name of a choice. */
  readonly answers?: readonly (string | boolean)[];
  /** What happens while a question is asked that is answered with text, yes or no. */
  readonly meanwhile?: () => Promise<unknown>;
  readonly now?: Date;
  readonly signal?: AbortSignal;
  /** Called for every wait, instead of waiting. */
  readonly onSleep?: (milliseconds: number) => void;
}

/** Runs a command line in this process, like `main.ts`. Waits return at once. */
export async function tongs(argv: readonly string[], world: World = {}): Promise<Ran> {
  const stdout = collector(world);
  const stderr = collector(world, world.onStderr);
  const given = typeof world.stdin === "object" ? world.stdin : new PassThrough().end(world.stdin ?? "");
  const stdin = Object.assign(given, { isTTY: world.terminal === true });
  const cwd = world.cwd ?? emptyFolder();
  const system: System = {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: cwd,
      TONGS_CONFIG_DIR: join(cwd, ".tongs-test"),
      XDG_STATE_HOME: state(),
      // A test that says which requests are sent means those of the command, not what the journal reads before a write.
      ...(world.env?.["XDG_STATE_HOME"] === undefined && { TONGS_JOURNAL: "off" }),
      // In a home of its own, a test looks for the cache itself. Of a server before at the same address nothing is kept.
      ...(world.env?.["HOME"] === undefined && {
        XDG_CACHE_HOME: join(state(), `${startsOf(world.env?.["TONGS_HOST"])}`),
      }),
      // No test opens the browser of whoever runs it.
      BROWSER: "true",
      ...world.env,
    },
    platform: process.platform,
    cwd,
    now: () => world.now ?? new Date(),
    random: () => 0.5,
    signal: world.signal ?? quietSignal(),
    sleep: async (milliseconds) => world.onSleep?.(milliseconds),
  };
  const script = scripted(world.answers ?? [], world.meanwhile);
  const around = { ...system, questions: script.questions };
  const code = await asCommand(argv, async (running) => {
    const ended = await run(argv, around, { table, aliases, internal });
    await checkRecords(argv, stdout.text(), running);
    return ended;
  });
  return {
    code,
    stdout: stdout.text(),
    bytes: stdout.bytes(),
    stderr: stderr.text(),
    asked: script.asked,
    json: () => JSON.parse(stdout.text()) as unknown,
    said: stderr.text,
  };
}

/** A signal that never aborts and accepts any number of listeners, like that of `main.ts`. */
export function quietSignal(): AbortSignal {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return signal;
}

/** A new directory outside of any git checkout. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "tongs-"));
}

let stateHome: string | undefined;

/** The state folder of all runs that do not name their own: the current directory of a run stays as it is. */
function state(): string {
  stateHome ??= emptyFolder();
  return stateHome;
}

function collector(
  world: World,
  onText?: (text: string) => void,
): { readonly stream: OutputStream; text(): string; bytes(): Buffer } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer | string, encoding, done) {
      chunks.push(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
      onText?.(chunk.toString());
      done();
    },
  });
  const look = { isTTY: world.terminal === true, columns: world.columns ?? 100, rows: 40 };
  const bytes = () => Buffer.concat(chunks);
  return { stream: streamed(Object.assign(stream, look)), bytes, text: () => bytes().toString("utf8") };
}
