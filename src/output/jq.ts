import { Failure, UsageError } from "../failure/failure.ts";

/** jq, compiled to WebAssembly. Throws an error with `stderr` when jq fails. */
interface JqWeb {
  raw(json: string, program: string, flags: readonly string[]): string;
}

/** Runs a jq program (by jq itself) over JSON; strings come out bare, as with `jq -r`. */
export async function runJq(program: string, json: string): Promise<string> {
  // The package's exports are a promise, which no form of import passes on whole.
  const jq = await (require("jq-web") as Promise<JqWeb>);
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
