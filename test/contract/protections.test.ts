import { beforeAll, describe, expect, it } from "vitest";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let repo: string;

beforeAll(async () => {
  mara = await target.person("mara");
  repo = `${mara.login}/buoy`;
  await target.ask("POST", "/user/repos", { name: "buoy", auto_init: true, default_branch: "main" }, mara);
});

const run = (line: readonly string[]) => mara.tongs([...line, "-R", repo]);
const json = async (line: readonly string[], fields: string) => (await run([...line, "--json", fields])).json();

describe("protections of branches and tags", () => {
  it("have protections in an order, where the server can", async (test) => {
    for (const name of ["aa", "bb", "cc"]) await run(["branch", "protection", "create", name]);
    const ordered = await run(["branch", "protection", "order", "cc", "aa"]);
    const names = await json(["branch", "protection", "list"], "rule_name");
    await run(["branch", "protection", "delete", "aa", "bb", "cc", "--yes"]);
    if (!target.has("POST", "/repos/{owner}/{repo}/branch_protections/priority")) {
      expect([ordered.code, ordered.stderr]).toEqual([5, expect.stringContaining("does not support an order")]);
      return test.skip("the server has no order of protections, as Forgejo and Gitea 1.22");
    }
    expect(names).toEqual(["cc", "aa", "bb"].map((rule_name) => ({ rule_name })));
    const unknown = await run(["branch", "protection", "order", "--by-id", "987654321"]);
    expect([unknown.code, unknown.stderr]).toEqual([0, expect.stringContaining("Set the order")]);
  });

  it("of tags are viewed by ID and by pattern", async ({ skip }) => {
    if (!target.has("POST", "/repos/{owner}/{repo}/tag_protections"))
      skip("the server has no operation, as Forgejo 7.0");
    const made = await run(["tag", "protection", "create", "v*", "--whitelist-usernames", mara.login]);
    expect(made.code, made.stderr).toBe(0);
    const id = made.stdout.trim();
    const again = await run(["tag", "protection", "create", "v*", "--whitelist-usernames", mara.login]);
    expect([again.code, again.stderr]).toEqual([
      9,
      expect.stringMatching(/Tag protection 'v\*' of \S+ already exists/),
    ]);
    expect(await json(["tag", "protection", "list"], "id")).toEqual([{ id: Number(id) }]);
    for (const name of [id, "v*"]) {
      const shown = await json(["tag", "protection", "view", name], "name_pattern,whitelist_usernames");
      expect(shown, name).toEqual({ name_pattern: "v*", whitelist_usernames: [mara.login] });
    }
    expect((await run(["tag", "protection", "delete", id, "--yes"])).code).toBe(0);
    expect((await run(["tag", "protection", "view", id])).code).toBe(5);
  });
});
