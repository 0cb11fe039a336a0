import { Failure, UsageError } from "../failure/failure.ts";
import type { System } from "../system/system.ts";
import { sizeText } from "../text/format.ts";
import { nearest } from "../text/nearest.ts";
import { parseYamlDocument } from "../text/yaml.ts";
import { givenText } from "./input.ts";

/** The inputs given by `-f KEY=VALUE` and by a JSON or YAML file; flags take precedence. Values are sent as strings. */
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
    if (at < 1) throw new UsageError(`--field must be KEY=VALUE, not '${pair}'`);
    inputs.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return inputs;
}

async function pairs(text: string): Promise<[string, string][]> {
  let content: unknown;
  try {
    // YAML includes JSON.
    content = (await parseYamlDocument(text)).toJS();
  } catch (error) {
    throw new UsageError(`--inputs-file: ${error instanceof Error ? error.message.split("\n")[0] : "invalid YAML"}`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new UsageError("--inputs-file must contain one object of names and values");
  }
  return Object.entries(content).map(([name, value]) => {
    if (typeof value === "object" && value !== null)
      throw new UsageError(`--inputs-file: the value of ${name} must not be an object or a list`);
    return [name, value === null ? "" : String(value)];
  });
}

/** An input as the workflow file declares it. */
export interface Declared {
  readonly description: string | undefined;
  readonly type: string;
  readonly required: boolean;
  readonly default: string | undefined;
  readonly options: readonly string[];
}

/** The largest workflow file that is parsed, in characters. */
export const largestFile = 256 * 1024;

/** The inputs that a workflow file declares for `workflow_dispatch`. Throws if the file is invalid or has no such trigger. */
export async function declaredInputs(text: string, file: string): Promise<ReadonlyMap<string, Declared>> {
  if (text.length > largestFile) throw invalid(`${file} is larger than ${sizeText(largestFile)}`);
  let content: unknown;
  try {
    content = (await parseYamlDocument(text)).toJS();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw invalid(`${file} is not valid YAML: ${reason}`);
  }
  const on = member(content, "on");
  const named = typeof on === "string" ? [on] : Array.isArray(on) ? on : Object.keys(asMap(on));
  if (!named.includes("workflow_dispatch")) {
    throw invalid(
      `${file} does not have a 'workflow_dispatch' trigger`,
      "Add it under 'on:' to run the workflow manually.",
    );
  }
  const inputs = asMap(member(Array.isArray(on) ? {} : member(on, "workflow_dispatch"), "inputs"));
  return new Map(Object.entries(inputs).map(([name, input]) => [name, declaration(input)]));
}

/**
 * Checks the given inputs against the declared ones and returns them as they are sent. Throws for unknown inputs, missing
 * required inputs and values of a wrong type: the servers check almost none of this (docs/server-differences.md,
 * "Workflows"). `yes` is the server's value for true.
 */
export function checkedInputs(
  given: ReadonlyMap<string, string>,
  declared: ReadonlyMap<string, Declared>,
  yes: string,
): Record<string, string> {
  const problems: string[] = [];
  const sent: [string, string][] = [];
  for (const [name, value] of given) {
    const input = declared.get(name);
    if (input === undefined) {
      const near = nearest(name, [...declared.keys()]);
      problems.push(`unknown input '${name}'${near.length > 0 ? ` (did you mean ${near.join(", ")}?)` : ""}`);
      continue;
    }
    if (input.type === "choice" && !input.options.includes(value)) {
      problems.push(`${name} must be one of ${input.options.join(", ")}, not '${value}'`);
    }
    if (input.type === "number" && (value.trim() === "" || !Number.isFinite(Number(value)))) {
      problems.push(`${name} must be a number, not '${value}'`);
    }
    if (input.type === "boolean" && value !== "true" && value !== "false") {
      problems.push(`${name} must be true or false, not '${value}'`);
    }
    sent.push([name, input.type === "boolean" && value === "true" ? yes : value]);
  }
  for (const [name, input] of declared) {
    if (input.required && input.default === undefined && !given.has(name)) problems.push(`${name} is required`);
  }
  if (problems.length > 0) {
    const known = [...declared].map(([name, { type }]) => `${name} (${type})`).join(", ");
    throw invalid(
      `Invalid inputs: ${problems.join("; ")}`,
      known === "" ? "This workflow has no inputs." : `Available: ${known}`,
    );
  }
  return Object.fromEntries(sent);
}

function declaration(input: unknown): Declared {
  const options = member(input, "options");
  const fallback = member(input, "default");
  const description = member(input, "description");
  return {
    description: typeof description === "string" && description !== "" ? description : undefined,
    type: String(member(input, "type") ?? "string"),
    required: member(input, "required") === true,
    default: fallback === undefined || fallback === null ? undefined : String(fallback),
    options: Array.isArray(options) ? options.map(String) : [],
  };
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function member(value: unknown, name: string): unknown {
  const map = asMap(value);
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function invalid(message: string, hint?: string): Failure {
  return new Failure("invalid", message, { hint });
}
