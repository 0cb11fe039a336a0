// Timing of whole processes in pairs: every round runs every command once, so that whatever else the machine does
// hits all alike, and the median of the rounds' ratios says how they compare.
import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";

/**
 * Runs each command once a round, after what it has to do `before` and outside of the time; returns for each the median
 * time in milliseconds and the ratios to `base`.
 */
export function timePairs(commands, { rounds, warmUp = 3, env }) {
  const times = new Map(commands.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, argv, before } of commands) {
      before?.();
      const took = once(argv, env);
      if (round >= 0) times.get(name).push(took);
    }
  }
  return {
    milliseconds: (name) => median(times.get(name)),
    ratio: (name, base) => median(times.get(name).map((time, round) => time / times.get(base)[round])),
  };
}

/** The largest memory of one run of a program of Node, in MiB. */
export function peak(argv, env) {
  return usage(argv, env).peak;
}

/**
 * Runs each command once a round, as `timePairs`; returns the processor time in milliseconds, which other programs
 * change less, its ratio to `base`, and the largest memory in MiB.
 */
export function cpuPairs(commands, { rounds, env }) {
  const found = new Map(commands.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const { name, argv } of commands) found.get(name).push(usage(argv, env));
  return {
    milliseconds: (name) => median(found.get(name).map(({ cpu }) => cpu)),
    ratio: (name, base) => median(found.get(name).map(({ cpu }, round) => cpu / found.get(base)[round].cpu)),
    peak: (name) => Math.max(...found.get(name).map(({ peak }) => peak)),
  };
}

/** The processor time of one run in milliseconds, and its largest memory in MiB: of Node, or of a program that says them itself. */
function usage([program, ...args], env) {
  const loaded = basename(program).startsWith("node") ? ["--require", join(import.meta.dirname, "peak.cjs")] : [];
  const { status, stderr } = spawnSync(program, [...loaded, ...args], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  const number = (name) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(stderr)[1]);
  return { cpu: number("cpu"), peak: number("peak") / 1024 };
}

/** Whether there is a program of that name. */
export function has(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

function once([program, ...args], env) {
  const begun = process.hrtime.bigint();
  const { status, error, stderr } = spawnSync(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const took = Number(process.hrtime.bigint() - begun) / 1e6;
  if (status !== 0) throw new Error(`${[program, ...args].join(" ")} failed: ${error ?? stderr}`);
  return took;
}

/** The median of numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
