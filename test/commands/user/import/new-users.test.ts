import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../../src/sandbox/release.ts";
import { emptyFolder } from "../../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../../on-sandbox.ts";

describe.each(["gitea@1.26", "forgejo"])("new users of an import, on %s", (release) => {
  let box: OnSandbox;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(release) });
  });

  function setUp(rows: string) {
    const file = join(emptyFolder(), "people.csv");
    writeFileSync(file, `username,email,full_name,password\n${rows}`);
    return { file, run: (...flags: string[]) => box.run(["user", "import", file, ...flags]) };
  }

  it.each(["update", "skip"])("need a password with --on-existing %s, or nothing is sent", async (word) => {
    const { file, run } = setUp("jonas,jonas@example.org,Jonas V.,\nnewby,newby@example.org,New,\n");
    const refused = "line 3 (newby): missing password";
    box.writes();
    for (const flags of [[], ["--dry-run"]]) {
      const ran = await run("--on-existing", word, ...flags);
      expect([ran.code, ran.stderr, box.writes()]).toEqual([2, expect.stringContaining(refused), []]);
      expect(ran.stderr).toContain(`1 error in ${file}; nothing was sent`);
    }
    expect(await run("--on-existing", word, "--plan")).toMatchObject({ code: word === "skip" ? 9 : 11 });
  });

  it("update existing users without a password", async () => {
    const { run } = setUp("jonas,jonas@sandbox.invalid,Jonas Q.,\n");
    const ran = await run("--on-existing", "update", "--json");
    expect([ran.code, ran.json()]).toMatchObject([0, [{ username: "jonas", action: "updated" }]]);
  });

  it("cannot have a name that the server reserves, which is said before anything is sent", async () => {
    const { run } = setUp("Admin,root@example.org,,not-a-secret\n");
    const isReserved = release === "forgejo";
    const plan = await run("--plan", "--json");
    const invalid = { action: "invalid", reason: "username 'Admin' is reserved" };
    expect(plan.json()).toMatchObject([isReserved ? invalid : { action: "create" }]);
    box.writes();
    const ran = await run();
    expect([ran.code, box.writes()]).toEqual(isReserved ? [2, []] : [0, ["POST /admin/users"]]);
  });
});
