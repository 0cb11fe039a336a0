import { beforeAll, describe, expect, it } from "vitest";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
const run = (line: readonly string[], answers?: readonly (string | boolean)[]) =>
  sandbox.run([...line, "-R", "mara/logs"], { as: "mara", ...(answers && { answers, terminal: true }) });
const states = async () => {
  const { body } = await sandbox.ask("GET", "/repos/mara/logs/issues?state=all&type=issues", "mara");
  return Object.fromEntries((body as { number: number; state: string }[]).map(({ number, state }) => [number, state]));
};

beforeAll(async () => {
  const { ask } = sandbox;
  await ask("POST", "/user/repos", "mara", { name: "logs", auto_init: true, default_branch: "main" });
  await ask("PUT", "/repos/mara/logs/collaborators/priya", "mara", { permission: "write" });
  for (const name of ["stale", "docs"])
    await ask("POST", "/repos/mara/logs/labels", "mara", { name, color: "#aabbcc" });
  const { body: spring } = await ask("POST", "/repos/mara/logs/milestones", "mara", { title: "Spring" });
  await ask("POST", "/repos/mara/logs/milestones", "mara", { title: "Summer" });
  for (const [label, as] of [
    [1, "mara"],
    [1, "priya"],
    [2, "mara"],
    [undefined, "mara"],
  ] as const) {
    const { body } = await ask("GET", "/repos/mara/logs/labels", "mara");
    const ids = (body as { id: number; name: string }[]).map(({ id }) => id);
    const labels = label === undefined ? [] : [ids[label - 1]];
    await ask("POST", "/repos/mara/logs/issues", as, {
      title: `Of ${as}`,
      labels,
      milestone: label === 1 ? (spring as { id: number }).id : 0,
    });
  }
  sandbox.writes();
});

