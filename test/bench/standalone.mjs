// What a start of the standalone program costs, and one request, compared with curl.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { buildStandalone, hostTarget } from "../../scripts/standalone.mjs";
import { timePairs } from "./pairs.mjs";

export async function measure({ folder, env, rounds, row, serve }) {
  if (spawnSync("curl", ["--version"]).status !== 0) {
    console.log("  skipped: there is no curl to compare with");
    return;
  }
  const [program] = buildStandalone([hostTarget], join(folder, "standalone"));
  const host = await serve("forge.mjs");
  const page = `${host}/api/v1/repos/mara/harbor/pulls/12`;
  const commands = [
    { name: "curl --version", argv: ["curl", "--version"] },
    { name: "--version", argv: [program, "--version"] },
    { name: "curl URL", argv: ["curl", "-s", page] },
    { name: "api PATH", argv: [program, "api", "/repos/mara/harbor/pulls/12"] },
    { name: "pr view 12", argv: [program, "pr", "view", "12"] },
  ];
  const timed = timePairs(commands, { rounds: rounds(), env: { ...env, TONGS_HOST: host } });
  const ratio = (name, other, limits) =>
    row(name, timed.milliseconds(name), timed.ratio(name, other), { ...limits, of: `of ${other}` });
  row("curl --version", timed.milliseconds("curl --version"), 1);
  ratio("--version", "curl --version", { most: 1.2 });
  row("curl URL", timed.milliseconds("curl URL"), 1);
  ratio("api PATH", "curl URL", { most: 1.6 });
  ratio("pr view 12", "curl URL", {});
  row("size", undefined, statSync(program).size / 1e6, { most: 130, of: "MB" });
}
