import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { asAsked } from "../../support/as-asked.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { cut, scripted as on } from "../pr/scripted.ts";

const issue = (number: number, more: Record<string, unknown> = {}) => ({
  id: number,
  number,
  title: `Issue ${number}`,
  state: "open",
  updated_at: "2026-11-20T10:00:00Z",
  labels: [],
  assignees: null,
  milestone: null,
  due_date: null,
  body: "",
  content_version: 4,
  repository: { id: 1, name: "harbor", owner: "mara", full_name: "mara/harbor" },
  ...more,
});
/** A list that is complete. */
const listed = (body: readonly unknown[]) => ({ headers: { "x-total-count": String(body.length) }, body });
const mara = { "GET //user": { body: { login: "mara" } } };

describe("tongs issue list", () => {
  it("sends one request without filters by name, and prints a line per issue", async () => {
    const { run, lines } = await on({ "GET /issues": listed([issue(7, { labels: [{ id: 1, name: "bug" }] })]) });
    const ran = await run(["issue", "list", "--search", "dark", "--since", "2026-11-01T10:00:00+02:00"]);
    expect(ran).toMatchObject({ code: 0, stdout: "7\tIssue 7\tbug\topen\t2026-11-20T10:00:00Z\n" });
    expect(lines()).toEqual(["GET /issues?type=issues&state=open&q=dark&since=2026-11-01T08:00:00Z&page=1&limit=30"]);
  });

  it("checks what the server ignores: labels by id, and the milestone", async () => {
    const { run, lines } = await on({
      "GET /labels": listed([{ id: 1, name: "bug" }]),
      "GET /milestones": listed([{ id: 8, title: "Spring, 1", state: "open" }]),
      "GET /issues": listed([
        issue(3, { labels: [{ id: 1, name: "bug" }], milestone: { id: 8 } }),
        issue(2, { labels: [{ id: 2, name: "bug" }] }),
        issue(1),
      ]),
    });
    const ran = await run(["issue", "list", "-l", "Bug", "-m", "spring, 1", "--json", "number"]);
    expect(ran.json()).toEqual([{ number: 3 }]);
    expect(lines().at(-1)).toBe("GET /issues?type=issues&state=open&labels=bug&milestones=8&page=1&limit=50");
  });

  it.each([
    [["--label", "bgu"], "Unknown label 'bgu' in mara/harbor"],
    [["--milestone", "Sprnig"], "Unknown milestone 'Sprnig' in mara/harbor"],
    [["--author", "nobody"], "Unknown user 'nobody' on this server"],
  ])("refuses %j before it lists", async (flags, message) => {
    const { run, lines } = await on({
      "GET /labels": listed([{ id: 1, name: "bug" }]),
      "GET /milestones": listed([{ id: 8, title: "Spring", state: "open" }]),
    });
    const ran = await run(["issue", "list", ...flags]);
    expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining(message)]);
    expect(lines().filter((line) => line.startsWith("GET /issues"))).toEqual([]);
  });

  it.each([
    [["--since", "yesterday"], "must be a date or a time"],
    [["--since", "2026-02-31"], "must be a date or a time"],
    [["--state", "ajar"], "must be one of open, closed, all"],
    [["--sort", "size"], "must be one of"],
    [["--owner", "mara", "--all-repos"], "Specify only one of"],
    [["--owner", "mara", "-R", "mara/harbor"], "Cannot use --repo with --owner"],
  ])("refuses %j as a usage error, and sends nothing", async (flags, message) => {
    const { run, lines } = await on({});
    const ran = await run(["issue", "list", ...flags]);
    expect([ran.code, ran.stderr, lines()]).toEqual([2, expect.stringContaining(message), []]);
  });

  it("searches the repositories of an owner, with the repository as a column", async () => {
    const { run, lines } = await on({
      ...mara,
      "GET //repos/issues/search": listed([
        issue(3, { user: { login: "mara" } }),
        issue(2, { user: { login: "jonas" } }),
      ]),
    });
    const ran = await run(["issue", "list", "--owner", "mara", "--author", "@me"]);
    expect(ran.stdout).toBe("mara/harbor\t3\tIssue 3\t\topen\t2026-11-20T10:00:00Z\n");
    expect(lines()).toEqual([
      "GET //user",
      "GET //repos/issues/search?type=issues&state=open&owner=mara&created=true&page=1&limit=50",
    ]);
    const other = await run(["issue", "list", "--all-repos", "--mentions", "jonas"]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("--mentions takes only @me")]);
  });

  it("sorts where the server cannot", async () => {
    const { run } = await on({
      "GET /issues": { body: [issue(1, { comments: 1 }), issue(2, { comments: 5 }), issue(3)] },
    });
    const ran = await run(["issue", "list", "--sort", "comments", "--json", "number"]);
    expect(ran.json()).toEqual([{ number: 2 }, { number: 1 }, { number: 3 }]);
  });

  it("truncates a long title before it omits the time of the update", async () => {
    const { run } = await on({ "GET /issues": { body: [issue(1, { title: "long ".repeat(60) })] } });
    const ran = await run(["issue", "list"], { terminal: true, columns: 80 });
    expect(ran.stdout.split("\n")[0]).toMatch(/ID.*TITLE.*STATE.*UPDATED/);
  });

  it("shows hostile titles as pictures on a terminal", async () => {
    const { run } = await on({ "GET /issues": { body: [issue(1, { title: "\u001b]0;x\u0007\u202egpj" })] } });
    const ran = await run(["issue", "list"], { terminal: true });
    expect(ran.stdout).toContain("␛]0;x␇");
    expect(ran.stdout).not.toContain("\u202e");
  });
});

