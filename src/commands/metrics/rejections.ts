import type { Output } from "../../output/output.ts";

// In a minute: senders and faults can be made up. Further ones are only counted.
const maxWarnings = 10;
const ticksBetween = 60;

/** Names what was refused, or what came beside readings: each sender with a reason once, and then how many more there were, once a minute. */
export interface Rejections {
  /** `said` names the sender without its port, so that it is said once. */
  readonly add: (said: string) => void;
  /** To be called every second. */
  readonly tick: () => void;
  /** Says how many there were that were not named. */
  readonly end: () => void;
  readonly count: () => number;
}

/** Creates it. `one` and `several` are what was refused: packet, packets. */
export function createRejections(
  out: Pick<Output, "warn">,
  [verb, one, several]: readonly [string, string, string],
  now: () => Date,
): Rejections {
  const named = new Set<string>();
  let [most, more, ticks, count] = [maxWarnings, 0, 0, 0];
  const end = () => {
    if (more > 0) out.warn(`${verb} ${more} more ${more === 1 ? one : several} until ${time(now())}`);
    [most, more] = [named.size + maxWarnings, 0];
  };
  return {
    add: (said) => {
      count += 1;
      if (named.has(said) || named.size >= most) more += 1;
      else {
        out.warn(said);
        named.add(said);
      }
    },
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
