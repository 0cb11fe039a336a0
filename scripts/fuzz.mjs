// Decodes mutated readings with the fast decoder, the generic one and an independent one, and reports differences:
//   npm run fuzz [-- MESSAGES [SEED]]     default: 1,000,000 messages and a seed of the day
// The messages depend only on the seed, which is printed. Seeds that found a difference are in
// test/data/metrics/fuzz-seeds.json; `npm test` runs them again.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, top } from "./setup.mjs";

ensureInstalled();
const { bundleFile } = await import("./bundle.mjs");
const outfile = join(top, "node_modules", `.tongs-fuzz-${process.pid}.mjs`);
const define = { "import.meta.dirname": JSON.stringify(join(top, "test", "metrics")) };
await bundleFile(join(top, "test/metrics/differential.ts"), outfile, { format: "esm", define });
const { fuzz } = await import(pathToFileURL(outfile).href);
rmSync(outfile);

const [total = 1_000_000, first = Math.floor(Date.now() / 86_400_000)] = process.argv.slice(2).map(Number);
const round = 50_000;
let accepted = 0;
let failed = false;
for (let done = 0, seed = first; done < total && !failed; done += round, seed += 1) {
  const result = await fuzz(seed, Math.min(round, total - done));
  accepted += result.accepted;
  for (const difference of result.differences) {
    failed = true;
    console.log(
      `seed ${seed}: ${difference.what} differ on ${difference.hex}\n  ${difference.one}\n  ${difference.other}`,
    );
  }
  console.log(`${Math.min(total, done + round)} messages, ${accepted} of them accepted, seeds ${first} to ${seed}`);
}
process.exit(failed ? 1 : 0);
