// Fuzzing: npm run fuzz [-- PART… [--rounds N] [--seed N]]
//   metrics    readings with long strings and padded varints, and mutated ones, on all printers, the generic decoder and
//              an independent one (1,000,000 messages)
//   records    random values in the records that a server sends, on every command that reads (2,000)
//   answers    a recorded answer of every operation, field by field missing, null and of other types (all)
//   archives   mutated and hostile archives (50,000)
// The seed, by default that of the day, determines a run; it is printed, so that the run can be repeated. `npm test` has
// a short run of each. Add seeds of metrics that found an error to test/data/metrics/fuzz-seeds.json, which it runs.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensureInstalled, top } from "./setup.mjs";

/**
 * The number of rounds of each part.
 * @type {Record<string, number>}
 */
const parts = { metrics: 1_000_000, records: 2_000, answers: 1_000_000, archives: 50_000 };

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string" }, seed: { type: "string" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0)
  throw new Error(`Unknown part ${unknown.join(", ")}. Available: ${Object.keys(parts).join(", ")}`);
const seed = Number(values.seed ?? Math.floor(Date.now() / 86_400_000));

ensureInstalled();
let failed = false;
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const rounds = Number(values.rounds ?? parts[name]);
  console.log(`${name}: ${rounds} rounds, seed ${seed}`);
  if (name === "metrics" ? await metricsDiffer(rounds) : testFails(name, rounds)) failed = true;
}
process.exit(failed ? 1 : 0);

/**
 * Runs test/fuzz/NAME.test.ts; whether it fails.
 * @param {string} name
 * @param {number} rounds
 */
function testFails(name, rounds) {
  const vitest = join(top, "node_modules", "vitest", "vitest.mjs");
  const env = { ...process.env, TONGS_FUZZ_SEED: String(seed), TONGS_FUZZ_ROUNDS: String(rounds) };
  const argv = [vitest, "run", "--project", "unit", `test/fuzz/${name}.test.ts`];
  return spawnSync(process.execPath, argv, { cwd: top, stdio: "inherit", env }).status !== 0;
}

/**
 * Compares the decoders of readings; whether they differ.
 * @param {number} total
 */
async function metricsDiffer(total) {
  const { bundleFile } = await import("./bundle.mjs");
  const outfile = join(top, "node_modules", `.tongs-fuzz-${process.pid}.mjs`);
  const define = { "import.meta.dirname": JSON.stringify(join(top, "test", "metrics")) };
  await bundleFile(join(top, "test/metrics/differential.ts"), outfile, { format: "esm", define });
  const { fuzz } = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  const round = 50_000;
  let accepted = 0;
  let differ = false;
  for (let done = 0, current = seed; done < total && !differ; done += round, current += 1) {
    const result = await fuzz(current, Math.min(round, total - done));
    accepted += result.accepted;
    for (const { what, hex, one, other } of result.differences) {
      differ = true;
      console.log(`seed ${current}: ${what} differ on ${hex}\n  ${one}\n  ${other}`);
    }
    console.log(`${Math.min(total, done + round)} messages, ${accepted} of them accepted, seeds ${seed} to ${current}`);
  }
  return differ;
}
