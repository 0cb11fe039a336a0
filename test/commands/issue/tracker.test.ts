import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("issue create where issues are not kept, on %s", (as) => {
  let box: OnSandbox;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
    await box.ask("POST", "/user/repos", "mara", { name: "logs" });
    box.writes();
  });

  it.each([
    [
      "another tracker has them",
      { has_issues: true, external_tracker: { external_tracker_url: "https://bugs.example.org" } },
      "The issues of mara/logs are in another tracker: https://bugs.example.org",
    ],
    ["they are disabled", { has_issues: false }, "Issues are disabled in mara/logs"],
  ])("creates none if %s", async (_what, settings, words) => {
    await box.ask("PATCH", "/repos/mara/logs", "mara", settings);
    box.writes();
    const ran = await box.run(["issue", "create", "--title", "Dark", "-R", "mara/logs"], { as: "mara" });
    expect([ran.code, ran.stderr, box.writes()]).toEqual([9, expect.stringContaining(words), []]);
  });

  it("creates one after its own tracker is used again", async () => {
    await box.ask("PATCH", "/repos/mara/logs", "mara", {
      has_issues: true,
      internal_tracker: { enable_time_tracker: true },
    });
    expect(await box.run(["issue", "create", "--title", "Lit", "-R", "mara/logs"], { as: "mara" })).toMatchObject({
      code: 0,
    });
  });
});
