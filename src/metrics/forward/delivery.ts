import { Failure, isTransient } from "../../failure/failure.ts";
import { retryAfterDelay } from "../../text/retry-after.ts";
import { createDecoder } from "../decode/decoder.ts";
import { type Series, seriesOf } from "../decode/series.ts";
import { seriesName } from "../reading/identity.ts";
import { handleAlone, type MessageHandler } from "../stream/messages.ts";
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
  /** Keeps readings that may not be the reason why none is taken: `send` then throws a `RefusesAll`. */
  readonly keeps?: boolean;
  /** Called before each wait. */
  readonly onWait?: (failure: Failure, milliseconds: number) => void;
  /** Called for readings that are not sent again: some of those of `send`, or how many if the engine does not say which. */
  readonly onRefused: (refused: readonly Uint8Array[] | number, reason: string, first: number) => void;
  /** Called after each request or more for a batch: the readings before `end` are done, and so many of the batch were taken. */
  readonly onBatch?: (end: number, taken: number) => void;
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
    readonly part: { readonly from: number; readonly end: number },
  ) {
    super("invalid", message);
  }
}

/** The same within a batch: it is not known whether its readings are the reason. */
class Unproven extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

// How many readings find out whether an engine that refused all takes any now.
const probes = 12;
// If so many readings of a batch are not taken, others are tried.
const unprovenEnough = 8;
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

/** How long to wait before another attempt, in milliseconds. */
export function backoffOf(attempt: number, random: () => number): number {
  return Math.round(Math.min(maxWait, firstWait * 2 ** attempt) * (0.5 + random() / 2));
}

