// Timing of whole processes in pairs: every round runs every command once, so that whatever else the machine does
// hits all alike, and the median of the rounds' ratios says how they compare.
import { spawnSync } from "node:child_process";

/** Runs each command once a round; returns for each the median time in milliseconds and the ratios to `base`. */
export function timePairs(commands, { rounds, warmUp = 3, env }) {
  const times = new Map(commands.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, argv } of commands) {
      const took = once(argv, env);
      if (round >= 0) times.get(name).push(took);
    }
  }
  return {
    milliseconds: (name) => median(times.get(name)),
    ratio: (name, base) => median(times.get(name).map((time, round) => time / times.get(base)[round])),
  };
}

function once([program, ...args], env) {
  const begun = process.hrtime.bigint();
  const { status, error, stderr } = spawnSync(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const took = Number(process.hrtime.bigint() - begun) / 1e6;
  if (status !== 0) throw new Error(`${[program, ...args].join(" ")} failed: ${error ?? stderr}`);
  return took;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
