import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emptyFolder, tongs } from "../../support/tongs.ts";

it("the server of the benchmark has all that the plan of its policy reads", async () => {
  const top = join(import.meta.dirname, "../../..");
  const server = spawn(process.execPath, [join(top, "test/bench/policy-server.mjs"), "0", "2"]);
  const [url] = await once(server.stdout, "data");
  const cwd = emptyFolder();
  const env = { TONGS_HOST: String(url).trim(), TONGS_TOKEN: "not-a-secret", HOME: cwd, XDG_STATE_HOME: cwd };
  const line = ["policy", "plan", join(top, "test/data/policy.yml"), "--org", "tidewater", "--quiet"];
  const ran = await tongs(line, { cwd, env });
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  server.stdin.end();
  await once(server, "close");
});
