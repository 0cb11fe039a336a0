/** A value, or the text of what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly wrong: string };

/** A rule of a field: the word that the servers use when it is broken, or nothing. */
export type Rule = (value: unknown) => string | undefined;

const textRule =
  (word: string, holds: (text: string) => boolean): Rule =>
  (value) =>
    typeof value === "string" && value !== "" && !holds(value) ? word : undefined;

export const max = (length: number): Rule => textRule("MaxSize", (text) => [...text].length <= length);
export const within = (...words: readonly string[]): Rule => textRule("In", (text) => words.includes(text));
export const alphaDashDot: Rule = textRule("AlphaDashDot", (text) => /^[\w.-]+$/.test(text));
export const url: Rule = textRule("Url", (text) => /^https?:\/\/[^\s/]+/i.test(text));
export const email: Rule = textRule("Email", (text) => /^[^@\s]+@[^@\s]+$/.test(text));
export const userName: Rule = textRule("invalid username", (text) => /^[a-zA-Z0-9]+([-_.][a-zA-Z0-9]+)*$/.test(text));
export const gitRefName: Rule = textRule("GitRefName", isRefName);

/** Whether git would take the name for a branch or a tag (git-check-ref-format). */
export function isRefName(name: string): boolean {
  if (/[\u0000-\u0020~^:?*[\\\u007f]|\.\.|@\{|\/\/|^\/|^-|\/$|\.$/.test(name) || name === "@") return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** What Go calls a JSON value in its messages. */
export function typeName(value: unknown, into = ""): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return into === "int64" ? `number ${value}` : "number";
  return typeof value === "boolean" ? "bool" : typeof value;
}
