import { integer, list, optional, record, string, words } from "../../../shape/shape.ts";

/** A place in a file: line and column from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The start of a file. */
export const start: Place = { line: 1, column: 1 };

/** What was found in a file: an error, a warning, or something that could not be checked. */
export interface Finding extends Place {
  readonly file: string;
  readonly severity: "error" | "warning" | "unchecked";
  readonly message: string;
  /** Which check it is of: `syntax`, `label`, `secret`. */
  readonly rule: string;
  /** Why it could not be checked, which others can have, too. */
  readonly cause?: string;
}

/** What JSON output has of findings. */
export const findings = list(
  record({
    file: string,
    line: integer,
    column: integer,
    severity: words("error", "warning", "unchecked"),
    message: string,
    rule: optional(string),
    cause: optional(string),
  }),
);

/** Takes what is found in one file. */
export interface Report {
  error(rule: string, at: Place | undefined, message: string): void;
  warning(rule: string, at: Place | undefined, message: string): void;
  /** What could not be checked, and why; said once for a file. `cause`: why, without what; by default the message. */
  unchecked(rule: string, at: Place | undefined, message: string, cause?: string): void;
}

/** A report on a file that adds to findings. */
export function reportOn(file: string, found: Finding[]): Report {
  const add =
    (severity: Finding["severity"]) => (rule: string, at: Place | undefined, message: string, cause?: string) => {
      const { line, column } = at ?? start;
      const finding = { file, line, column, severity, message, rule };
      found.push(cause === undefined ? finding : { ...finding, cause });
    };
  const said = new Set<string>();
  const addUnchecked = add("unchecked");
  return {
    error: add("error"),
    warning: add("warning"),
    unchecked(rule, at, message, cause = message) {
      if (!said.has(message)) addUnchecked(rule, at, message, cause);
      said.add(message);
    },
  };
}

/** Findings in the order of their places; those of several files one file after the other. */
export function inOrder(found: readonly Finding[]): Finding[] {
  return [...found].sort((one, other) => one.line - other.line || one.column - other.column);
}
