import { beforeAll, describe, expect, it } from "vitest";
import { type OnSandbox, onSandbox } from "../commands/on-sandbox.ts";
import { serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

describe("the old name of a renamed account", () => {
  let sandbox: OnSandbox;
  beforeAll(async () => {
    sandbox = await onSandbox();
    const made = async (path: string, body: unknown) =>
      expect((await sandbox.ask("POST", path, "harbormaster", body)).status, path).toBeLessThan(300);
    const password = { password: "not-a-secret", must_change_password: false };
    await made("/admin/users", { username: "gull", email: "gull@example.org", ...password });
    await made("/admin/users/gull/rename", { new_username: "tern" });
    await made("/orgs", { username: "shallows" });
    await made("/orgs/shallows/repos", { name: "kept" });
    await made("/orgs/shallows/teams", { name: "crew", permission: "read", units: ["repo.code"] });
    await made("/orgs/shallows/actions/variables/TIDE", { value: "high" });
    const config = { url: "https://ci.example.org/hook", content_type: "json" };
    await made("/orgs/shallows/hooks", { type: "gitea", config });
    await made("/orgs/shallows/labels", { name: "bug", color: "#ff0000" });
    await made("/orgs/shallows/rename", { new_name: "deeps" });
    sandbox.writes();
  });

  it.each([
    [["user", "delete", "gull", "--purge"], "gull was renamed to tern", "tongs user delete tern"],
    [["org", "delete", "shallows"], "shallows was renamed to deeps", "tongs org delete deeps"],
    [["org", "repo", "delete", "shallows"], "shallows was renamed to deeps", "tongs org repo delete deeps"],
    [["team", "delete", "shallows/crew"], "shallows was renamed to deeps", "tongs team delete deeps/crew"],
    [["variable", "delete", "TIDE", "--org", "shallows"], "shallows was renamed to deeps", "--org deeps"],
    [["secret", "delete", "LAMP", "--org", "shallows"], "shallows was renamed to deeps", "--org deeps"],
    [["hook", "delete", "1", "--org", "shallows"], "shallows was renamed to deeps", "--org deeps"],
    [["label", "delete", "bug", "--org", "shallows"], "shallows was renamed to deeps", "--org deeps"],
    [["runner", "delete", "1", "--org", "shallows"], "shallows was renamed to deeps", "--org deeps"],
  ])("deletes nothing: %j", async (line, message, hint) => {
    const ran = await sandbox.run([...line, "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(ran.stderr).toContain(hint);
    expect(sandbox.writes()).toEqual([]);
  });

  it("deletes the others of a batch, and finds names in any case", async () => {
    const user = { email: "coot@example.org", password: "not-a-secret", must_change_password: false };
    await sandbox.ask("POST", "/admin/users", "harbormaster", { username: "coot", ...user });
    sandbox.writes();
    const ran = await sandbox.run(["user", "delete", "gull", "COOT", "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("gull was renamed to tern")]);
    expect(sandbox.writes()).toEqual(["DELETE /admin/users/COOT"]);
    expect((await sandbox.run(["team", "delete", "DEEPS/Crew", "--yes"])).code).toBe(0);
    expect((await sandbox.run(["variable", "delete", "TIDE", "--org", "Deeps", "--yes"])).code).toBe(0);
  });

  it("deletes no packages", async () => {
    const owner = { id: 1, login: "deeps", username: "deeps", avatar_url: "", language: "" };
    const version = {
      id: 1,
      owner,
      repository: null,
      creator: null,
      type: "generic",
      name: "charts",
      version: "1.0.0",
      html_url: "http://127.0.0.1/",
      created_at: "2026-01-01T00:00:00Z",
    };
    const server = await serve(({ method }) => (method === "GET" ? { body: [version] } : { status: 204 }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const remove = (as: string) => tongs(["package", "delete", "generic/charts", "--owner", as, "--yes"], { env });
    const old = await remove("shallows");
    expect([old.code, old.stderr]).toEqual([2, expect.stringContaining("shallows was renamed to deeps")]);
    expect(server.lines().filter((line) => line.startsWith("DELETE"))).toEqual([]);
    expect((await remove("Deeps")).code).toBe(0);
  });
});
