import { asFailure } from "../../output/report-failure.ts";

/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "note" | "problem";
  readonly result: string;
  /** How to fix it: a command, or one sentence. */
  readonly fix?: string | undefined;
  /** Does what `fix` says. Only for what cannot break anything: it is run by `--fix`. */
  readonly repair?: () => void | Promise<void>;
}

export function ok(check: string, result: string): Finding {
  return { check, state: "ok", result };
}

export function note(check: string, result: string, fix?: string): Finding {
  return { check, state: "note", result, fix };
}

export function problem(check: string, result: string, fix?: string): Finding {
  return { check, state: "problem", result, fix };
}

/** An error as a problem, with its hint as the fix. */
export function problemFromError(check: string, error: unknown): Finding {
  const { message, hint } = asFailure(error);
  return problem(check, message, hint);
}
