import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../src/sandbox/release.ts";
import { type OnSandbox, onSandbox } from "./on-sandbox.ts";

describe.each(["gitea", "forgejo"])("a new name that another one has, on %s", (product) => {
  let box: OnSandbox;
  const run = (line: string) => box.run(line.split(" "), { as: "mara", env: { TONGS_REPO: "mara/buoy" } });
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(product) });
    for (const line of [
      "repo create mara/buoy",
      "org create squadron",
      "label create bug",
      "label create a,b",
      "label create bug --org squadron",
      "label create task --org squadron",
      "milestone create m1",
      "milestone create m2",
      "team create squadron/d2",
      "team create squadron/d3",
    ])
      expect((await run(line)).code, line).toBe(0);
  });

  it.each([
    ["label edit bug --name a,b", "Label 'a,b' already exists in mara/buoy"],
    ["label edit bug --name task --org squadron", "Label 'task' already exists in organization squadron"],
    ["milestone edit m2 --title m1", "Milestone 'm1' already exists in mara/buoy"],
    ["team edit squadron/d3 --name d2", "Team squadron/d2 already exists"],
    ["team edit squadron/d3 --name Owners", "Team squadron/Owners already exists"],
  ])("is refused by %s before anything is sent, under --dry-run, too", async (line, message) => {
    box.writes();
    for (const tried of [line, `${line} --dry-run`]) {
      const ran = await run(tried);
      expect([ran.code, ran.stderr], tried).toEqual([9, expect.stringContaining(message)]);
    }
    expect(box.writes()).toEqual([]);
  });

  it.each([
    "label edit bug --name Bug",
    "milestone edit m2 --title m3",
    "milestone edit m1 --title m1 --description first",
    "team edit squadron/d3 --name D3",
  ])("is not in the way of %s", async (line) => {
    const ran = await run(line);
    expect(ran.code, ran.stderr).toBe(0);
  });
});
