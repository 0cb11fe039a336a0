import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recorded, recordedRecord } from "../../support/recorded.ts";
import { type Answer, type Scripted, scripted } from "./scripted.ts";

let forge: Scripted;

const bug = { id: 1, name: "bug" };
const docs = { id: 3, name: "docs" };
const jonas = { login: "jonas" };
const open = (changes = {}) =>
  recordedRecord("gitea", "… it is still open", { number: 12, content_version: 4, ...changes });
const known: Record<string, Answer> = {
  "GET /labels": { body: [bug, docs] },
  "GET //orgs/mara/labels": { status: 404, body: { message: "not found" } },
  "GET /milestones": {
    body: [
      { id: 7, title: "First season", state: "closed" },
      { id: 8, title: "first season", state: "open" },
      { id: 9, title: "Second season", state: "closed" },
    ],
  },
  "GET //users/jonas": { body: jonas },
  "GET //users/priya": { body: { login: "priya" } },
  "GET /assignees": { body: [jonas, { login: "priya" }] },
};
/** A server with one pull request; PATCH returns the changed record. */
const start = async (changes: object = {}, routes: Record<string, Answer> = {}) => {
  const pull = open(changes);
  forge = await scripted({
    "GET /pulls/12": { body: pull },
    "PATCH /pulls/12": (seen) => ({ status: 201, body: { ...pull, ...JSON.parse(seen.body) } }),
    ...known,
    ...routes,
  });
};

