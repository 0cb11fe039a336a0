import type { IncomingHttpHeaders } from "node:http";
import { type FieldFacts, recordFacts } from "../../forge/generated/facts.ts";
import { capitalized } from "../../text/format.ts";
import { isIn, type Release, sinceOf } from "../release.ts";
import { refuse } from "./reply.ts";
import { wrongTime } from "./time.ts";

/** The body of an operation: its record in the facts, and what they do not say of its fields. */
interface Form {
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

interface Sending {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

/** Parses and validates the JSON of a body. Throws 422 with Gitea's message if it is invalid. */
export function bind(form: Form, { method, headers, rawBody }: Sending): Record<string, unknown> {
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === "" && (method === "PATCH" || method === "DELETE")) return checkForm(form, {});
  if (type !== "application/json") refuse(422, `[]: ${type === "" ? "Empty" : "Unsupported"} Content-Type`);
  return checkForm(form, parsed(rawBody.toString("utf8").trim() || "{}"));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse(422, `[]: ${String(error)}`);
  }
}

/** Names of Gitea's Go fields that do not follow from those in JSON. */
const goNames: Readonly<Record<string, string>> = {
  "CreateOrgOption.username": "UserName",
  new_branch_name: "BranchName",
  new_username: "NewName",
};

/** Validates a parsed body. `null` counts as absent, unknown keys are ignored. Throws 422 with the first error. */
export function checkForm({ record, rules, release }: Form, body: unknown): Record<string, unknown> {
  const { fields = {}, required = [] } = recordFacts[record] ?? {};
  if (typeof body !== "object" || Array.isArray(body))
    refuse(422, `[]: json: cannot unmarshal ${typeName(body)} into Go value of type structs.${record}`);
  const byName = new Map(Object.entries(body ?? {}).map(([key, value]) => [key.toLowerCase(), value as unknown]));
  const result: Record<string, unknown> = {};
  for (const [name, facts] of Object.entries(fields)) {
    const raw = byName.get(name.toLowerCase());
    if (raw === null || raw === undefined || !isTaken(release, facts)) continue;
    const kind = typeof facts === "string" ? facts : facts.type;
    result[name] = checkValue(kind, raw, { field: `${record}.${name}`, rules, release });
  }
  for (const name of new Set([...Object.keys(rules), ...required])) {
    if (!Object.hasOwn(fields, name)) continue;
    const wrong = brokenRule(result[name], rules[name] ?? [], required.includes(name));
    if (wrong !== undefined) refuse(422, `[${goName(record, name)}]: ${wrong}`);
  }
  return result;
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
  if (value === undefined || value === "" || value === 0) {
    if (rules.includes(optional)) return undefined;
    if (isRequired || rules.includes(required)) return "Required";
  }
  return value === undefined ? undefined : rules.map((rule) => rule(value)).find((wrong) => wrong !== undefined);
}

/** The Go types of values, and what is one. */
const simple: Readonly<Record<string, readonly [goType: string, is: (value: unknown) => boolean]>> = {
  string: ["string", (value) => typeof value === "string"],
  boolean: ["bool", (value) => typeof value === "boolean"],
  integer: ["int64", Number.isInteger],
};

interface Where {
  readonly field: string;
  readonly rules: Rules;
  readonly release: Release;
}

/** Checks a value against its type in the facts: `string(open|closed)`, `integer:int64[]`, `map<string>`, `Identity`. */
function checkValue(kind: string, raw: unknown, where: Where): unknown {
  const [name = ""] = kind.split(/[:([<]/);
  const [goType, is] = simple[name] ?? [name === "" ? "interface {}" : `structs.${name}`];
  const mismatch = (type: string) =>
    refuse(422, `[]: json: cannot unmarshal ${typeName(raw)} into Go struct field ${where.field} of type ${type}`);
  if (kind.endsWith("[]")) {
    if (!Array.isArray(raw)) return mismatch(`[]${goType}`);
    return kind === "[]" ? raw : raw.map((item: unknown) => checkValue(kind.slice(0, -2), item, where));
  }
  if (kind === "string:date-time") {
    const wrong = typeof raw === "string" ? wrongTime(raw) : "Time.UnmarshalJSON: input is not a JSON string";
    return wrong === undefined ? raw : refuse(422, `[]: ${wrong}`);
  }
  if (is !== undefined) return is(raw) ? raw : mismatch(goType);
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    return mismatch(name === "map" ? "map[string]string" : goType);
  if (name !== "map") return checkForm({ ...where, record: name }, raw);
  for (const value of Object.values(raw)) checkValue("string", value, where);
  return raw;
}

/** A rule of a field: returns Gitea's name of the violated rule, or undefined. */
type Rule = (value: unknown) => string | undefined;

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
const userName: Rule = textRule("invalid username", (text) => /^[a-zA-Z0-9]+([-_.][a-zA-Z0-9]+)*$/.test(text));
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
function typeName(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
}
