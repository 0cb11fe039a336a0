import { Failure, UsageError } from "../failure/failure.ts";
import type { System } from "../system/system.ts";
import { startWorker } from "../system/worker.ts";
import { safe } from "../text/safe.ts";

/** The answer of `workers/unbounded.js` to a program: the output and the text on stderr, or jq's stderr if it failed. */
type JqResult = { readonly output: string; readonly stderrText: string } | { readonly failed: string };

/** Runs jq programs, one after another, in a worker thread; call `close` at the end. */
export interface Jq {
  /**
   * Runs a program on JSON; strings are printed raw, like `jq -r`. The output of `debug` and `stderr` is made safe for a
   * terminal and written to stderr. Throws a `UsageError` for an invalid program, a `jq` failure if the program fails, and
   * the reason of the signal if it aborts.
   */
  readonly run: (program: string, json: string) => Promise<string>;
  readonly close: () => void;
}

type Surroundings = Pick<System, "signal" | "stderr" | "env">;

/** Starts the worker thread. */
export function openJq({ signal, stderr, env }: Surroundings): Jq {
  const worker = startWorker<{ readonly json: string; readonly program: string }, JqResult>("jq", signal);
  const printError = (text: string) => void (text !== "" && stderr.write(`${safe(text)}\n`));

  async function run(program: string, json: string): Promise<string> {
    const result = await worker.ask({ json, program: withEnvironment(program, env) }).catch(outOfMemory);
    if ("output" in result) {
      printError(result.stderrText);
      return result.output === "" || result.output.endsWith("\n") ? result.output : `${result.output}\n`;
    }
    const lines = result.failed.split("\n");
    const first = Math.max(
      0,
      lines.findIndex((line) => line.startsWith("jq: ")),
    );
    printError(lines.slice(0, first).join("\n"));
    const reason = (lines[first] ?? "").replace(/^jq: /, "").trim();
    if (/compile error/.test(result.failed)) throw new UsageError(`--jq: ${reason}`);
    throw new Failure("jq", `--jq: ${reason}`);
  }

  return { run, close: worker.close };
}

/** Runs one program, as `Jq` does. */
export async function runJq(program: string, json: string, system: Surroundings): Promise<string> {
  const jq = openJq(system);
  try {
    return await jq.run(program, json);
  } finally {
    jq.close();
  }
}

/** A program with `env` and `$ENV` as jq has them: WebAssembly has no environment. JSON is also a program. */
function withEnvironment(program: string, env: System["env"]): string {
  return /\benv\b/i.test(program) ? `${JSON.stringify(env)} as $ENV | def env: $ENV; ${program}` : program;
}

function outOfMemory(error: unknown): never {
  const isOutOfMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  throw isOutOfMemory ? new Failure("jq", "--jq: the program ran out of memory", { cause: error }) : error;
}
