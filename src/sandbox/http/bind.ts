import { recordFacts } from "../../forge/generated/facts.ts";
import { checkForm, type Form } from "./form.ts";
import { Refusal } from "./reply.ts";
import type { FullCall } from "./route.ts";

/** Parses and validates a request body. Throws 422 with Gitea's message if it is invalid. */
export function bind(declared: Form, call: Pick<FullCall, "method" | "headers" | "rawBody">): Record<string, unknown> {
  const checked = checkForm(declared, parsed(declared, call));
  if ("wrong" in checked) throw new Refusal(422, checked.wrong);
  return checked.value;
}

function parsed(
  declared: Form,
  { method, headers, rawBody }: Pick<FullCall, "method" | "headers" | "rawBody">,
): unknown {
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === "" && (method === "PATCH" || method === "DELETE")) return {};
  if (type === "application/json") return parseFirst(rawBody.toString("utf8"));
  if (type === "application/x-www-form-urlencoded")
    return fromFields(declared, new URLSearchParams(rawBody.toString()));
  throw new Refusal(422, type === "" ? "[]: Empty Content-Type" : "[]: Unsupported Content-Type");
}

/** The first JSON value in a text. The rest is ignored. */
function parseFirst(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(String(error));
    // Node reports the position or the character, and neither for a truncated text.
    const token = /Unexpected token '?(.)/.exec(String(error))?.[1];
    const position = at === null ? text.length : Number(at[1]);
    if (position > 0 && position < text.length) {
      try {
        return JSON.parse(text.slice(0, position));
      } catch {
        // Not a complete value followed by more text: invalid.
      }
    }
    const isKey = /property name/.test(String(error));
    throw new Refusal(422, `[]: ${broken(text, position, token, isKey ? "object key string" : "value")}`);
  }
}

function broken(text: string, position: number, token: string | undefined, wanted: string): string {
  const letter = text[position] ?? token;
  if (letter === undefined) return "unexpected EOF";
  return `invalid character '${letter}' looking for beginning of ${wanted}`;
}

function fromFields({ record }: Form, fields: URLSearchParams): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, facts] of Object.entries(recordFacts[record]?.fields ?? {})) {
    const kind = typeof facts === "string" ? facts : facts.type;
    if (kind.startsWith("map<")) result[name] = membersOf(name, fields);
    const values = fields.getAll(name);
    const value = values[0];
    if (value === undefined) continue;
    if (kind === "boolean") result[name] = isTrue(value);
    else if (kind.startsWith("integer")) result[name] = Number.parseInt(value, 10) || 0;
    else result[name] = kind === "string[]" ? values : value;
  }
  return result;
}

/** A map field of a form: `inputs[name]=value`. */
function membersOf(name: string, fields: URLSearchParams): Record<string, string> {
  const members = [...fields].flatMap(([key, value]) =>
    key.startsWith(`${name}[`) && key.endsWith("]") ? [[key.slice(name.length + 1, -1), value] as const] : [],
  );
  return Object.fromEntries(members);
}

/** Whether Gitea parses a query or form value as true. */
export function isTrue(value: string | null): boolean {
  return value !== null && ["1", "t", "T", "true", "TRUE", "True", "on"].includes(value);
}
