import { Failure, isTransient } from "../../failure/failure.ts";
import type { CollectdClient } from "./client.ts";

/** A reading to send, and the number of its message among the valid ones of all inputs, from 1. */
export interface Numbered {
  readonly message: number;
  readonly encoded: Uint8Array;
}

/** How readings are sent. */
export interface SenderOptions {
  /** Connects; called again for each retry, because a connection that failed waits before it tries again. */
  readonly connect: () => CollectdClient;
  /** Waits before a retry. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Called after each batch with the number of its last message. */
  readonly onSent: (message: number) => void;
  /** Called for a reading that the server rejects; true continues with the next one. */
  readonly onRejected: (message: number, failure: Failure) => boolean;
}

// Large enough to make the overhead of a call negligible, small enough to locate an error.
const batchSize = 500;

// Waits before the retries; collectd drops a reading that it has already.
const waits = [500, 1000, 2000];

/** Creates a sender. Without a response, or if the server cannot take it now, a batch is sent again, up to three times. */
export function createSender({ connect, sleep, onSent, onRejected }: SenderOptions) {
  let client = connect();
  let sent = 0;

  async function put(batch: readonly Numbered[]): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await client.put(batch.map(({ encoded }) => encoded));
      } catch (error) {
        const wait = waits[tries];
        if (!(error instanceof Failure) || !isTransient(error) || wait === undefined) throw error;
        await sleep(wait);
        client.close();
        client = connect();
      }
    }
  }

  async function sendBatch(batch: readonly Numbered[]): Promise<void> {
    const [first] = batch;
    const last = batch.at(-1);
    if (first === undefined || last === undefined) return;
    try {
      await put(batch);
      sent += batch.length;
    } catch (error) {
      if (!(error instanceof Failure) || error.name !== "Failure") throw error;
      if (error.exit !== "invalid") throw stopped(error, first.message, last.message);
      if (batch.length > 1) {
        // The server does not say which one it rejects.
        for (const one of batch) await sendBatch([one]);
      } else if (!onRejected(first.message, error)) throw stopped(error, first.message, last.message);
    }
    onSent(last.message);
  }

  /** Adds where it stopped. Of a batch without an answer, some readings may have arrived. */
  function stopped(error: Failure, first: number, last: number): Failure {
    const where = first === last ? `message ${first}` : `messages ${first} to ${last}, some of which may have arrived`;
    const message = `${error.message}\nSent ${sent} ${sent === 1 ? "reading" : "readings"}; stopped at ${where}`;
    return new Failure(error.code, message, { hint: error.hint, cause: error });
  }

  /** Throws a `Failure` that says at which message it stopped. */
  const send = async (readings: readonly Numbered[]) => {
    for (let at = 0; at < readings.length; at += batchSize) await sendBatch(readings.slice(at, at + batchSize));
  };
  return { send, sent: () => sent, close: () => client.close() };
}
