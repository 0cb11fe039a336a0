import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { createInterface } from "node:readline";
import { diskFailure } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import type { Outcome } from "../failure/outcomes.ts";
import { ownProgram } from "../system/own-program.ts";
import type { System } from "../system/system.ts";

/** Why a process of our own fails, as its last line of JSON. */
interface Failed {
  readonly failed: { readonly code: Outcome; readonly message: string; readonly hint?: string | undefined };
}

/** A process of our own, which does what this one has no time for: it has to receive. */
export interface OwnProcess {
  /** Asks it to end. It is not killed: it may be between two steps that belong together. */
  readonly end: () => void;
  /** Resolves when it has ended: with nothing after success, with the `Failure` that it named, or with how it ended. */
  readonly ended: Promise<Failure | string | undefined>;
}

/** Starts `tongs WORDS`, and calls `onSaid` with what it says. Undefined from the sources, which Node cannot run. */
export function startOwn<Said extends object>(
  words: readonly string[],
  onSaid: (said: Said) => void,
  cwd?: string,
): OwnProcess | undefined {
  const [program, ...args] = ownProgram() ?? [];
  if (program === undefined) return undefined;
  // Detached, so that Ctrl-C reaches only this process, which ends the other one.
  const child = spawn(program, [...args, ...words], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
    windowsHide: true,
    cwd,
  });
  let failure: Failure | undefined;
  // A broken pipe says no more than its end.
  child.stdin.on("error", () => undefined);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = readLine<Said>(line);
    if (said === undefined) return;
    if (!("failed" in said)) onSaid(said);
    else failure = new Failure(said.failed.code, said.failed.message, { hint: said.failed.hint });
  });
  const ended = new Promise<Failure | string | undefined>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve(code === 0 ? undefined : (failure ?? signal ?? `exit code ${code ?? "unknown"}`)),
    );
  });
  return { end: () => child.stdin.end(), ended };
}

/** What a line says; undefined for the start of one, which a process that was killed may leave. */
function readLine<Said>(line: string): Said | Failed | undefined {
  try {
    return JSON.parse(line) as Said | Failed;
  } catch {
    return undefined;
  }
}

/** That process: does the work, until `ending` aborts because the other one asks for it, or was killed. Returns the exit code. */
export async function answerOwn<Said extends object>(
  { stdin, stdout }: Pick<System, "stdin" | "stdout">,
  work: (ending: AbortSignal, say: (said: Said) => void) => Promise<void>,
): Promise<number> {
  const ending = new AbortController();
  stdin.resume().once("end", () => ending.abort());
  // Nobody may read it any more: the work is done all the same.
  stdout.keepGoing();
  // Receiving comes first: packets that nobody takes are lost.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const say = (said: Said | Failed) => void stdout.write(`${JSON.stringify(said)}\n`);
  try {
    await work(ending.signal, say);
    return 0;
  } catch (thrown) {
    const error = diskFailure(thrown) ?? thrown;
    const { code, message, hint } =
      error instanceof Failure ? error : new Failure("internal", (error as Error).message);
    say({ failed: { code, message, hint } });
    return 1;
  } finally {
    // It would keep this process from ending, and the other one from starting another.
    stdin.destroy();
  }
}
