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
  part = { from: 0, end: 0 };
  constructor(message: string, cause?: Failure) {
    super("invalid", message, { cause });
  }
}

// How many readings find out whether an engine that refused all takes any now.
const probes = 12;
// If so many readings of a batch are refused before one is taken, others are tried.
const enough = 8;
// How often what the engine answers with 500 is sent again before others are tried, if it has taken none.
const patience = 2;
const largest = 2000;
// The first batch finds out whether the engine takes any.
const first = 100;
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
  let limit = largest;
  let leftOut = 0;
  // One that the engine took: if it answers when it gets it again, which changes nothing, its 500 is about other readings.
  let good: Uint8Array | undefined;
  // How long the last answer asked to wait.
  let retryAfter = "";
  // Whether the engine took nothing of the last batch, and any after those of this one.
  let [isRefusing, takesNewer] = [false, false];
  // Of a batch: how many were taken, and what was refused before that is known, with why the last time.
  let taken = 0;
  let held: Refusal[] = [];
  let last: string | undefined;

  const onRefused: typeof options.onRefused = (...refused) => {
    if (taken === 0) held.push(refused);
    else options.onRefused(...refused);
  };

  async function ask(body: Uint8Array): Promise<Verdict> {
    retryAfter = "";
    const answer = await post(encoder.headers, Buffer.from(body.buffer, body.byteOffset, body.length));
    retryAfter = answer.headers["retry-after"] ?? "";
    return verdictOf(answer, format, address);
  }

  /** Sends a body until there is an answer about it. What the engine fails at is refused if it takes others; one alone, the second time. */
  async function request(body: Uint8Array, isAlone: boolean): Promise<Verdict> {
    let mayBeRefused = !isAlone;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await ask(body);
      } catch (error) {
        if (!isFailure(error)) throw error;
        const asked = retryAfterDelay(retryAfter, now());
        const verdict = await refusedBy(error);
        if (verdict !== undefined && mayBeRefused) return verdict;
        mayBeRefused = true;
        if (verdict !== undefined) continue;
        if (error.status === 500 && attempt >= (retries ?? patience)) throw new RefusesAll(error.message, error);
        const lasts = !isTransient(error);
        if (retries !== undefined && (lasts || attempt >= retries || (asked ?? 0) > maxAsked)) throw error;
        const wait = Math.min(asked ?? (lasts ? maxWait : backoffOf(attempt, random)), maxAsked);
        onWait?.(error, wait);
        await sleep(wait);
      }
    }
  }

  /** What an answer of 500 means: a refusal, if the engine is well. */
  async function refusedBy({ status, message }: Failure): Promise<Verdict | undefined> {
    if (status !== 500 || good === undefined || (await probe(good)) === undefined) return undefined;
    return { is: "refused", reason: message.replace(`${address} `, "") };
  }

  /** What the engine answers about a reading alone, sent once; undefined if it does not. */
  async function probe(reading: Uint8Array): Promise<Verdict | undefined> {
    const { body } = encoder.encode([reading]);
    try {
      return body && (await ask(body));
    } catch (error) {
      if (!isFailure(error)) throw error;
      return reading === good ? undefined : refusedBy(error);
    }
  }

  /** Sends readings of a batch, and halves what is refused until it is a single one. */
  async function sendPart(given: readonly Numbered[]): Promise<void> {
    const { body, faults, leftOut: without } = encoder.encode(given.map(({ encoded }) => encoded));
    for (const [index, reason] of faults) refuse(given.slice(index, index + 1), reason);
    const part = faults.size === 0 ? given : given.filter((_, index) => !faults.has(index));
    const verdict = body === undefined ? nothingToSend : await request(body, part.length === 1);
    if (verdict.is === "taken") {
      leftOut += without;
      const rejected = Math.min(verdict.rejected, part.length);
      taken += part.length - rejected;
      if (rejected < part.length) good = part.at(-1)?.encoded;
      if (taken > 0) tellHeld();
      if (rejected > 0) {
        last = verdict.reason;
        onRefused(rejected, verdict.reason, 0);
      }
      return;
    }
    const isTooLarge = verdict.is === "too-large";
    const middle = Math.ceil(part.length / 2);
    if (isTooLarge) limit = Math.min(limit, middle);
    if (part.length > 1) {
      await sendPart(part.slice(0, middle));
      await sendPart(part.slice(middle));
      return;
    }
    if (!isTooLarge) last = verdict.reason;
    refuse(part, isTooLarge ? "larger than the engine accepts (413)" : verdict.reason);
    if (mayRefuseAll() && held.length >= enough) throw refusesAll();
  }

  function refuse(part: readonly Numbered[], reason: string): void {
    const [one] = part;
    const refused = part.map(({ encoded }) => encoded);
    if (one !== undefined) onRefused(refused, reason, one.number);
  }

  function tellHeld(): void {
    for (const one of held.splice(0)) options.onRefused(...one);
  }

  const mayRefuseAll = () => keeps && !takesNewer && taken === 0 && last !== undefined;
  const refusesAll = () => new RefusesAll(`${address} refuses all readings: ${last}`);

  /**
   * Tries some of the readings, each alone, from the first to the last one, until one is taken; returns whether one was. They are
   * sent again with the others, which changes nothing.
   */
  async function tries(readings: readonly Uint8Array[], most = probes): Promise<boolean> {
    const step = Math.max(1, (readings.length - 1) / (most - 1));
    for (let at = 0; Math.round(at) < readings.length && !takesNewer; at += step) {
      const reading = readings[Math.round(at)];
      const verdict = reading && (await probe(reading));
      if (verdict?.is === "refused") last = verdict.reason;
      takesNewer = verdict?.is === "taken" && verdict.rejected === 0;
      if (takesNewer) good = reading;
    }
    return takesNewer;
  }

  /** Sends a batch. After one of which nothing was taken, only if the engine takes some: each alone would be thousands of requests. */
  async function sendBatch(part: readonly Numbered[]): Promise<void> {
    [taken, held, last] = [0, [], undefined];
    const isTaken = !isRefusing || (await tries(part.map(({ encoded }) => encoded)));
    if (isTaken || last === undefined) await sendPart(part);
    else refuse(part, last);
    if (mayRefuseAll()) throw refusesAll();
    tellHeld();
    [isRefusing, takesNewer] = [taken === 0 && last !== undefined, false];
  }

  /** Sends all readings, in batches. */
  async function send(readings: readonly Uint8Array[]): Promise<void> {
    for (let at = 0; at < readings.length; ) {
      const part = readings
        .slice(at, at + Math.min(good === undefined ? first : largest, limit))
        .map((encoded, index) => ({ number: at + index, encoded }));
      try {
        await sendBatch(part);
      } catch (error) {
        if (!(error instanceof RefusesAll)) throw error;
        if (await tries(part.map(({ encoded }) => encoded))) continue;
        throw keeps ? Object.assign(error, { part: { from: at, end: at + part.length } }) : error.cause;
      }
      at += part.length;
      onBatch?.(at, taken);
    }
  }

  return { send, tries, leftOut: () => leftOut };
}

const isFailure = (error: unknown): error is Failure => error instanceof Failure && error.name !== "Interruption";

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
