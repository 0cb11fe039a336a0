import { UsageError } from "../failure/failure.ts";
import { type Flag, text } from "./flags.ts";

const units: Readonly<Record<string, number>> = { m: 60e3, h: 3600e3, d: 86_400e3, w: 7 * 86_400e3 };

/** 200 years: what is older is before the time that any server has. In milliseconds. */
const longestAge = 200 * 365 * 86_400e3;

/** `--older-than 30d`: an age in milliseconds. */
export function ageFlag(description: string): Flag<number | undefined> {
  const age = text(description, { placeholder: "AGE" });
  return {
    ...age,
    read(typed, spelling) {
      const raw = age.read(typed, spelling);
      if (raw === undefined) return undefined;
      const [, count, unit] = /^(\d+)([mhdw])$/.exec(raw) ?? [];
      const length = unit === undefined ? undefined : units[unit];
      if (length === undefined || Number(count) * length > longestAge)
        throw new UsageError(`${spelling} must be an age such as 30d or 12h, not '${raw}'`);
      return Number(count) * length;
    },
  };
}
