import type { Output } from "../../output/output.ts";

// In a minute: senders and faults can be made up. Further ones are only counted.
const maxWarnings = 10;
const ticksBetween = 60;

/**
 * Names what was refused, or what came beside readings: each sender with a reason once, and then how many more there were, once
 * a minute. `one` and `several` are what it is: packet, packets.
 */
export function createRejections(
  out: Pick<Output, "warn">,
  [verb, one, several]: readonly [string, string, string],
  now: () => Date,
) {
  const named = new Set<string>();
  let [most, more, ticks, count] = [maxWarnings, 0, 0, 0];
  /** Says how many there were that were not named. */
  const end = () => {
    if (more > 0) out.warn(`${verb} ${more} more ${more === 1 ? one : several} until ${time(now())}`);
    [most, more] = [named.size + maxWarnings, 0];
  };
  return {
    /** `said` names the sender without its port, so that it is said once. */
    add: (said: string) => {
      count += 1;
      if (named.has(said) || named.size >= most) more += 1;
      else {
        out.warn(said);
        named.add(said);
      }
    },
    /** To be called every second. */
    tick: () => {
      ticks += 1;
      if (ticks % ticksBetween === 0) end();
    },
    end,
    count: () => count,
  };
}

/** A time in UTC, without fractions of seconds. */
export function time(now: Date): string {
  return now.toISOString().replace(/\.\d+/, "");
}