describe("pr edit", () => {
  it("sends only what differs", async () => {
    await start({ title: "Pumps", labels: [bug] });
    const ran = await forge.run(["pr", "edit", "12", "--title", "Pumps", "--body", "New", "--add-label", "bug"]);
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(forge.writes()).toEqual([["PATCH /pulls/12", { body: "New", content_version: 4 }]]);
  });

  it("sends nothing when nothing differs", async () => {
    await start({ labels: [bug], milestone: { id: 8 }, assignees: [jonas], due_date: null });
    const line = ["--add-label", "bug", "--milestone", "first season", "--add-assignee", "jonas", "--no-due"];
    line.push("--remove-assignee", "priya");
    const ran = await forge.run(["pr", "edit", "12", ...line, "--remove-label", "docs", "--remove-reviewer", "jonas"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("is already up to date; nothing was changed");
    expect(forge.writes()).toEqual([]);
  });

  it("adds and removes labels, assignees and reviewers without changing the others", async () => {
    await start(
      {
        labels: [docs],
        assignees: [{ login: "priya" }],
        requested_reviewers: [{ login: "priya" }],
        user: { login: "mara" },
      },
      {
        "POST /issues/12/labels": { body: [] },
        "DELETE /issues/12/labels/3": { status: 204 },
        "POST /issues/12/assignees": { status: 201, body: {} },
        "DELETE /issues/12/assignees": { body: {} },
        "POST /pulls/12/requested_reviewers": { status: 201, body: [] },
        "DELETE /pulls/12/requested_reviewers": { status: 204 },
      },
    );
    const labels = ["--add-label", "BUG", "--remove-label", "docs"];
    const people = "--add-assignee jonas --remove-assignee priya --add-reviewer jonas --remove-reviewer priya";
    const ran = await forge.run(["pr", "edit", "12", ...labels, ...people.split(" ")]);
    expect(ran.code).toBe(0);
    expect(forge.writes()).toEqual([
      ["POST /issues/12/labels", { labels: [1] }],
      ["DELETE /issues/12/labels/3", {}],
      ["POST /issues/12/assignees", { assignees: ["jonas"] }],
      ["DELETE /issues/12/assignees", { assignees: ["priya"] }],
      ["POST /pulls/12/requested_reviewers", { reviewers: ["jonas"], team_reviewers: [] }],
      ["DELETE /pulls/12/requested_reviewers", { reviewers: ["priya"], team_reviewers: [] }],
    ]);
  });

  const noSuchRoute = { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found\n" };

  it("reads the current assignees if the server has no operation to add one, and keeps the others", async () => {
    await start(
      {},
      {
        "POST /issues/12/assignees": noSuchRoute,
        "GET /pulls/12": [{ body: open() }, { body: open({ assignees: [{ login: "tomas" }] }) }],
        "PATCH /pulls/12": { status: 201, body: open({ assignees: [{ login: "tomas" }, jonas] }) },
      },
    );
    expect((await forge.run(["pr", "edit", "12", "--add-assignee", "jonas"])).code).toBe(0);
    expect(forge.writes()[1]).toEqual(["PATCH /pulls/12", { assignees: ["tomas", "jonas"] }]);
  });

  it("fails if the server ignored the assignees because of missing write access", async () => {
    await start({}, { "POST /issues/12/assignees": noSuchRoute, "PATCH /pulls/12": { status: 201, body: open() } });
    const ran = await forge.run(["pr", "edit", "12", "--add-assignee", "jonas"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("The server did not apply assignees to mara/harbor#12");
  });

  it("fails if the server ignored the milestone because of missing write access", async () => {
    const label = "edit by the author, who only reads: title changes, labels and assignees are ignored";
    await start({}, { "PATCH /pulls/12": recorded("gitea", label) });
    const ran = await forge.run(["pr", "edit", "12", "--milestone", "First season"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("did not apply milestone to mara/harbor#12");
  });

  it("finds a milestone by its exact title, by its title ignoring case, or by its number", async () => {
    for (const [typed, milestone] of [
      ["First season", 7],
      ["first season", 8],
      ["SECOND SEASON", 9],
      ["7", 7],
    ] as const) {
      await start({}, { "PATCH /pulls/12": { status: 201, body: open({ milestone: { id: milestone } }) } });
      expect((await forge.run(["pr", "edit", "12", "--milestone", typed])).code).toBe(0);
      expect(forge.writes()).toEqual([["PATCH /pulls/12", { milestone }]]);
    }
  });

  it("names the milestones that a title fits, and the labels that a name fits, instead of taking one", async () => {
    const twice = [
      { id: 1, name: "bug" },
      { id: 5, name: "bug" },
    ];
    await start({ labels: twice }, { "DELETE /issues/12/labels/5": { status: 204 } });
    const ran = await forge.run(["pr", "edit", "12", "--milestone", "FIRST SEASON"]);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining("Several milestones are named 'FIRST SEASON' in mara/harbor: 7, 8"),
    ]);
    const label = await forge.run(["pr", "edit", "12", "--remove-label", "bug"]);
    expect([label.code, label.stderr]).toEqual([
      2,
      expect.stringContaining("Several labels are named 'bug' on mara/harbor#12: 1, 5"),
    ]);
    expect(forge.writes()).toEqual([]);
    expect((await forge.run(["pr", "edit", "12", "--remove-label", "5"])).code).toBe(0);
    expect(forge.writes()).toEqual([["DELETE /issues/12/labels/5", {}]]);
  });

  it("removes the milestone through the issue, because the pull request operation cannot", async () => {
    await start({ milestone: { id: 7 } }, { "PATCH /issues/12": { status: 201, body: { milestone: null } } });
    expect((await forge.run(["pr", "edit", "12", "--no-milestone"])).code).toBe(0);
    expect(forge.writes()).toEqual([["PATCH /issues/12", { milestone: 0 }]]);
  });

  it("sends a due date as the end of that day in the local time zone, and removes it", async () => {
    await start({}, { "PATCH /pulls/12": { status: 201, body: open({ due_date: "2026-12-24T23:59:59Z" }) } });
    expect((await forge.run(["pr", "edit", "12", "--due", "2026-12-24"])).code).toBe(0);
    const sent = String((forge.writes()[0]?.[1] as { due_date?: string } | undefined)?.due_date);
    expect(sent).toMatch(/^2026-12-24T23:59:59[+-]\d\d:\d\d$/);
    expect(new Date(sent).getTime()).toBe(new Date(2026, 11, 24, 23, 59, 59).getTime());
    await start(
      { due_date: "2026-12-24T23:59:59Z" },
      { "PATCH /pulls/12": { status: 201, body: open({ due_date: null }) } },
    );
    expect((await forge.run(["pr", "edit", "12", "--no-due"])).code).toBe(0);
    expect(forge.writes()).toEqual([["PATCH /pulls/12", { unset_due_date: true }]]);
  });

  it.each([
    [["--add-label", "bgu"], "Unknown label 'bgu' in mara/harbor\n  Did you mean: bug?"],
    [["--remove-label", "dcos"], "Unknown label 'dcos' in mara/harbor\n  Did you mean: docs?"],
    [["--milestone", "Third"], "Unknown milestone 'Third' in mara/harbor\n  Available: first season, First season"],
    [["--add-assignee", "jnas"], "Unknown user 'jnas' on this server\n  Did you mean: jonas?"],
    [["--remove-assignee", "jnas"], "Unknown user 'jnas' on this server\n  Did you mean: jonas?"],
    [["--remove-reviewer", "jnas"], "Unknown user 'jnas' on this server\n  Did you mean: jonas?"],
    [["--add-reviewer", "mara/pilots"], "mara has no teams: it is not an organization"],
    [["--remove-reviewer", "mara/pilots"], "mara has no teams: it is not an organization"],
  ])("refuses the unknown name in %j with suggestions, and changes nothing", async (flags, words) => {
    await start({}, { "GET //orgs/mara/teams": { status: 404, body: { message: "not found" } } });
    const ran = await forge.run(["pr", "edit", "12", "--title", "Changed", ...flags]);
    expect(ran.code).toBe(13);
    expect(ran.stderr).toContain(words);
    expect(forge.writes()).toEqual([]);
  });

  it("does not take those who can be assigned for all users", async () => {
    await start();
    const ran = await forge.run(["pr", "edit", "12", "--add-reviewer", "nobodyx"]);
    expect([ran.code, ran.stderr]).toEqual([13, "✗ Unknown user 'nobodyx' on this server\n"]);
  });

  it("finds labels of the organization", async () => {
    await start(
      {},
      { "GET //orgs/mara/labels": { body: [{ id: 21, name: "urgent" }] }, "POST /issues/12/labels": { body: [] } },
    );
    expect((await forge.run(["pr", "edit", "12", "--add-label", "urgent,bug"])).code).toBe(0);
    expect(forge.writes()).toEqual([["POST /issues/12/labels", { labels: [21, 1] }]]);
  });

  it("does not overwrite a body that was changed by someone else, and saves the new one in a file", async () => {
    await start({}, { "PATCH /pulls/12": recorded("gitea", "edit with an old content_version: 409") });
    const ran = await forge.run(["pr", "edit", "12", "--body-file", "-"], { stdin: "Long thoughts" });
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("The body of mara/harbor#12 was changed by someone else");
    const file = /Your text was saved. To use it, pass --body-file (\S+)/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("Long thoughts\n");
  });

  it.each([
    ["edit the base: unknown branch 404", 5, "Branch quay not found in mara/harbor"],
    [
      "edit the base to one for which a pull request exists: 409",
      9,
      "A pull request from this branch into quay already exists: mara/harbor#13",
    ],
    ["edit a pull request as a stranger: 403 without a body", 4, "Cannot edit mara/harbor#12"],
  ])("changes the base first and explains why it was refused: %s", async (label, code, words) => {
    await start({}, { "PATCH /pulls/12": recorded("gitea", label), "GET ": { body: {} } });
    const ran = await forge.run(["pr", "edit", "12", "--base", "quay", "--title", "Other"]);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(words);
    expect(forge.writes()).toEqual([["PATCH /pulls/12", { base: "quay" }]]);
  });

  it("lists what was changed before a failure", async () => {
    await start({}, { "POST /issues/12/labels": { status: 403, body: { message: "write permission is required" } } });
    const ran = await forge.run(["pr", "edit", "12", "--title", "Other", "--add-label", "bug"]);
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain("write permission is required\n  Already changed: title");
  });

  it.each([
    [[], "Nothing to change: no changes were given"],
    [["--title", " "], "--title must not be empty"],
    [["--due", "2026-02-30"], "for --due: must be a date such as 2026-12-24"],
    [["--milestone", "x", "--no-milestone"], "Specify only one of"],
    [["--body-file", "absent.md"], "could not read absent.md: no such file or directory"],
  ])("refuses %j before anything is sent", async (flags, words) => {
    await start();
    const ran = await forge.run(["pr", "edit", "12", ...flags]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(words);
    expect(forge.lines()).toEqual([]);
  });

  it("accepts --no-maintainer-edit", async () => {
    await start({ allow_maintainer_edit: true });
    expect((await forge.run(["pr", "edit", "12", "--no-maintainer-edit"])).code).toBe(0);
    expect(forge.writes()).toEqual([["PATCH /pulls/12", { allow_maintainer_edit: false }]]);
  });

  const kept = (stderr: string) => {
    const file = /Your text was saved. To use it, pass --body-file (\S+)/.exec(stderr)?.[1] ?? "";
    return readFileSync(file, "utf8");
  };

  it("offers the labels of the organization, too", async () => {
    const routes = {
      "GET //orgs/mara/labels": { body: [{ id: 21, name: "urgent" }] },
      "POST /issues/12/labels": { body: [] },
    };
    await start({ labels: [] }, routes);
    const ran = await forge.run(["pr", "edit", "12"], { terminal: true, answers: ["Labels", "bug, urgent"] });
    expect(ran.code).toBe(0);
    expect(forge.writes()).toEqual([["POST /issues/12/labels", { labels: [1, 21] }]]);
  });

  it("edits the other fields if there are no labels", async () => {
    await start({ title: "Pumps", labels: [] }, { "GET /labels": { body: [] } });
    const ran = await forge.run(["pr", "edit", "12"], { terminal: true, answers: ["Labels, Title", "Two pumps"] });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("There are no labels in mara/harbor")]);
    expect(forge.writes()).toEqual([["PATCH /pulls/12", { title: "Two pumps" }]]);
  });

  it.each([["--add-reviewer"], ["--remove-reviewer"]])(
    "does not take a team of another organization for %s",
    async (flag) => {
      const teams = { body: [{ id: 1, name: "Pilots" }] };
      await start({ requested_reviewers_teams: [{ id: 1, name: "Pilots" }] }, { "GET //orgs/mara/teams": teams });
      const ran = await forge.run(["pr", "edit", "12", flag, "lena/pilots"]);
      expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining("Unknown team 'lena/pilots' in mara")]);
      expect(forge.writes()).toEqual([]);
    },
  );

  it("takes the organization of a team in any case, and knows a team that is not requested", async () => {
    const teams = {
      body: [
        { id: 1, name: "Pilots" },
        { id: 2, name: "Divers" },
      ],
    };
    const routes = { "GET //orgs/mara/teams": teams, "DELETE /pulls/12/requested_reviewers": { status: 204 } };
    await start({ requested_reviewers_teams: [{ id: 1, name: "Pilots" }] }, routes);
    expect((await forge.run(["pr", "edit", "12", "--remove-reviewer", "Mara/pilots,mara/divers"])).code).toBe(0);
    expect(forge.writes()[0]?.[1]).toEqual({ reviewers: [], team_reviewers: ["Pilots"] });
  });

  it("saves the body from the editor if a later prompt is cancelled or fails", async () => {
    await start({ body: "Pumps." });
    const world = { terminal: true, env: { EDITOR: "printf 'And valves.' >>" } };
    const cancelled = await forge.run(["pr", "edit", "12"], { ...world, answers: ["Body, Labels"] });
    expect(cancelled.code).toBe(3);
    expect(kept(cancelled.stderr)).toBe("Pumps.And valves.\n");
    await start({ body: "Pumps." }, { "GET /labels": { status: 500, body: { message: "" } } });
    const failed = await forge.run(["pr", "edit", "12"], { ...world, answers: ["Body, Labels"] });
    expect(failed.code).toBe(7);
    expect(kept(failed.stderr)).toBe("Pumps.And valves.\n");
    expect(forge.writes()).toEqual([]);
  });

  it.each([
    [["12", "--add-label", "nope"], 13],
    [["999"], 5],
  ])("saves the body from standard input if nothing is sent: %j", async (line, code) => {
    await start();
    const ran = await forge.run(["pr", "edit", ...line, "--body-file", "-"], { stdin: "Long thoughts" });
    expect(ran.code).toBe(code);
    expect(kept(ran.stderr)).toBe("Long thoughts\n");
  });

  it("requests reviews from teams of the organization, unchecked if it cannot list them", async () => {
    const asked = { "POST /pulls/12/requested_reviewers": { status: 201, body: [] } };
    await start({}, { ...asked, "GET //orgs/mara/teams": { body: [{ id: 1, name: "Pilots" }] } });
    expect((await forge.run(["pr", "edit", "12", "--add-reviewer", "mara/pilots"])).code).toBe(0);
    expect(forge.writes()[0]?.[1]).toEqual({ reviewers: [], team_reviewers: ["Pilots"] });
    expect((await forge.run(["pr", "edit", "12", "--add-reviewer", "mara/pilotes"])).stderr).toContain(
      "Did you mean: Pilots?",
    );
    await start({}, { ...asked, "GET //orgs/mara/teams": { status: 403, body: { message: "Must be a member" } } });
    expect((await forge.run(["pr", "edit", "12", "--add-reviewer", "mara/pilots"])).code).toBe(0);
    expect(forge.writes()[0]?.[1]).toEqual({ reviewers: [], team_reviewers: ["pilots"] });
  });
});
