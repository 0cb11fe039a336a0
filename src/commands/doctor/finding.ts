import { asFailure } from "../../output/report-failure.ts";

/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "note" | "problem";
  readonly found: string;
  /** How to fix it: a command, or one sentence. */
  readonly mend?: string | undefined;
  /** Does what `mend` says. Only for what cannot break anything: it is run by `--fix`. */
  readonly fix?: () => void | Promise<void>;
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

/** An error as a problem, with its hint as the fix. */
export function problemFromError(check: string, error: unknown): Finding {
  const { message, hint } = asFailure(error);
  return problem(check, message, hint);
}
