import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { emptyFolder } from "../../support/tongs.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGNQSFiAFTEMLQkAAmxIAbLcbYIAAAAASUVORK5CYII=";

describe.each([
  ["Gitea", "org-more", "pilots", 1],
  ["Forgejo", "forgejo-org-more", "opilots", 35],
] as const)("on %s", (_server, name, org, owners) => {
  it("the avatar of an organization is set and deleted, by its owners", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "lamp.png"), Buffer.from(png, "base64"));
    const player = await cassette(name, ["organization avatar: set", "organization avatar: remove"]);
    expect((await player.run(["org", "avatar", "set", org, "lamp.png"], { cwd })).stderr).toContain(org);
    const asked = await player.run(["org", "avatar", "delete", org]);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("--yes is required")]);
    expect((await player.run(["org", "avatar", "delete", org, "--yes"])).code).toBe(0);
    const refused = await cassette(name, ["organization avatar: not an owner"]);
    const ran = await refused.run(["org", "avatar", "set", org, "lamp.png"], { cwd });
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("Must be an organization owner")]);
  });

  it("the feeds of an organization and of a team are listed, newest first", async () => {
    const found = { data: [{ id: owners, name: "Owners" }], ok: true };
    const player = await cassette(name, ["organization feed: no one signed in", "team feed"], {
      made: { [`GET /api/v1/orgs/${org}/teams/search`]: found },
    });
    const ofOrg = await player.run(["org", "activity", org, "--limit", "1", "--json", "op_type"]);
    expect(ofOrg.json()).toEqual([{ op_type: "transfer_repo" }]);
    const ofTeam = await player.run(["team", "activity", `${org}/Owners`, "--limit", "1", "--json", "op_type"]);
    expect(ofTeam.json()).toEqual([{ op_type: "transfer_repo" }]);
  });
});
