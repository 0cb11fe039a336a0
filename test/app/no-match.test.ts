import { expect, it } from "vitest";
import { onSandbox } from "../commands/on-sandbox.ts";

it.each([
  ["user list --query zzz", "No users match your filters"],
  ["user list --query zzz --no-admin", "No users match your filters"],
  ["user list --no-admin --inactive", "No users match your filters"],
  ["search user zzz", "No users match your filters"],
  ["search repo zzz", "No repositories match your filters"],
])("an empty list says on a terminal that nothing matches: %s", async (line, says) => {
  const box = await onSandbox();
  const ran = await box.run(line.split(" "), { terminal: true });
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(says)]);
});
