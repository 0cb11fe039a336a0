import { UsageError } from "../../failure/failure.ts";
import type { FormField, IssueTemplate } from "../../forge/issue-templates.ts";
import { isObject } from "../../shape/shape.ts";

/** A field of a form. Markdown is shown, and in the body only if the template says so. */
export interface Field {
  readonly type: "markdown" | "input" | "textarea" | "dropdown" | "checkboxes";
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly required: boolean;
  readonly number: boolean;
  /** The regular expression that the whole value of an input must match. */
  readonly pattern: string;
  /** The text of an input, a text area or Markdown. */
  readonly value: string;
  readonly options: readonly Option[];
  /** Whether a dropdown takes several options. */
  readonly multiple: boolean;
  /** Whether several options are a list in the body. */
  readonly asList: boolean;
  /** The language of the code block around a text area. */
  readonly render: string;
  readonly hideLabel: boolean;
  readonly inForm: boolean;
  readonly inContent: boolean;
}

interface Option {
  readonly label: string;
  readonly required: boolean;
  readonly inForm: boolean;
  readonly inContent: boolean;
  /** Whether a dropdown starts with it. */
  readonly isDefault: boolean;
}

/** The values of fields by their id: one text, or the labels of the chosen options. */
export type FieldValues = ReadonlyMap<string, readonly string[]>;

const types = ["markdown", "input", "textarea", "dropdown", "checkboxes"] as const;

/** The fields of a template's form, in order; none if it is not a form. Unknown types are left out. */
export function fieldsOfForm(template: Pick<IssueTemplate, "body"> | undefined): Field[] {
  return (template?.body ?? []).flatMap((field) => {
    const type = types.find((known) => known === field.type);
    return type === undefined ? [] : [readField(type, field)];
  });
}

function readField(type: Field["type"], { id = "", attributes, validations, visible }: FormField): Field {
  const about = attributes ?? {};
  const rules = validations ?? {};
  const shown = visible ?? (type === "markdown" ? ["form"] : ["form", "content"]);
  return {
    type,
    id,
    label: text(about["label"]),
    description: text(about["description"]),
    value: text(about["value"]),
    required: rules["required"] === true,
    number: rules["is_number"] === true,
    pattern: text(rules["regex"]),
    options: list(about["options"]).map((option, index) => readOption(option, index === about["default"])),
    multiple: about["multiple"] === true,
    asList: about["list"] === true,
    render: text(about["render"]),
    hideLabel: type === "markdown" || about["hide_label"] === true,
    inForm: shown.includes("form"),
    inContent: shown.includes("content"),
  };
}