describe("the selection of issues", () => {
  it("takes numbers, OWNER/REPO#NUMBER, URLs and stdin, each once", async () => {
    const { run, writes, server } = await on({
      "PATCH /issues/3": asAsked(issue(3)),
      "PATCH //repos/jonas/notes/issues/4": asAsked(issue(4)),
    });
    const typed = [
      "3",
      "#3",
      `${server.url}/mara/harbor/issues/3`,
      `${new URL(server.url).host}/mara/harbor#3`,
      "jonas/notes#4",
      "-",
    ];
    const ran = await run(["issue", "close", ...typed], { stdin: "# a note\nMara/Harbor#3\n" });
    expect(ran.code).toBe(0);
    expect(
      writes()
        .map(([line]) => line)
        .sort(),
    ).toEqual(["PATCH //repos/jonas/notes/issues/4", "PATCH /issues/3"]);
  });

  it("needs no current repository when each target names one", async () => {
    const { run } = await on({ "PATCH //repos/jonas/notes/issues/4": asAsked(issue(4)) });
    expect((await run(["issue", "close", "jonas/notes#4"], { env: { TONGS_REPO: "" } })).code).toBe(0);
    const ran = await run(["issue", "close", "4"], { env: { TONGS_REPO: "" } });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("No repository selected")]);
  });

  it.each(["", "x", "12x", "mara#3", "a//c#3", "https://h.example/mara/harbor/wiki/3", "../..#1"])(
    "refuses %j, and sends nothing",
    async (typed) => {
      const { run, lines } = await on({});
      const ran = await run(["issue", "close", "--", typed]);
      expect([ran.code, lines()]).toEqual([2, []]);
    },
  );

  it("refuses an issue of another server", async () => {
    const { run, lines } = await on({});
    const ran = await run(["issue", "close", "3", "https://other.example/mara/harbor/issues/3"]);
    expect([ran.code, ran.stderr, lines()]).toEqual([2, expect.stringContaining("is on another server"), []]);
  });
});

