import type { Outcome } from "./outcomes.ts";

/** What the error statuses of HTTP mean, where the response says nothing else. */
export const statusOutcomes = {
  "400": "invalid",
  "401": "not_signed_in",
  "403": "forbidden",
  "404": "not_found",
  "405": "refused",
  "409": "refused",
  "412": "refused",
  "413": "too_large",
  "422": "invalid",
  "423": "archived",
  "429": "rate_limited",
  "501": "unknown_operation",
  "5xx": "server_failed",
} as const satisfies Readonly<Record<string, Outcome>>;

/** The error code for an HTTP error status. */
export function outcomeOfStatus(status: number): Outcome {
  const known: Readonly<Record<string, Outcome>> = statusOutcomes;
  return known[status] ?? known[`${Math.floor(status / 100)}xx`] ?? "unexpected_status";
}
