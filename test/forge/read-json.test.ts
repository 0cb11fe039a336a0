import { beforeAll, expect, it } from "vitest";
import { answeredBy } from "../support/requests.ts";
import { faults, type ReadWorld, readCommands, readWorld } from "./read-world.ts";

let world: ReadWorld;
beforeAll(async () => {
  world = await readWorld();
});

// What is printed is held against `tongs schema` in every run of a test (test/support/records.ts).
it.each(readCommands.map((one) => [one.line.join(" "), one] as const))("tongs %s --json", async (_, command) => {
  // It changes nothing here.
  answeredBy(world.serverOf(command).url, "stand-in");
  const ran = await world.run({ ...command, line: [...command.line, "--json"] });
  expect(faults({ ...ran, stdout: "" }, command.command)).toEqual([]);
});