describe("tongs issue close", () => {
  it("of a pull request says that it is one", async () => {
    const pull = { ...issue(3), pull_request: { merged: false, merged_at: null } };
    const { run } = await on({ "PATCH /issues/3": asAsked(pull) });
    const ran = await run(["issue", "close", "3"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Closed pull request mara/harbor#3")]);
  });

  it("continues after a failure, names it, and exits with 11", async () => {
    const { run } = await on({
      "PATCH /issues/3": asAsked(issue(3)),
      "PATCH /issues/4": {
        status: 412,
        body: { message: "cannot close this issue because it still has open dependencies" },
      },
      "PATCH /issues/5": { status: 403, body: "" },
    });
    const ran = await run(["issue", "close", "3", "4", "5"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("Closed issue mara/harbor#3")]);
    expect(ran.stderr).toContain("mara/harbor#4: Cannot close mara/harbor#4: it has open dependencies");
    expect(ran.stderr).toContain("Cannot edit mara/harbor#5: only its author and users with write access can");
  });

  it("says that it closed the issue when the comment is refused", async () => {
    const { run } = await on({
      "PATCH /issues/3": asAsked(issue(3)),
      "POST /issues/3/comments": { status: 403, body: { message: "You cannot comment on a locked issue." } },
    });
    const ran = await run(["issue", "close", "3", "-c", "Lit."]);
    expect([ran.code, ran.stderr]).toEqual([
      4,
      expect.stringContaining("Closed mara/harbor#3, but the comment was not added"),
    ]);
  });

  it("does not send a lost write twice", async () => {
    const { run, writes } = await on({ "PATCH /issues/3": cut });
    const ran = await run(["issue", "close", "3"]);
    expect([ran.code, writes().length]).toEqual([6, 1]);
    expect(ran.stderr).toContain("may have taken effect");
  });
});

describe("tongs issue edit", () => {
  const labels = {
    "GET /labels": listed([
      { id: 1, name: "bug" },
      { id: 2, name: "lamp" },
    ]),
  };

  it("looks names up once, and sends only what differs", async () => {
    const { run, lines, writes } = await on({
      ...labels,
      "GET /issues/3": { body: issue(3, { labels: [{ id: 1, name: "bug" }] }) },
      "GET /issues/4": { body: issue(4, { body: "Since ten." }) },
      "PATCH /issues/3": asAsked(issue(3)),
      "POST /issues/4/labels": { body: [] },
    });
    const ran = await run(["issue", "edit", "3", "4", "--body", "Since ten.", "--add-label", "bug"]);
    expect(ran.code).toBe(0);
    expect(lines().filter((line) => line.startsWith("GET /labels"))).toHaveLength(1);
    expect(new Map(writes())).toEqual(
      new Map<string, unknown>([
        ["PATCH /issues/3", { body: "Since ten.", content_version: 4 }],
        ["POST /issues/4/labels", { labels: [1] }],
      ]),
    );
  });

  it("says when the server ignored a change, or someone else was faster", async () => {
    const { run } = await on({
      "GET /issues/3": { body: issue(3, { milestone: { id: 8 } }) },
      "PATCH /issues/3": [
        { status: 201, body: issue(3, { milestone: { id: 8 } }) },
        { status: 409, body: { message: "the issue is already changed" } },
      ],
    });
    const ignored = await run(["issue", "edit", "3", "--no-milestone"]);
    expect([ignored.code, ignored.stderr]).toEqual([
      1,
      expect.stringContaining("did not apply milestone to mara/harbor#3"),
    ]);
    const late = await run(["issue", "edit", "3", "--body", "x"]);
    expect([late.code, late.stderr]).toEqual([9, expect.stringContaining("was changed by someone else")]);
  });

  it("sends the whole list of assignees where the server has no operation for one", async () => {
    const missing = { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found" };
    const { run, writes } = await on({
      "GET //users/jonas": { body: { login: "jonas" } },
      "GET /issues/3": { body: issue(3, { assignees: [{ login: "mara" }] }) },
      "POST /issues/3/assignees": missing,
      "PATCH /issues/3": { status: 201, body: issue(3, { assignees: [{ login: "mara" }, { login: "jonas" }] }) },
    });
    expect((await run(["issue", "edit", "3", "--add-assignee", "jonas"])).code).toBe(0);
    expect(writes().at(-1)).toEqual(["PATCH /issues/3", { assignees: ["mara", "jonas"] }]);
  });

  it("asks for the fields of one issue on a terminal, and for each of them", async () => {
    const { run, writes } = await on({
      "GET /issues/3": { body: issue(3) },
      "PATCH /issues/3": { status: 201, body: issue(3, { title: "New" }) },
    });
    const ran = await run(["issue", "edit", "3"], { terminal: true, answers: ["Title", "New"] });
    expect([ran.code, ran.asked]).toEqual([0, ["What would you like to edit?", "Title"]]);
    expect(writes()).toEqual([["PATCH /issues/3", { title: "New" }]]);
    expect((await run(["issue", "edit", "3", "4"], { terminal: true })).code).toBe(2);
  });

  it("compares with the issue that was shown, and sends its version, so that nobody else's change is lost", async () => {
    const { run, writes } = await on({
      "GET /issues/3": [
        { body: issue(3, { title: "Old", body: "Dark.", content_version: 4 }) },
        { body: issue(3, { title: "Newer", body: "Lit.", content_version: 5 }) },
      ],
      "PATCH /issues/3": { status: 409, body: { message: "the issue is already changed" } },
    });
    const world = { terminal: true, env: { EDITOR: "printf 'Since nine.' >>" } };
    const ran = await run(["issue", "edit", "3"], { ...world, answers: ["Body"] });
    expect(writes()).toEqual([["PATCH /issues/3", { body: "Dark.Since nine.", content_version: 4 }]]);
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("was changed by someone else")]);
  });

  it("names a hundred records that cannot be read, and no more of an endless page", async () => {
    const { run } = await on({ "GET /issues": { body: Array.from({ length: 5000 }, () => ({})) } });
    const ran = await run(["issue", "list"]);
    expect([ran.code, ran.stderr.match(/is not an issue/g)?.length]).toEqual([11, 100]);
  });

  it("overwrites no text that changed while the editor was open, of an issue without versions and of a comment", async () => {
    const comment = (body: string) => ({ body: { id: 34, body, user: { login: "mara" } } });
    const { run, writes } = await on({
      "GET /issues/3": [
        { body: issue(3, { body: "Dark.", content_version: undefined }) },
        { body: issue(3, { body: "Lit.", content_version: undefined }) },
      ],
      "GET /issues/comments/34": [comment("Dark."), comment("Lit.")],
    });
    const world = { terminal: true, env: { EDITOR: "printf 'Since nine.' >>" } };
    for (const ran of [
      await run(["issue", "edit", "3"], { ...world, answers: ["Body"] }),
      await run(["comment", "edit", "34"], world),
    ]) {
      expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("was changed by someone else")]);
      expect(ran.stderr).toContain("Your text was saved");
    }
    expect(writes()).toEqual([]);
  });

  it("sends the version that attaching a file has made, but not that of another's text", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "log.txt"), "dark");
    for (const [body, version] of [
      ["Dark.", 5],
      ["Lit.", 4],
    ] as const) {
      const { run, server } = await on({
        ...mara,
        "GET //settings/attachment": { body: { enabled: true, allowed_types: "", max_size: 4, max_files: 5 } },
        "GET /issues/3": [
          { body: issue(3, { body: "Dark.", content_version: 4 }) },
          { body: issue(3, { body, content_version: 5 }) },
        ],
        "POST /issues/3/assets": { status: 201, body: { id: 1, name: "log.txt", size: 4, uuid: "4b056cd5" } },
        "PATCH /issues/3": asAsked(issue(3)),
      });
      const ran = await run(["issue", "edit", "3", "--body", "New", "--attach", "log.txt"], { cwd });
      expect(ran.code, ran.stderr).toBe(0);
      const sent = server.seen.findLast(({ method }) => method === "PATCH")?.body ?? "";
      expect(JSON.parse(sent)).toEqual({ body: "New", content_version: version });
    }
  });

  it("saves the body that was read from standard input when some or all issues refuse it", async () => {
    const { run } = await on({
      "GET /issues/3": { body: issue(3) },
      "PATCH /issues/3": { status: 403, body: "" },
      "GET /issues/4": { body: issue(4) },
      "PATCH /issues/4": { status: 403, body: "" },
      "GET /issues/5": { body: issue(5) },
      "PATCH /issues/5": asAsked(issue(5)),
    });
    for (const [numbers, code] of [
      [["3", "4"], 4],
      [["3", "5"], 11],
    ] as const) {
      const ran = await run(["issue", "edit", ...numbers, "--body-file", "-"], { stdin: "Long thoughts" });
      expect(ran.code).toBe(code);
      const file = /Your text was saved. To use it, pass --body-file (\S+)/.exec(ran.stderr)?.[1] ?? "";
      expect(readFileSync(file, "utf8")).toBe("Long thoughts\n");
      // It is removed once it was sent, and not before.
      expect((await run(["issue", "edit", "5", "--body-file", file, "--dry-run"])).code).toBe(0);
      expect((await run(["issue", "edit", "4", "--body-file", file])).code).toBe(4);
      expect(existsSync(file)).toBe(true);
      expect((await run(["issue", "edit", "5", "--body-file", file])).code).toBe(0);
      expect(existsSync(dirname(file))).toBe(false);
    }
    const done = await run(["issue", "edit", "5", "--body-file", "-"], { stdin: "Long thoughts" });
    expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining("Your text was saved")]);
  });
});

