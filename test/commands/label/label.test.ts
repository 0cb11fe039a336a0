import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
beforeAll(async () => {
  await sandbox.ask("POST", "/orgs", "mara", { username: "tidewater" });
  for (const name of ["buoy", "beacon", "quay", "pier"]) {
    await sandbox.ask("POST", "/user/repos", "mara", { name, auto_init: true });
  }
});

const run = (line: readonly string[], repo = "mara/buoy", stdin?: string) =>
  sandbox.run(["label", ...line], { as: "mara", env: { TONGS_REPO: repo }, ...(stdin === undefined ? {} : { stdin }) });
const labelsOf = async (repo: string) => {
  const listed = await run(["list", "--all", "--json", "name,color,description"], repo);
  return listed.json() as { readonly name: string; readonly color: string; readonly description: string }[];
};
const write = (name: string, content: string) => {
  const file = join(emptyFolder(), name);
  writeFileSync(file, content);
  return file;
};

describe("label", () => {
  it("does not create a second label of a name, and updates it with --force", async () => {
    await run(["create", "tide", "--color", "00aabb"], "mara/beacon");
    const again = await run(["create", "tide", "--color", "ffffff"], "mara/beacon");
    expect([again.code, again.stderr]).toEqual([
      9,
      expect.stringContaining("Label 'tide' already exists in mara/beacon"),
    ]);
    expect((await run(["create", "tide", "--color", "ffffff", "--force"], "mara/beacon")).code).toBe(0);
    expect(await labelsOf("mara/beacon")).toEqual([{ name: "tide", color: "ffffff", description: "" }]);
  });

  it("names the IDs of labels with the same name, and works with an ID", async () => {
    const ids: number[] = [];
    for (const color of ["00ff00", "0000ff"]) {
      const made = await sandbox.ask("POST", "/repos/mara/quay/labels", "mara", { name: "twin", color });
      ids.push((made.body as { readonly id: number }).id);
    }
    sandbox.writes();
    const edited = await run(["edit", "twin", "--color", "111111"], "mara/quay");
    expect([edited.code, edited.stderr]).toEqual([
      2,
      expect.stringContaining(`Several labels are named 'twin' in mara/quay: ${ids.join(", ")}`),
    ]);
    expect((await run(["delete", "twin", "--yes"], "mara/quay")).code).toBe(2);
    const imported = await run(["import", write("l.json", '[{"name":"twin","color":"f00"}]')], "mara/quay");
    expect([imported.code, imported.stderr]).toEqual([2, expect.stringContaining("Several labels are named 'twin'")]);
    expect(sandbox.writes()).toEqual([]);
    expect((await run(["delete", `${ids[0]}`, "--yes"], "mara/quay")).code).toBe(0);
    expect((await run(["edit", "twin", "--color", "111111", "--json", "id"], "mara/quay")).json()).toEqual({
      id: ids[1],
    });
  });

  it("names the IDs of labels with the same name for pull requests, too", async () => {
    const ids: number[] = [];
    for (const color of ["00ff00", "0000ff"]) {
      const made = await sandbox.ask("POST", "/repos/mara/harbor/labels", "mara", { name: "twin", color });
      ids.push((made.body as { readonly id: number }).id);
    }
    const edit = (label: string) =>
      sandbox.run(["pr", "edit", "2", "--add-label", label, "-R", "mara/harbor", "--json", "labels"], { as: "mara" });
    const ran = await edit("twin");
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`Several labels are named 'twin' in mara/harbor: ${ids.join(", ")}`);
    const added = (await edit(`${ids[1]}`)).json();
    expect(added).toMatchObject([{ labels: expect.arrayContaining([expect.objectContaining({ id: ids[1] })]) }]);
  });

  it("deletes several labels, continues after an unknown one and ends with 11", async () => {
    for (const name of ["one", "two"]) await run(["create", name], "mara/beacon");
    const ran = await run(["delete", "-", "--yes"], "mara/beacon", "one\nonn\ntwo\n");
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("Label 'onn' not found in mara/beacon");
    expect(ran.stderr).toContain("Deleted label 'two'");
    const alone = await run(["delete", "tidee", "--yes"], "mara/beacon");
    expect([alone.code, alone.stderr]).toEqual([5, expect.stringContaining("Did you mean: tide?")]);
  });

  it.each([
    [["create", "x", "--color", "blue"], "--color must be hex digits"],
    [["create", " "], "The name must not be empty"],
    [["edit", "tide"], "Nothing to change"],
    [["import"], "Specify either a template or file, or --from"],
    [["import", "Default", "--from", "mara/buoy"], "Specify either a template or file, or --from"],
    [["list", "--org", "a", "--admin"], "--admin"],
    [["delete", "tide"], "--yes is required"],
  ])("rejects %j before sending anything", async (line, words) => {
    sandbox.writes();
    const ran = await run(line, "mara/beacon");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });
});

