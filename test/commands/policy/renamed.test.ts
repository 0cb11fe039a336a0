import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea@1.26", "forgejo"])("old names, from which the server redirects, on %s", (as) => {
  let box: OnSandbox;
  const cwd = emptyFolder();
  const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state") };
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
    await askAsAdmin(box, "POST", "/orgs", { username: "coil" });
    await askAsAdmin(box, "POST", "/orgs/coil/repos", { name: "charts", auto_init: true });
    await askAsAdmin(box, "POST", "/orgs/coil/teams", { name: "deck", permission: "read", units: ["repo.code"] });
    await askAsAdmin(box, "POST", "/orgs/coil/rename", { new_name: "koil" });
    await askAsAdmin(box, "POST", "/admin/users/jonas/rename", { new_username: "jonah" });
    box.writes();
  });

  it("are refused where a policy would write there or be compared, with their places", async () => {
    writeFileSync(
      join(cwd, "policy.yml"),
      "organizations:\n  coil: {teams: {deck: {description: new}}}\nrepositories:\n  coil/charts: {labels: {sea: 0000ff}}\n",
    );
    for (const verb of ["plan", "check", "apply"]) {
      const ran = await box.run(["policy", verb, "policy.yml", ...(verb === "apply" ? ["--yes"] : [])], { cwd, env });
      expect([ran.code, box.writes()]).toEqual([2, []]);
      expect(ran.stderr).toContain("policy.yml:2:3: 'coil' is now 'koil'");
      expect(ran.stderr).toContain("policy.yml:4:3: 'coil/charts' is now 'koil/charts'");
    }
  });

  it("are refused where newcomers would join there, with their places", async () => {
    writeFileSync(
      join(cwd, "new.yml"),
      "users:\n  gull: {email: gull@example.org, password: not-a-secret-1A, organizations: {coil: [deck]}}\n",
    );
    const ran = await box.run(["user", "onboard", "new.yml"], { cwd, env });
    expect([ran.code, box.writes()]).toEqual([2, []]);
    expect(ran.stderr).toContain("new.yml:2:78: users.gull.organizations.coil is now 'koil'");
  });

  it("are refused as that of the user whose access is asked for", async () => {
    const ran = await box.run(["policy", "access", "--user", "jonas"], { cwd, env });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("jonas was renamed to jonah");
    expect(ran.stderr).toContain("Pass --user jonah.");
  });
});