describe("verbs for the issues that filters select", () => {
  it("list them with --plan, and change nothing", async () => {
    const plan = await run(["issue", "close", "--label", "docs", "--plan"]);
    expect(plan, plan.stderr).toMatchObject({ code: 0 });
    expect(plan.stdout.split("\n").map((line) => line.split("\t")[0])).toEqual(["2", "1", ""]);
    const records = await run(["issue", "edit", "--author", "priya", "--plan", "--json", "number"]);
    expect(records.json()).toEqual([{ number: 2 }]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("take the first --limit of the list, in plan and write, and refuse it with names", async () => {
    const plan = await run(["issue", "close", "--author", "mara", "--plan", "--limit", "2"]);
    expect(plan.stdout.split("\n").map((line) => line.split("\t")[0])).toEqual(["4", "3", ""]);
    expect(plan.stderr).toContain("Showing 2");
    const named = await run(["issue", "close", "3", "4", "--limit", "1", "--yes"]);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining("--limit is for what filters select")]);
    expect(sandbox.writes()).toEqual([]);
    const edited = await run(["issue", "edit", "--author", "mara", "--title", "Of mara!", "-L", "1", "--yes"]);
    expect(edited, edited.stderr).toMatchObject({ code: 0 });
    expect(sandbox.writes()).toEqual(["PATCH /repos/mara/logs/issues/4"]);
  });

  it("say what will change, and an unknown name once, in the plan, too", async () => {
    const edit = ["issue", "edit", "--author", "mara", "--title", "A b", "--add-label", "docs"];
    const plan = await run([...edit, "--plan"]);
    expect(plan.stderr).toContain("Plan: 3 changes with --title 'A b' --add-label docs; nothing was changed.");
    expect((await run(edit, [false])).asked).toEqual([
      "Edit 3 issues of mara/logs with --title 'A b' --add-label docs?",
    ]);
    const close = ["issue", "close", "--label", "docs", "--comment", "Old"];
    expect((await run(close, [false])).asked).toEqual(["Close 2 issues of mara/logs with --comment Old?"]);
    for (const flag of ["--add-label", "--remove-label"])
      for (const more of ["--plan", "--yes"]) {
        const unknown = await run(["issue", "edit", "--author", "mara", flag, "nope", more]);
        expect([unknown.code, unknown.stderr.match(/nope/g)]).toEqual([13, ["nope"]]);
      }
    expect(sandbox.writes()).toEqual([]);
  });

  it("ask first, and need --yes in a script", async () => {
    const close = ["issue", "close", "--label", "docs"];
    expect(await run(close)).toMatchObject({ code: 2, stderr: expect.stringContaining("2 issues of mara/logs") });
    const declined = await run(close, [false]);
    expect(declined.asked).toEqual(["Close 2 issues of mara/logs?"]);
    expect(declined.code).toBe(3);
    const one = await run(["issue", "close", "--author", "priya"], [false]);
    expect(one.asked).toEqual(["Close issue mara/logs#2?"]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("edit, close and reopen them all, with the writes that differ only", async () => {
    const moves = "--from-milestone Spring --milestone Summer --add-label docs --yes --json number,milestone.title";
    const edited = await run(["issue", "edit", ...moves.split(" ")]);
    expect(edited.json()).toEqual([2, 1].map((number) => ({ number, milestone: { title: "Summer" } })));
    expect(sandbox.writes()).toHaveLength(2);
    const closed = await run(["issue", "close", "--milestone", "Summer", "--comment", "Old", "--yes"]);
    expect(closed, closed.stderr).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Closed issue mara/logs#1"),
    });
    expect(await states()).toEqual({ 1: "closed", 2: "closed", 3: "open", 4: "open" });
    expect((await run(["issue", "reopen", "--author", "priya", "--yes"])).code).toBe(0);
    expect(await states()).toMatchObject({ 1: "closed", 2: "open" });
    expect((await run(["issue", "edit", "--state", "closed", "--title", "Older", "--yes"])).stderr).toContain("#1");
    sandbox.writes();
  });

  it("do nothing where there are none, and refuse names together with filters, and neither", async () => {
    const none = await run(["issue", "close", "--search", "nothing like it", "--yes", "--json"]);
    expect(none).toMatchObject({ code: 0, stdout: "[]\n" });
    for (const line of [
      ["close"],
      ["close", "3", "--label", "docs"],
      ["close", "3", "--plan"],
      ["edit", "--title", "x"],
    ])
      expect((await run(["issue", ...line, "--yes"])).code, line.join(" ")).toBe(2);
    expect((await run(["issue", "close", "--label", "unknown", "--yes"])).code).toBe(13);
    expect(sandbox.writes()).toEqual([]);
  });
});

describe("verbs for the pull requests that filters select", () => {
  it("plan, ask, and change only those that match", async () => {
    const { ask } = sandbox;
    await ask("POST", "/repos/mara/logs/branches", "mara", { new_branch_name: "old", old_branch_name: "main" });
    for (const [name, base] of [
      ["a", "old"],
      ["b", "old"],
      ["c", "main"],
    ]) {
      const file = { content: "eA==", message: name, branch: base, new_branch: name };
      await ask("POST", `/repos/mara/logs/contents/${name}.txt`, "mara", file);
      await ask("POST", "/repos/mara/logs/pulls", "mara", { title: name === "b" ? "WIP: b" : name, head: name, base });
    }
    const bases = async () => {
      const { body } = await ask("GET", "/repos/mara/logs/pulls?state=all", "mara");
      return (body as { title: string; base: { ref: string }; state: string }[])
        .map(({ title, base, state }) => `${title} ${base.ref} ${state}`)
        .sort();
    };
    sandbox.writes();
    const plan = await run(["pr", "edit", "--from-base", "old", "--plan"]);
    expect(plan.stdout.split("\n")).toHaveLength(3);
    expect((await run(["pr", "edit", "--from-base", "old", "--plan", "-L", "1"])).stdout.split("\n")).toHaveLength(2);
    expect((await run(["pr", "close", "5", "-L", "1", "--yes"])).code).toBe(2);
    const asked = await run(["pr", "edit", "--from-base", "old", "--base", "main"], [false]);
    expect(asked.asked).toEqual(["Edit 2 pull requests of mara/logs with --base main?"]);
    for (const more of ["--plan", "--yes"]) {
      const unknown = await run(["pr", "edit", "--from-base", "old", "--remove-label", "nope", more]);
      expect([unknown.code, unknown.stderr.match(/nope/g)]).toEqual([13, ["nope"]]);
    }
    expect(sandbox.writes()).toEqual([]);
    const edited = await run(["pr", "edit", "--from-base", "old", "--base", "main", "--yes"]);
    expect(edited, edited.stderr).toMatchObject({ code: 0 });
    expect(await bases()).toEqual(["WIP: b main open", "a main open", "c main open"]);
    expect((await run(["pr", "close", "--draft", "--base", "main", "--yes"])).code).toBe(0);
    expect(await bases()).toEqual(["WIP: b main closed", "a main open", "c main open"]);
    expect((await run(["pr", "reopen", "--author", "@me", "--yes"])).stderr).toContain("Reopened");
    expect(await bases()).toEqual(["WIP: b main open", "a main open", "c main open"]);
    expect((await run(["pr", "close", "5", "--draft", "--yes"])).code).toBe(2);
    expect((await run(["pr", "close", "--plan"])).code).toBe(2);
  });
});

describe("a label whose name has a comma", () => {
  it("is set, filtered by and removed in quotes, which help and the hint of an unknown one name", async () => {
    const { ask } = sandbox;
    await ask("POST", "/repos/mara/logs/labels", "mara", { name: "sand, gravel", color: "#aabbcc" });
    const { number } = (await ask("POST", "/repos/mara/logs/issues", "mara", { title: "Of sand" })).body as {
      number: number;
    };
    const labels = async () =>
      ((await ask("GET", `/repos/mara/logs/issues/${number}/labels`, "mara")).body as { name: string }[]).map(
        ({ name }) => name,
      );
    const plain = await run(["issue", "edit", `${number}`, "--add-label", "sand, gravel"]);
    expect([plain.code, plain.stderr]).toEqual([
      13,
      expect.stringContaining(`Put the name of a label that has a comma in quotes: '"sand, gravel"'`),
    ]);
    const quoted = '"sand, gravel"';
    expect(await run(["issue", "edit", `${number}`, "--add-label", `stale,${quoted}`])).toMatchObject({ code: 0 });
    expect(await labels()).toEqual(["sand, gravel", "stale"]);
    for (const line of [
      ["issue", "list", "--label", quoted, "--jq", ".[].number"],
      ["issue", "list", "--owner", "mara", "--label", `${quoted},stale`, "--jq", ".[].number"],
      ["search", "issue", "sand", "--label", quoted, "--jq", ".[].number"],
    ])
      expect(await sandbox.run(line, { as: "mara", env: { TONGS_REPO: "mara/logs" } }), line.join(" ")).toMatchObject({
        code: 0,
        stdout: `${number}\n`,
      });
    expect(await run(["issue", "edit", `${number}`, "--remove-label", quoted])).toMatchObject({ code: 0 });
    expect(await labels()).toEqual(["stale"]);
    for (const verb of ["list", "create", "edit"]) {
      const help = (await run(["issue", verb, "--help"])).stdout.replace(/\s+/g, " ");
      expect(help).toContain(`put one that has a comma in quotes: '"a,b"'`);
    }
  });
});
