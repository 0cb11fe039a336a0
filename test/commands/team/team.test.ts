import { describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { asAsked } from "../../support/as-asked.ts";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
await sandbox.ask("POST", "/orgs", "mara", { username: "tidewater" });

const run = (line: readonly string[], as = "mara", stdin = "") => sandbox.run(line, { as, stdin });

describe("team", () => {
  it.each([
    [["create", "tidewater/crew", "--units", "soup"], "Unknown unit 'soup'"],
    [["create", "tidewater/crew", "--units", "cod"], "repo.code"],
    [["create", "tidewater/crew", "--units", "code=captain"], "Invalid access 'captain'"],
    [["create", "tidewater/crew", "--units", "code", "--permission", "admin"], "--units cannot be used"],
    [["create", "crew"], "'crew' is not a valid team"],
    [["edit", "tidewater/Owners", "--add-units", "soup"], "Unknown unit 'soup'"],
    [["edit", "tidewater/Owners", "--name", ""], "--name must not be empty"],
    [["repo", "add", "tidewater/Owners", "mara/harbor"], "mara/harbor does not belong to tidewater"],
  ])("refuses %j before anything is sent", async (line, words) => {
    const server = await serve(() => ({ status: 500 }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["team", ...line], { env });
    expect([ran.code, ran.stderr, server.lines()]).toEqual([2, expect.stringContaining(words), []]);
  });

  it("is checked for access to a repository: 5 if there is none of that name", async () => {
    const checked = await run(["team", "repo", "check", "tidewater/Owners", "tidewater/nosuch"]);
    expect([checked.code, checked.stderr]).toEqual([5, expect.stringContaining("tidewater/nosuch")]);
  });

  it.each(["gitea@1.26", "forgejo"])("names a team that exists already, on %s", async (release) => {
    const box = await onSandbox({ release: parseRelease(release) });
    await box.ask("POST", "/orgs", "harbormaster", { username: "squadron" });
    await box.run(["team", "create", "squadron/crew"]);
    const ran = await box.run(["team", "create", "squadron/crew"]);
    expect([ran.code, ran.stderr]).toEqual([9, "✗ Team squadron/crew already exists\n"]);
  });

  it("keeps the team Owners: it is not deleted, renamed or restricted", async () => {
    sandbox.writes();
    for (const line of [
      ["delete", "tidewater/owners", "--yes"],
      ["edit", "tidewater/Owners", "--name", "Bosses"],
      ["edit", "tidewater/Owners", "--permission", "read"],
    ]) {
      const ran = await run(["team", ...line]);
      expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("An organization must keep its Owners team")]);
    }
    expect(sandbox.writes()).toEqual([]);
    expect((await run(["team", "edit", "tidewater/Owners", "--description", "The owners"])).code).toBe(0);
  });

  it("keeps the access to the units that an edit does not name", async () => {
    await run(["team", "create", "tidewater/pilots", "--units", "code=write,issues"]);
    const access = ["team", "view", "tidewater/pilots", "--jq", ".units_map | tojson"];
    await run(["team", "edit", "tidewater/pilots", "--description", "Night"]);
    expect((await run(access)).stdout).toBe('{"repo.code":"write","repo.issues":"read"}\n');
    await run(["team", "edit", "tidewater/pilots", "--add-units", "wiki=admin,issues=write", "--remove-units", "code"]);
    expect((await run(access)).stdout).toBe('{"repo.issues":"write","repo.wiki":"admin"}\n');
    await run(["team", "edit", "tidewater/pilots", "--permission", "read"]);
    expect((await run(access)).stdout).toBe('{"repo.issues":"read","repo.wiki":"read"}\n');
    const none = await run(["team", "edit", "tidewater/pilots", "--remove-units", "issues,wiki"]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("at least one unit")]);
    const nothing = await run(["team", "edit", "tidewater/pilots"]);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining("Nothing to change")]);
  });

  it("takes the access to all repositories away, and keeps that to the units", async () => {
    await run(["team", "create", "tidewater/tugs", "--units", "code=write,issues", "--includes-all-repositories"]);
    await run(["team", "create", "tidewater/chiefs", "--permission", "admin"]);
    const edited = await run(["team", "edit", "tidewater/tugs", "--no-includes-all-repositories"]);
    expect([edited.code, edited.stderr]).toEqual([0, expect.stringContaining("(includes_all_repositories)")]);
    const view = ["--json", "includes_all_repositories,units_map"];
    expect((await run(["team", "view", "tidewater/tugs", ...view])).json()).toEqual({
      includes_all_repositories: false,
      units_map: { "repo.code": "write", "repo.issues": "read" },
    });
    await run(["team", "edit", "tidewater/chiefs", "--includes-all-repositories"]);
    const chiefs = await run(["team", "view", "tidewater/chiefs", "--json", "includes_all_repositories,permission"]);
    expect(chiefs.json()).toEqual({ includes_all_repositories: true, permission: "admin" });
  });

  it("says what the team Owners keeps", async () => {
    const flags = ["--no-includes-all-repositories", "--no-can-create-org-repo"];
    const ran = await run(["team", "edit", "tidewater/Owners", ...flags]);
    const words = "did not apply includes_all_repositories, can_create_org_repo to team Owners";
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(words)]);
    // Nothing is called done.
    expect(ran.stderr).not.toContain("Updated");
    const part = await run(["team", "edit", "tidewater/Owners", "--description", "Deciding", ...flags]);
    expect([part.code, part.stderr]).toEqual([
      1,
      expect.stringMatching(/Updated team tidewater\/Owners \(description\)/),
    ]);
  });

  it("does not take administrator access away by an edit of units alone", async () => {
    await run(["team", "create", "tidewater/admins", "--permission", "admin"]);
    sandbox.writes();
    for (const flag of ["--add-units", "--units", "--remove-units"]) {
      const ran = await run(["team", "edit", "tidewater/admins", flag, "issues"]);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("Team admins has administrator access")]);
      expect(ran.stderr).toContain("pass --permission");
    }
    expect(sandbox.writes()).toEqual([]);
    expect((await run(["team", "edit", "tidewater/admins", "--permission", "read", "--units", "code"])).code).toBe(0);
    const access = await run(["team", "view", "tidewater/admins", "--json", "units_map"]);
    expect(access.json()).toEqual({ units_map: { "repo.code": "read" } });
  });

  it("says that the server ignored the visibility of a team", async () => {
    const team = { id: 7, name: "night", permission: "read", units_map: {} };
    const server = await serve(({ method }) => ({ body: method === "GET" ? [team] : team }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const created = await tongs(["team", "create", "pier/night", "--visibility", "private"], { env });
    expect([created.code, created.stdout]).toEqual([1, "7\n"]);
    expect(created.stderr).toContain("did not apply visibility to team night");
    const kept = await run(["team", "create", "tidewater/quiet", "--visibility", "private", "--json", "visibility"]);
    expect([kept.code, kept.json()]).toEqual([0, { visibility: "private" }]);
  });

  it("adds members from stdin, continues after unknown ones, and prints no escape codes", async () => {
    await run(["team", "create", "tidewater/crew"]);
    const ran = await run(["team", "member", "add", "tidewater/crew", "-"], "mara", "nobody\njonas\n# a comment\n\n");
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("Added jonas to team tidewater/crew")]);
    const hostile = await sandbox.run(["team", "member", "add", "tidewater/crew", "\u001b[31mred"], {
      as: "mara",
      terminal: true,
    });
    expect([hostile.code, hostile.stderr.includes("\u001b[31mred")]).toEqual([5, false]);
    const json = await run(["team", "member", "add", "tidewater/crew", "nobody", "jonas", "--json"]);
    const failure = json.stderr.split("\n").find((line) => line.startsWith("{")) ?? "";
    expect(JSON.parse(failure)).toMatchObject({ error: { code: "not_found", target: "nobody" } });
  });

  it("lists the teams whose name or description has a text", async () => {
    await run(["team", "create", "tidewater/divers", "--description", "Below the crew"]);
    const found = await run(["team", "list", "tidewater", "--search", "CREW", "--jq", ".[].name"]);
    expect(found.stdout.split("\n")).toEqual(expect.arrayContaining(["crew", "divers"]));
    expect(found.stdout).not.toContain("Owners");
    const unknown = await run(["team", "view", "tidewater/nowhere"]);
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining("tongs team list tidewater")]);
  });
});

