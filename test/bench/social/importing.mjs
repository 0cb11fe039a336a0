// An import against a bare client that sends the same requests to the same server: whole processes, in pairs.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, people, program, sandbox } from "./processes.mjs";
import { recorded } from "./record.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const plan = ["--plan", "--on-existing", "update", "--json"];

/**
 * Makes `count` accounts, and plans what is unchanged. Returns for each the ratios of time and of the client's
 * processor time, and the medians in seconds. `live` is a server in place of the sandbox: { url, token }.
 */
export async function importing({ node, tongs, folder, count = 1000, rounds = 9, live }) {
  const env = ({ url, token }) => ({ TONGS_HOST: url, TONGS_TOKEN: token, TONGS_CONFIG_DIR: folder });
  const ours = (server, file, words) =>
    program(node, [tongs, "user", "import", file, ...words, "--quiet"], { cwd: folder, env: env(server) });

  /** A sandbox of its own for each run, since it gets slower with the number of accounts. */
  async function on(work, before) {
    const server = live ?? (await sandbox(node, tongs));
    try {
      await before?.(server);
      return await work(server);
    } finally {
      await server.stop?.();
    }
  }

  async function compare(words, fileOf, before) {
    const sample = fileOf();
    const record = (server) => recorded(server.url, (url) => ours({ url, token: server.token }, sample.file, words));
    const seen = await on(record, before);
    const theirs = () => {
      const { prefix } = fileOf();
      const script = join(folder, "requests.json");
      const replay = (server) => {
        const text = JSON.stringify({ ...seen, token: server.token }).replaceAll(sample.prefix, prefix);
        writeFileSync(script, text);
        return program(node, [join(here, "replay.cjs"), server.url, script, "8"], { cwd: folder });
      };
      return on(replay, before);
    };
    const mine = () => on((server) => ours(server, fileOf().file, words), before);
    const pairs = [];
    for (let round = -1; round < rounds; round += 1) {
      const first = round % 2 === 0;
      const one = await (first ? theirs() : mine());
      const other = await (first ? mine() : theirs());
      if (round >= 0) pairs.push(first ? { bare: one, ours: other } : { bare: other, ours: one });
    }
    const middle = (what) => median(pairs.map(what));
    return {
      requests: seen.requests.length,
      ratio: middle((pair) => pair.ours.seconds / pair.bare.seconds),
      seconds: { bare: middle((pair) => pair.bare.seconds), ours: middle((pair) => pair.ours.seconds) },
      cpu: { bare: middle((pair) => pair.bare.cpu), ours: middle((pair) => pair.ours.cpu) },
    };
  }

  const create = await compare([], () => people(folder, count));
  const made = people(folder, count);
  if (live) await ours(live, made.file, []);
  const unchanged = await compare(plan, () => made, live ? undefined : (server) => ours(server, made.file, []));
  return { create, unchanged };
}
