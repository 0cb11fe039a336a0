import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

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

  it("saves a script from stdin if it fails", async () => {
    const server = await serve(() => ({ status: 403, body: { message: "not yours" } }));
    const line = ["hook", "git", "edit", "post-receive", "--content-file", "-", "-R", "mara/harbor"];
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(line, { stdin: "#!/bin/sh\nexit 1\n", env });
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("pass --content-file ")]);
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

  it("passes on why the server forbids it", async () => {
    const player = await play("list without the permission");
    const ran = await player.run(["hook", "git", "list"]);
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("must be allowed to edit Git hooks")]);
  });
});
