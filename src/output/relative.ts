const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [60, "second"],
  [3600, "minute"],
  [86_400, "hour"],
  [2_592_000, "day"],
  [31_536_000, "month"],
  [Number.POSITIVE_INFINITY, "year"],
];

/** `3 hours ago`, `in 2 days`; what cannot be read as a time is returned as it is. */
export function relative(time: string, now: Date): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  const ahead = at > now.getTime();
  const seconds = Math.abs(now.getTime() - at) / 1000;
  if (seconds < 5) return "just now";
  let unitLength = 1;
  for (const [end, unit] of steps) {
    if (seconds < end) {
      const count = Math.floor(seconds / unitLength);
      const words = `${count} ${unit}${count === 1 ? "" : "s"}`;
      return ahead ? `in ${words}` : `${words} ago`;
    }
    unitLength = end;
  }
  return time;
}