describe("tongs issue view, delete and comment", () => {
  it("shows a pull request, and names the command for it", async () => {
    const { run } = await on({ "GET /issues/3": { body: issue(3, { pull_request: { merged: true } }) } });
    const ran = await run(["issue", "view", "3"]);
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("state\tmerged")]);
    expect(ran.stderr).toContain("#3 is a pull request. For more, run: tongs pr view 3");
  });

  it("deletes issues only, after confirmation", async () => {
    const { run, writes } = await on({
      "GET /issues/3": { body: issue(3) },
      "GET /issues/4": { body: issue(4, { pull_request: { merged: false } }) },
      "DELETE /issues/3": { status: 204 },
    });
    expect((await run(["issue", "delete", "3"])).code).toBe(2);
    const declined = await run(["issue", "delete", "3"], { terminal: true, answers: [false] });
    expect([declined.code, declined.asked]).toEqual([3, ["Delete issue mara/harbor#3 (cannot be undone)?"]]);
    const ran = await run(["issue", "delete", "3", "4", "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("mara/harbor#4 is a pull request")]);
    expect(writes()).toEqual([["DELETE /issues/3", {}]]);
  });

  it("explains the 500 of an issue that does not exist, and no other", async () => {
    const failure = { status: 500, body: { message: "" } };
    const { run } = await on({
      "POST /issues/9/comments": failure,
      "POST /issues/3/comments": failure,
      "GET /issues/3": { body: issue(3) },
      "GET /issues/9/timeline": failure,
    });
    const ran = await run(["issue", "comment", "9", "--body", "x"]);
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Issue #9 not found in mara/harbor")]);
    expect((await run(["issue", "timeline", "9"])).code).toBe(5);
    expect((await run(["issue", "comment", "3", "--body", "x"])).code).toBe(7);
    expect((await run(["issue", "comment", "3", "--body", " "])).code).toBe(2);
  });
});

