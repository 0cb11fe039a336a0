import { beforeAll, describe, expect, it } from "vitest";
import { onSandbox } from "./on-sandbox.ts";

const sandbox = await onSandbox();
beforeAll(async () => {
  await sandbox.ask("POST", "/repos/mara/harbor/issues", "mara", { title: "Dredge the basin" });
  await sandbox.ask("POST", "/repos/mara/harbor/releases", "mara", { tag_name: "v1.0", target_commitish: "main" });
});

const terminal = { terminal: true, as: "mara", env: { TONGS_REPO: "mara/harbor", NO_COLOR: "1" } } as const;

describe("a missing argument", () => {
  it("is chosen from a list on a terminal", async () => {
    const choices: readonly (readonly [line: string[], asked: string, answer: string])[] = [
      [["branch", "view"], "Branch", "main"],
      [["user", "key", "list"], "User", "jonas"],
      [["workflow", "view"], "Workflow", "ci.yml"],
      [["milestone", "view"], "Milestone", "Before the season"],
      [["issue", "view"], "Open issue", "#8"],
      [["issue", "close"], "Open issue", "#8"],
      [["issue", "reopen"], "Closed issue", "#8"],
      [["tag", "view"], "Tag", "v1.0"],
      [["release", "edit", "--title", "Season"], "Release", "v1.0"],
      [["follow", "add"], "User", "jonas"],
    ];
    for (const [line, asked, answer] of choices) {
      const ran = await sandbox.run(line, { ...terminal, answers: [answer] });
      expect(ran, line.join(" ")).toMatchObject({ code: 0, asked: [asked] });
    }
  });

  it("is a usage error without a terminal, with --no-input and with JSON, before any request", async () => {
    const error = { code: 2, asked: [], stderr: expect.stringContaining("Missing argument BRANCH") };
    expect(await sandbox.run(["branch", "view"], { ...terminal, terminal: false })).toMatchObject(error);
    expect(await sandbox.run(["branch", "view", "--no-input"], terminal)).toMatchObject(error);
    expect((await sandbox.run(["branch", "view", "--json"], terminal)).code).toBe(2);
    const issue = await sandbox.run(["issue", "edit", "--title", "x", "--json"], terminal);
    expect([issue.code, issue.stderr]).toEqual([2, expect.stringContaining("Missing argument ISSUE")]);
    expect(issue.stderr).toContain("or at least one filter: --state, --from-milestone, --label");
    const plan = await sandbox.run(["issue", "close", "--plan"], { ...terminal, answers: ["#8"] });
    expect([plan.code, plan.asked, plan.stderr]).toEqual([2, [], expect.stringContaining("at least one filter")]);
  });

  it("cancels the command on Ctrl-C in the list", async () => {
    sandbox.writes();
    expect(await sandbox.run(["label", "delete"], { ...terminal, answers: [] })).toMatchObject({ code: 3 });
    expect(sandbox.writes()).toEqual([]);
  });

  it("is an error that says so if there is nothing to choose from", async () => {
    const ran = await sandbox.run(["artifact", "view"], {
      ...terminal,
      env: { ...terminal.env, TONGS_REPO: "mara/empty" },
    });
    expect(ran.code).toBe(5);
  });
});

describe("pr edit on a terminal", () => {
  it("offers its fields, with what is set selected, and sends only what differs", async () => {
    const ran = await sandbox.run(["pr", "edit", "4"], {
      ...terminal,
      answers: ["Base branch, Labels, Milestone", "main", "bug, enhancement", "(none)"],
    });
    expect(ran.stderr).toContain("Edited pull request mara/harbor#4");
    const pull = (await sandbox.ask("GET", "/repos/mara/harbor/pulls/4", "mara")).body;
    expect(pull).toMatchObject({ milestone: null, base: { ref: "main" } });
    expect((pull as { labels: { name: string }[] }).labels.map(({ name }) => name)).toEqual(["bug", "enhancement"]);
  });
});
