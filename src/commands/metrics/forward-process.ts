import { spawn } from "node:child_process";
import { setPriority, constants as systemConstants } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { diskFailure } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import type { Outcome } from "../../failure/outcomes.ts";
import type { Post } from "../../metrics/forward/delivery.ts";
import type { ForwardFormat } from "../../metrics/forward/formats.ts";
import { type ForwardProgress, runForwarder } from "../../metrics/forward/forwarder.ts";
import type { SpoolPurpose } from "../../metrics/forward/spool.ts";
import { ownProgram } from "../../system/own-program.ts";
import type { System } from "../../system/system.ts";
import { type Engine, engineUrl, openEngine } from "./engine.ts";

/** What a forwarder is started for. */
export interface ForwardJob extends SpoolPurpose {
  readonly format: ForwardFormat;
  readonly profile: string | undefined;
  readonly timeout: number | undefined;
}

/** What a forwarder says, as a line of JSON. */
type Said =
  | { readonly ready: true }
  | { readonly warning: string }
  | { readonly progress: ForwardProgress }
  | { readonly failed: { readonly code: Outcome; readonly message: string; readonly hint?: string | undefined } };

/** A forwarder that runs. */
export interface Forwarder {
  /** Resolves when it has sent what it can in some seconds. */
  readonly end: () => Promise<void>;
}

interface Listener {
  readonly warn: (message: string) => void;
  /** Called with how far it is since `startForwarder`. */
  readonly onProgress: (progress: ForwardProgress) => void;
}

/** How long it goes on sending at the end. */
const grace = 5000;
const restartAfter = 1000;
const restartLater = 10_000;

/**
 * Starts to forward what is in a spool, in a process of its own: receiving does not wait for the engine. If that process is
 * killed, another one takes its place. Throws a `Failure` if it cannot be started.
 */
export async function startForwarder(
  job: ForwardJob,
  system: System,
  { warn, onProgress }: Listener,
): Promise<Forwarder> {
  const [program, ...args] = ownProgram() ?? [];
  const none: ForwardProgress = { sent: 0, refused: 0, dropped: 0, damaged: 0, leftOut: 0, lag: 0 };
  let [before, last] = [none, none];
  const onSaid = (said: Said) => {
    if ("warning" in said) warn(said.warning);
    if (!("progress" in said)) return;
    last = sum(before, said.progress);
    onProgress(last);
  };

  if (program === undefined) {
    const ending = new AbortController();
    const running = forward(job, system, { ending: ending.signal, say: onSaid });
    await running.ready;
    return {
      end: () => {
        ending.abort();
        return running.ended;
      },
    };
  }

  const start = () =>
    new Promise<{ readonly end: () => void; readonly ended: Promise<unknown> }>((resolve, reject) => {
      // Detached, so that Ctrl-C reaches only this process, which ends the other one.
      const child = spawn(program, [...args, "__forward", JSON.stringify(job)], {
        stdio: ["pipe", "pipe", "inherit"],
        detached: true,
        windowsHide: true,
        cwd: job.folder,
      });
      let isReady = false;
      // A broken pipe says no more than its end.
      child.stdin.on("error", () => undefined);
      createInterface({ input: child.stdout }).on("line", (line) => {
        const said = readSaid(line);
        if (said === undefined) return;
        if ("ready" in said) {
          isReady = true;
          resolve({ end: () => child.stdin.end(), ended });
        } else if (!("failed" in said)) onSaid(said);
        else if (isReady) warn(said.failed.message);
        else reject(new Failure(said.failed.code, said.failed.message, { hint: said.failed.hint }));
      });
      const ended = new Promise<void>((done) => child.once("close", () => done()));
      child.once("error", reject);
      void ended.then(() => reject(new Failure("internal", "The process that forwards readings ended")));
    });

  let child = await start();
  const stopping = new AbortController();
  async function keepRunning(): Promise<void> {
    for (;;) {
      await child.ended;
      if (stopping.signal.aborted) return;
      before = last;
      warn("The process that forwards readings ended; starting another one");
      await wait(restartAfter, undefined, { signal: stopping.signal });
      child = await startAgain();
      if (stopping.signal.aborted) child.end();
    }
  }
  async function startAgain(): ReturnType<typeof start> {
    for (;;) {
      try {
        return await start();
      } catch (error) {
        warn(`Cannot start the process that forwards readings: ${(error as Error).message}`);
        await wait(restartLater, undefined, { signal: stopping.signal });
      }
    }
  }
  const kept = keepRunning().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    end: () => {
      stopping.abort();
      child.end();
      return kept;
    },
  };
}

/** What a line says; undefined for the start of one, which a process that was killed may leave. */
function readSaid(line: string): Said | undefined {
  try {
    return JSON.parse(line) as Said;
  } catch {
    return undefined;
  }
}

function sum(one: ForwardProgress, other: ForwardProgress): ForwardProgress {
  return {
    sent: one.sent + other.sent,
    refused: one.refused + other.refused,
    dropped: one.dropped + other.dropped,
    damaged: one.damaged + other.damaged,
    leftOut: one.leftOut + other.leftOut,
    lag: other.lag,
  };
}

/** `tongs __forward JOB`, that process. It ends when stdin does: the other one ends it, or was killed. */
export async function answerForward([job = ""]: readonly string[], system: System): Promise<number> {
  const ending = new AbortController();
  system.stdin.resume().once("end", () => ending.abort());
  // Nobody may read it any more: what there is to send is sent all the same.
  system.stdout.keepGoing();
  // Receiving comes first: packets that nobody takes are lost.
  setPriority(systemConstants.priority.PRIORITY_BELOW_NORMAL);
  const say = (said: Said) => void system.stdout.write(`${JSON.stringify(said)}\n`);
  try {
    await forward(JSON.parse(job) as ForwardJob, system, { ending: ending.signal, say }).ended;
    return 0;
  } catch (thrown) {
    const error = diskFailure(thrown) ?? thrown;
    const known = error instanceof Failure ? error : new Failure("internal", (error as Error).message);
    say({ failed: { code: known.code, message: known.message, hint: known.hint } });
    return 1;
  } finally {
    // It would keep this process from ending, and the other one from starting another.
    system.stdin.pause();
  }
}

/** Forwards until `ending` aborts, and then for some seconds. */
function forward(
  job: ForwardJob,
  system: System,
  { ending, say }: { readonly ending: AbortSignal; readonly say: (said: Said) => void },
): { readonly ready: Promise<void>; readonly ended: Promise<void> } {
  const stop = new AbortController();
  ending.addEventListener("abort", () => setTimeout(() => stop.abort(), grace).unref(), { once: true });
  const warn = (warning: string) => say({ warning });
  const open = () =>
    openEngine(
      engineUrl(job.address),
      { system: { ...system, signal: stop.signal }, options: job, out: { warn, note: warn } },
      { tls: false, ca: undefined, cert: undefined, key: undefined },
    );
  let engine: Engine | undefined;

  const post: Post = async (headers, body) => {
    engine ??= await open();
    const answer = await engine.post(headers, body);
    // Its token may be another one by now.
    if (answer.status === 401) {
      engine.close();
      engine = undefined;
    }
    return answer;
  };
  const ready = open().then((opened) => {
    engine = opened;
    say({ ready: true });
  });
  const report = (progress: ForwardProgress) => say({ progress });
  const { now, random } = system;
  const ended = ready
    .then(() => runForwarder({ purpose: job, post, now, random, ending, signal: stop.signal, warn, report }))
    .finally(() => engine?.close());
  return { ready, ended };
}
