import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../failure/failure.ts";
import type { Post } from "../../metrics/forward/delivery.ts";
import type { ForwardFormat } from "../../metrics/forward/formats.ts";
import { type ForwardProgress, runForwarder } from "../../metrics/forward/forwarder.ts";
import type { SpoolPurpose } from "../../metrics/forward/spool.ts";
import { answerOwn, type OwnProcess, startOwn } from "../../metrics/own-process.ts";
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
type Said = { readonly ready: true } | { readonly warning: string } | { readonly progress: ForwardProgress };

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
export async function startForwarder(job: ForwardJob, system: System, { warn, onProgress }: Listener) {
  const none: ForwardProgress = { sent: 0, refused: 0, dropped: 0, damaged: 0, leftOut: 0, lag: 0 };
  let [before, last] = [none, none];
  const onSaid = (said: Said) => {
    if ("warning" in said) warn(said.warning);
    if (!("progress" in said)) return;
    last = sum(before, said.progress);
    onProgress(last);
  };

  if (ownProgram() === undefined) {
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
    new Promise<OwnProcess>((resolve, reject) => {
      const ended = new Failure("internal", "The process that forwards readings ended");
      const onLine = (said: Said) => (child !== undefined && "ready" in said ? resolve(child) : onSaid(said));
      const child = startOwn(["__forward", JSON.stringify(job)], onLine, job.folder);
      child?.ended.then((problem) => reject(problem instanceof Failure ? problem : ended), reject);
    });
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Starts it again after some milliseconds, and until it can be started. */
  async function startAfter(milliseconds: number): Promise<OwnProcess> {
    await wait(milliseconds, undefined, { signal });
    return start().catch((error: unknown) => {
      warn(`Cannot start the process that forwards readings: ${(error as Error).message}`);
      return startAfter(restartLater);
    });
  }

  let child = await start();
  async function keepRunning(): Promise<void> {
    for (;;) {
      const problem = await child.ended;
      if (problem instanceof Failure) warn(problem.message);
      if (signal.aborted) return;
      before = last;
      warn("The process that forwards readings ended; starting another one");
      child = await startAfter(restartAfter);
      if (signal.aborted) child.end();
    }
  }
  const kept = keepRunning().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    /** Resolves when it has sent what it can in some seconds. */
    end: () => {
      stopping.abort();
      child.end();
      return kept;
    },
  };
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

/** `tongs __forward JOB`, that process. */
export function answerForward([job = ""]: readonly string[], system: System): Promise<number> {
  const parsed = JSON.parse(job) as ForwardJob;
  return answerOwn<Said>(system, (ending, say) => forward(parsed, system, { ending, say }).ended);
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
