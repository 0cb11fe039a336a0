import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { recorded } from "../../support/recorded.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

/** Plays recorded exchanges, which all have to be replayed, and nothing else may be requested. */
const on = (name: string, ...labels: readonly string[]) => cassette(name, labels, { repo: "mara/beacon" });

describe("issue reaction and comment reaction", () => {
  it("add, list and remove, with one request each", async () => {
    const { run } = await on("issue-writes", "reactions on an issue: add: 201", "reactions on an issue: remove: 204");
    const added = await run(["issue", "reaction", "add", "1", "heart", "--json", "content,user.login"]);
    expect(added.json()).toEqual([{ content: "heart", user: { login: "mara" } }]);
    const removed = await run(["issue", "reaction", "remove", "1", "heart"]);
    expect(removed).toMatchObject({ code: 0, stdout: "" });
    expect(removed.stderr).toContain("Removed reaction heart from mara/beacon#1");
  });

  it("work on comments by id and by URL", async () => {
    const { run, url } = await on(
      "issue-writes",
      "reactions on a comment: add: 201",
      "reactions on a comment: remove: 204",
    );
    expect((await run(["comment", "reaction", "add", "112", "heart"])).code).toBe(0);
    const page = `${url}/mara/beacon/issues/1#issuecomment-112`;
    expect((await run(["comment", "reaction", "remove", page, "heart"])).code).toBe(0);
  });

  it("name the reactions that the server allows", async () => {
    const { run } = await on("issue-writes", "reactions on an issue: add an unknown one: 403", "settings: UI");
    const ran = await run(["issue", "reaction", "add", "1", "zebra"]);
    expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining("Unknown reaction 'zebra' on this server")]);
    expect(ran.stderr).toContain("heart, rocket, eyes");
  });

  it("read null as none", async () => {
    const { run } = await on("issue-writes", "reactions on an issue: list, none: null: 200");
    const ran = await run(["issue", "reaction", "list", "1", "--json"]);
    expect([ran.code, ran.json()]).toEqual([0, []]);
  });

  it("are listed as a table", async () => {
    const { run } = await on("issues", "reactions on an issue: list: 200");
    const ran = await run(["issue", "reaction", "list", "1"]);
    expect(ran.stdout.split("\n")[2]).toBe("heart\tpriya\t2026-11-22T01:25:20Z");
  });
});

describe("issue time", () => {
  it("adds a time and prints its ID", async () => {
    const { run } = await on("issue-writes", "tracked times: add: 200");
    const ran = await run(["issue", "time", "add", "3", "1h"]);
    expect(ran).toMatchObject({ code: 0, stdout: "16\n" });
    expect(ran.stderr).toContain("Added 1h to mara/beacon#3");
  });

  it.each(["", "1x", "90", "h", "0m", "1m1h", "-5m"])("refuses %j as a time, and sends nothing", async (typed) => {
    const { run } = await on("issue-writes");
    const ran = await run(["issue", "time", "add", "3", "--", typed]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("such as 1h30m")]);
  });

  it("lists the times of an issue, and of the repository", async () => {
    const { run } = await on(
      "issues",
      "tracked times: list of an issue: 200",
      "tracked times: list of the repository: 200",
    );
    const one = await run(["issue", "time", "list", "3"]);
    expect(one.stdout.split("\n")[1]).toBe("16\t3\tjonas\t1h\t2026-11-22T01:25:23Z");
    expect((await run(["issue", "time", "list"])).code).toBe(0);
  });

  it("deletes after confirmation, and explains a refusal without words", async () => {
    const { run } = await on(
      "issue-writes",
      "tracked times: delete one: 204",
      "tracked times: delete a foreign one, by the owner of the repository is refused: 403",
    );
    const asked = await run(["issue", "time", "delete", "3", "16", "19"]);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("--yes is required")]);
    const ran = await run(["issue", "time", "delete", "3", "16", "19", "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("1 of 2 failed")]);
  });
});

describe("issue start and issue stop", () => {
  it("start and stop the stopwatch", async () => {
    const { run } = await on(
      "issue-writes",
      "stopwatches: list mine, none: 200",
      "stopwatches: start: 201",
      "stopwatches: stop: 201",
    );
    const started = await run(["issue", "start", "3"]);
    expect([started.code, started.stderr]).toEqual([
      0,
      expect.stringContaining("Started the stopwatch of mara/beacon#3 on"),
    ]);
    expect((await run(["issue", "stop", "2"])).code).toBe(0);
  });

  it("print the stopwatch with --json", async () => {
    const { run } = await on(
      "issue-writes",
      "stopwatches: list mine, none: 200",
      "stopwatches: start: 201",
      "stopwatches: list mine: 200",
    );
    const started = await run(["issue", "start", "3", "--json"]);
    expect(started.code, started.stderr).toBe(0);
    expect(started.json()).toMatchObject({ issue_index: 3 });
  });

  it("say that it is already running, and that none runs", async () => {
    const { run } = await on(
      "issue-writes",
      "stopwatches: list mine: 200",
      "stopwatches: start twice: 409",
      "stopwatches: stop twice: 409",
    );
    const twice = await run(["issue", "start", "3"]);
    expect([twice.code, twice.stderr]).toEqual([
      9,
      expect.stringContaining("The stopwatch of mara/beacon#3 is already running"),
    ]);
    const none = await run(["issue", "stop", "2"]);
    expect([none.code, none.stderr]).toEqual([9, expect.stringContaining("is not running")]);
  });

  it.each([
    ["issue-writes", "mara/beacon", "4", ["stopwatches: delete: 204", "stopwatches: delete twice: 409"]],
    [
      "forgejo-issues",
      "imara/lighthouse",
      "8",
      ["stopwatches: delete: 204", "stopwatches: delete where none runs: 409"],
    ],
  ] as const)("discard the time of a stopwatch (%s)", async (name, repo, number, labels) => {
    const player = await cassette(name, labels, { repo });
    const discarded = await player.run(["issue", "stop", number, "--discard"]);
    expect([discarded.code, discarded.stderr]).toEqual([
      0,
      expect.stringContaining(`Discarded the stopwatch of ${repo}#${number}`),
    ]);
    const none = await player.run(["issue", "stop", number, "--discard"]);
    expect([none.code, none.stderr]).toEqual([9, expect.stringContaining("is not running")]);
  });
});

