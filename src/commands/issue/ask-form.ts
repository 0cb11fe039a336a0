import type { BaseContext } from "../../app/context.ts";
import { Cancelled } from "../../failure/interruption.ts";
import { editorName } from "../../prompts/editor.ts";
import { safeLine } from "../../text/safe.ts";
import { type Field, type FieldValues, inputProblem, isAsked } from "./form.ts";

/** Asks for each field; the given values are the defaults. */
export async function askFields(
  fields: readonly Field[],
  given: FieldValues,
  context: Pick<BaseContext, "prompt" | "system">,
): Promise<FieldValues> {
  const answers = new Map<string, readonly string[]>();
  for (const field of fields.filter(isAsked)) {
    answers.set(field.id, await askField(field, given.get(field.id) ?? [], context));
  }
  return answers;
}

async function askField(
  field: Field,
  given: readonly string[],
  { prompt, system }: Pick<BaseContext, "prompt" | "system">,
): Promise<readonly string[]> {
  const flag = `--field ${field.id}`;
  const hint = field.description === "" ? "" : ` (${safeLine(field.description)})`;
  const message = `${safeLine(field.label)}${hint}`;
  if (field.type === "checkboxes" || field.multiple) {
    const chosen: string[] = [];
    for (const { label, required } of field.options.filter(({ inForm }) => inForm)) {
      const question = `${message}: ${safeLine(label)}`;
      const isYes = await prompt.confirm({ message: question, flag, default: given.includes(label) });
      // Asked again instead of failing, which would lose the answers so far.
      if (isYes || (required && (await confirmRequired(question, flag, prompt)))) chosen.push(label);
    }
    return chosen;
  }
  if (field.type === "dropdown") {
    const choices = field.options.map(({ label }) => ({ name: safeLine(label), value: [label] as readonly string[] }));
    const none = field.required ? [] : [{ name: "(none)", value: [] as readonly string[] }];
    const start = choices.find(({ value }) => value[0] === given[0])?.value;
    return prompt.select({
      message,
      flag,
      choices: [...choices, ...none],
      ...(start === undefined ? {} : { default: start }),
    });
  }
  const start = given[0] ?? "";
  if (field.type === "textarea") return [await askText(field, start, { prompt, system }, message)];
  const check = async (value: string) => {
    if (field.required && value.trim() === "") return "This field is required.";
    const problem = await inputProblem(field, value, system.signal);
    return problem === undefined || `This ${problem}.`;
  };
  return [await prompt.text({ message, flag, check, ...(start === "" ? {} : { default: start }) })];
}

/** Asks until the answer is yes: the form cannot be submitted otherwise. Ctrl-C cancels. */
async function confirmRequired(message: string, flag: string, prompt: BaseContext["prompt"]): Promise<true> {
  for (;;) {
    if (await prompt.confirm({ message: `${message} (required; Ctrl-C cancels)`, flag })) return true;
  }
}

async function askText(
  { id, required }: Field,
  start: string,
  { prompt, system }: Pick<BaseContext, "prompt" | "system">,
  message: string,
): Promise<string> {
  const flag = `--field ${id}`;
  const choices = [
    { name: `Edit in ${editorName(system)}`, value: true },
    { name: start === "" ? "Leave it empty" : "Keep the text", value: false },
  ];
  const needsText = required && start.trim() === "";
  if (!needsText && !(await prompt.select({ message, flag, choices }))) return start;
  for (;;) {
    const written = await prompt.editor({ message, flag, default: start });
    if (!required || written.trim() !== "") return written;
    // Asked again instead of failing, which would lose the answers so far.
    const again = { message: `${message} is required. Edit it in ${editorName(system)} again?`, flag, default: true };
    if (!(await prompt.confirm(again))) throw new Cancelled();
  }
}
