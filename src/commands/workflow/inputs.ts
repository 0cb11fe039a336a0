import { givenText } from "../../app/input.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import type { System } from "../../system/system.ts";
import { nearest } from "../../text/nearest.ts";

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

/** What a workflow file declares of one input. */
interface Declared {
  readonly type: string;
  readonly required: boolean;
  readonly default: string | undefined;
  readonly options: readonly string[];
}

/** The inputs that a workflow file declares for `workflow_dispatch`. Throws when it has no such trigger, or is broken. */
export async function declaredInputs(text: string, file: string): Promise<ReadonlyMap<string, Declared>> {
  let content: unknown;
  try {
    content = await parseYaml(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw invalid(`${file} is no YAML: ${reason}`);
  }
  const on = member(content, "on");
  const named = typeof on === "string" ? [on] : Array.isArray(on) ? on : Object.keys(asMap(on));
  if (!named.includes("workflow_dispatch")) {
    throw invalid(`${file} has no workflow_dispatch among its triggers`, "Add it under 'on:' to start it by hand.");
  }
  const inputs = asMap(member(Array.isArray(on) ? {} : member(on, "workflow_dispatch"), "inputs"));
  return new Map(Object.entries(inputs).map(([name, input]) => [name, declared(input)]));
}

/**
 * Checks inputs against what is declared: unknown ones, missing ones without a default, and values of a wrong type. The
 * servers check next to nothing of it (api-facts 3.6.5). `yes` is the server's word for a true boolean.
 */
export function checkedInputs(
  given: ReadonlyMap<string, string>,
  declaredOnes: ReadonlyMap<string, Declared>,
  yes: string,
): Record<string, string> {
  const wrong: string[] = [];
  const sent: [string, string][] = [];
  for (const [name, value] of given) {
    const input = declaredOnes.get(name);
    if (input === undefined) {
      const near = nearest(name, [...declaredOnes.keys()]);
      wrong.push(`there is no input '${name}'${near.length > 0 ? ` (${near.join(", ")}?)` : ""}`);
      continue;
    }
    if (input.type === "choice" && !input.options.includes(value)) {
      wrong.push(`${name} is one of ${input.options.join(", ")}, not '${value}'`);
    }
    if (input.type === "number" && (value.trim() === "" || !Number.isFinite(Number(value)))) {
      wrong.push(`${name} is a number, not '${value}'`);
    }
    if (input.type === "boolean" && value !== "true" && value !== "false") {
      wrong.push(`${name} is true or false, not '${value}'`);
    }
    sent.push([name, input.type === "boolean" && value === "true" ? yes : value]);
  }
  for (const [name, input] of declaredOnes) {
    if (input.required && input.default === undefined && !given.has(name)) wrong.push(`${name} is required`);
  }
  if (wrong.length > 0) {
    const known = [...declaredOnes].map(([name, { type }]) => `${name} (${type})`).join(", ");
    throw invalid(`The inputs do not fit: ${wrong.join("; ")}`, known === "" ? "It has none." : `Inputs: ${known}`);
  }
  return Object.fromEntries(sent);
}

function declared(input: unknown): Declared {
  const options = member(input, "options");
  const fallback = member(input, "default");
  return {
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
  return new Failure("invalid", "invalid", message, { hint });
}

type Library = typeof import("yaml");

/** Parses YAML, and JSON with it. Throws the library's error. */
export async function parseYaml(text: string): Promise<unknown> {
  // Bundled, the library comes as a default export only.
  const library: Library & { readonly default?: Library } = await import("yaml");
  return (library.default ?? library).parse(text);
}