describe("issue timeline", () => {
  it("says what happened, and stops at the limit", async () => {
    const { run } = await on("issues", "timeline: every kind of event: 200");
    const ran = await run(["issue", "timeline", "8", "--limit", "20"]);
    const rows = ran.stdout
      .trim()
      .split("\n")
      .map((line) => line.split("\t").slice(2).join(" "));
    expect(rows).toHaveLength(20);
    expect(rows).toEqual(
      expect.arrayContaining([
        "label added lamp",
        "label removed lamp",
        "milestone  → Harvest",
        "milestone Harvest → ",
        "assignees assigned jonas",
        "assignees unassigned jonas",
        "change_title Rotten mast → Rotten mast, again",
        "modified_deadline 2030-03-04 → 2031-03-04",
        "comment a remark",
        "add_time_manual 1m 30s",
      ]),
    );
  });

  it("leaves out what is null in place of an event", async () => {
    const reply = recorded("forgejoMore", "timeline: of an issue that another one names: 200");
    expect(reply.body).toContain(null);
    const server = await serve(({ url }) => (/page=1\b/.test(url) ? reply : { body: null }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "imara/lighthouse" };
    const ran = await tongs(["issue", "timeline", "9", "--json", "type"], { env });
    expect([ran.code, ran.json()]).toEqual([0, [{ type: "milestone" }]]);
  });

  it("reads null as none", async () => {
    const { run } = await on("issue-writes", "timeline: new issue: null, not an empty list: 200");
    const ran = await run(["issue", "timeline", "8"]);
    expect(ran).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("issue template and issue config", () => {
  it("list and view templates", async () => {
    const { run } = await on("issues", "issue templates: list: a form and a template; invalid ones are left out: 200");
    const ran = await run(["issue", "template", "view", "bug report"]);
    expect(ran.stdout).toContain("where (input, required): Where\nWhich tower");
    expect(ran.stdout).toContain("level (dropdown): How bad\n- low\n- high (default)");
    expect(ran.stderr).toContain("error occurs when parsing issue template: count=2");
  });

  it("name the templates when one is unknown, and say that there are none", async () => {
    const { run } = await on("issue-writes", "issue templates: none: null: 200");
    const ran = await run(["issue", "template", "view", "bug"]);
    expect([ran.code, ran.stderr]).toEqual([
      13,
      expect.stringContaining("Unknown issue template 'bug' in mara/beacon"),
    ]);
  });

  it("exit with 1 for an invalid configuration, and say why", async () => {
    const { run } = await on(
      "issue-writes",
      "issue templates: config, invalid (no YAML): the defaults, no error: 200",
      "issue templates: config validate, invalid: no YAML: 200",
    );
    const ran = await run(["issue", "config", "--check"]);
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining("valid\tno: yaml: line 1: did not find")]);
    expect(ran.stdout).toContain("blank issues\tallowed");
  });

  it("show the contact links", async () => {
    const { run } = await on("issues", "issue templates: config: 200");
    const ran = await run(["issue", "config"]);
    expect(ran).toMatchObject({
      code: 0,
      stdout: "blank issues\tnot allowed\ncontact\tHarbour office: https://example.org/office (For urgent things)\n",
    });
  });
});

describe("issue attachment", () => {
  it("says that there are none to download", async () => {
    const { run } = await on("issue-writes", "attachments of an issue: list, none: 200");
    const ran = await run(["issue", "attachment", "download", "1"]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, "", expect.stringContaining("has no attachments")]);
  });

  it("renames and deletes", async () => {
    const { run } = await on(
      "issue-writes",
      "attachments of an issue: rename: 201",
      "attachments of an issue: delete: 204",
    );
    const ran = await run(["issue", "attachment", "rename", "1", "12", "night.txt", "--json", "name"]);
    expect(ran.json()).toEqual({ name: "night.txt" });
    expect((await run(["issue", "attachment", "delete", "1", "12", "--yes"])).code).toBe(0);
  });
});
