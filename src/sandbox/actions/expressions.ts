import type { Outcome } from "../state/records/actions.ts";

/** The contexts available to expressions: `inputs`, `github`, `matrix`, `env`, `needs`. */
export type Context = Readonly<Record<string, unknown>>;

/** Replaces each `${{ … }}` in a text. Unknown values become empty. */
export function interpolate(text: string, facts: Context): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_all, inner: string) => plain(resolve(inner, facts)));
}

const plain = (value: unknown) => (value === undefined || value === null ? "" : String(value));

function resolve(expression: string, facts: Context): unknown {
  const [, quoted] = /^'(.*)'$/.exec(expression) ?? [];
  if (quoted !== undefined) return quoted;
  if (expression === "true" || expression === "false") return expression === "true";
  const [, listed] = /^toJSON\((.*)\)$/i.exec(expression) ?? [];
  if (listed !== undefined) return JSON.stringify(sorted(resolve(listed, facts)), null, 2);
  let value: unknown = facts;
  for (const part of expression.split(".")) {
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined;
  }
  return value;
}

/** Sorts object keys, as runners do. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Evaluates an `if` condition. Without a status function it is false after a failure. Supports `&&`, `==`, `!=`, `!`
 * and the four status functions.
 */
export function evaluateCondition(condition: unknown, before: readonly Outcome[], facts: Context): boolean {
  const text = plain(condition)
    .trim()
    .replace(/^\$\{\{\s*(.*?)\s*\}\}$/, "$1");
  const results = {
    "success()": before.every((outcome) => outcome === "success"),
    "failure()": before.includes("failure"),
    "always()": true,
    "cancelled()": false,
  };
  const hasStatusFunction = Object.keys(results).some((word) => text.includes(word));
  if (!hasStatusFunction && !results["success()"]) return false;
  return text === "" || text.split("&&").every((part) => isTrue(part.trim(), results, facts));
}

function isTrue(part: string, results: Readonly<Record<string, boolean>>, facts: Context): boolean {
  const known = results[part];
  if (known !== undefined) return known;
  const [, left = "", sign, right = ""] = /^(.*?)\s*(==|!=)\s*(.*)$/.exec(part) ?? [];
  if (sign !== undefined) return (plain(resolve(left, facts)) === plain(resolve(right, facts))) === (sign === "==");
  if (part.startsWith("!")) return !isTrue(part.slice(1).trim(), results, facts);
  return !["", "false", "0"].includes(plain(resolve(part, facts)));
}
