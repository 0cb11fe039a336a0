import { type Infer, integer, list, optional, record, string, words } from "../../../shape/shape.ts";
import { nearest } from "../../../text/nearest.ts";

/** A place in a file: line and column from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The start of a file. */
export const start: Place = { line: 1, column: 1 };

/**
 * What was found in a file: an error, a warning, or something that could not be checked. `rule`: which check it is of, such
 * as `syntax`. `cause`: why it could not be checked, which others can have, too.
 */
const finding = record({
  file: string,
  line: integer,
  column: integer,
  severity: words("error", "warning", "unchecked"),
  message: string,
  rule: optional(string),
  cause: optional(string),
});

export type Finding = Infer<typeof finding>;

/** What JSON output has of findings. */
export const findings = list(finding);

/**
 * Takes what is found in one file. What could not be checked is said once, and why. `cause`: why, without what; by default the
 * message.
 */
export type Report = ReturnType<typeof reportOn>;

/** A report on a file that adds to findings. */
export function reportOn(file: string, found: Finding[]) {
  const add =
    (severity: Finding["severity"]) =>
    (rule: string, at: Place = start, message: string): void =>
      void found.push({ file, line: at.line, column: at.column, severity, message, rule });
  return {
    error: add("error"),
    warning: add("warning"),
    unchecked(rule: string, { line, column }: Place = start, message: string, cause = message) {
      if (!found.some((one) => one.message === message))
        found.push({ file, line, column, severity: "unchecked", message, rule, cause });
    },
  };
}

/** ` (did you mean x?)`, or nothing. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = nearest(typed, [...new Set(names)]);
  return near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`;
}
