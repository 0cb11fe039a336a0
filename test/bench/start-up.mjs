// What a start costs, and one request.
import { timePairs } from "./pairs.mjs";

export async function measure({ node, tongs, env, rounds, row, serve }) {
  const host = await serve("forge.mjs");
  const commands = [
    { name: "node -e 0", argv: [node, "-e", "0"] },
    { name: "--version", argv: [node, tongs, "--version"] },
    { name: "--help", argv: [node, tongs, "--help"] },
    { name: "pr view 12", argv: [node, tongs, "pr", "view", "12"] },
  ];
  const timed = timePairs(commands, { rounds: rounds(), env: { ...env, TONGS_HOST: host } });
  row("node -e 0", timed.milliseconds("node -e 0"), 1);
  for (const [name, most] of [
    ["--version", 1.15],
    ["--help", 1.3],
    ["pr view 12", 2.2],
  ]) {
    row(name, timed.milliseconds(name), timed.ratio(name, "node -e 0"), { most, of: "of node -e 0" });
  }
}
