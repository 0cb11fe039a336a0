import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { recorded, recordedRecord } from "../../support/recorded.ts";
import { gitFolder } from "./git-folder.ts";
import { type Answer, type Scripted, scripted } from "./scripted.ts";

let forge: Scripted;
afterEach(() => forge.server.close());

const made = (changes = {}) =>
  recordedRecord("gitea", "create a pull request: every field, 201", {
    number: 12,
    html_url: "https://x.test/12",
    ...changes,
  });
const start = async (routes: Record<string, Answer> = {}) => {
  forge = await scripted({
    "GET ": { body: { default_branch: "main", has_pull_requests: true } },
    "POST /pulls": { status: 201, body: made() },
    "GET /contents": { body: [] },
    "GET /labels": {
      body: [
        { id: 2, name: "feature" },
        { id: 3, name: "docs" },
      ],
    },
    "GET /milestones": { body: [{ id: 1, title: "First season", state: "open" }] },
    "GET //users/jonas": { body: { login: "jonas" } },
    "GET //user": { body: { login: "mara" } },
    ...routes,
  });
};
const posted = () => forge.writes().find(([line]) => line === "POST /pulls")?.[1];

describe("pr create", () => {
  it("prints the address of what it made, alone on stdout", async () => {
    await start();
    const ran = await forge.run([
      "pr",
      "create",
      "--head",
      "buoys",
      "--base",
      "main",
      "--title",
      "Buoys",
      "--body",
      "",
    ]);
    expect(ran).toMatchObject({ code: 0, stdout: "https://x.test/12\n" });
    expect(ran.stderr).toBe(`✓ Opened mara/harbor#12 (buoys into main) on ${forge.server.url}\n`);
    expect(forge.lines()).toEqual(["POST /pulls"]);
    expect(posted()).toEqual({ head: "buoys", base: "main", title: "Buoys", body: "" });
  });

  it("resolves every name, and opens it into the default branch as a draft", async () => {
    await start();
    const names = [
      "--label",
      "docs,Feature",
      "--milestone",
      "First season",
      "--assignee",
      "@me",
      "--reviewer",
      "jonas",
    ];
    const ran = await forge.run([
      "pr",
      "create",
      "--head",
      "buoys",
      "-t",
      "Buoys",
      "-b",
      "x",
      ...names,
      "--draft",
      "--due",
      "2026-12-24",
    ]);
    expect(ran.code).toBe(0);
    expect(posted()).toEqual({
      ...{ head: "buoys", base: "main", title: "WIP: Buoys", body: "x", labels: [3, 2], milestone: 1 },
      ...{ assignees: ["mara"], reviewers: ["jonas"], due_date: expect.stringMatching(/^2026-12-24T23:59:59/) },
    });
  });

  it.each([
    [["--label", "dosc"], "There is no label 'dosc' in mara/harbor\n  Did you mean: docs?"],
    [["--milestone", "Second"], "There is no milestone 'Second'"],
    [["--assignee", "jnas"], "There is no user 'jnas' on this server"],
    [["--reviewer", "@me"], "mara cannot review a pull request of their own"],
    [["--team-reviewer", "pilots"], "mara has no teams"],
  ])("makes nothing when the name in %j is unknown or wrong", async (flags, words) => {
    await start();
    const ran = await forge.run(["pr", "create", "--head", "buoys", "--title", "Buoys", ...flags]);
    expect(ran.code).toBe(13);
    expect(ran.stderr).toContain(words);
    expect(forge.writes()).toEqual([]);
  });

  it.each([
    [["--head", "x"], "--title is missing"],
    [["--head", "x", "--title", ""], "--title is empty"],
    [["--head", "x", "--title", "T", "--body", "a", "--body-file", "b"], "Specify only one of"],
    [["--title", "T", "--base", "main"], "Which branch? None is checked out here"],
    [["--head", "main", "--base", "main", "--title", "T"], "The head and the base are both main"],
    [["--head", "x", "--base", "main", "--title", "T", "--push"], "No git remote here leads to mara/harbor"],
  ])("refuses %j with nothing written", async (flags, words) => {
    await start();
    const ran = await forge.run(["pr", "create", ...flags]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(words);
    expect(forge.writes()).toEqual([]);
  });

  it("takes the repository's template without its front matter when no text is given", async () => {
    const content = Buffer.from("---\nname: all\n---\n## What\n").toString("base64");
    await start({
      "GET /contents?ref=main": {
        body: [
          { name: ".gitea", type: "dir" },
          { name: "README.md", type: "file" },
        ],
      },
      "GET /contents/.gitea?ref=main": {
        body: [{ name: "PULL_REQUEST_TEMPLATE.md", path: ".gitea/PULL_REQUEST_TEMPLATE.md", type: "file" }],
      },
      "GET /contents/.gitea/PULL_REQUEST_TEMPLATE.md?ref=main": { body: { encoding: "base64", content } },
    });
    await forge.run(["pr", "create", "--head", "buoys", "--title", "Buoys"]);
    expect(posted()).toMatchObject({ body: "## What\n" });
  });

  it("fills title and text from the server's commits where there is no checkout", async () => {
    const commit = (message: string) => ({ commit: { message }, parents: [{}] });
    await start({
      "GET /compare/main...feature/two_more": { body: { commits: [commit("Second\n\nx"), commit("First")] } },
    });
    await forge.run(["pr", "create", "--head", "feature/two_more", "--fill"]);
    expect(posted()).toMatchObject({ title: "Feature/two more", body: "- First\n- Second" });
  });
});

describe("pr create on Forgejo", () => {
  const ignoring = () =>
    recordedRecord(
      "forgejo",
      "create a pull request with every field, also those only Gitea knows (reviewers, team_reviewers, allow_maintainer_edit are ignored): 201",
      { number: 12, html_url: "https://x.test/12" },
    );

  it("asks again for the reviewers that were ignored at creation", async () => {
    await start({
      "POST /pulls": { status: 201, body: ignoring() },
      "POST /pulls/12/requested_reviewers": { status: 201, body: [] },
      "GET /pulls/12": { body: ignoring() },
    });
    const ran = await forge.run([
      "pr",
      "create",
      "--head",
      "buoys",
      "--title",
      "B",
      "--body",
      "",
      "--reviewer",
      "jonas",
    ]);
    expect(ran.code).toBe(0);
    expect(forge.writes()[1]).toEqual([
      "POST /pulls/12/requested_reviewers",
      { reviewers: ["jonas"], team_reviewers: [] },
    ]);
  });

  it("sets what maintainers may do afterwards", async () => {
    await start({
      "POST /pulls": { status: 201, body: ignoring() },
      "PATCH /pulls/12": { status: 201, body: ignoring() },
    });
    await forge.run(["pr", "create", "--head", "buoys", "--title", "B", "--body", "", "--maintainer-edit"]);
    expect(forge.writes()[1]).toEqual(["PATCH /pulls/12", { allow_maintainer_edit: true }]);
  });

  it("says what exists when that fails, prints the address, and does not invite to create it again", async () => {
    const refusal = { status: 403, body: { message: "no" } };
    await start({ "POST /pulls": { status: 201, body: ignoring() }, "POST /pulls/12/requested_reviewers": refusal });
    const ran = await forge.run([
      "pr",
      "create",
      "--head",
      "buoys",
      "--title",
      "B",
      "--body",
      "",
      "--reviewer",
      "jonas",
    ]);
    expect(ran).toMatchObject({ code: 4, stdout: "https://x.test/12\n" });
    expect(ran.stderr).toContain("mara/harbor#12 exists, but the reviews were not requested");
    expect(ran.stderr).toContain("mend it with: tongs pr edit 12");
  });

  it("understands owner/repo:branch, which the server itself does not", async () => {
    await start({
      "POST /pulls": [
        recorded("forgejo", "create a pull request with the head written owner/repo:branch: 404"),
        { status: 201, body: made() },
      ],
      "GET //repos/priya/harbor/branches/ferry": { body: { name: "ferry" } },
    });
    const ran = await forge.run(["pr", "create", "--head", "priya/harbor:ferry", "--title", "F", "--body", ""]);
    expect(ran.code).toBe(0);
    expect(forge.writes()[1]?.[1]).toMatchObject({ head: "priya:ferry" });
  });
});

describe("a refused pr create", () => {
  const line = ["pr", "create", "--head", "buoys", "--title", "B", "--body", ""];
  const branches = { "GET /branches/main": { body: { name: "main" } } };

  it("names the pull request that is there already, and its address", async () => {
    await start({ "POST /pulls": recorded("gitea", "create a second pull request for the same two branches: 409") });
    const ran = await forge.run(line);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("mara/harbor#1 is open already from buoys into main");
    expect(ran.stderr).toContain(`${forge.server.url}/mara/harbor/pulls/1\n`);
  });

  it.each(["gitea", "forgejo"] as const)("tells a missing head from a missing base, on %s", async (server) => {
    const routes = { "POST /pulls": recorded(server, "create a pull request whose head branch is missing: 404") };
    await start({ ...routes, ...branches });
    const head = await forge.run(line);
    expect(head.code).toBe(5);
    expect(head.stderr).toContain("There is no branch buoys in mara/harbor\n");
    await forge.server.close();
    await start({ "POST /pulls": recorded(server, "create a pull request whose base branch is missing: 404") });
    expect((await forge.run([...line, "--base", "quay"])).stderr).toContain("There is no branch quay in mara/harbor\n");
  });

  it.each([
    ["gitea", "create a pull request from a user who has no fork: 400"],
    ["forgejo", "create a pull request from a user who has no fork: 404"],
  ] as const)("says that somebody has no fork, on %s", async (server, label) => {
    await start({ "POST /pulls": recorded(server, label) });
    const ran = await forge.run(["pr", "create", "--head", "tomas:buoys", "--title", "B", "--body", ""]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("tomas has no fork of mara/harbor");
  });

  it.each([
    ["create a pull request from main into main: 422", 9, "There is nothing between buoys and main"],
    ["create a pull request into a tag: 422", 13, "must be branches, not tags or commits"],
    ["create a pull request in an archived repository: 423", 9, "The repository is archived"],
  ])("explains: %s", async (label, code, words) => {
    await start({ "POST /pulls": recorded("gitea", label) });
    const ran = await forge.run(line);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(words);
  });

  it("says that pull requests are switched off", async () => {
    await start({
      "POST /pulls": recorded("gitea", "create one while they are switched off: 404"),
      "GET ": { body: { default_branch: "main", has_pull_requests: false } },
    });
    expect((await forge.run(line)).stderr).toContain("Pull requests are switched off in mara/harbor");
  });

  it("finds the pull request behind Gitea's 500 for a reviewer who may not see the repository", async () => {
    const exists = made({ title: "B", head: { ref: "buoys" }, base: { ref: "main" } });
    await start({
      "POST /pulls": recorded("gitea", "create a pull request with its own author as reviewer: 500, message empty"),
      "GET /pulls": { body: [made({ id: 99, title: "Other" }), exists] },
    });
    const ran = await forge.run([...line, "--reviewer", "jonas"]);
    expect(ran).toMatchObject({ code: 7, stdout: "https://x.test/12\n" });
    expect(ran.stderr).toContain("mara/harbor#12 exists, but the reviews were not requested");
  });

  it("keeps the text that came from stdin", async () => {
    await start({ "POST /pulls": recorded("gitea", "create a second pull request for the same two branches: 409") });
    const ran = await forge.run(["pr", "create", "--head", "buoys", "--title", "B", "-F", "-"], { stdin: "Dear all" });
    const file = /Your text was saved. Pass --body-file (\S+) to use it/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("Dear all\n");
  });
});

describe("pr create in a checkout", () => {
  /** A clone whose `origin` is priya's fork and whose `upstream` is mara's repository, on the branch `lamps`. */
  function checkout(host: string) {
    const folder = gitFolder();
    folder.git("remote", "add", "origin", `${host}/priya/harbor.git`);
    folder.git("remote", "add", "upstream", `${host}/mara/harbor.git`);
    folder.git("update-ref", "refs/remotes/upstream/main", "HEAD");
    folder.git("update-ref", "refs/remotes/origin/main", "HEAD");
    folder.git("switch", "-q", "-c", "lamps", "upstream/main");
    return folder;
  }
  const pushed = (id: string) => ({ "GET //repos/priya/harbor/branches/lamps": { body: { commit: { id } } } });

  it("takes the branch here, in the fork it is pushed to, with the message of its only commit", async () => {
    await start(pushed("0".repeat(40)));
    const folder = checkout(forge.server.url);
    folder.commit("Light the lamps\n\nWith oil.", "lamps.txt", "oil\n");
    const ran = await forge.run(["pr", "create", "--fill"], { cwd: folder.path, env: { TONGS_REPO: "" } });
    expect(ran.code).toBe(0);
    expect(posted()).toEqual({ head: "priya:lamps", base: "main", title: "Light the lamps", body: "With oil." });
  });

  it("lists several commits under the branch's name", async () => {
    await start(pushed("0".repeat(40)));
    const folder = checkout(forge.server.url);
    folder.commit("One", "a", "1");
    folder.commit("Two", "b", "2");
    await forge.run(["pr", "create", "--fill"], { cwd: folder.path, env: { TONGS_REPO: "" } });
    expect(posted()).toMatchObject({ title: "Lamps", body: "- One\n- Two" });
  });

  it("warns of commits that are not pushed", async () => {
    await start();
    const folder = checkout(forge.server.url);
    const first = folder.commit("One", "a", "1");
    folder.commit("Two", "b", "2");
    await forge.server.close();
    await start(pushed(first));
    folder.git("remote", "set-url", "upstream", `${forge.server.url}/mara/harbor.git`);
    const ran = await forge.run(["pr", "create", "--fill"], { cwd: folder.path });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("One commit of lamps is not pushed and will be missing; --push sends them");
  });

  it("refuses a branch that is not on the server, before any text is typed", async () => {
    await start();
    const folder = checkout(forge.server.url);
    const ran = await forge.run(["pr", "create", "--title", "T"], { cwd: folder.path });
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("The branch lamps is not in priya/harbor\n  Push it: --push does so, or git push.");
    expect(forge.writes()).toEqual([]);
  });

  it("says that there is nothing new", async () => {
    await start(pushed("0".repeat(40)));
    const folder = checkout(forge.server.url);
    const ran = await forge.run(["pr", "create", "--fill"], { cwd: folder.path });
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("lamps has no commits that main lacks");
  });

  it("neither pushes nor opens anything under --dry-run", async () => {
    await start();
    const folder = checkout(forge.server.url);
    folder.commit("One", "a", "1");
    const ran = await forge.run(["pr", "create", "--fill", "--push", "--dry-run"], { cwd: folder.path });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("Dry run: would push lamps to origin");
    expect(ran.stdout).toContain('"head": "priya:lamps"');
    expect(forge.lines().filter((sent) => !sent.startsWith("GET "))).toEqual([]);
    expect(forge.lines().some((sent) => sent.includes(".git"))).toBe(false);
  });

  it("asks a person for title and text, and writes the text in the editor", async () => {
    await start(pushed("0".repeat(40)));
    const folder = checkout(forge.server.url);
    folder.commit("Light the lamps\n\nWith oil.", "lamps.txt", "oil\n");
    const editor = "printf 'And wicks.' >>";
    const ran = await forge.run(["pr", "create"], {
      ...{ cwd: folder.path, terminal: true, env: { EDITOR: editor } },
      answers: ["", `Write it in ${editor}`],
    });
    expect(ran.code).toBe(0);
    expect(posted()).toMatchObject({ title: "Light the lamps", body: "With oil.And wicks." });
  });

  it("keeps what was written in the editor when the server refuses", async () => {
    const refusal = recorded("gitea", "create a second pull request for the same two branches: 409");
    await start({ ...pushed("0".repeat(40)), "POST /pulls": refusal });
    const folder = checkout(forge.server.url);
    folder.commit("One", "a", "1");
    const editor = "printf 'And wicks.' >>";
    const ran = await forge.run(["pr", "create", "--title", "T"], {
      ...{ cwd: folder.path, terminal: true, env: { EDITOR: editor } },
      answers: [`Write it in ${editor}`],
    });
    expect(ran.code).toBe(9);
    const file = /Your text was saved. Pass --body-file (\S+) to use it/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("And wicks.\n");
  });

  it("offers a person to push, and leaves everything as it is on no", async () => {
    await start();
    const folder = checkout(forge.server.url);
    const ran = await forge.run(["pr", "create"], { cwd: folder.path, terminal: true, answers: [false] });
    expect(ran.code).toBe(9);
    expect(forge.writes()).toEqual([]);
  });
});
