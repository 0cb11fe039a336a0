import { diskFailure } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import type { System } from "../system/system.ts";
import { safe } from "../text/safe.ts";
import { type ColorChoice, openPalettes, type Palette } from "./palette.ts";

/** Prints a failure on stderr, as JSON or as text. */
export async function reportFailure(
  failure: Failure,
  system: System,
  { json, color }: { readonly json: boolean; readonly color?: ColorChoice },
): Promise<void> {
  system.stderr.write(json ? failureJson(failure) : failureText(failure, (await openPalettes(system, color)).stderr));
}

/** A failure as the JSON object that scripts read on stderr. Absent values are left out. */
export function failureJson(failure: Failure): string {
  const { code, message, hint, status, method, path, request } = failure;
  return `${JSON.stringify({ error: { code, message, hint, status, method, path, request } })}\n`;
}

/** A failure as a person reads it: what failed and why, then what to do. `about` names the target of a batch. */
export function failureText(failure: Failure, palette: Palette, about?: string): string {
  const hint = failure.hint === undefined ? "" : `  ${safe(failure.hint).replace(/\n/g, "\n  ")}\n`;
  const target = about === undefined ? "" : `${safe(about)}: `;
  return `${palette("bad", "✗")} ${target}${safe(failure.message)}\n${hint}`;
}

/** Anything thrown, as a failure; what is neither one nor a refusal of a file system is a bug in tongs and says so. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const refused = diskFailure(error);
  if (refused !== undefined) return refused;
  const reason = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  const hint = stack === undefined ? undefined : `This is a bug in tongs. Where it happened:\n${stack}`;
  return new Failure("internal", "failure", `Unexpected: ${reason}`, { hint, cause: error });
}
