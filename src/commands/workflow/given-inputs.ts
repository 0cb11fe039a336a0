import { givenText } from "../../app/input.ts";
import { UsageError } from "../../failure/failure.ts";
import type { System } from "../../system/system.ts";
import { parseYaml } from "./yaml.ts";

/** The inputs of `-f KEY=VALUE` and of a JSON or YAML file; flags win. Values are sent as strings. */
export async function givenInputs(
  typed: readonly string[],
  file: string | undefined,
  system: System,
): Promise<ReadonlyMap<string, string>> {
  const inputs = new Map<string, string>();
  const text = await givenText(system, { text: undefined, file, flag: "--inputs-file" });
  if (text !== undefined) for (const [name, value] of await pairs(text)) inputs.set(name, value);
  for (const pair of typed) {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError(`--field wants KEY=VALUE, not '${pair}'`);
    inputs.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return inputs;
}

async function pairs(text: string): Promise<[string, string][]> {
  let content: unknown;
  try {
    // JSON is YAML, too.
    content = await parseYaml(text);
  } catch (error) {
    throw new UsageError(`--inputs-file: ${error instanceof Error ? error.message.split("\n")[0] : "broken"}`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new UsageError("--inputs-file wants one object of names and values");
  }
  return Object.entries(content).map(([name, value]) => {
    if (typeof value === "object" && value !== null) throw new UsageError(`--inputs-file: ${name} is no plain value`);
    return [name, value === null ? "" : String(value)];
  });
}
