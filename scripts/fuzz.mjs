// Compares all printers, the generic decoder and an independent one on readings with long strings and padded varints, and
// on mutated readings:
//   npm run fuzz [-- MESSAGES [SEED]]     1,000,000 messages with a seed of the day
// The seed determines all messages, so a run can be repeated. Add seeds that found an error to
// test/data/metrics/fuzz-seeds.json, which `npm test` runs.
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
