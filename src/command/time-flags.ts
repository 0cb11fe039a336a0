import { UsageError } from "../failure/failure.ts";
import { type Flag, type FlagOptions, flagOf } from "./flags.ts";

/** `--name TIME`: a date, which is the start of that day in the local time zone, or an RFC 3339 time; sent as UTC. */
export function moment(description: string, options: FlagOptions = {}): Flag<string | undefined> {
  return flagOf("string", description, { ...options, placeholder: "TIME" }, (typed, spelling) => {
    const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i.test(typed);
    const date = isTime ? new Date(typed) : dayOf(typed);
    if (date === undefined || Number.isNaN(date.getTime())) {
      const example = "must be a date or a time such as 2026-12-24 or 2026-12-24T18:00:00Z";
      throw new UsageError(`Invalid value '${typed}' for ${spelling}: ${example}`);
    }
    return date.toISOString().replace(/\.\d+Z$/, "Z");
  });
}

/** `--due DATE`: the end of that day in the local time zone, as RFC 3339. Servers ignore the time of day. */
export function dueDate(description: string): Flag<string | undefined> {
  return flagOf("string", description, { placeholder: "DATE" }, endOfDay);
}

/** The end of a day (`2026-12-24`) in the local time zone, as RFC 3339. Throws a usage error if it is not a date. */
export function endOfDay(typed: string, spelling: string): string {
  const date = dayOf(typed);
  if (date === undefined) {
    throw new UsageError(`Invalid value '${typed}' for ${spelling}: must be a date such as 2026-12-24`);
  }
  date.setHours(23, 59, 59);
  const east = -date.getTimezoneOffset();
  const two = (number: number) => String(Math.trunc(number)).padStart(2, "0");
  const zone = `${east < 0 ? "-" : "+"}${two(Math.abs(east) / 60)}:${two(Math.abs(east) % 60)}`;
  return `${typed}T23:59:59${zone}`;
}

/** The start of a day (`2026-12-24`) in the local time zone; undefined if there is no such day. */
function dayOf(typed: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return date.getMonth() === Number(month) - 1 ? date : undefined;
}

const units: Readonly<Record<string, number>> = { m: 60e3, h: 3600e3, d: 86_400e3, w: 7 * 86_400e3 };

/** 200 years: what is older is before the time that any server has. In milliseconds. */
const longestAge = 200 * 365 * 86_400e3;

/** `--older-than 30d`: an age in milliseconds. */
export function ageFlag(description: string): Flag<number | undefined> {
  return flagOf("string", description, { placeholder: "AGE" }, (raw, spelling) => {
    const [, count, unit] = /^(\d+)([mhdw])$/.exec(raw) ?? [];
    const length = unit === undefined ? undefined : units[unit];
    if (length === undefined || Number(count) * length > longestAge)
      throw new UsageError(`${spelling} must be an age such as 30d or 12h, not '${raw}'`);
    return Number(count) * length;
  });
}
