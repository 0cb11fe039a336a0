import { inputFile, text, title, titleProblem, toggle } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import { editorName } from "../prompts/editor.ts";
import { keepingText, type TypedText } from "../prompts/keep-text.ts";
import type { System } from "../system/system.ts";
import type { BaseContext } from "./context.ts";
import { givenText, readFileFlag } from "./input.ts";

/** A title and a body. */
export interface TitledText {
  readonly title: string;
  readonly body: string;
}

/** A text that is sent. */
export interface Draft extends TitledText {
  /** What a failure would lose of it. */
  readonly typed: TypedText | undefined;
  /** What of the body others may have written. */
  readonly others: string;
}

/** The flags of commands that create something with a title and a body. */
export const draftFlags = (what: string) => ({
  title: title(`title of the ${what}`),
  body: text(`body of the ${what}`, { short: "b" }),
  bodyFile: inputFile("read the body from a file", { short: "F" }),
  editor: toggle("write title and body in the editor; the first line is the title", { short: "e" }),
  recover: inputFile("use the title and body that a failed run has saved"),
  web: toggle("continue in the browser, with what is given, instead of creating it", {
    short: "w",
    opensBrowser: true,
  }),
});

/** What the flags give of a draft. */
export interface Given {
  readonly title: string | undefined;
  readonly body: string | undefined;
  /** Whether the body was read from stdin. */
  readonly fromStdin: boolean;
  readonly editor?: boolean;
  readonly recover?: string | undefined;
}

/** What a draft begins with, where the flags do not give it. */
export interface Start {
  readonly title?: string | undefined;
  /** What else the body can be, such as a template: `name` says so at the prompt, which lets the user edit it if `edits`. */
  readonly bodies: readonly { readonly name: string; readonly body: () => Promise<string>; readonly edits: boolean }[];
  /** Asks for the whole body, as a form does. */
  readonly form?: (() => Promise<string>) | undefined;
  /** The flags of the body, and the message of its prompt. */
  readonly words?: { readonly message: string; readonly flag: string; readonly file: string };
}

/** The choices of a body that begins with a template: to edit it, or to `keep` it. */
export function templateBodies(system: System, keep: string, body: () => Promise<string>): Start["bodies"] {
  const edit = { name: `Edit in ${editorName(system)}`, body, edits: true };
  return [edit, { name: keep, body, edits: false }];
}

const bodyWords = { message: "Body", flag: "--body", file: "--body-file" };

/**
 * Title and body: what a failed run saved, or from the flags, then the editor with `--editor`, or else prompts, where they are
 * possible; without any, the last of the bodies. Throws a usage error if the title is empty.
 */
export async function writeDraft(
  given: Given,
  begin: () => Start | Promise<Start>,
  context: Pick<BaseContext, "prompt" | "out" | "system">,
): Promise<Draft> {
  const { prompt, system } = context;
  if (given.recover !== undefined) {
    const recovered = titledOf(await readFileFlag("--recover", given.recover, system));
    return { ...recovered, typed: undefined, others: recovered.body };
  }
  const { title: first = "", bodies, form, words = bodyWords } = await begin();
  const kept = bodies.at(-1)?.body ?? (async () => "");
  if (given.editor) {
    const start = { title: given.title ?? first, body: given.body ?? (await kept()) };
    const written = await editTitled(context, start);
    return { ...written, typed: typedTitled(written), others: given.body === undefined ? start.body : "" };
  }
  const check = (value: string) => titleProblem(value) ?? true;
  const asked = { message: "Title", flag: "--title", check, ...(first === "" ? {} : { default: first }) };
  const title = given.title ?? (await prompt.text(asked));
  const draft = (body: string, isTyped: boolean, others: string): Draft => {
    const typed = isTyped ? { text: body, flag: words.file } : undefined;
    const canRecover = given.title === undefined && "recover" in given;
    return { title, body, typed: canRecover ? typedTitled({ title, body }) : typed, others };
  };
  if (given.body !== undefined) return draft(given.body, given.fromStdin, "");
  if (form !== undefined) {
    const body = await form();
    return draft(body, prompt.able, body);
  }
  const start = async (body: string, edits: boolean) =>
    draft(edits ? await prompt.editor({ ...words, default: body }) : body, edits, body);
  if (!prompt.able || bodies.length < 2) return start(await kept(), false);
  const choices = bodies.map((value) => ({ name: value.name, value }));
  const chosen = await prompt.select({ message: words.message, flag: words.flag, choices });
  return start(await chosen.body(), chosen.edits);
}

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
async function editTitled(
  { prompt, out }: Pick<BaseContext, "prompt" | "out">,
  start: TitledText,
): Promise<TitledText> {
  const text = await prompt.editor({ message: "Title and body", flag: "--title", default: typedTitled(start).text });
  return keepingText({ text, flag: "--recover" }, out, async () => titledOf(text));
}

function titledOf(text: string): TitledText {
  const [first = "", ...rest] = text.split(/\r?\n/);
  const title = first.trim();
  const problem = titleProblem(title);
  if (problem !== undefined) throw new UsageError(problem, "Write it in the first line.");
  return { title, body: rest.join("\n").trim() };
}

/** The flags for a text. */
export const bodyFlags = {
  body: text("the text", { short: "b" }),
  bodyFile: inputFile("read the text from a file", { short: "F" }),
};

type CommentContext = Pick<BaseContext, "system" | "prompt"> & {
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
  { flags, system, prompt }: CommentContext,
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
