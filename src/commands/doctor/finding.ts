import { asFailure } from "../../output/report-failure.ts";

/** One thing that was looked at. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "note" | "problem";
  readonly found: string;
  /** How to mend it. */
  readonly mend?: string | undefined;
}

export function ok(check: string, found: string): Finding {
  return { check, state: "ok", found };
}

export function note(check: string, found: string, mend?: string): Finding {
  return { check, state: "note", found, mend };
}

export function problem(check: string, found: string, mend?: string): Finding {
  return { check, state: "problem", found, mend };
}

/** What was thrown, as a problem. */
export function thrown(check: string, error: unknown): Finding {
  const { message, hint } = asFailure(error);
  return problem(check, message, hint);
}