function readOption(option: unknown, isDefault: boolean): Option {
  if (!isObject(option)) return { label: text(option), required: false, inForm: true, inContent: true, isDefault };
  const shown = Array.isArray(option["visible"]) ? option["visible"] : ["form", "content"];
  const seen = { inForm: shown.includes("form"), inContent: shown.includes("content") };
  return { label: text(option["label"]), required: option["required"] === true, ...seen, isDefault };
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a field takes a value. */
export function isAsked({ type, id, inForm }: Field): boolean {
  return type !== "markdown" && id !== "" && inForm;
}

/** Reads `--field ID=VALUE`, on top of the values that the form starts with. Throws a usage error for a bad one. */
export async function readFields(
  fields: readonly Field[],
  typed: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, readonly string[]>> {
  const given = new Map<string, string[]>();
  const known = fields.filter(isAsked);
  for (const one of typed) {
    const [, id = "", value = ""] = /^([^=]+)=(.*)$/s.exec(one) ?? [];
    if (id === "") throw new UsageError(`Invalid value '${one}' for --field: must be ID=VALUE`);
    const field = known.find((candidate) => candidate.id === id);
    if (field === undefined) {
      throw new UsageError(`Unknown field '${id}'`, `Available fields: ${known.map((other) => other.id).join(", ")}`);
    }
    const checked = await checkedValue(field, value, signal);
    const values = [...(given.get(id) ?? []), checked];
    if (values.length > 1 && field.type !== "checkboxes" && !field.multiple) {
      throw new UsageError(`Field '${id}' takes one value`);
    }
    given.set(id, values);
  }
  return new Map(known.map((field) => [field.id, given.get(field.id) ?? startOf(field)]));
}

/** The values that the form starts with. */
function startOf({ type, value, options }: Field): string[] {
  if (type === "dropdown") return options.filter(({ isDefault }) => isDefault).map(({ label }) => label);
  return type === "checkboxes" || value === "" ? [] : [value];
}

async function checkedValue(field: Field, value: string, signal: AbortSignal): Promise<string> {
  if (field.type === "dropdown" || field.type === "checkboxes") {
    const found = field.options.find(({ label }) => label.toLowerCase() === value.trim().toLowerCase());
    if (found !== undefined) return found.label;
    const known = field.options.map(({ label }) => `'${label}'`).join(", ");
    throw new UsageError(`Invalid value '${value}' for field '${field.id}'`, `Available: ${known}`);
  }
  const problem = await inputProblem(field, value, signal);
  if (problem !== undefined) throw new UsageError(`Invalid value '${value}' for field '${field.id}': ${problem}`);
  return value;
}

/** What is wrong with the value of an input, as the web form checks it: `must be a number`. */
export async function inputProblem(
  { type, number, pattern }: Field,
  value: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (type !== "input" || value.trim() === "") return undefined;
  if (number && !Number.isFinite(Number(value))) return "must be a number";
  return pattern === "" || (await matches(pattern, value, signal)) ? undefined : `must match ${pattern}`;
}

/**
 * Whether the whole value matches. As in a browser, an expression that is not valid matches everything; so does one that
 * takes too long. Throws the signal's reason when it aborts.
 */
async function matches(pattern: string, value: string, signal: AbortSignal): Promise<boolean> {
  const { matchForeign } = await import("../../system/foreign-pattern.ts");
  return (await matchForeign(`^(?:${pattern})$`, "v", [value], signal))?.[0] !== false;
}

/** The required fields and checkboxes without a value, as flags. */
export function missingFields(fields: readonly Field[], values: FieldValues): string[] {
  return fields.filter(isAsked).flatMap((field) => {
    const given = values.get(field.id) ?? [];
    if (field.type === "checkboxes") {
      const unchecked = field.options.filter(
        ({ label, required, inForm }) => required && inForm && !given.includes(label),
      );
      return unchecked.map(({ label }) => `--field '${field.id}=${label}'`);
    }
    return field.required && given.every((value) => value.trim() === "") ? [`--field ${field.id}`] : [];
  });
}

/** The body of the issue, as the web form of the servers makes it. */
export function bodyOfForm(fields: readonly Field[], values: FieldValues): string {
  const parts = fields.filter(({ id, inContent }) => id !== "" && inContent);
  return parts.map((field) => `${heading(field)}${content(field, values.get(field.id) ?? [])}\n`).join("");
}

function heading({ hideLabel, label }: Field): string {
  return hideLabel ? "" : `### ${label}\n\n`;
}

const noResponse = "_No response_\n";

function content(field: Field, values: readonly string[]): string {
  const value = values[0]?.trim() ?? "";
  switch (field.type) {
    case "markdown":
      return `${field.value}\n`;
    case "checkboxes": {
      const shown = field.options.filter(({ inContent }) => inContent);
      return shown.map(({ label }) => `- [${values.includes(label) ? "x" : " "}] ${label}\n`).join("");
    }
    case "dropdown": {
      const chosen = field.options.map(({ label }) => label).filter((label) => values.includes(label));
      if (chosen.length === 0) return noResponse;
      return field.asList ? chosen.map((label) => `- ${label}\n`).join("") : `${chosen.join(", ")}\n`;
    }
    case "input":
      return value === "" ? noResponse : `${value}\n`;
    case "textarea":
      if (value === "") return noResponse;
      if (field.render === "") return `${value}\n`;
      return `${fence(value)}${field.render}\n${value}\n${fence(value)}\n`;
  }
}

/** A fence that is longer than any in the text. */
function fence(value: string): string {
  const longest = Math.max(2, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
  return "`".repeat(longest + 1);
}
