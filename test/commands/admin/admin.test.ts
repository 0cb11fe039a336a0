import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

describe("admin cron", () => {
  it("lists the tasks", async () => {
    const player = await cassette("forgejo-account", ["cron tasks: without page the limit is not looked at, all come"]);
    const ran = await player.run(["admin", "cron", "list", "--all", "--json", "name,schedule"]);
    expect(ran.json()).toContainEqual({ name: "update_mirrors", schedule: "@every 10m" });
  });

  it("starts the other tasks if one is unknown, and exits 11", async () => {
    const player = await cassette("account", ["run a cron task: 204", "run a cron task: unknown name is 404"]);
    const ran = await player.run(["admin", "cron", "run", "no_such_task", "sync_repo_licenses"]);
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("Started cron task sync_repo_licenses");
    expect(ran.stderr).toContain("Cron task no_such_task not found");
  });

  it("says that an administrator is needed", async () => {
    const player = await cassette("account", ["cron tasks as a plain user is 403"]);
    const ran = await player.run(["admin", "cron", "list"]);
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("site administrator")]);
  });
});

describe("admin org", () => {
  it("lists all organizations, and filters them", async () => {
    const player = await cassette("account", ["all organizations"], { repeat: true });
    expect((await player.run(["admin", "org", "list", "--jq", ".[].name"])).stdout).toBe("drydock\npier\n");
    const some = await player.run(["admin", "org", "list", "--query", "PIER W", "--json", "name"]);
    expect(some.json()).toEqual([{ name: "pier" }]);
    const secret = await player.run(["admin", "org", "list", "--visibility", "private", "--json", "name"]);
    expect(secret.json()).toEqual([{ name: "drydock" }]);
  });

  it("creates an organization for a user, with the fields that servers apply", async () => {
    const bodies: unknown[] = [];
    const server = await serve((seen) => {
      bodies.push([seen.url, JSON.parse(seen.body)]);
      return { status: 201, body: { id: 9, name: "tidewater" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const flags = ["--owner", "mara", "--visibility", "limited", "--location", "Pier 1"];
    const ran = await tongs(["admin", "org", "create", "tidewater", ...flags], { env });
    expect([ran.code, ran.stdout]).toEqual([0, `${server.url}/tidewater\n`]);
    const body = { username: "tidewater", visibility: "limited", location: "Pier 1" };
    expect(bodies).toEqual([["/api/v1/admin/users/mara/orgs", body]]);
    for (const flag of [["--email", "a@example.org"], ["--repo-admin-change-team-access"]])
      expect((await tongs(["admin", "org", "create", "tidewater", ...flag], { env })).code).toBe(2);
    expect(bodies).toHaveLength(1);
  });
});

describe("admin unadopted", () => {
  const listed = "unadopted repositories: list of three whose folders were put into the store by hand: 200";

  it("lists repositories, as JSON too, and filters them", async () => {
    const player = await cassette("unadopted", [listed, listed, listed, listed]);
    const text = await player.run(["admin", "unadopted", "list"]);
    expect(text.stdout).toBe("mara/orphan-three\nmara/orphan-two\nmara/orphan\n");
    const json = await player.run(["admin", "unadopted", "list", "--json"]);
    expect(json.json()).toEqual(["mara/orphan-three", "mara/orphan-two", "mara/orphan"]);
    expect((await player.run(["admin", "unadopted", "list", "--query", "TWO"])).stdout).toBe("mara/orphan-two\n");
    const csv = await player.run(["admin", "unadopted", "list", "--query", "TWO", "--csv"]);
    expect(csv.stdout).toBe("name\nmara/orphan-two\n");
  });

  it("adopts repositories and prints their addresses", async () => {
    const player = await cassette("unadopted", ["unadopted repositories: adopt: 204"]);
    const ran = await player.run(["admin", "unadopted", "adopt", "mara/orphan"]);
    expect([ran.code, ran.stdout]).toEqual([0, `${player.url}/mara/orphan\n`]);
  });

  it("names a repository that is not there", async () => {
    const player = await cassette("unadopted", ["unadopted repositories: adopt twice: 404"]);
    const ran = await player.run(["admin", "unadopted", "adopt", "mara/orphan"]);
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Unadopted repository mara/orphan not found")]);
  });

  it("deletes with a confirmation only, for which the name is typed", async () => {
    const player = await cassette("unadopted", ["unadopted repositories: delete: 204"]);
    const line = ["admin", "unadopted", "delete", "mara/orphan-two"];
    expect((await player.run(line)).code).toBe(2);
    expect(player.lines()).toEqual([]);
    expect((await player.run(line, { terminal: true, answers: ["mara/orphan-two"] })).code).toBe(0);
  });

  it.each(["orphan", "mara/", "/orphan", "mara/a/b"])("refuses the name %s before anything is sent", async (name) => {
    const player = await cassette("unadopted", []);
    const ran = await player.run(["admin", "unadopted", "adopt", "mara/orphan", name]);
    expect([ran.code, player.lines()]).toEqual([2, []]);
  });
});

it("lists and searches the e-mail addresses of all users", async () => {
  const player = await cassette("account", ["emails of everyone", "search emails"]);
  const all = await player.run(["admin", "email", "list", "--json", "username"]);
  expect(all.json()).toContainEqual({ username: "jonas" });
  const some = await player.run(["admin", "email", "list", "--query", "mara", "--json", "email"]);
  expect(some.json()).toEqual([{ email: "mara.lind@example.org" }]);
});
