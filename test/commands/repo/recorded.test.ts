import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGNQSFiAFTEMLQkAAmxIAbLcbYIAAAAASUVORK5CYII=";

/** A folder with a picture. */
function withPicture(): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "lamp.png"), Buffer.from(png, "base64"));
  return cwd;
}

describe.each([
  ["Gitea", "repo-more", "mara/harbor"],
  ["Forgejo", "forgejo-repo-more", "imara/harbor"],
] as const)("on %s", (server, name, repo) => {
  it("push mirrors are added, listed, viewed, synced and deleted", async () => {
    const list = "push mirrors: list";
    const labels = [
      "push mirrors: create",
      list,
      "push mirrors: get",
      "push mirrors: sync",
      list,
      "push mirrors: delete",
    ];
    const player = await cassette(name, labels, { repo });
    const [port, user] = server === "Gitea" ? ["3303", "priya"] : ["3200", "ipriya"];
    const address = `http://127.0.0.1:${port}/${user}/harbor-backup.git`;
    const added = await player.run(
      ["repo", "mirror", "add", address, "--remote-username", user, "--remote-password-file", "-"],
      { stdin: server === "Gitea" ? "harbour-light-9" : "<secret>" },
    );
    expect(added.stderr).toContain(`to ${repo}`);
    const first = added.stdout.trim();
    const listed = await player.run(["repo", "mirror", "list", "--json", "remote_name"]);
    const names = listed.json() as { readonly remote_name: string }[];
    expect(names[0]).toEqual({ remote_name: first });
    expect((await player.run(["repo", "mirror", "view", first])).stdout).toContain(address);
    expect((await player.run(["repo", "mirror", "sync"])).stderr).toContain("Synced the push mirrors");
    const last = String(names.at(-1)?.remote_name);
    const deleted = await player.run(["repo", "mirror", "delete", last, "--yes"]);
    expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringContaining(`Deleted push mirror ${last} (http`)]);
  });

  it("avatars are set and deleted, by those who may", async () => {
    const labels = ["repository avatar: set", "repository avatar: remove"];
    const player = await cassette(name, labels, { repo });
    const cwd = withPicture();
    expect((await player.run(["repo", "avatar", "set", "lamp.png"], { cwd })).stderr).toContain(repo);
    const asked = await player.run(["repo", "avatar", "delete"]);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("--yes is required")]);
    expect((await player.run(["repo", "avatar", "delete", "--yes"])).code).toBe(0);
    const refused = await cassette(name, ["repository avatar: no right"], { repo });
    const ran = await refused.run(["repo", "avatar", "set", "lamp.png"], { cwd });
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("user should be an owner or a collaborator")]);
  });

  it("licenses are listed, where the server looks for them", async () => {
    const label = "get licenses found in a repository";
    const player = await cassette(name, [server === "Gitea" ? label : `${label}: 404, Gitea 200`], { repo });
    const ran = await player.run(["repo", "license", "--json"]);
    if (server === "Gitea") expect([ran.code, ran.json()]).toEqual([0, ["MIT"]]);
    else expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('"code":"unknown_operation"')]);
  });
});

describe("repo create", () => {
  it("says of a 500 that a template may be unknown", async () => {
    const server = await serve(() => ({ status: 500, body: { message: "" } }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["repo", "create", "raft", "--init", "--license", "mit"], { env });
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("Check --gitignore and --license")]);
  });
});
