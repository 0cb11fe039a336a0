import type { Readable } from "node:stream";
import type { OutputStream } from "./output-stream.ts";

/** Standard input. */
export interface InputStream extends Readable {
  readonly isTTY?: boolean;
}

/** The prompts of `@inquirer/prompts` that tongs uses. */
export type Questions = Pick<typeof import("@inquirer/prompts"), "input" | "password" | "confirm" | "select">;

/** The process and its surroundings, as `main.ts` or a test provides them. Nothing else touches `process`. */
export interface System {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => Date;
  /** Waits, in milliseconds; rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1, for jitter only. */
  readonly random: () => number;
  /** Aborts on Ctrl-C and on SIGTERM; the reason is the `Interruption`. */
  readonly signal: AbortSignal;
  /** Asks the questions in place of the prompt library. */
  readonly questions?: Questions;
}
