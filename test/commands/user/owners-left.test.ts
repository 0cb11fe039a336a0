import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea@1.26", "forgejo"])("the owners that an offboarding leaves, on %s", (as) => {
  let box: OnSandbox;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
  });

  it.each([
    ["blocked", { prohibit_login: true }],
    ["inactive", { active: false }],
  ])("do not count who may not sign in (%s)", async (name, state) => {
    const org = `fleet-${name}`;
    const users = [`goes-${name}`, `left-${name}`];
    await askAsAdmin(box, "POST", "/orgs", { username: org });
    const [owners] = (await askAsAdmin(box, "GET", `/orgs/${org}/teams`)) as [{ id: number }];
    for (const username of users) {
      const account = { username, email: `${username}@example.org`, password: "not-a-secret-1A" };
      await askAsAdmin(box, "POST", "/admin/users", account);
      await askAsAdmin(box, "PUT", `/teams/${owners.id}/members/${username}`);
    }
    await askAsAdmin(box, "DELETE", `/teams/${owners.id}/members/harbormaster`);
    await askAsAdmin(box, "PATCH", `/admin/users/${users[1]}`, { source_id: 0, login_name: users[1], ...state });
    const line = ["user", "offboard", `goes-${name}`, "--yes"];
    box.writes();
    const ran = await box.run(line, { cwd: emptyFolder() });
    expect([ran.code, box.writes()]).toEqual([9, []]);
    expect(ran.stderr).toContain(
      `left-${name}, left as owner of ${org}, may not sign in: ` +
        `add another one with: tongs team member add ${org}/Owners USER`,
    );
    await askAsAdmin(box, "PUT", `/teams/${owners.id}/members/mara`);
    expect(await box.run(line, { cwd: emptyFolder() })).toMatchObject({ code: 0 });
  });
});
