import { Failure, UsageError } from "../failure/failure.ts";
import type { System } from "../system/system.ts";
import { startWorker } from "../system/worker.ts";
import { safe } from "../text/safe.ts";

/** What `workers/jq.js` answers: the output and what the program wrote to stderr, or jq's stderr when it failed. */
type Ran = { readonly output: string; readonly said: string } | { readonly failed: string };

/**
 * Runs a jq program (by jq itself) over JSON; strings come out bare, as with `jq -r`. What the program writes with
 * `debug` and `stderr` is made safe for a terminal and written to stderr. Throws a `UsageError` when the program cannot
 * be compiled, a `jq` failure when it fails, and the signal's reason when that aborts.
 */
export async function runJq(
  program: string,
  json: string,
  { signal, stderr }: Pick<System, "signal" | "stderr">,
): Promise<string> {
  const worker = startWorker<{ readonly json: string; readonly program: string }, Ran>("jq", signal);
  const say = (text: string) => void (text !== "" && stderr.write(`${safe(text)}\n`));
  try {
    const ran = await worker.ask({ json, program }).catch(outOfMemory);
    if ("output" in ran) {
      say(ran.said);
      return ran.output === "" || ran.output.endsWith("\n") ? ran.output : `${ran.output}\n`;
    }
    const lines = ran.failed.split("\n");
    const first = Math.max(
      0,
      lines.findIndex((line) => line.startsWith("jq: ")),
    );
    say(lines.slice(0, first).join("\n"));
    const reason = (lines[first] ?? "").replace(/^jq: /, "").trim();
    if (/compile error/.test(ran.failed)) throw new UsageError(`--jq: ${reason}`);
    throw new Failure("jq", "failure", `--jq: ${reason}`);
  } finally {
    await worker.close();
  }
}

function outOfMemory(error: unknown): never {
  const full = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  throw full ? new Failure("jq", "failure", "--jq: The program needs too much memory", { cause: error }) : error;
}
