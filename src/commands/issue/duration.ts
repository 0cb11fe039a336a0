import type { Arg } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";

const secondsOf: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** An argument such as `1h30m`, `45m` or `90s`, as seconds. */
export const durationArg: Arg<number> = {
  count: "one",
  description: "time, such as 1h30m, 45m or 90s",
  read: ([typed = ""]) => {
    const parts = [...typed.matchAll(/(\d{1,9})([hms])/g)];
    const seconds = parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (secondsOf[unit] ?? 0), 0);
    if (!/^(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?$/.test(typed) || seconds === 0) {
      throw new UsageError(`Invalid value '${typed}' for TIME: must be a time such as 1h30m, 45m or 90s`);
    }
    return seconds;
  },
};

/** `5400` → `1h 30m`. */
export function durationText(seconds: number): string {
  const whole = Math.abs(Math.trunc(seconds));
  const parts = [
    [Math.floor(whole / 3600), "h"],
    [Math.floor(whole / 60) % 60, "m"],
    [whole % 60, "s"],
  ];
  const text = parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join(" ");
  return `${seconds < 0 ? "-" : ""}${text === "" ? "0s" : text}`;
}
