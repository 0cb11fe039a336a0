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
   * Keeps readings while the engine has taken none at all: `send` then throws a `RefusesAll`, as long as it refuses some of
   * those that are tried.
   */
  readonly keeps?: boolean;
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
  /** How many values the format has no form for. */
  readonly leftOut: () => number;
}

/** The engine has refused all readings so far: it may be the wrong one, or set up wrongly. */
export class RefusesAll extends Failure {}

// How many readings find out whether an engine that refused all takes any now.
const probes = 16;
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
  const { format, address, post, sleep, now, random, retries, keeps = false, onWait, onBatch } = options;
  const encoder = createEncoder(format);
  let hasTaken = false;
  let limit = largest;
  let leftOut = 0;
  // Whether the engine refused some of the last batch, and whether it took nothing of it.
  let [hasRefused, isRefusing] = [false, false];
  // What was refused of a batch while it is not known whether the engine takes any.
  let held: Parameters<typeof options.onRefused>[] = [];
  let refusesAll = false;

  const onRefused: typeof options.onRefused = (...refused) => {
    if (keeps && !hasTaken) held.push(refused);
    else options.onRefused(...refused);
  };

  /** Sends a body until there is an answer about it. */
  async function request(body: Uint8Array): Promise<Verdict> {
    for (let attempt = 0; ; attempt += 1) {
      let asked: number | undefined;
      try {
        const answer = await post(encoder.headers, Buffer.from(body.buffer, body.byteOffset, body.length));
        asked = retryAfterDelay(answer.headers["retry-after"] ?? "", now());
        return verdictOf(answer, format, address);
      } catch (error) {
        if (!(error instanceof Failure) || error.name === "Interruption") throw error;
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
      return part.length - rejected;
    }
    hasRefused = true;
    const isTooLarge = verdict.is === "too-large";
    const middle = Math.ceil(part.length / 2);
    if (isTooLarge) limit = Math.min(limit, middle);
    if (part.length > (isTooLarge ? 1 : least))
      return (await sendPart(part.slice(0, middle), least)) + (await sendPart(part.slice(middle), least));
    refuse(part, isTooLarge ? "larger than the engine accepts (413)" : verdict.reason);
    return 0;
  }

  function refuse(part: readonly Numbered[], reason: string): void {
    const [one] = part;
    const refused = part.map(({ encoded }) => encoded);
    if (one !== undefined) onRefused(refused, reason, one.number);
  }

  /** Throws if nothing was taken so far, and some readings were refused. Otherwise, they are. */
  function requireTaken(taken: number): void {
    hasTaken ||= taken > 0;
    const all = held;
    held = [];
    refusesAll = keeps && !hasTaken && hasRefused;
    if (refusesAll) throw new RefusesAll("invalid", `${address} refuses all readings: ${all.at(-1)?.[1]}`);
    for (const one of all) options.onRefused(...one);
  }

  /** Tries some readings from the first to the last one. They are sent again with the others, which changes nothing. */
  async function probe(readings: readonly Uint8Array[]): Promise<void> {
    const step = Math.max(1, (readings.length - 1) / (probes - 1));
    let taken = 0;
    hasRefused = false;
    for (let at = 0; Math.round(at) < readings.length && taken === 0; at += step) {
      const number = Math.round(at);
      taken = await sendPart(
        readings.slice(number, number + 1).map((encoded) => ({ number, encoded })),
        1,
      );
    }
    if (taken > 0) held = [];
    requireTaken(taken);
  }

  async function send(readings: readonly Uint8Array[]): Promise<void> {
    if (refusesAll) await probe(readings);
    for (let at = 0; at < readings.length; ) {
      const part = readings
        .slice(at, at + Math.min(hasTaken ? largest : first, limit))
        .map((encoded, index) => ({ number: at + index, encoded }));
      hasRefused = false;
      const taken = await sendPart(part, isRefusing ? Math.ceil(part.length / coarse) : 1);
      requireTaken(taken);
      isRefusing = taken === 0 && hasRefused;
      at += part.length;
      onBatch?.(at, taken);
    }
  }

  return { send, leftOut: () => leftOut };
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