describe("tongs issue pin and dependency", () => {
  const failure = { status: 500, body: { message: "" } };

  it("pins with one request, and moves with a look at the pinned ones before", async () => {
    const { run, lines } = await on({
      "POST /issues/3/pin": { status: 204 },
      "GET /issues/pinned": { body: [issue(1), issue(2)] },
      "PATCH /issues/3/pin/3": { status: 204 },
    });
    expect((await run(["issue", "pin", "3"])).code).toBe(0);
    expect((await run(["issue", "pin", "3", "--position", "3"])).code).toBe(0);
    const over = await run(["issue", "pin", "3", "--position", "4"]);
    expect([over.code, over.stderr]).toEqual([13, expect.stringContaining("Invalid position 4: the last one is 3")]);
    const moved = ["GET /issues/pinned", "POST /issues/3/pin", "PATCH /issues/3/pin/3"];
    expect(lines()).toEqual(["POST /issues/3/pin", ...moved, "GET /issues/pinned"]);
  });

  it("tells a pinned issue from the maximum and from other failures, which are all 500", async () => {
    const { run } = await on({
      "POST /issues/1/pin": failure,
      "GET /issues/1": { body: issue(1, { pin_order: 2 }) },
      "POST /issues/2/pin": failure,
      "GET /issues/2": { body: issue(2, { pin_order: 0 }) },
      "GET /new_pin_allowed": [
        { body: { issues: false, pull_requests: true } },
        { body: { issues: true, pull_requests: true } },
      ],
    });
    expect((await run(["issue", "pin", "1"])).code).toBe(0);
    const full = await run(["issue", "pin", "2"]);
    expect([full.code, full.stderr]).toEqual([9, expect.stringContaining("the maximum number of pins is reached")]);
    expect((await run(["issue", "pin", "2"])).code).toBe(7);
  });

  it("sends the names of the other repository as the server stores them", async () => {
    const stored = issue(4, { repository: { id: 2, name: "Notes", owner: "Jonas", full_name: "Jonas/Notes" } });
    const { run, writes } = await on({
      "GET //repos/jonas/notes/issues/4": { body: stored },
      "POST /issues/3/dependencies": { status: 201, body: issue(3) },
      "DELETE /issues/3/blocks": { status: 201, body: issue(3) },
    });
    expect((await run(["issue", "dependency", "add", "3", "jonas/notes#4"])).code).toBe(0);
    expect((await run(["issue", "block", "remove", "3", "jonas/notes#4"])).code).toBe(0);
    const meta = { owner: "Jonas", repo: "Notes", index: 4 };
    expect(writes()).toEqual([
      ["POST /issues/3/dependencies", meta],
      ["DELETE /issues/3/blocks", meta],
    ]);
  });

  it("prints a hidden dependency without a number", async () => {
    const hidden = { number: 0, title: "", state: "", repository: null };
    const { run } = await on({ "GET /issues/3/dependencies": listed([hidden]) });
    expect((await run(["issue", "dependency", "list", "3"])).stdout).toBe("\t\tHIDDEN\t\n");
  });
});

