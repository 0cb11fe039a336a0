import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each([
  ["gitea@1.26", true],
  ["forgejo", false],
] as const)("what a restricted user reads, on %s", (as, readsPublic) => {
  let box: OnSandbox;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
    for (const visibility of ["public", "limited"]) {
      await askAsAdmin(box, "POST", "/orgs", { username: visibility, visibility });
      await askAsAdmin(box, "POST", `/orgs/${visibility}/repos`, { name: "charts", auto_init: true });
    }
    await askAsAdmin(box, "PATCH", "/admin/users/jonas", { source_id: 0, login_name: "jonas", restricted: true });
  });
  afterAll(() => box.close());

  const line = [
    "policy",
    "access",
    "-R",
    "public/charts",
    "-R",
    "limited/charts",
    "--json",
    "repository,by,permission",
  ];
  const expected = readsPublic ? [{ repository: "public/charts", by: "public", permission: "read" }] : [];

  it("is asked of the server as that user", async () => {
    expect((await box.ask("GET", "/repos/public/charts", "jonas")).status).toBe(readsPublic ? 200 : 404);
    expect((await box.run([...line, "--user", "jonas"])).json()).toEqual(expected);
    const others = (await box.run([...line, "--user", "mara"])).json();
    expect(others).toHaveLength(2);
  });
});
