import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";

const at = " (server with federation on, webhooks, stars and mirrors off, git hooks allowed)";
const play = (...labels: string[]) =>
  cassette(
    "git-hooks",
    labels.map((label) => `git hooks: ${label}${at}`),
    { repo: "mara/harbor" },
  );

describe("hook git", () => {
  it("lists and views git hooks", async () => {
    const player = await play("list", "get");
    const listed = await player.run(["hook", "git", "list"]);
    expect(listed.stdout).toBe("pre-receive\tinactive\nupdate\tinactive\npost-receive\tinactive\n");
    const one = await player.run(["hook", "git", "view", "pre-receive", "--json", "name,is_active"]);
    expect(one.json()).toEqual({ name: "pre-receive", is_active: false });
  });

  it("replaces a script from stdin and deletes it", async () => {
    const player = await play("edit", "delete");
    const line = ["hook", "git", "edit", "post-receive", "--content-file", "-", "--json", "is_active"];
    const edited = await player.run(line, { stdin: "#!/bin/sh\nexit 0\n" });
    expect([edited.code, edited.json()]).toEqual([0, { is_active: true }]);
    const deleted = await player.run(["hook", "git", "delete", "post-receive", "--yes"]);
    expect([deleted.code, deleted.stdout]).toEqual([0, ""]);
  });

  it("requires a script, and refuses an empty one, before anything is sent", async () => {
    const player = await play();
    const missing = await player.run(["hook", "git", "edit", "update"]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("--content-file is required")]);
    const empty = await player.run(["hook", "git", "edit", "update", "--content", " "]);
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("tongs hook git delete update")]);
    expect((await player.run(["hook", "git", "delete", "update"])).code).toBe(2);
    expect(player.lines()).toEqual([]);
  });
});
