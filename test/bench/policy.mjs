// The plan of a policy with every kind for 200 repositories, against a bare client that sends the same requests.
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timePairs } from "./pairs.mjs";
import { program } from "./social/processes.mjs";
import { recorded } from "./social/record.mjs";

/** The number of connections that tongs has to a server at most. */
const width = 16;

export async function measure({ node, tongs, top, env, folder: all, rounds, row, serve }) {
  const folder = mkdtempSync(join(all, "policy-"));
  const plan = ["policy", "plan", join(top, "test/data/policy.yml"), "--org", "tidewater", "--quiet"];
  const around = { ...env, XDG_STATE_HOME: folder };
  for (const delay of [0, 20]) {
    const host = await serve("policy-server.mjs", delay, 200);
    const seen = await recorded(host, (url) =>
      program(node, [tongs, ...plan, "--host", url], { cwd: folder, env: around }),
    );
    const script = join(folder, `requests-${delay}.json`);
    writeFileSync(script, JSON.stringify({ ...seen, token: env.TONGS_TOKEN }));
    const commands = [
      { name: "bare", argv: [node, join(top, "test/bench/social/replay.cjs"), host, script, String(width)] },
      { name: "plan", argv: [node, tongs, ...plan, "--host", host] },
    ];
    const timed = timePairs(commands, { rounds: rounds(3), warmUp: 1, env: around });
    console.log(`  ${seen.requests.length} requests, ${delay} ms each`);
    row("the same by a bare client", timed.milliseconds("bare"));
    const promise = delay === 0 ? {} : { most: 1.3 };
    const ratio = timed.ratio("plan", "bare");
    row("policy plan of 200 repositories", timed.milliseconds("plan"), ratio, { ...promise, of: "of a bare client" });
  }
}
