import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("journal undo of a command of which something moved, on %s", (as) => {
  let box: OnSandbox;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
  });

  const ask = (method: string, path: string, body?: unknown) => askAsAdmin(box, method, path, body);
  const labels = async (repo: string) =>
    ((await ask("GET", `/repos/${repo}/labels`)) as { id: number; name: string }[]).filter(({ name }) =>
      /^p-/.test(name),
    );

  /** Two repositories with two labels each that one command made, and the number of its last entry. */
  async function applied(org: string) {
    const cwd = emptyFolder();
    const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, "state"), TONGS_TOKEN: box.token("harbormaster") };
    const run = (...line: readonly string[]) => box.run(line, { cwd, env });
    await ask("POST", "/orgs", { username: org });
    for (const name of ["one", "two"]) await ask("POST", `/orgs/${org}/repos`, { name, auto_init: true });
    const both = "{labels: {p-a: ff0000, p-b: 00ff00}}";
    writeFileSync(join(cwd, "p.yml"), `repositories: {${org}/one: ${both}, ${org}/two: ${both}}\n`);
    const ran = await run("policy", "apply", "p.yml", "--yes");
    expect(ran.code, ran.stderr).toBe(0);
    const [entry] = (await run("journal", "list", "--limit", "1", "--json")).json() as { number: number }[];
    return { run, number: `${entry?.number}` };
  }

  it("goes on past what changed since, and ends with what was undone, what is left and why", async () => {
    const { run, number } = await applied("moved");
    const [first] = await labels("moved/one");
    await ask("PATCH", `/repos/moved/one/labels/${first?.id}`, { color: "0000ff" });
    const part = await run("journal", "undo", number, "--yes");
    expect(part.code, part.stderr).toBe(11);
    expect(part.stderr).toMatch(
      /✓ Undid 3 of 4 requests of entry 1 \(policy apply\) [^\n]*\n✗ POST \S+\/labels: it has changed since\n$/,
    );
    expect(await labels("moved/one")).toHaveLength(1);
    expect(await labels("moved/two")).toEqual([]);
  });

  it("undoes the rest where a repository is gone", async () => {
    const { run, number } = await applied("lost");
    await ask("DELETE", "/repos/lost/one");
    const part = await run("journal", "undo", number, "--yes");
    expect(part.code, part.stderr).toBe(11);
    expect(part.stderr.match(/^✗ POST /gm)).toHaveLength(2);
    expect(await labels("lost/two")).toEqual([]);
  });

  it("skips a label and a milestone that are used by now, and says so", async () => {
    const { run, number } = await applied("used");
    const [first] = await labels("used/one");
    const issue = { title: "Fog", labels: [first?.id], closed: true };
    await ask("POST", "/repos/used/one/issues", { title: "Plain" });
    await ask("POST", "/repos/used/one/issues", issue);
    const part = await run("journal", "undo", number, "--yes");
    expect([part.code, part.stderr]).toEqual([11, expect.stringMatching(/✗ POST \S+\/labels: it is in use by now\n$/)]);
    expect(await labels("used/one")).toEqual([first]);
    await run("label", "create", "of-org", "--org", "used");
    const shared = (await ask("GET", "/orgs/used/labels")) as { id: number }[];
    await ask("POST", "/repos/used/two/issues", { title: "Fog", labels: [shared[0]?.id] });
    await run("milestone", "create", "swell", "-R", "used/one");
    const [swell] = (await ask("GET", "/repos/used/one/milestones")) as { id: number }[];
    await ask("POST", "/repos/used/one/issues", { title: "Swell", milestone: swell?.id });
    for (const entry of ["3", "4"]) {
      const refused = await run("journal", "undo", entry, "--yes");
      expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("it is in use by now")]);
    }
  });

  it("leaves a field that the server does not return", async () => {
    const { run } = await applied("unseen");
    await run("repo", "edit", "-R", "unseen/one", "--description", "", "--enable-prune", "--topic", "tide");
    const topics = async () => ((await ask("GET", "/repos/unseen/one/topics")) as { topics: string[] }).topics;
    expect(await topics()).toEqual(["tide"]);
    const undone = await run("journal", "undo", "2", "--yes");
    expect(undone.code, undone.stderr).toBe(11);
    expect(undone.stderr).toMatch(/✗ PATCH .*: the server does not return enable_prune/);
    expect(await topics()).toEqual([]);
  });
});
