import { inputFile, toggle } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import { keepingText, type TypedText } from "../prompts/keep-text.ts";
import type { BaseContext } from "./context.ts";
import { readFileFlag } from "./input.ts";

/** A title and a body. */
export interface TitledText {
  readonly title: string;
  readonly body: string;
}

/** The flags of commands that create something with a title and a body. */
export const titledFlags = {
  editor: toggle("write title and body in the editor; the first line is the title", { short: "e" }),
  recover: inputFile("use the title and body that a failed run has saved"),
};

/** What a failure would lose of a text; `--recover` reads it again. */
export function typedTitled({ title, body }: TitledText): TypedText {
  return { text: `${title}\n\n${body}`.trimEnd(), flag: "--recover" };
}

/** Throws a usage error for --editor where nothing can be typed. */
export function requireEditor(editor: boolean, { able }: Pick<BaseContext["prompt"], "able">): void {
  if (editor && !able)
    throw new UsageError("--editor requires a terminal, and no JSON output", "Pass --title and --body.");
}

/** Opens title and body in the editor. Throws a usage error, and keeps the text, if the title is empty. */
export async function editTitled(
  { prompt, out }: Pick<BaseContext, "prompt" | "out">,
  start: TitledText,
): Promise<TitledText> {
  const text = await prompt.editor({ message: "Title and body", flag: "--title", default: typedTitled(start).text });
  return keepingText({ text, flag: "--recover" }, out, async () => titledOf(text));
}

/** The title and body in a file that a failed run has saved. */
export async function recoverTitled(file: string, { system }: Pick<BaseContext, "system">): Promise<TitledText> {
  return titledOf(await readFileFlag("--recover", file, system));
}

function titledOf(text: string): TitledText {
  const [first = "", ...rest] = text.split(/\r?\n/);
  const title = first.trim();
  if (title === "") throw new UsageError("The title must not be empty", "Write it in the first line.");
  return { title, body: rest.join("\n").trim() };
}
