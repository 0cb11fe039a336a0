import { wrongTime } from "./time.ts";

/** A declared request body: the name of Gitea's Go type and the fields by their JSON name. */
export interface Form {
  readonly type: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** A field: its name in error messages, its JSON type, and its rules in the order of the checks. */
export interface Field<T = unknown, R extends boolean = boolean> {
  readonly label: string;
  readonly kind: Kind;
  readonly required: R;
  readonly rules: readonly Rule[];
  /** Carries the type; never set. */
  readonly value?: T;
}

/** The JSON type of a field. */
export type Kind =
  | "string"
  | "bool"
  | "int64"
  | "time"
  | "[]string"
  | "[]int64"
  | "[]any"
  | "map"
  | Form
  | readonly [Form];

type Value<F> = F extends Field<infer T> ? T : never;
type IsRequired<F> = F extends { readonly required: true } ? true : false;
/** The type of a validated body. It has only the fields that were sent. */
export type BodyOf<F extends Form | undefined> = F extends { readonly fields: infer Fields }
  ? { readonly [K in keyof Fields as IsRequired<Fields[K]> extends true ? K : never]: Value<Fields[K]> } & {
      readonly [K in keyof Fields as IsRequired<Fields[K]> extends true ? never : K]?: Value<Fields[K]>;
    }
  : never;

/** Declares the body of a request. */
export function form<const T extends string, const F extends Readonly<Record<string, Field>>>(type: T, fields: F) {
  return { type, fields };
}

const field =
  <T>(kind: Kind) =>
  (label: string, ...rules: readonly Rule[]): Field<T, false> => ({ label, kind, required: false, rules });

export const string = field<string>("string");
export const boolean = field<boolean>("bool");
export const integer = field<number>("int64");
/** An RFC 3339 time. */
export const time = field<string>("time");
export const strings = field<readonly string[]>("[]string");
export const integers = field<readonly number[]>("[]int64");
/** A list whose items the handler validates. */
export const values = field<readonly unknown[]>("[]any");
export const map = field<Readonly<Record<string, string>>>("map");

type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** Fields of one type, by their names, of which a text can have several. */
export function each<T, const S extends string>(kind: (label: string) => Field<T, false>, ...names: readonly S[]) {
  const fields = names.flatMap((text) => text.split(" ")).map((name) => [name, kind(name)]);
  return Object.fromEntries(fields) as { readonly [N in Words<S>]: Field<T, false> };
}

/** A nested object. */
export function record<const F extends Form>(label: string, inner: F): Field<BodyOf<F>, false> {
  return { label, kind: inner, required: false, rules: [] };
}

/** A list of nested objects. */
export function records<const F extends Form>(label: string, inner: F): Field<readonly BodyOf<F>[], false> {
  return { label, kind: [inner], required: false, rules: [] };
}

/** Marks a field as required and not empty. */
export function required<T>(optional: Field<T, false>): Field<T, true> {
  return { ...optional, required: true };
}

/** Validates a parsed body and returns it or the first error. `null` counts as absent, unknown keys are ignored. */
export function checkForm(declared: Form, body: unknown, at = declared.type): Checked<Record<string, unknown>> {
  if (body === null || body === undefined) return checkForm(declared, {}, at);
  if (typeof body !== "object" || Array.isArray(body)) {
    return { wrong: `[]: json: cannot unmarshal ${typeName(body)} into Go value of type structs.${declared.type}` };
  }
  const byName = new Map(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value as unknown]));
  const result: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(declared.fields)) {
    const raw = (body as Record<string, unknown>)[name] ?? byName.get(name.toLowerCase());
    if (raw === null || raw === undefined) continue;
    const checked = checkKind(kind, raw, declared, name, at);
    if ("wrong" in checked) return checked;
    result[name] = checked.value;
  }
  for (const [name, one] of Object.entries(declared.fields)) {
    const wrong = brokenRule(one, result[name]);
    if (wrong !== undefined) return { wrong: `[${one.label}]: ${wrong}` };
  }
  return { value: result };
}

