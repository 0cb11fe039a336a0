// A hundred pages at 20 ms each: side by side, one after the other, and by curl; and 5,000 issues at 50 ms a page.
import { has, timePairs } from "./pairs.mjs";

export async function measure(bench) {
  await measurePulls(bench);
  await measureIssues(bench);
}

async function measureIssues({ node, tongs, env, rounds, row, serve }) {
  const host = await serve("forge.mjs", 50);
  const list = [node, tongs, "issue", "list", "--all", "--host"];
  const commands = [
    { name: "side by side", argv: [...list, host] },
    { name: "one by one", argv: [...list, `${host}/untold`] },
  ];
  const timed = timePairs(commands, { rounds: rounds(6), warmUp: 1, env });
  row("5,000 issues one by one", timed.milliseconds("one by one"));
  const faster = timed.ratio("one by one", "side by side");
  row("5,000 issues side by side", timed.milliseconds("side by side"), faster, { least: 7, of: "times faster" });
}

async function measurePulls({ node, tongs, env, rounds, row, serve }) {
  const host = await serve("forge.mjs", 20);
  const list = ["pr", "list", "--all"];
  const address = `${host}/api/v1/repos/mara/harbor/pulls?limit=50&page=[1-100]`;
  const curl = ["curl", "--silent", "--parallel", "--parallel-max", "16", "--output", "/dev/null", address];
  const hasCurl = has("curl");
  const commands = [
    { name: "side by side", argv: [node, tongs, ...list, "--host", host] },
    { name: "one by one", argv: [node, tongs, ...list, "--host", `${host}/untold`] },
    ...(hasCurl ? [{ name: "curl", argv: curl }] : []),
  ];
  const timed = timePairs(commands, { rounds: rounds(3), warmUp: 1, env });
  row("100 pages one by one", timed.milliseconds("one by one"));
  const faster = timed.ratio("one by one", "side by side");
  row("100 pages side by side", timed.milliseconds("side by side"), faster, { least: 7, of: "times faster" });
  if (!hasCurl) return console.log("  curl -Z: skipped, there is no curl on the PATH");
  row("curl -Z, 16", timed.milliseconds("curl"));
  const ratio = timed.ratio("side by side", "curl");
  row("100 pages", timed.milliseconds("side by side"), ratio, { most: 2, of: "of curl" });
}
