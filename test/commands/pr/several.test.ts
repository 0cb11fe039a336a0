import { beforeAll, describe, expect, it } from "vitest";
import { onSandbox } from "../on-sandbox.ts";

const box = await onSandbox();

describe("several pull requests", () => {
  let numbers: string[] = [];
  const env = { TONGS_REPO: "harbormaster/quay" };
  const run = (line: string) => box.run(line.split(" "), { env });
  beforeAll(async () => {
    const ask = (path: string, body: object) => box.ask("POST", path, "harbormaster", body);
    await ask("/user/repos", { name: "quay", auto_init: true });
    for (const name of ["ebb", "neap"]) {
      await ask("/repos/harbormaster/quay/branches", { new_branch_name: name });
      const file = { content: "ZWJi", message: name, branch: name };
      await ask(`/repos/harbormaster/quay/contents/${name}.txt`, file);
      const { body } = await ask("/repos/harbormaster/quay/pulls", { title: name, head: name, base: "main" });
      numbers = [...numbers, `${(body as { number: number }).number}`];
    }
  });

  it.each([
    { verb: "ready", flags: " --undo", field: "draft", is: true, says: "is now a draft" },
    { verb: "edit", flags: " --title Swell", field: "title", is: "Swell", says: "Edited pull request" },
    { verb: "close", flags: "", field: "state", is: "closed", says: "Closed pull request" },
    { verb: "reopen", flags: "", field: "state", is: "open", says: "Reopened pull request" },
  ])("are changed by pr $verb, and one that fails is named", async ({ verb, flags, field, is, says }) => {
    const [one, other] = numbers;
    const ran = await run(`pr ${verb} ${one} neap 999${flags} --json ${field}`);
    expect([ran.code, ran.json()]).toEqual([11, [{ [field]: is }, { [field]: is }]]);
    for (const number of [one, other])
      expect(ran.stderr).toMatch(new RegExp(`${says}.*quay#${number}|quay#${number} ${says}`));
    expect(ran.stderr).toContain("#999");
  });

  it("are each changed once", async () => {
    const [one] = numbers;
    const ran = await run(`pr ready ${one} #${one} --undo --json number`);
    expect([ran.code, ran.json()]).toEqual([0, [{ number: Number(one) }]]);
  });

  it("are of one repository", async () => {
    box.writes();
    const url = (name: string, number = 1) => `${box.url}/mara/${name}/pulls/${number}`;
    const ran = await run(`pr close ${url("harbor")} ${url("notes")}`);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("Pull requests of one repository at a time")]);
    expect(ran.stderr).toContain("Run a command for each repository");
    expect((await run(`pr edit ${url("harbor")} ${url("harbor", 2)}`)).stderr).toContain("Nothing to change");
    // 1 is not the number of one in the repository that another target names.
    for (const targets of [`mara/harbor#2 1`, `1 mara/harbor#2`, `mara/notes#1 mara/harbor#2`, `${url("harbor")} 1`]) {
      const mixed = await run(`pr close ${targets}`);
      expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining("one repository at a time")]);
    }
    expect(box.writes()).toEqual([]);
  });

  it("are named as messages name them", async () => {
    const [one, other] = numbers.map((number) => `harbormaster/quay#${number}`);
    const elsewhere = { env: { TONGS_REPO: "mara/harbor" } };
    const view = await box.run(["pr", "view", `${one}`, "--jq", ".number"], elsewhere);
    expect([view.code, view.stdout]).toEqual([0, `${numbers[0]}\n`]);
    expect((await box.run(["pr", "ready", `${one}`, `${other}`, "--undo"], elsewhere)).stderr).toContain(`${other}`);
    const flag = await box.run(["pr", "thread", "reply", "1", "--pr", `${one}`, "--body", "x"], elsewhere);
    expect([flag.code, flag.stderr]).toEqual([2, expect.stringContaining("-R harbormaster/quay")]);
    expect((await run(`pr view refs/pull/${numbers[0]}/head --jq .number`)).stdout).toBe(`${numbers[0]}\n`);
  });
});
