import { raw } from "jq-wasm";
import { Failure } from "../command/failure.ts";
import { UsageError } from "../command/usage-error.ts";

/** Runs a jq program (jq itself, compiled to WebAssembly) over JSON; strings come out bare, as with `jq -r`. */
export async function runJq(program: string, json: string): Promise<string> {
  try {
    const result = await raw(json, program, ["-r", "-c"]);
    return result === "" || result.endsWith("\n") ? result : `${result}\n`;
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error))
      .replace(/^Failed to execute raw query: /, "")
      .trim();
    if (/compile error/.test(reason)) throw new UsageError(`--jq: ${reason.split("\n")[0]}`);
    throw new Failure("jq", "failure", `--jq: ${reason}`);
  }
}
