import { Failure, isTransient } from "../../failure/failure.ts";
import { retryAfterDelay } from "../../text/retry-after.ts";
import { decodeReading } from "../reading/codec.ts";
import { type Identified, seriesName } from "../reading/identity.ts";
import { WireFault } from "../wire/fields.ts";
import { displayText } from "../wire/text.ts";
import { type Answer, type Verdict, verdictOf } from "./answers.ts";
import { createEncoder } from "./encoder.ts";
import type { ForwardFormat } from "./formats.ts";

/** Sends a request to the engine. Throws a `Failure` without an answer. */
export type Post = (headers: Readonly<Record<string, string>>, body: Buffer) => Promise<Answer>;

/** How readings are delivered. */
export interface DeliveryOptions {
  readonly format: ForwardFormat;
  /** The engine's address for messages. */
  readonly address: string;
  readonly post: Post;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now: () => Date;
  readonly random: () => number;
  /** How often a request is sent again; what would last is thrown at once. Without a number, it is sent until it succeeds. */
  readonly retries?: number;
  /**
   * Keeps readings of which none is taken while the engine has taken none at all, or fails: `send` then throws a `RefusesAll`.
   * Without it, a request that the engine answers with 500 is sent again until it succeeds.
   */
  readonly keeps?: boolean;
  /** With `keeps`: how often a request is answered with 500 until its readings are suspected, and halved; for tests. */
  readonly patience?: number;
  /** Called before each wait. */
  readonly onWait?: (failure: Failure, milliseconds: number) => void;
  /** Called for readings that are not sent again: some of those of `send`, or how many if the engine does not say which. */
  readonly onRefused: (refused: readonly Uint8Array[] | number, reason: string, first: number) => void;
  /** Called after each request or more for a batch: the readings before `end` are done, and so many of the batch were taken. */
  readonly onBatch?: (end: number, taken: number) => void;
}

/** Delivers readings to an engine, in order. */
export interface Delivery {
  /** Sends all readings, in batches. */
  readonly send: (readings: readonly Uint8Array[]) => Promise<void>;
  /**
   * Tries some of the readings, each alone, from the first to the last one, until one is taken; returns whether one was. They are
   * sent again with the others, which changes nothing.
   */
  readonly tries: (readings: readonly Uint8Array[], most?: number) => Promise<boolean>;
  /** How many values the format has no form for. */
  readonly leftOut: () => number;
}

/** What `onRefused` is called with. */
export type Refusal = Parameters<DeliveryOptions["onRefused"]>;

/**
 * The engine took none of some readings, and it is not known whether it takes others: it may be the wrong one, be set up wrongly,
 * or fail. `from` and `end` say which ones of `send` they are; those before are done.
 */
export class RefusesAll extends Failure {
  constructor(
    message: string,
    readonly refused: readonly Refusal[],
    readonly part: { readonly from: number; readonly end: number },
  ) {
    super("invalid", message);
  }
}

// How many readings find out whether an engine that refused all takes any now.
const probes = 16;
// Half a minute of waiting: an engine that is restarted does not answer, or says that it is not ready.
const usualPatience = 6;
// As long as one of so many batches is answered with 500, the next ones are suspected at once.
const suspicious = 20;
// If so many readings in a row are answered with 500, what is left is halved only to coarse parts.
const fruitlessEnough = 64;
const largest = 2000;
// The first batch finds out whether the engine takes any.
const first = 100;
// Of a batch after one of which nothing was taken; a single reading would take thousands of requests.
const coarse = 8;
const firstWait = 500;
const maxWait = 30_000;
/** The longest wait that an engine can ask for; a longer one is an error, or this one. */
const maxAsked = 60_000;

