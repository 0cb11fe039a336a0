// The plan of a policy with every kind for 200 repositories, and the reports on 500, against a bare client that sends the same
// requests.
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timePairs } from "./pairs.mjs";
import { program } from "./social/processes.mjs";
import { recorded } from "./social/record.mjs";

/** The number of connections that tongs has to a server at most. */
const width = 16;

export async function measure({ node, tongs, top, env, folder: all, rounds, row, serve }) {
  const folder = mkdtempSync(join(all, "policy-"));
  const around = { ...env, XDG_STATE_HOME: folder };
  const org = ["--org", "tidewater", "--quiet"];
  // With something that is found and not accepted, it would exit with 1.
  const accepted = join(folder, "accepted.yml");
  writeFileSync(accepted, "accept: {public-repository: ['*'], unprotected-branch: ['*']}\n");
  const lines = [
    { name: "policy plan", count: 200, line: ["policy", "plan", join(top, "test/data/policy.yml"), ...org] },
    { name: "policy access", count: 500, line: ["policy", "access", ...org] },
    { name: "policy audit", count: 500, line: ["policy", "audit", accepted, ...org] },
  ];
  for (const { name, count, line } of lines) {
    for (const delay of [0, 20]) {
      const host = await serve("policy-server.mjs", delay, count);
      const seen = await recorded(host, (url) =>
        program(node, [tongs, ...line, "--host", url], { cwd: folder, env: around }),
      );
      const script = join(folder, `requests-${delay}.json`);
      writeFileSync(script, JSON.stringify({ ...seen, token: env.TONGS_TOKEN }));
      const commands = [
        { name: "bare", argv: [node, join(top, "test/bench/social/replay.cjs"), host, script, String(width)] },
        { name, argv: [node, tongs, ...line, "--host", host] },
      ];
      const timed = timePairs(commands, { rounds: rounds(3), warmUp: 1, env: around });
      console.log(`  ${seen.requests.length} requests, ${delay} ms each`);
      row("the same by a bare client", timed.milliseconds("bare"));
      const promise = delay === 0 ? {} : { most: 1.3 };
      const ratio = timed.ratio(name, "bare");
      row(`${name} of ${count} repositories`, timed.milliseconds(name), ratio, { ...promise, of: "of a bare client" });
    }
  }
}
