import { UsageError } from "../failure/failure.ts";

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/**
 * Reads a time as `--since` and `--until` take it, in seconds since 1970: RFC 3339, a date, seconds since 1970, or how
 * long ago (`90s`, `15m`, `2h`, `7d`, `1w`). A date or time without zone is local. Throws a usage error for all else.
 */
export function readTime(typed: string | undefined, flag: string, now: Date): number | undefined {
  if (typed === undefined) return undefined;
  const ago = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(typed);
  if (ago !== null) return now.getTime() / 1000 - Number(ago[1]) * (units[ago[2] ?? ""] ?? 1);
  if (/^@?-?\d+(\.\d+)?$/.test(typed)) return Number(typed.replace("@", ""));
  const date = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? `${typed}T00:00:00` : typed.replace(" ", "T");
  const milliseconds = /^\d{4}-\d{2}-\d{2}T/.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    throw new UsageError(
      `${flag} wants a time, not '${typed}'`,
      "For example 2026-01-31T08:00:00Z, 2026-01-31, 1769846400, or 2h for two hours ago.",
    );
  }
  return milliseconds / 1000;
}
