import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("journal undo of a command of which something moved, on %s", (as) => {
  let box: OnSandbox;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
  });
  afterAll(() => box.close());

  const ask = (method: string, path: string, body?: unknown) => askAsAdmin(box, method, path, body);
  const labels = async (repo: string) =>
    ((await ask("GET", `/repos/${repo}/labels`)) as { id: number; name: string }[]).filter(({ name }) =>
      /^p-/.test(name),
    );

  /** Two repositories with two labels each that one command made, and the number of its last entry. */
  async function applied(org: string, person = "harbormaster") {
    const cwd = emptyFolder();
    const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state"), TONGS_TOKEN: box.token(person) };
    const run = (...line: readonly string[]) => box.run(line, { cwd, env });
    await ask("POST", "/orgs", { username: org });
    const owners = ((await ask("GET", `/orgs/${org}/teams`)) as { id: number }[])[0]?.id;
    if (person !== "harbormaster") await ask("PUT", `/teams/${owners}/members/${person}`);
    for (const name of ["one", "two"]) await ask("POST", `/orgs/${org}/repos`, { name, auto_init: true });
    const both = "{labels: {p-a: ff0000, p-b: 00ff00}}";
    writeFileSync(join(cwd, "p.yml"), `repositories: {${org}/one: ${both}, ${org}/two: ${both}}\n`);
    const ran = await run("policy", "apply", "p.yml", "--yes");
    expect(ran.code, ran.stderr).toBe(0);
    const [entry] = (await run("journal", "list", "--limit", "1", "--json")).json() as { number: number }[];
    return { run, number: `${entry?.number}`, owners };
  }

  it("undoes the rest with --partial, and names each that changed since", async () => {
    const { run, number } = await applied("moved");
    const [first] = await labels("moved/one");
    await ask("PATCH", `/repos/moved/one/labels/${first?.id}`, { color: "0000ff" });
    const refused = await run("journal", "undo", number, "--yes");
    expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining("it has changed since") });
    expect(refused.stderr).toContain(`To undo the others: tongs journal undo ${number} --partial`);
    expect(await labels("moved/two")).toHaveLength(2);
    const part = await run("journal", "undo", number, "--partial", "--yes");
    expect(part.code, part.stderr).toBe(0);
    expect(part.stderr).toMatch(/This leaves entry \d+ \(POST .*: Entry \d+ cannot be undone: it has changed since/);
    expect(await labels("moved/one")).toHaveLength(1);
    expect(await labels("moved/two")).toEqual([]);
  });

  it("undoes the rest with --partial where a repository is gone", async () => {
    const { run, number } = await applied("lost");
    await ask("DELETE", "/repos/lost/one");
    const refused = await run("journal", "undo", number, "--yes");
    expect(refused.stderr).toContain("--partial");
    expect(refused.code).not.toBe(0);
    const part = await run("journal", "undo", number, "--partial", "--yes");
    expect(part.code, part.stderr).toBe(0);
    expect(part.stderr.match(/entry \d+ \(POST /g)).toHaveLength(2);
    expect(await labels("lost/two")).toEqual([]);
  });

  it("undoes the rest without --partial where an edit changed nothing, but for a field that the server does not return", async () => {
    const { run } = await applied("unseen");
    const edit = ["repo", "edit", "-R", "unseen/one", "--description", "", "--enable-prune", "--topic", "tide"];
    await run(...edit);
    const topics = async () => ((await ask("GET", "/repos/unseen/one/topics")) as { topics: string[] }).topics;
    expect(await topics()).toEqual(["tide"]);
    const [entry] = (await run("journal", "list", "--limit", "1", "--json")).json() as { number: number }[];
    const undone = await run("journal", "undo", `${entry?.number}`, "--yes");
    expect(undone.code, undone.stderr).toBe(0);
    expect(undone.stderr).toMatch(/This leaves entry \d+ \(PATCH .*: the server does not return enable_prune/);
    expect(await topics()).toEqual([]);
  });

  it("says how to undo as somebody else what the account may not undo any more", async () => {
    const { run, number, owners } = await applied("denied", "mara");
    await ask("DELETE", `/teams/${owners}/members/mara`);
    const refused = await run("journal", "undo", number, "--yes");
    expect(refused.code, refused.stderr).toBe(4);
    expect(refused.stderr).toContain(`To send it as somebody else: tongs journal undo ${number} --profile NAME`);
  });
});