/** Creates a delivery. One request is sent at a time, so that a series stays in order. */
export function createDelivery(options: DeliveryOptions) {
  const { format, address, post, sleep, now, random, retries, keeps = false } = options;
  const { onWait, onBatch } = options;
  const encoder = createEncoder(format);
  // A reading that the engine took: if it takes it again, which changes nothing, it fails at what is in others.
  let good: Uint8Array | undefined;
  let limit = largest;
  let leftOut = 0;
  // Whether the engine took nothing of the last batch, and whether it is known to take any while it gets this one.
  let [isRefusing, isProven] = [false, false];
  // Whether a batch of which nothing was taken is halved; at first, it is only sent again.
  let halves = false;
  // What was refused of a batch before that is known, and why the last time.
  let held: Refusal[] = [];
  let last: Failure | undefined;
  // What is sent again, in halves, if others are taken.
  let doubtful: { readonly part: readonly Numbered[]; readonly reason: string; readonly isFailed: boolean }[] = [];
  // How many readings in a row were not taken, and what is refused as a whole if they are too many.
  let [fruitless, coarsePart] = [0, 1];

  const onRefused: typeof options.onRefused = (...refused) => {
    if (!isProven) held.push(refused);
    else options.onRefused(...refused);
  };

  /** Sends a body until there is an answer about it, or about what may be in it. */
  async function request(body: Uint8Array): Promise<Verdict | { readonly is: "failed"; readonly reason: string }> {
    for (let attempt = 0; ; attempt += 1) {
      let asked: number | undefined;
      try {
        const answer = await post(encoder.headers, Buffer.from(body.buffer, body.byteOffset, body.length));
        asked = retryAfterDelay(answer.headers["retry-after"] ?? "", now());
        return verdictOf(answer, format, address);
      } catch (error) {
        if (!(error instanceof Failure) || error.name === "Interruption") throw error;
        if (error.status === 500) {
          last = error;
          return { is: "failed", reason: error.message.replace(`${address} `, "") };
        }
        const lasts = !isTransient(error);
        if (retries !== undefined && (lasts || attempt >= retries || (asked ?? 0) > maxAsked)) throw error;
        const wait = Math.min(asked ?? (lasts ? maxWait : backoff(attempt)), maxAsked);
        onWait?.(error, wait);
        await sleep(wait);
      }
    }
  }

  const backoff = (attempt: number) => backoffOf(attempt, random);

  /** Sends readings of a batch, and halves what is refused until it has at most `least`. Returns how many were taken. */
  async function sendPart(given: readonly Numbered[], least: number): Promise<number> {
    const { body, faults, leftOut: without } = encoder.encode(given.map(({ encoded }) => encoded));
    for (const [index, reason] of faults) refuse(given.slice(index, index + 1), reason);
    const part = faults.size === 0 ? given : given.filter((_, index) => !faults.has(index));
    const verdict = body === undefined ? nothingToSend : await request(body);
    if (verdict.is === "taken") {
      leftOut += without;
      const rejected = Math.min(verdict.rejected, part.length);
      if (rejected < part.length) proveBy(part.at(-1));
      if (rejected > 0) {
        await requireProof({ is: "refused", reason: verdict.reason });
        onRefused(rejected, verdict.reason, 0);
      }
      fruitless = 0;
      return part.length - rejected;
    }
    const isTooLarge = verdict.is === "too-large";
    if (!isTooLarge) await requireProof(verdict);
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
    const isFailed = verdict.is === "failed";
    if (isFailed || part.length > 1) doubtful.push({ part, reason, isFailed });
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
   * none of the batch, all is refused.
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

  function proveBy(taken: Numbered | undefined): void {
    if (taken === undefined) return;
    good = taken.encoded;
    isProven = true;
    for (const one of held.splice(0)) options.onRefused(...one);
  }

  /** Throws `Unproven` if it is not known whether the engine takes any readings, and enough of a batch have been tried. */
  async function requireProof({ is, reason }: { readonly is: "refused" | "failed"; readonly reason: string }) {
    if (is === "refused") last = new Failure("invalid", `${address} refuses all readings: ${reason}`);
    // It looked at them.
    isProven ||= is === "refused" && (!keeps || good !== undefined);
    if (isProven || (halves && fruitless < unprovenEnough)) return;
    if (good === undefined || !(await takes(good))) throw unproven();
    isProven = true;
  }

  const unproven = () => new Unproven(last ?? new Failure("invalid", `${address} takes no readings`));

  /** Whether the engine takes a reading alone, or at least does not fail at one that it took before. */
  async function takes(encoded: Uint8Array): Promise<boolean> {
    const { body, faults } = encoder.encode([encoded]);
    if (body === undefined || faults.size > 0) return false;
    const { is } = await request(body);
    return is === "taken" || (is === "refused" && encoded === good);
  }

  /**
   * Tries some of the readings, each alone, from the first to the last one, until one is taken; returns whether one was. They are
   * sent again with the others, which changes nothing.
   */
  async function tries(readings: readonly Uint8Array[], most = probes): Promise<boolean> {
    const step = Math.max(1, (readings.length - 1) / (most - 1));
    for (let at = 0; Math.round(at) < readings.length; at += step) {
      const encoded = readings[Math.round(at)];
      if (encoded === undefined || !(await takes(encoded))) continue;
      good = encoded;
      return true;
    }
    return false;
  }

  /** Sends a batch, and returns how many of it were taken. */
  async function sendBatch(part: readonly Numbered[]): Promise<number> {
    [isProven, doubtful, held, fruitless, last] = [false, [], [], 0, undefined];
    coarsePart = Math.ceil(part.length / coarse);
    const taken = await sendPart(part, isRefusing ? coarsePart : 1);
    // The engine may fail by now, unless it took others after those.
    const hasFailed = fruitless > 0 && doubtful.some(({ isFailed }) => isFailed);
    if (hasFailed && (good === undefined || !(await takes(good)))) throw unproven();
    const more = await sendDoubtful(taken);
    if (held.length > 0 && last !== undefined && keeps) throw unproven();
    for (const one of held.splice(0)) options.onRefused(...one);
    return taken + more;
  }

  /** Sends all readings, in batches. */
  async function send(readings: readonly Uint8Array[]): Promise<void> {
    let attempt = 0;
    for (let at = 0; at < readings.length; ) {
      const part = readings
        .slice(at, at + Math.min(good === undefined ? first : largest, limit))
        .map((encoded, index) => ({ number: at + index, encoded }));
      try {
        halves = good !== undefined || keeps || attempt === retries;
        const taken = await sendBatch(part);
        isRefusing = taken === 0 && last !== undefined;
        at += part.length;
        attempt = 0;
        onBatch?.(at, taken);
      } catch (error) {
        if (!(error instanceof Unproven)) throw error;
        if (halves && (await tries(part.map(({ encoded }) => encoded)))) continue;
        if (keeps) throw new RefusesAll(error.failure.message, { from: at, end: at + part.length });
        if (attempt >= (retries ?? Number.POSITIVE_INFINITY)) throw error.failure;
        const wait = backoff(attempt);
        attempt += 1;
        onWait?.(error.failure, wait);
        await sleep(wait);
      }
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
  let series: Series | undefined;
  const { fields, read } = createDecoder({ lenient: true });
  const handle: MessageHandler = (...message) => {
    read(...message);
    series = seriesOf(fields);
    return false;
  };
  // It may have been refused because it is not valid.
  handleAlone(handle, [one], () => {});
  return displayText(seriesName(series ?? {}));
}
const nothingToSend: Verdict = { is: "taken", rejected: 0, reason: "" };
