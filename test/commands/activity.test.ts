import { describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../support/cassette.ts";

let player: Cassette;

async function run(labels: readonly string[], ...line: readonly string[]) {
  player = await cassette("activity", labels, { repo: "mara/harbor" });
  return player.run(line);
}

describe("activity", () => {
  it("of a repository is listed, newest first", async () => {
    const ran = await run(["repository feed"], "repo", "activity", "--limit", "2");
    expect(ran.code, ran.stderr).toBe(0);
    const lines = ran.stdout.trim().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^2026-11-21T[^\t]+\tmara\t[a-z ]+\tmara\/harbor\t/);
  });

  it("of a user is listed, with or without that of others", async () => {
    const own = await run(
      ["user feed: only what I did", "user feed: my own"],
      "user",
      "activity",
      "mara",
      "--own",
      "--limit",
      "1",
    );
    expect(own.code, own.stderr).toBe(0);
    const all = await player.run(["user", "activity", "mara", "--limit", "1"]);
    expect(all.stdout).toContain("\tmara\ttransfer repo\tpilots/lantern\tmara/lantern\n");
  });

  it("of one day can be empty, and a bad date is refused", async () => {
    const ran = await run(["user feed: of a day"], "user", "activity", "mara", "--date", "2020-01-01", "--json");
    expect(ran).toMatchObject({ code: 0, stdout: "[]\n" });
    for (const date of ["yesterday", "2026-02-30", "2026-1-1", ""]) {
      expect((await player.run(["repo", "activity", "--date", date])).code, date).toBe(2);
    }
  });

  it("of an unknown user is not found", async () => {
    const ran = await run(["user feed: unknown user"], "user", "activity", "nobody");
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("User nobody not found") });
  });
});
