import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../failure/failure.ts";
import { backoffOf, createDelivery, type DeliveryOptions, type Refusal, RefusesAll, refusedText } from "./delivery.ts";
import type { SpoolPurpose } from "./spool.ts";
import { openSpoolReader, type SpoolBatch, type SpoolReader } from "./spool-reader.ts";

/** How far a forwarder is, since it started. */
export interface ForwardProgress {
  sent: number;
  refused: number;
  /** Readings that were removed from a full spool, and damaged places in it. */
  dropped: number;
  damaged: number;
  /** Values that the format has no form for. */
  leftOut: number;
  /** For how many seconds the oldest reading that is not sent has been waiting. */
  readonly lag: number;
}

/** How far one is that has not started. */
export const noProgress: ForwardProgress = { sent: 0, refused: 0, dropped: 0, damaged: 0, leftOut: 0, lag: 0 };

/** How readings of a spool are forwarded. */
export interface ForwarderOptions extends Pick<DeliveryOptions, "post" | "now" | "random"> {
  readonly purpose: SpoolPurpose & Pick<DeliveryOptions, "format">;
  /** Ends it as soon as nothing is left to send. */
  readonly ending: AbortSignal;
  /** Ends it at once. */
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  readonly report: (progress: ForwardProgress) => void;
  /** After how many milliseconds at most an engine that takes no readings is tried again; for tests. */
  readonly slowly?: number;
}

const pollMilliseconds = 100;
const reportMilliseconds = 1000;
// Further ones are only counted.
const maxNamed = 10;
const warnEvery = 60_000;
/** A forwarder whose process was killed with its parent sends what it can first. */
const waitForOther = 10_000;

/** Sends what a spool has, and what is added to it, until a signal aborts. An engine that fails is tried until it does not. */
export async function runForwarder(options: ForwarderOptions): Promise<void> {
  const { purpose, post, now, random, ending, signal, warn, report, slowly = 30_000 } = options;
  const spool = await openWhenFree(options);
  let [sent, refused, named] = [0, 0, 0];
  let since: number | undefined;
  let failed: { readonly message: string; readonly at: number } | undefined;
  const progress = (): ForwardProgress => ({
    sent,
    refused,
    dropped: spool.dropped(),
    damaged: spool.damaged(),
    leftOut: delivery.leftOut(),
    // The clock may have been set back.
    lag: since === undefined ? 0 : Math.max(0, now().getTime() - since) / 1000,
  });
  // At the end, nothing waits for an engine that fails.
  const sleep = (milliseconds: number) => wait(milliseconds, undefined, { signal: AbortSignal.any([signal, ending]) });
  const onWait = ({ message }: Failure) => {
    const at = now().getTime();
    // A clock that was set back does not silence it.
    if (failed?.message === message && Math.abs(at - failed.at) < warnEvery) return;
    warn(`${message}; readings wait in ${purpose.name}`);
    failed = { message, at };
  };
  // How often the engine took none in a row.
  let vain = 0;

  /**
   * Sends a batch, and returns how many of its readings are done: none after a wait, if the engine takes neither these nor
   * newer ones. If it takes newer ones, these are sent again, and what is not taken then is refused.
   */
  async function deliver(batch: SpoolBatch): Promise<number> {
    try {
      await delivery.send(batch.readings);
      vain = 0;
      return batch.readings.length;
    } catch (error) {
      if (!(error instanceof RefusesAll)) throw error;
      if (error.part.from > 0) return error.part.from;
      onWait(error);
      if (!(await takesNewer(batch, error.part.end))) await sleep(Math.min(slowly, backoffOf(vain, random)));
      vain += 1;
      return 0;
    }
  }

  /** Whether the engine takes readings after those before `end` of a batch: some of the next ones, and the last ones. */
  async function takesNewer(batch: SpoolBatch, end: number): Promise<boolean> {
    if (await delivery.tries(batch.readings.slice(end))) return true;
    let count = 0;
    let last: SpoolBatch | undefined;
    for (let later = spool.after(batch.end); later !== undefined; later = spool.after(later.end)) {
      if (signal.aborted || ending.aborted) return false;
      last = later;
      count += 1;
      // The first, the second, the fourth, and so on: there may be thousands.
      if ((count & (count - 1)) === 0 && (await delivery.tries(later.readings, 2))) return true;
    }
    return last !== undefined && delivery.tries(last.readings, 2);
  }

  function onRefused(...[which, reason]: Refusal): void {
    refused += typeof which === "number" ? which : which.length;
    named += 1;
    if (named <= maxNamed) warn(`${purpose.address} refused ${refusedText(which)}: ${reason}`);
  }

  const delivery = createDelivery({
    format: purpose.format,
    address: purpose.address,
    post,
    now,
    random,
    sleep,
    keeps: true,
    onWait,
    onRefused,
    onBatch(_end, taken) {
      sent += taken;
      if (failed !== undefined) warn(`Forwarding to ${purpose.address} again`);
      failed = undefined;
    },
  });
  const timer = setInterval(() => report(progress()), reportMilliseconds);
  try {
    while (!signal.aborted) {
      const batch = spool.next();
      since = batch?.since;
      if (batch !== undefined) {
        const done = await deliver(batch);
        // There may be more by now.
        if (done > 0) spool.done(done === batch.readings.length ? batch.end : batch.after(done));
      } else if (ending.aborted) break;
      else await wait(pollMilliseconds, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted && !(ending.aborted && (error as Error).name === "AbortError")) throw error;
  } finally {
    clearInterval(timer);
    spool.close();
    report(progress());
  }
}

async function openWhenFree({ purpose, signal, warn, now }: ForwarderOptions): Promise<SpoolReader> {
  for (const until = now().getTime() + waitForOther; ; ) {
    try {
      return await openSpoolReader(purpose, warn);
    } catch (error) {
      const isInUse = error instanceof Failure && error.code === "spool_in_use";
      if (!isInUse || now().getTime() > until) throw error;
      await wait(pollMilliseconds, undefined, { signal });
    }
  }
}
