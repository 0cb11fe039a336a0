// Accounts and stars: an import against a bare client and against a shell loop, its memory, many stars, a long list.
//   TONGS_BENCH_URL, TONGS_BENCH_TOKEN   a real server to import into, too, as its administrator; accounts stay there
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { peak, timePairs } from "../pairs.mjs";
import { importing } from "./importing.mjs";
import { people, program, sandbox } from "./processes.mjs";

export async function measure(bench) {
  const folder = mkdtempSync(join(bench.folder, "accounts-"));
  const { TONGS_BENCH_URL: url, TONGS_BENCH_TOKEN: token } = bench.env;
  await imports({ ...bench, folder }, "the sandbox");
  if (url !== undefined) await imports({ ...bench, folder, live: { url, token } }, url);
  await loop({ ...bench, folder });
  await memory({ ...bench, folder });
  await stars(bench);
  await listing(bench);
}

/** 1,000 accounts made, and 1,000 that a plan finds unchanged, each against the same requests by a bare client. */
async function imports({ node, tongs, folder, rounds, row, live }, where) {
  const found = await importing({ node, tongs, folder, rounds: rounds(3), live });
  for (const [what, { requests, ratio, seconds, cpu }] of Object.entries(found)) {
    const promise = what === "create" ? { most: 1.3 } : {};
    console.log(`  ${what}: ${requests} requests to ${where}; processor ${cpu.ours} ms, a bare client ${cpu.bare} ms`);
    row("the same by a bare client", seconds.bare * 1000);
    row(`1,000 accounts: ${what}`, seconds.ours * 1000, ratio, { ...promise, of: "of a bare client" });
  }
}

/** 100 accounts by an import, and by a command each. */
async function loop({ node, tongs, folder, row }) {
  const server = await sandbox(node, tongs);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: server.token, TONGS_CONFIG_DIR: folder };
  const run = (...words) => program(node, [tongs, "user", ...words, "--quiet"], { cwd: folder, env });
  const begun = performance.now();
  for (let index = 0; index < 100; index += 1) {
    await run("create", `single${index}`, "--email", `single${index}@example.org`, "--generate-password");
  }
  const singles = performance.now() - begun;
  const { seconds } = await run("import", people(folder, 100).file);
  await server.stop();
  row("100 accounts, user create each", singles);
  row("100 accounts, user import", seconds * 1000, singles / seconds / 1000, { least: 10, of: "times faster" });
}

async function memory({ node, tongs, folder, env, row, serve }) {
  const host = await serve("social/server.mjs", 0, 100);
  for (const words of [[], ["--plan", "--on-existing", "update"]]) {
    const of = (count) => {
      const { file } = people(folder, count);
      return peak([node, tongs, "user", "import", file, "--host", host, "--quiet", ...words], env);
    };
    const [small, large] = [of(10_000), of(100_000)];
    const what = words[0] ?? "import";
    console.log(`  ${what}: at most ${small.toFixed(0)} MiB for 10,000 rows, ${large.toFixed(0)} MiB for 100,000`);
    row(`100,000 rows, ${what}`, undefined, large / small, { most: 1.25, of: "of 10,000's" });
  }
}

async function stars({ node, tongs, env, rounds, row, serve }) {
  const host = await serve("social/server.mjs", 5, 0);
  const names = Array.from({ length: 500 }, (_, index) => `mara/r${index}`);
  const commands = [{ name: "stars", argv: [node, tongs, "star", "add", ...names, "--quiet", "--host", host] }];
  const took = timePairs(commands, { rounds: rounds(6), warmUp: 1, env }).milliseconds("stars");
  row("500 stars, 5 ms each", took, (500 * 5) / took, { least: 3, of: "times faster" });
}

async function listing({ node, tongs, env, rounds, row, serve }) {
  const host = await serve("social/server.mjs", 20, 5_000);
  const list = [node, tongs, "user", "list", "--all", "--json", "--host"];
  const commands = [
    { name: "side by side", argv: [...list, host] },
    { name: "one by one", argv: [...list, `${host}/untold`] },
  ];
  const timed = timePairs(commands, { rounds: rounds(6), warmUp: 1, env });
  row("5,000 users page by page", timed.milliseconds("one by one"));
  const faster = timed.ratio("one by one", "side by side");
  row("5,000 users side by side", timed.milliseconds("side by side"), faster, { least: 6, of: "times faster" });
}
