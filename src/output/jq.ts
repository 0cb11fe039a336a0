import loading from "jq-web";
import { Failure } from "../command/failure.ts";
import { UsageError } from "../command/usage-error.ts";

/** Runs a jq program (jq itself, compiled to WebAssembly) over JSON; strings come out bare, as with `jq -r`. */
export async function runJq(program: string, json: string): Promise<string> {
  const jq = await loading;
  try {
    const result = jq.raw(json, program, ["-r", "-c"]);
    return result === "" || result.endsWith("\n") ? result : `${result}\n`;
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    const reason = said.replace(/^jq: /, "").trim();
    if (/compile error/.test(reason)) throw new UsageError(`--jq: ${reason.split("\n")[0]}`);
    throw new Failure("jq", "failure", `--jq: ${reason.split("\n")[0]}`);
  }
}