describe("label import", () => {
  const set = [
    { name: "bug", color: "ff0000", description: "Broken" },
    { name: "Docs", color: "#0F0" },
  ];

  it("shows what changes, creates, edits and, with --prune, deletes labels", async () => {
    await run(["create", "bug", "-c", "000000"], "mara/pier");
    await run(["create", "docs", "-c", "00ff00", "-d", "Words"], "mara/pier");
    await run(["create", "old", "-c", "123456"], "mara/pier");
    const file = write("labels.json", JSON.stringify([...set, { name: "new", color: "abcdef" }]));
    sandbox.writes();
    const refused = await run(["import", file, "--prune"], "mara/pier");
    expect([refused.code, sandbox.writes()]).toEqual([2, []]);
    const plan = [
      "+ new: color abcdef",
      "~ bug: color 000000 → ff0000, description (none) → Broken",
      "~ docs: name docs → Docs",
      "- old",
    ];
    expect(refused.stderr).toContain(plan.join("\n"));
    expect((await run(["import", file, "--prune", "--yes"], "mara/pier")).code).toBe(0);
    expect(await labelsOf("mara/pier")).toEqual([
      { name: "Docs", color: "00ff00", description: "Words" },
      { name: "bug", color: "ff0000", description: "Broken" },
      { name: "new", color: "abcdef", description: "" },
    ]);
    const again = await run(["import", file, "--prune", "--yes"], "mara/pier");
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("No changes")]);
  });

  it("prints the labels that it deletes, and a name of several lines on one line", async () => {
    await sandbox.ask("POST", "/user/repos", "mara", { name: "spit" });
    await run(["create", "old", "-c", "123456"], "mara/spit");
    const file = write("lines.json", JSON.stringify([{ name: "new\n✓ Deleted all", color: "abcdef" }]));
    const ran = await run(["import", file, "--prune", "--yes"], "mara/spit");
    expect(ran.stderr).toContain("+ new ✓ Deleted all: color abcdef\n- old\n");
    expect(ran.stderr).toContain("✓ Created label 'new ✓ Deleted all' in mara/spit");
    expect(ran.stderr).not.toMatch(/^✓ Deleted all/m);
    const line = ["import", write("one.json", JSON.stringify(set)), "--prune", "--yes", "--json", "name"];
    expect((await run(line, "mara/spit")).json()).toContainEqual({ name: "new\n✓ Deleted all" });
  });

  it("imports into several repositories as one command", async () => {
    await sandbox.ask("POST", "/orgs", "mara", { username: "shoal" });
    for (const name of ["one", "two", "three"]) await sandbox.ask("POST", "/orgs/shoal/repos", "mara", { name });
    const file = write("several.json", JSON.stringify(set));
    const ran = await sandbox.run(["label", "import", file, "-R", "shoal/*", "--yes"], { as: "mara" });
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("Another tongs process")]);
    for (const name of ["one", "two", "three"]) expect(await labelsOf(`shoal/${name}`)).toHaveLength(2);
  });

  it("runs once at a time for a server, so that two create no label twice", async () => {
    await sandbox.ask("POST", "/user/repos", "mara", { name: "mole" });
    const line = ["import", write("twice.json", JSON.stringify(set))];
    const both = await Promise.all([run(line, "mara/mole"), run(line, "mara/mole")]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.map(({ stderr }) => stderr).join("")).toContain("Another tongs process is importing labels on http");
    expect((await run(line, "mara/mole")).stderr).toContain("No changes");
    expect(await labelsOf("mara/mole")).toHaveLength(2);
  });

  it("reads CSV, a template, another repository and stdin", async () => {
    await sandbox.ask("POST", "/user/repos", "mara", { name: "dock" });
    const csv = 'name,color,description,exclusive,is_archived\nkind/a,ff0000,"A, and b",true,\nplain,00ff00,,,false\n';
    expect((await run(["import", write("l.csv", csv)], "mara/dock")).code).toBe(0);
    const listed = (await run(["list", "--json", "name,description,exclusive"], "mara/dock")).json();
    expect(listed).toEqual([
      { name: "kind/a", description: "A, and b", exclusive: true },
      { name: "plain", description: "", exclusive: false },
    ]);
    expect((await run(["import", "--from", "mara/pier", "--prune", "--yes"], "mara/dock")).code).toBe(0);
    expect((await labelsOf("mara/dock")).map(({ name }) => name)).toEqual(["Docs", "bug", "new"]);
    const stdin = await run(["import", "-", "--json", "name"], "mara/dock", '[{"name":"stdin","color":"fff"}]');
    expect(stdin.json()).toEqual([{ name: "stdin" }]);
  });

  it("refuses a repository of another server before anything is deleted", async () => {
    sandbox.writes();
    const line = ["import", "--from", "https://other.example/mara/pier", "--prune", "--yes"];
    const ran = await run(line, "mara/dock");
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining("mara/pier is on another server than 127.0.0.1"),
    ]);
    expect(sandbox.writes()).toEqual([]);
    const here = await run(["import", "--from", `${sandbox.url}/mara/pier`, "--dry-run"], "mara/dock");
    expect(here.code).toBe(0);
  });

  it("shows the plan and the first request with --dry-run", async () => {
    sandbox.writes();
    const ran = await run(["import", write("l.json", JSON.stringify(set)), "--dry-run"], "mara/beacon");
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("+ bug: color ff0000");
    expect(ran.stdout).toContain("POST ");
    expect(sandbox.writes()).toEqual([]);
  });

  it.each([
    ['[{"name":"a","color":"f00"},{"name":"a","color":"f00"}]', "Label 2: 'a' is listed twice"],
    ['[{"name":"","color":"f00"}]', "Label 1 has no name"],
    ['[{"name":"a"}]', "Label 1: 'a' has no color"],
    ['[{"name":"a","color":"red"}]', "Label 1: the color of 'a' must be hex digits"],
    ['[{"name":"a","color":"f00","exclusive":"maybe"}]', "Label 1: exclusive must be true or false"],
    ["[]", "There are no labels to import"],
    ['{"name":"a"}', "The file must be a list of labels in JSON or YAML"],
    ["[1]", "The file must be a list of labels in JSON or YAML"],
  ])("rejects the file %j", async (content, words) => {
    sandbox.writes();
    const ran = await run(["import", write("l.json", content)], "mara/beacon");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("takes a label template of a server, with merge keys and colors that look like numbers", async () => {
    const template = [
      "\ufefflabels:",
      "  - &kind { name: kind/bug, color: 000000, description: Broken, exclusive: true }",
      "  - { <<: *kind, name: kind/docs, color: 5319e7 }",
      "  - name: plain",
      '    color: "#0f0"',
    ].join("\n");
    for (const content of [template, `[\n\t{"name": "plain",\t"color":\t"00ff00"\n\t}\n]`]) {
      const ran = await run(["import", write("l.yaml", content)], "mara/beacon");
      expect([ran.code, ran.stderr]).toEqual([0, expect.anything()]);
    }
    const listed = (await run(["list", "--json", "name,color,description,exclusive"], "mara/beacon")).json();
    expect(listed).toEqual(
      expect.arrayContaining([
        { name: "kind/bug", color: "000000", description: "Broken", exclusive: true },
        { name: "kind/docs", color: "5319e7", description: "Broken", exclusive: true },
        expect.objectContaining({ name: "plain", color: "00ff00" }),
      ]),
    );
  });

  it("reads CSV of spreadsheets, with semicolons", async () => {
    const ran = await run(["import", write("s.csv", "name;color\r\nsemi;00ff00\r\n"), "--json", "name"], "mara/beacon");
    expect([ran.code, ran.json()]).toMatchObject([0, [{ name: "semi" }]]);
  });

  it.each(["name,color\na\n", 'name,"color\na,ff0000\n'])("rejects what is no CSV of labels: %j", async (text) => {
    const ran = await run(["import", write("l.csv", text)], "mara/beacon");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("The file is not valid CSV")]);
  });
});