function brokenRule(declared: Field, value: unknown): string | undefined {
  const missing = value === undefined || value === "" || value === 0;
  if (declared.required && missing) return "Required";
  if (value === undefined) return undefined;
  for (const rule of declared.rules) {
    const wrong = rule(value);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function checkKind(kind: Kind, raw: unknown, inside: Form, name: string, at: string): Checked<unknown> {
  const mismatch = (goType: string, value = raw) => ({
    wrong: `[]: json: cannot unmarshal ${typeName(value, goType)} into Go struct field ${at}.${name} of type ${goType}`,
  });
  if (typeof kind === "object") {
    if (!("type" in kind)) return checkList(kind[0], raw, mismatch);
    return typeof raw === "object" && !Array.isArray(raw)
      ? checkForm(kind, raw, `${inside.type}.${name}`)
      : mismatch(`structs.${kind.type}`);
  }
  switch (kind) {
    case "string":
      return typeof raw === "string" ? { value: raw } : mismatch("string");
    case "bool":
      return typeof raw === "boolean" ? { value: raw } : mismatch("bool");
    case "int64":
      return Number.isInteger(raw) ? { value: raw } : mismatch("int64");
    case "time":
      return checkTime(raw);
    case "[]string":
    case "[]int64": {
      if (!Array.isArray(raw)) return mismatch(kind);
      const invalid = raw.find((item) => (kind === "[]string" ? typeof item !== "string" : !Number.isInteger(item)));
      return invalid === undefined ? { value: raw } : mismatch(kind.slice(2), invalid);
    }
    case "[]any":
      return Array.isArray(raw) ? { value: raw } : mismatch("[]interface {}");
    case "map": {
      if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return mismatch("map[string]string");
      const invalid = Object.values(raw).find((item) => typeof item !== "string");
      return invalid === undefined ? { value: raw } : mismatch("string", invalid);
    }
  }
}

function checkList(
  item: Form,
  raw: unknown,
  mismatch: (goType: string) => { wrong: string },
): Checked<readonly unknown[]> {
  if (!Array.isArray(raw)) return mismatch(`[]*structs.${item.type}`);
  const values: unknown[] = [];
  for (const one of raw) {
    const checked = checkForm(item, one);
    if ("wrong" in checked) return checked;
    values.push(checked.value);
  }
  return { value: values };
}

function checkTime(raw: unknown): Checked<string> {
  if (typeof raw !== "string") return { wrong: "[]: Time.UnmarshalJSON: input is not a JSON string" };
  const wrong = wrongTime(raw);
  return wrong === undefined ? { value: raw } : { wrong: `[]: ${wrong}` };
}

/** A valid value or an error message. */
export type Checked<T> = { readonly value: T } | { readonly wrong: string };

/** A rule of a field: returns Gitea's name of the violated rule, or undefined. */
export type Rule = (value: unknown) => string | undefined;

const textRule =
  (word: string, holds: (text: string) => boolean): Rule =>
  (value) =>
    typeof value === "string" && value !== "" && !holds(value) ? word : undefined;

/** At most this many characters. */
export const max = (length: number): Rule => textRule("MaxSize", (text) => [...text].length <= length);
/** One of these values. */
export const oneOf = (...words: readonly string[]): Rule => textRule("In", (text) => words.includes(text));
export const alphaDashDot: Rule = textRule("AlphaDashDot", (text) => /^[\w.-]+$/.test(text));
export const url: Rule = textRule("Url", (text) => /^https?:\/\/[^\s/]+/i.test(text));
export const email: Rule = textRule("Email", (text) => /^[^@\s]+@[^@\s]+$/.test(text));
export const userName: Rule = textRule("invalid username", (text) => /^[a-zA-Z0-9]+([-_.][a-zA-Z0-9]+)*$/.test(text));
export const gitRefName: Rule = textRule("GitRefName", isRefName);

/** Whether a name is valid for a branch or a tag (git-check-ref-format). */
export function isRefName(name: string): boolean {
  if (/[\u0000-\u0020~^:?*[\\\u007f]|\.\.|@\{|\/\/|^\/|^-|\/$|\.$/.test(name) || name === "@") return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** The name of a JSON type in Go's error messages. */
export function typeName(value: unknown, into = ""): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return into === "int64" ? `number ${value}` : "number";
  return typeof value === "boolean" ? "bool" : typeof value;
}
