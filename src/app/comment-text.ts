import { inputFile, text } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import type { TypedText } from "../prompts/keep-text.ts";
import type { BaseContext } from "./context.ts";
import { givenText } from "./input.ts";

/** The flags for a text. */
export const bodyFlags = {
  body: text("the text", { short: "b" }),
  bodyFile: inputFile("read the text from a file", { short: "F" }),
};

type TextContext = Pick<BaseContext, "system" | "prompt"> & {
  readonly flags: { readonly body: string | undefined; readonly bodyFile: string | undefined };
};

/** A text that is sent, and what a failure would lose of it. */
export interface CommentText {
  readonly body: string;
  readonly typed: TypedText | undefined;
  /** What the editor began with: others may have written it. */
  readonly others: string;
}

/**
 * The text of a comment: from the flags, or from the editor, which starts with `current`. Throws a usage error if it is
 * empty. `what` is the text in messages.
 */
export async function commentText(
  { flags, system, prompt }: TextContext,
  {
    what = "Comment",
    current = "",
  }: { readonly what?: "Comment" | "Reply" | "Note"; readonly current?: string | undefined } = {},
): Promise<CommentText> {
  const given = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
  const body = given ?? (await prompt.editor({ message: what, flag: "--body", default: current }));
  if (body.trim() === "") throw new UsageError(`The ${what.toLowerCase()} must not be empty`);
  return { body, typed: typedBody(body, flags, given === undefined), others: given === undefined ? current : "" };
}

/** The body that a failure would lose: typed in an editor (`prompted`), or read from standard input. */
export function typedBody(
  body: string | undefined,
  { bodyFile }: { readonly bodyFile: string | undefined },
  prompted: boolean,
): TypedText | undefined {
  return body !== undefined && (prompted || bodyFile === "-") ? { text: body, flag: "--body-file" } : undefined;
}