/** Creates a delivery. One request is sent at a time, so that a series stays in order. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { format, address, post, sleep, now, random, retries, keeps = false, patience = usualPatience } = options;
  const { onWait, onBatch } = options;
  const encoder = createEncoder(format);
  let hasTaken = false;
  let limit = largest;
  let leftOut = 0;
  // Whether the engine refused some of the last batch, and whether it took nothing of it.
  let [hasRefused, isRefusing] = [false, false];
  // What was refused of a batch while it is not known whether the engine takes any.
  let held: Refusal[] = [];
  // For how many batches more an answer of 500 means their readings, and whether this one got it.
  let [suspects, hasFailed] = [0, false];
  // What is sent again, in halves, if others are taken.
  let doubtful: { readonly part: readonly Numbered[]; readonly reason: string }[] = [];
  // How many readings in a row were not taken, and what is refused as a whole if they are too many.
  let [fruitless, coarsePart] = [0, 1];

  const onRefused: typeof options.onRefused = (...refused) => {
    if (keeps && (!hasTaken || suspects > 0)) held.push(refused);
    else options.onRefused(...refused);
  };

  /** Sends a body until there is an answer about it, or about what may be in it. */
  async function request(body: Uint8Array): Promise<Verdict | { readonly is: "failed"; readonly reason: string }> {
    let failures = 0;
    for (let attempt = 0; ; attempt += 1) {
      let asked: number | undefined;
      try {
        const answer = await post(encoder.headers, Buffer.from(body.buffer, body.byteOffset, body.length));
        asked = retryAfterDelay(answer.headers["retry-after"] ?? "", now());
        return verdictOf(answer, format, address);
      } catch (error) {
        if (!(error instanceof Failure) || error.name === "Interruption") throw error;
        if (keeps && error.status === 500) {
          failures += 1;
          if (failures >= (suspects > 0 ? 1 : patience)) {
            suspects = suspicious;
            hasFailed = true;
            return { is: "failed", reason: error.message.replace(`${address} `, "") };
          }
        }
        const lasts = !isTransient(error);
        if (retries !== undefined && (lasts || attempt >= retries || (asked ?? 0) > maxAsked)) throw error;
        const wait = Math.min(asked ?? (lasts ? maxWait : backoff(attempt)), maxAsked);
        onWait?.(error, wait);
        await sleep(wait);
      }
    }
  }

  function backoff(attempt: number): number {
    return Math.round(Math.min(maxWait, firstWait * 2 ** attempt) * (0.5 + random() / 2));
  }

  /** Sends readings of a batch, and halves what is refused until it has at most `least`. Returns how many were taken. */
  async function sendPart(given: readonly Numbered[], least: number): Promise<number> {
    const { body, faults, leftOut: without } = encoder.encode(given.map(({ encoded }) => encoded));
    for (const [index, reason] of faults) refuse(given.slice(index, index + 1), reason);
    const part = faults.size === 0 ? given : given.filter((_, index) => !faults.has(index));
    const verdict = body === undefined ? nothingToSend : await request(body);
    if (verdict.is === "taken") {
      leftOut += without;
      const rejected = Math.min(verdict.rejected, part.length);
      if (rejected > 0) onRefused(rejected, verdict.reason, 0);
      hasRefused ||= rejected > 0;
      fruitless = 0;
      return part.length - rejected;
    }
    hasRefused = true;
    const isTooLarge = verdict.is === "too-large";
    const middle = Math.ceil(part.length / 2);
    if (isTooLarge) limit = Math.min(limit, middle);
    const mayBeWhole = isTooLarge
      ? 1
      : verdict.is === "failed" && fruitless >= fruitlessEnough
        ? Math.max(least, coarsePart)
        : least;
    if (part.length > mayBeWhole)
      return (await sendPart(part.slice(0, middle), least)) + (await sendPart(part.slice(middle), least));
    fruitless += 1;
    const reason = isTooLarge ? "larger than the engine accepts (413)" : verdict.reason;
    if (verdict.is === "failed" || part.length > 1) doubtful.push({ part, reason });
    else refuse(part, reason);
    return 0;
  }

  function refuse(part: readonly Numbered[], reason: string): void {
    const [one] = part;
    const refused = part.map(({ encoded }) => encoded);
    if (one !== undefined) onRefused(refused, reason, one.number);
  }

  /**
   * Sends again what the engine failed at, and halves of what it refused as a whole, now that it has taken others. If it took
   * none, all is refused, which `requireTaken` may prevent.
   */
  async function sendDoubtful(taken: number): Promise<number> {
    const again = doubtful;
    let more = 0;
    coarsePart = 1;
    for (const { part } of taken > 0 ? again : []) {
      doubtful = [];
      const middle = Math.ceil(part.length / 2);
      for (const half of [part.slice(0, middle), part.slice(middle)])
        if (half.length > 0) more += await sendPart(half, 1);
      for (const one of doubtful) refuse(one.part, one.reason);
    }
    if (taken === 0) for (const { part, reason } of again) refuse(part, reason);
    return more;
  }

  /** Throws if nothing was taken, and the readings may not be the reason. Otherwise, those that were refused are. */
  function requireTaken(taken: number, part: RefusesAll["part"]): void {
    hasTaken ||= taken > 0;
    const all = held;
    held = [];
    if (keeps && taken === 0 && hasRefused && (!hasTaken || hasFailed)) {
      const reason = `${all.at(-1)?.[1]}`;
      throw new RefusesAll(`${address} ${hasFailed ? reason : `refuses all readings: ${reason}`}`, all, part);
    }
    for (const one of all) options.onRefused(...one);
  }

  async function tries(readings: readonly Uint8Array[], most = probes): Promise<boolean> {
    const step = Math.max(1, (readings.length - 1) / (most - 1));
    let taken = 0;
    for (let at = 0; Math.round(at) < readings.length && taken === 0; at += step) {
      const number = Math.round(at);
      taken = await sendPart(
        readings.slice(number, number + 1).map((encoded) => ({ number, encoded })),
        1,
      );
    }
    [held, doubtful] = [[], []];
    hasTaken ||= taken > 0;
    return taken > 0;
  }

  async function send(readings: readonly Uint8Array[]): Promise<void> {
    for (let at = 0; at < readings.length; ) {
      const part = readings
        .slice(at, at + Math.min(hasTaken ? largest : first, limit))
        .map((encoded, index) => ({ number: at + index, encoded }));
      [hasRefused, hasFailed, doubtful, fruitless] = [false, false, [], 0];
      suspects = Math.max(0, suspects - 1);
      coarsePart = Math.ceil(part.length / coarse);
      let taken = await sendPart(part, isRefusing ? coarsePart : 1);
      taken += await sendDoubtful(taken);
      requireTaken(taken, { from: at, end: at + part.length });
      isRefusing = taken === 0 && hasRefused;
      at += part.length;
      onBatch?.(at, taken);
    }
  }

  return { send, tries, leftOut: () => leftOut };
}

interface Numbered {
  readonly number: number;
  readonly encoded: Uint8Array;
}

/** What was refused, in words: a reading by its series, others by their number. */
export function refusedText(refused: readonly Uint8Array[] | number): string {
  if (typeof refused === "number") return `${refused} of its readings, without saying which`;
  const [one] = refused;
  if (one === undefined || refused.length > 1) return `${refused.length} readings`;
  return displayText(seriesName(readingIn(one)));
}

/** A message that stands alone. Its strings may be anything. */
function readingIn(encoded: Uint8Array): Identified {
  try {
    return decodeReading(encoded, 0, encoded.length, { lenient: true });
  } catch (error) {
    // It may have been refused for that.
    if (error instanceof WireFault) return {};
    throw error;
  }
}

const nothingToSend: Verdict = { is: "taken", rejected: 0, reason: "" };
