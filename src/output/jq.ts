import { Failure, UsageError } from "../failure/failure.ts";

/** jq, compiled to WebAssembly. Throws an error with `stderr` if jq fails. */
interface JqWeb {
  raw(json: string, program: string, flags: readonly string[]): string;
}

/** Runs a jq program on JSON; strings are printed raw, like `jq -r`. Throws a usage error for an invalid program. */
export async function runJq(program: string, json: string): Promise<string> {
  // The exports of the package are a promise, which import would wrap.
  const jq = await (require("jq-web") as Promise<JqWeb>);
  try {
    const result = jq.raw(json, program, ["-r", "-c"]);
    return result === "" || result.endsWith("\n") ? result : `${result}\n`;
  } catch (error) {
    const message = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    const reason = message.replace(/^jq: /, "").trim();
    if (/compile error/.test(reason)) throw new UsageError(`--jq: ${reason.split("\n")[0]}`);
    throw new Failure("jq", "failure", `--jq: ${reason.split("\n")[0]}`);
  }
}