describe("tongs issue subscribe, start and time", () => {
  it("subscribes the signed-in user", async () => {
    const { run, writes } = await on({
      ...mara,
      "PUT /issues/3/subscriptions/mara": { status: 201 },
      "DELETE /issues/3/subscriptions/mara": { status: 200 },
    });
    expect((await run(["issue", "subscribe", "3"])).stderr).toContain("Subscribed to issue mara/harbor#3");
    const unsubscribed = await run(["issue", "unsubscribe", "3"]);
    expect(unsubscribed).toMatchObject({ code: 0, stderr: expect.stringMatching(/^You were not subscribed to issue/) });
    expect(writes()).toHaveLength(2);
  });

  it("says which stopwatch was stopped by starting another", async () => {
    const running = { issue_index: 2, repo_owner_name: "mara", repo_name: "harbor" };
    const { run } = await on({
      "GET //user/stopwatches": { body: [running] },
      "POST /issues/3/stopwatch/start": { status: 201 },
    });
    expect((await run(["issue", "start", "3"])).stderr).toContain("of mara/harbor#3; stopped that of mara/harbor#2");
  });

  it("says when the server added a time for another user, with its ID", async () => {
    const { run } = await on({
      "GET //users/jonas": { body: { login: "jonas" } },
      "POST /issues/3/times": asAsked({ id: 16, time: 60, user_name: "mara", issue: { number: 3 } }, ["user_name"]),
    });
    const ran = await run(["issue", "time", "add", "3", "1m", "--user", "jonas"]);
    expect([ran.code, ran.stdout]).toEqual([1, "16\n"]);
    expect(ran.stderr).toContain("(added for mara)");
    expect(ran.stderr).toContain("it was added for you, with ID 16");
  });
});

describe("tongs comment", () => {
  it("reads an event's 204 as no comment, and does not delete the event", async () => {
    const { run, writes } = await on({
      "GET /issues/comments/121": { status: 204 },
      "PATCH /issues/comments/121": { status: 204 },
    });
    for (const line of [["view"], ["edit", "--body", "x"], ["delete", "--yes"]]) {
      const [verb = "", ...flags] = line;
      const ran = await run(["comment", verb, "121", ...flags]);
      expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("the ID is that of another event")]);
    }
    expect(writes().map(([line]) => line)).toEqual(["PATCH /issues/comments/121"]);
  });

  it("edits several with one text, and says which it could not", async () => {
    const { run } = await on({
      "GET ": { body: {} },
      "PATCH /issues/comments/3": { body: { id: 3, body: "x" } },
      "PATCH /issues/comments/4": { status: 403, body: "" },
    });
    const ran = await run(["comment", "edit", "3", "4", "5", "--body", "x"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("Cannot edit comment 4: only its author")]);
    expect(ran.stderr).toContain("Comment 5 not found in mara/harbor");
    expect((await run(["comment", "edit", "3", "4"])).code).toBe(2);
  });
});
