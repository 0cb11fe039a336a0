import { setMaxListeners } from "node:events";
import type { System } from "../system/system.ts";

/** The system of a command whose signal also aborts when the command has ended. */
export interface EndingSystem {
  readonly system: System;
  /** Ends everything that waits for the signal: requests, retries, git. */
  readonly end: (why: string) => void;
}

/**
 * The system of one command. A command that has failed starts nothing more and says nothing more: what it left behind (the
 * other requests of a `Promise.all`) ends with the signal, without a retry. The signal is made on first use, because
 * listening for Ctrl-C is.
 */
export function endingSystem(system: System): EndingSystem {
  const ended = new AbortController();
  let signal: AbortSignal | undefined;
  const own: System = Object.create(system, {
    signal: {
      get() {
        if (signal === undefined) {
          signal = AbortSignal.any([system.signal, ended.signal]);
          // As for the signal of the process: each pending request adds a listener.
          setMaxListeners(0, signal);
        }
        return signal;
      },
    },
  });
  return { system: own, end: (why) => ended.abort(new Error(why)) };
}
