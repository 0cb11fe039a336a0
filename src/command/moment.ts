import { UsageError } from "../failure/failure.ts";
import { type Flag, type FlagOptions, text } from "./flags.ts";

/** `--name TIME`: a date, which is the start of that day in the local time zone, or an RFC 3339 time; sent as UTC. */
export function moment(description: string, options: FlagOptions = {}): Flag<string | undefined> {
  const flag = text(description, { ...options, placeholder: "TIME" });
  return {
    ...flag,
    read: (typed, spelling) => {
      const raw = flag.read(typed, spelling);
      return raw === undefined ? undefined : instant(raw, spelling);
    },
  };
}

function instant(typed: string, spelling: string): string {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed) ?? [];
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i.test(typed);
  const date = year === "" ? new Date(isTime ? typed : "") : new Date(Number(year), Number(month) - 1, Number(day));
  if (Number.isNaN(date.getTime()) || (year !== "" && date.getMonth() !== Number(month) - 1)) {
    const example = "must be a date or a time such as 2026-12-24 or 2026-12-24T18:00:00Z";
    throw new UsageError(`Invalid value '${typed}' for ${spelling}: ${example}`);
  }
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
