import { UsageError } from "../failure/failure.ts";
import { type Flag, text } from "./flags.ts";

/** `--due DATE`: the end of that day in the local time zone, as RFC 3339. Servers ignore the time of day. */
export function dueDate(description: string): Flag<string | undefined> {
  const flag = text(description, { placeholder: "DATE" });
  return {
    ...flag,
    read: (typed, spelling) => {
      const raw = flag.read(typed, spelling);
      return raw === undefined ? undefined : endOfDay(raw, spelling);
    },
  };
}

/** The end of a day (`2026-12-24`) in the local time zone, as RFC 3339. Throws a usage error if it is not a date. */
export function endOfDay(typed: string, spelling: string): string {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day), 23, 59, 59);
  if (year === "" || date.getMonth() !== Number(month) - 1) {
    throw new UsageError(`Invalid value '${typed}' for ${spelling}: must be a date such as 2026-12-24`);
  }
  const east = -date.getTimezoneOffset();
  const two = (number: number) => String(Math.trunc(number)).padStart(2, "0");
  const zone = `${east < 0 ? "-" : "+"}${two(Math.abs(east) / 60)}:${two(Math.abs(east) % 60)}`;
  return `${typed}T23:59:59${zone}`;
}
