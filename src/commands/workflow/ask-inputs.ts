import type { Declared } from "../../app/workflow-inputs.ts";
import type { Prompter } from "../../prompts/prompter.ts";

/**
 * Prompts for the inputs of a workflow by their kind: yes or no, one of the options, a number, text. Asks for all inputs if
 * none was given, else for those that are required and missing. Returns the given and the typed values; a value that is the
 * default is not sent.
 */
export async function askInputs(
  prompt: Prompter,
  given: ReadonlyMap<string, string>,
  declared: ReadonlyMap<string, Declared>,
): Promise<ReadonlyMap<string, string>> {
  if (!prompt.able) return given;
  const inputs = new Map(given);
  for (const [name, input] of declared) {
    const isMissing = input.required && input.default === undefined;
    if (given.has(name) || (given.size > 0 && !isMissing)) continue;
    const value = await ask(prompt, name, input);
    if (value !== (input.default ?? "")) inputs.set(name, value);
  }
  return inputs;
}

async function ask(prompt: Prompter, name: string, input: Declared): Promise<string> {
  const about = input.description === undefined ? name : `${name} (${input.description})`;
  const question = { message: input.required ? `${about} (required)` : about, flag: `--field ${name}=VALUE` };
  if (input.type === "boolean") {
    return String(await prompt.confirm({ ...question, default: input.default === "true" }));
  }
  if (input.type === "choice") {
    const choices = input.options.map((option) => ({ name: option, value: option }));
    return prompt.select({ ...question, choices, ...(input.default === undefined ? {} : { default: input.default }) });
  }
  const check = (value: string): true | string => {
    if (value === "") return !input.required || `${name} is required.`;
    return input.type !== "number" || Number.isFinite(Number(value)) || `${name} must be a number.`;
  };
  return prompt.text({ ...question, check, ...(input.default === undefined ? {} : { default: input.default }) });
}