describe("org", () => {
  it("asks for the name before it deletes an organization", async () => {
    await run(["org", "create", "lowwater"]);
    expect((await run(["org", "delete", "lowwater"])).code).toBe(2);
    const wrong = await sandbox.run(["org", "delete", "lowwater"], { as: "mara", terminal: true, answers: ["low"] });
    expect(wrong.code).toBe(3);
    const right = await sandbox.run(["org", "delete", "lowwater"], {
      as: "mara",
      terminal: true,
      answers: ["lowwater"],
    });
    expect(right.code).toBe(0);
  });

  it("refuses a name that no server accepts, and renames nothing to the name that it has", async () => {
    sandbox.writes();
    for (const line of [
      ["org", "create", "low water"],
      ["org", "rename", "tidewater", "api"],
    ]) {
      const ran = await run(line);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("Organization name")]);
    }
    const same = await run(["org", "rename", "tidewater", "tidewater"]);
    expect([same.code, same.stderr]).toEqual([0, expect.stringContaining("No change")]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("blocks and unblocks users as Gitea was asked", async () => {
    const player = await cassette("organizations", [
      "organization blocks: block a user",
      "organization blocks: is blocked",
      "organization blocks: unblock",
    ]);
    expect((await player.run(["org", "block", "add", "pilots", "priya", "--note", "rude"])).code).toBe(0);
    expect((await player.run(["org", "block", "check", "pilots", "priya"])).code).toBe(0);
    // Unblocking again, which is 400, is in test/app/result.test.ts: what is read then was not recorded.
    expect((await player.run(["org", "block", "remove", "pilots", "priya"])).code).toBe(0);
  });

  it("blocks users by the operations of Forgejo, and says what is missing there", async () => {
    const player = await cassette("forgejo-organizations");
    const noted = await player.run(["org", "block", "add", "opilots", "opriya", "--note", "rude"]);
    expect([noted.code, noted.stderr]).toEqual([1, expect.stringContaining("The server did not apply note")]);
    const listed = await player.run(["org", "block", "list", "opilots"]);
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^user \d+\t/)]);
    expect((await player.run(["org", "block", "remove", "opilots", "opriya"])).code).toBe(0);
    const renamed = await player.run(["org", "rename", "odockers", "ostevedores", "--json"]);
    expect(renamed.code).toBe(5);
    expect(JSON.parse(renamed.stderr)).toMatchObject({ error: { code: "unknown_operation" } });
  });

  it("sends the texts that an edit does not name, which Forgejo would empty", async () => {
    const before = {
      id: 1,
      name: "pilots",
      full_name: "The Pilots",
      email: "",
      description: "",
      website: "",
      location: "Pier",
    };
    const server = await serve(asAsked(before));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["org", "edit", "pilots", "--description", "New"], { env });
    expect(ran.code).toBe(0);
    expect(JSON.parse(server.seen[1]?.body ?? "")).toEqual({
      full_name: "The Pilots",
      email: "",
      description: "New",
      website: "",
      location: "Pier",
    });
  });
});
