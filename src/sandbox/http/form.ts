import { type FieldFacts, recordFacts } from "../../forge/generated/facts.ts";
import { capitalized } from "../../text/format.ts";
import { isIn, type Release, sinceOf } from "../release.ts";
import { wrongTime } from "./time.ts";

/** The body of an operation: its record in the facts, and what they do not say of its fields. */
export interface Form {
  readonly record: string;
  readonly rules: Rules;
  /** Fields that it does not have are ignored. */
  readonly release: Release;
}

/** The rules of fields, in the order of the checks. */
export type Rules = Readonly<Record<string, readonly Rule[]>>;

/** A checked body. It has only the fields that were sent. */
export type Sent<T> = T extends string
  ? T
  : T extends readonly (infer I)[]
    ? readonly Sent<I>[]
    : T extends object
      ? { readonly [K in keyof T]: Sent<Exclude<T[K], undefined>> }
      : T;

/** A valid value or an error message. */
export type Checked<T> = { readonly value: T } | { readonly wrong: string };

/** Names of Gitea's Go types and fields that do not follow from those in JSON. */
const goNames: Readonly<Record<string, string>> = {
  MergePullRequestOption: "aux",
  "CreateOrgOption.username": "UserName",
  new_branch_name: "BranchName",
  new_username: "NewName",
};

/** Validates a parsed body and returns it or the first error. `null` counts as absent, unknown keys are ignored. */
export function checkForm(
  { record, rules, release }: Form,
  body: unknown,
  at?: string,
): Checked<Record<string, unknown>> {
  const { fields = {}, required = [] } = recordFacts[record] ?? {};
  const type = goNames[record] ?? record;
  if (typeof body !== "object" || Array.isArray(body)) {
    return { wrong: `[]: json: cannot unmarshal ${typeName(body)} into Go value of type structs.${type}` };
  }
  const byName = new Map(Object.entries(body ?? {}).map(([key, value]) => [key.toLowerCase(), value as unknown]));
  const result: Record<string, unknown> = {};
  for (const [name, facts] of Object.entries(fields)) {
    const raw = byName.get(name.toLowerCase());
    if (raw === null || raw === undefined || !isTaken(release, facts)) continue;
    const kind = typeof facts === "string" ? facts : facts.type;
    const checked = checkValue(kind, raw, { at: at ?? type, name, inner: `${type}.${name}`, rules, release });
    if ("wrong" in checked) return checked;
    result[name] = checked.value;
  }
  for (const name of new Set([...Object.keys(rules), ...required])) {
    if (!Object.hasOwn(fields, name)) continue;
    const wrong = brokenRule(result[name], rules[name] ?? [], required.includes(name));
    if (wrong !== undefined) return { wrong: `[${goName(record, name)}]: ${wrong}` };
  }
  return { value: result };
}

/** Whether a release takes a field. It goes on to take those that its description has no longer. */
function isTaken(release: Release, facts: FieldFacts): boolean {
  const { until: _none, ...since } = sinceOf(facts);
  return isIn(release, since);
}

/** The name of a field in Go: `TagName` for `tag_name`. */
function goName(record: string, field: string): string {
  const capital = (word: string) => (word === "id" || word === "sha" ? word.toUpperCase() : capitalized(word));
  return goNames[`${record}.${field}`] ?? goNames[field] ?? field.split("_").map(capital).join("");
}

function brokenRule(value: unknown, rules: readonly Rule[], isRequired: boolean): string | undefined {
  const isMissing = value === undefined || value === "" || value === 0;
  if (isMissing && rules.includes(optional)) return undefined;
  if (isMissing && (isRequired || rules.includes(required))) return "Required";
  for (const rule of value === undefined ? [] : rules) {
    const wrong = rule(value);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Where a value is: the Go type and the field in errors, the place of errors in its own fields, and their rules. */
interface Where {
  readonly at: string;
  readonly name: string;
  readonly inner: string;
  readonly rules: Rules;
  readonly release: Release;
}

/** The Go types of values, and what is one. */
const simple: Readonly<Record<string, readonly [goType: string, is: (value: unknown) => boolean]>> = {
  string: ["string", (value) => typeof value === "string"],
  boolean: ["bool", (value) => typeof value === "boolean"],
  integer: ["int64", Number.isInteger],
};

/** Checks a value against its type in the facts: `string(open|closed)`, `integer:int64[]`, `map<string>`, `Identity`. */
function checkValue(kind: string, raw: unknown, where: Where): Checked<unknown> {
  const [name = ""] = kind.split(/[:([<]/);
  const [goType = `structs.${name}`, is] = simple[name] ?? [];
  const mismatch = (type: string, value = raw) => ({
    wrong: `[]: json: cannot unmarshal ${typeName(value, type)} into Go struct field ${where.at}.${where.name} of type ${type}`,
  });
  if (kind === "[]") return Array.isArray(raw) ? { value: raw } : mismatch("[]interface {}");
  if (kind.endsWith("[]")) {
    if (!Array.isArray(raw)) return mismatch(is === undefined ? `[]*${goType}` : `[]${goType}`);
    const checked = raw.map((item) => checkValue(kind.slice(0, -2), item, { ...where, inner: name }));
    const wrong = checked.find((one) => "wrong" in one);
    return wrong ?? { value: checked.flatMap((one) => ("value" in one ? [one.value] : [])) };
  }
  if (name === "map") {
    if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return mismatch("map[string]string");
    const invalid = Object.values(raw).find((item) => typeof item !== "string");
    return invalid === undefined ? { value: raw } : mismatch("string", invalid);
  }
  if (kind === "string:date-time") return checkTime(raw);
  if (is !== undefined) return is(raw) ? { value: raw } : mismatch(goType);
  return typeof raw === "object" && !Array.isArray(raw)
    ? checkForm({ ...where, record: name }, raw, where.inner)
    : mismatch(goType);
}

function checkTime(raw: unknown): Checked<string> {
  if (typeof raw !== "string") return { wrong: "[]: Time.UnmarshalJSON: input is not a JSON string" };
  const wrong = wrongTime(raw);
  return wrong === undefined ? { value: raw } : { wrong: `[]: ${wrong}` };
}

/** A rule of a field: returns Gitea's name of the violated rule, or undefined. */
export type Rule = (value: unknown) => string | undefined;

/** The field is required, although the facts do not say so. */
export const required: Rule = () => undefined;
/** The field can be left out, although the facts say that it is required. */
export const optional: Rule = () => undefined;

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

/** What Gitea allows in the fields of users and organizations. */
export const profileRules = {
  username: [userName, max(40)],
  email: [email, max(254)],
  password: [max(255)],
  full_name: [max(100)],
  website: [url, max(255)],
  location: [max(50)],
  description: [max(255)],
  visibility: [oneOf("public", "limited", "private")],
} as const;

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
