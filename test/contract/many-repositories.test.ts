import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let jonas: Person;
let cwd: string;

beforeAll(async () => {
  mara = await target.person("mara");
  jonas = await target.person("jonas");
  for (const name of ["lamp", "lens", "mast"])
    await target.ask("POST", "/user/repos", { name, auto_init: true, default_branch: "main" }, mara);
  cwd = emptyFolder();
});

const write = (repo: string, file: string, as: Person) =>
  target.ask("POST", `/repos/${repo}/contents/${file}`, { content: "b2lsCg==", message: `Add ${file}` }, as);

describe("many repositories", () => {
  it("are cloned by a pattern without old contents, and updated the next time", async () => {
    const line = ["repo", "clone", `${mara.login}/l*`, "--source"];
    const first = await mara.tongs([...line, "--", "--filter=blob:none"], { cwd });
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, mara.login, "lens", ".git", "config"), "utf8")).toContain("blob:none");
    await write(`${mara.login}/lens`, "oil.txt", mara);
    const second = await mara.tongs([...line, "--json", "name"], { cwd });
    expect(second, second.stderr).toMatchObject({ code: 0 });
    expect(second.json()).toEqual(expect.arrayContaining([{ name: "lamp" }, { name: "lens" }]));
    expect(readFileSync(join(cwd, mara.login, "lens", "oil.txt"), "utf8")).toBe("oil\n");
  });

  it("run a command each", async () => {
    const ran = await mara.tongs(["repo", "exec", `${mara.login}/*`, "--", "git", "ls-files"], { cwd });
    const name = (repo: string) => `${mara.login}/${repo}`;
    expect(ran.stdout.split("\n")).toEqual([
      `${name("lamp")}\tREADME.md`,
      `${name("lens")}\tREADME.md`,
      `${name("lens")}\toil.txt`,
      "",
    ]);
  });

  it("are imported from the owner of another account, once", async ({ skip }) => {
    const line = ["repo", "import", `${target.url}/${mara.login}`, "--include", "l*"];
    const env = { TONGS_SOURCE_TOKEN: mara.token };
    const first = await jonas.tongs([...line, "--json", "repository,action"], { cwd, env });
    if (first.stderr.includes("ALLOW_LOCALNETWORKS")) skip("the server does not migrate from itself");
    expect(first, first.stderr).toMatchObject({ code: 0 });
    const repository = (name: string) => `${jonas.login}/${name}`;
    expect(first.json()).toEqual(
      ["lamp", "lens"].map((name) => ({ repository: repository(name), action: "imported" })),
    );
    const { empty } = (await target.ask("GET", `/repos/${repository("lens")}`, undefined, jonas)) as { empty: boolean };
    expect(empty).toBe(false);
    const second = await jonas.tongs(line, { cwd, env });
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing to import: 2 unchanged") });
    for (const name of ["lamp", "lens"]) await target.ask("DELETE", `/repos/${repository(name)}`, undefined, jonas);
  });

  it("are listed by topic, as forks and as archived ones, and all forks are synced", async () => {
    await target.ask("PUT", `/repos/${mara.login}/mast/topics/boats`, undefined, mara);
    await target.ask("PATCH", `/repos/${mara.login}/mast`, { archived: true }, mara);
    const names = async (person: Person, ...flags: string[]) => {
      const ran = await person.tongs(["repo", "list", "--json", "name", ...flags]);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      return ran.json();
    };
    expect(await names(mara, "--topic", "boats", "--archived")).toEqual([{ name: "mast" }]);
    for (const name of ["lamp", "lens"]) await target.ask("POST", `/repos/${mara.login}/${name}/forks`, {}, jonas);
    expect(await names(jonas, "--fork", "--visibility", "public")).toHaveLength(2);
    await write(`${mara.login}/lamp`, "wick.txt", mara);
    const synced = await jonas.tongs(["repo", "sync", "--all", "--json"]);
    expect(synced, synced.stderr).toMatchObject({ code: 0 });
    expect(synced.json()).toEqual(
      expect.arrayContaining([
        { repository: `${jonas.login}/lamp`, merge_type: "fast-forward" },
        { repository: `${jonas.login}/lens`, merge_type: "up-to-date" },
      ]),
    );
  });
});
