// What a start costs, and one request.
import { timePairs } from "./pairs.mjs";

export async function measure({ node, version, tongs, env, rounds, row, serve }) {
  const host = await serve("forge.mjs");
  const commands = [
    { name: "node -e 0", argv: [node, "-e", "0"] },
    { name: "--version", argv: [node, tongs, "--version"] },
    { name: "--help", argv: [node, tongs, "--help"] },
    { name: "pr merge --help", argv: [node, tongs, "pr", "merge", "--help"] },
    { name: "pr view 12", argv: [node, tongs, "pr", "view", "12"] },
  ];
  const timed = timePairs(commands, { rounds: rounds(), env: { ...env, TONGS_HOST: host } });
  row("node -e 0", timed.milliseconds("node -e 0"), 1);
  // Node 22 and later keep the compiled program.
  const cached = Number(version.split(".")[0]) >= 22;
  for (const [name, most] of [
    ["--version", cached ? 1.25 : 1.4],
    ["--help", cached ? 1.8 : 2.1],
    ["pr merge --help", cached ? 1.8 : 2.1],
    ["pr view 12", cached ? 2.2 : 2.6],
  ]) {
    row(name, timed.milliseconds(name), timed.ratio(name, "node -e 0"), { most, of: "of node -e 0" });
  }
}
