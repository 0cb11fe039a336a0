import { createDecoder } from "../decode/decoder.ts";
import type { Call } from "../recorder/recorder.ts";
import { padded } from "../wire/block.ts";
import { WireFault } from "../wire/fields.ts";
import { unwrap } from "../wire/unwrap.ts";
import { createRejections } from "./service.ts";

/** What takes in readings. */
export interface Taker {
  /**
   * Takes a reading; see `MessageHandler`. A text that this returns says why it cannot be taken now: the sender gets it as
   * UNAVAILABLE. The sender waits for a promise, which must not be rejected. Later, the problem of its call says why it
   * could not be kept.
   */
  readonly onReading: (bytes: Uint8Array, view: DataView, start: number, end: number, call: Call) => unknown;
  /** Resolves when what was taken is kept, with a text if nothing can be kept any more. Without it, all is kept at once. */
  readonly settled?: () => Promise<string | undefined>;
}

/** Why a reading is not taken: it is not valid, or not now. */
export interface Refusal {
  readonly code: "invalid" | "unavailable";
  readonly details: string;
}

/**
 * Receives readings. Accepts strings that are not UTF-8, because collectd sends them. Rejects what collectd rejects, with
 * the same messages, and also invalid messages, which collectd silently drops.
 */
export function createReceiver({ onReading, settled }: Taker) {
  const rejections = createRejections();
  const { fields, read } = createDecoder({ lenient: true, added: rejections.added });

  /** Takes a `PutValuesRequest` of a call. Returns the refusal that ends the call, or a promise to wait for. */
  function receive(request: Uint8Array, call: Call): Refusal | Promise<unknown> | undefined {
    if (call.problem !== undefined) return notRecorded(call.problem);
    try {
      const inner = unwrap(request, 0, request.length);
      if (inner === undefined) return { code: "invalid", details: "missing host name" };
      const size = inner.end - inner.start;
      const { bytes, view } = padded(inner.from.subarray(inner.start, inner.end));
      const entry = read(bytes, view, 0, size);
      const rejection = rejections.reason(entry, fields);
      if (rejection !== undefined) return { code: "invalid", details: rejection };
      const result = onReading(bytes, view, 0, size, call);
      if (typeof result === "string") return { code: "unavailable", details: result };
      return result instanceof Promise ? result : undefined;
    } catch (error) {
      if (error instanceof WireFault) return { code: "invalid", details: `byte ${error.at}: ${error.message}` };
      throw error;
    }
  }

  /** Resolves when the readings of a call are kept, with a refusal if one is not. */
  async function end(call: Call): Promise<Refusal | undefined> {
    const problem = await settled?.();
    if (call.problem !== undefined) return notRecorded(call.problem);
    return problem === undefined ? undefined : { code: "unavailable", details: problem };
  }

  return { receive, end };
}

function notRecorded(problem: string): Refusal {
  return { code: "unavailable", details: `not recorded: ${problem}` };
}
