import { expect, it } from "vitest";
import { kebab } from "../../src/command/flags.ts";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

/** As a double, it is 9007199254740992. */
const large = "9007199254740993";
const server = await serve(() => ({ status: 404, body: { message: "not found" } }));

const run = (line: readonly string[]) =>
  tongs([...line, "--yes", "--timeout", "5"], {
    cwd: emptyFolder(),
    env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" },
  });

it.each([
  ["pr", "close", large],
  ["pr", "view", `#${large}`],
  ["pr", "view", `https://x.test/mara/harbor/pulls/${large}`],
  ["issue", "view", `mara/harbor#${large}`],
  ["issue", "close", `#${large}`],
  ["comment", "delete", large],
  ["comment", "view", `https://x.test/mara/harbor/issues/1#issuecomment-${large}`],
  ["run", "cancel", `#${large}`],
  ["run", "view", "--job", large],
  ["notification", "read", large],
  ["tag", "protection", "view", large],
])("tongs %s %s %s is a usage error", async (...line) => {
  const ran = await run(line);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(large)]);
});

it("no command changes a number that names something", async () => {
  for (const { words, command } of await allCommands(table)) {
    if (command.on !== "server" && command.on !== "repository") continue;
    const args = Object.values(command.args ?? {}).map(({ choices }) => choices?.[0] ?? large);
    const named = Object.entries(command.flags ?? {}).filter(([, { form, source }]) => form === "value" && source);
    for (const line of [[], ...named.map(([key]) => [`--${kebab(key)}=${large}`])]) {
      if (args.length > 0 || line.length > 0) await run([...words, ...line, ...args]);
    }
  }
  const sent = server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`);
  expect(sent.length).toBeGreaterThan(100);
  expect(sent.filter((one) => one.includes("9007199254740992"))).toEqual([]);
});
