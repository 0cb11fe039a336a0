import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { diskFailure } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import type { Outcome } from "../../failure/outcomes.ts";
import { ownProgram } from "../../system/own-program.ts";
import type { System } from "../../system/system.ts";
import { removeScratch } from "../scratch.ts";
import { type Conversion, convertRecording } from "./convert.ts";

/** Why a recording was not converted. */
interface Problem {
  readonly code: Outcome;
  readonly message: string;
}

/**
 * Converts a recording as `convertRecording` does, in a process of its own: it takes seconds, in which this one has to
 * receive. Throws a `Failure` if that process ends before it has, and leaves nothing of what it wrote.
 */
export async function convertInProcess(conversion: Conversion & { readonly signal: AbortSignal }): Promise<void> {
  const { recording, target, signal } = conversion;
  const [program, ...args] = ownProgram() ?? [];
  if (program === undefined) return convertRecording(conversion);
  // Detached, so that Ctrl-C reaches only this process, which stops the other one.
  const child = spawn(program, [...args, "__convert", recording, target], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
    windowsHide: true,
  });
  // Not killed, because it could be between the file that is complete and the recording that it removes then.
  const stop = () => void child.stdin.end();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  let answer = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  try {
    const [code, ended] = await once(child, "close");
    if (code === 0) return;
    signal.throwIfAborted();
    if (answer === "") throw new Failure("conversion", `its process ended with ${ended ?? `exit code ${code}`}`);
    const problem: Problem = JSON.parse(answer);
    throw new Failure(problem.code, problem.message);
  } finally {
    signal.removeEventListener("abort", stop);
    removeScratch(target);
  }
}

/** `tongs __convert RECORDING TARGET`, that process. It stops when stdin ends: the other one stops it, or was killed. */
export async function answerConvert(
  [recording = "", target = ""]: readonly string[],
  { stdin, stdout }: Pick<System, "stdin" | "stdout">,
): Promise<number> {
  const alone = new AbortController();
  stdin.resume().once("end", () => alone.abort());
  // Receiving comes first: packets that nobody takes are lost.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    await convertRecording({ recording, target, signal: alone.signal });
    return 0;
  } catch (thrown) {
    const error = diskFailure(thrown) ?? thrown;
    const code = error instanceof Failure ? error.code : "internal";
    stdout.write(JSON.stringify({ code, message: (error as Error).message } satisfies Problem));
    return 1;
  } finally {
    stdin.destroy();
  }
}
