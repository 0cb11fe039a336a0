import type { Readable } from "node:stream";
import type { Keyring, KeyringOptions } from "./keyring.ts";
import type { OutputStream } from "./output-stream.ts";

/** Standard input. */
export interface InputStream extends Readable {
  readonly isTTY?: boolean;
}

/** The prompts of `@inquirer/prompts` in use. */
export type Questions = Pick<
  typeof import("@inquirer/prompts"),
  "input" | "password" | "confirm" | "select" | "checkbox" | "search"
>;

/** The process and its environment, provided by `main.ts` or a test. */
export interface System {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The current directory. Throws a `Failure` if it was deleted: read it only where it is needed. */
  readonly cwd: string;
  /**
   * The path of a file that the caller of an MCP tool named, links followed. Throws a usage error unless the tool may use
   * it. Absent for people, who may use all files.
   */
  readonly confine?: (typed: string) => string;
  readonly now: () => Date;
  /** Waits for a number of milliseconds. Rejects if the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A random number from 0 to 1, for jitter. */
  readonly random: () => number;
  /** Aborts on Ctrl-C and SIGTERM; the reason is an `Interruption`. */
  readonly signal: AbortSignal;
  /** Calls `work` on each SIGHUP, which otherwise ends the process. Returns a function that stops it. */
  readonly onHangup?: (work: () => void) => () => void;
  /**
   * Leaves Ctrl-C on a terminal to a program that was started there, until the returned function is called: it reaches
   * both, and the program decides what it means.
   */
  readonly leaveInterrupts?: () => () => void;
  /** Whether stderr may show that a request takes long. */
  readonly animates?: boolean;
  /** Opens the keyring of the desktop. Without it, tokens are stored in a file. */
  readonly keyring?: (options: KeyringOptions) => Promise<Keyring>;
  /** Replaces the prompt library. */
  readonly questions?: Questions;
}
