import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { asAsked } from "../../support/as-asked.ts";
import { recorded, recordedRecord } from "../../support/recorded.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { gitFolder } from "./git-folder.ts";
import { type Answer, type Scripted, scripted } from "./scripted.ts";

let forge: Scripted;

const made = (changes = {}) =>
  recordedRecord("gitea", "create a pull request: every field, 201", {
    number: 12,
    html_url: "https://x.test/12",
    ...changes,
  });
const start = async (routes: Record<string, Answer> = {}) => {
  forge = await scripted({
    "GET ": { body: { full_name: "mara/harbor", default_branch: "main", has_pull_requests: true } },
    "GET /pulls": { body: [] },
    "POST /pulls": asAsked(made()),
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
  it("prints only the URL of the pull request on stdout", async () => {
    await start();
    const ran = await forge.run([..."pr create --head buoys --base main --title Buoys --body".split(" "), ""]);
    expect(ran).toMatchObject({ code: 0, stdout: "https://x.test/12\n" });
    expect(ran.stderr).toBe(`✓ Created pull request mara/harbor#12 (buoys into main) on ${forge.server.url}\n`);
    expect(forge.lines()).toEqual(["POST /pulls"]);
    expect(posted()).toEqual({ head: "buoys", base: "main", title: "Buoys", body: "" });
  });

  it("resolves every name, and creates a draft into the default branch", async () => {
    await start();
    const line = "pr create --head buoys -t Buoys -b x --draft --due 2026-12-24";
    const names = "--label docs,Feature --assignee @me --reviewer jonas --milestone";
    const ran = await forge.run([...`${line} ${names}`.split(" "), "First season"]);
    expect(ran.code).toBe(0);
    expect(posted()).toEqual({
      head: "buoys",
      base: "main",
      title: "WIP: Buoys",
      body: "x",
      labels: [3, 2],
      milestone: 1,
      assignees: ["mara"],
      reviewers: ["jonas"],
      due_date: expect.stringMatching(/^2026-12-24T23:59:59/),
    });
  });

  it.each([
    [["--label", "dosc"], "Unknown label 'dosc' in mara/harbor\n  Did you mean: docs?"],
    [["--milestone", "Second"], "Unknown milestone 'Second'"],
    [["--assignee", "jnas"], "Unknown user 'jnas' on this server"],
    [["--reviewer", "@me"], "Cannot request a review from mara, the author of the pull request"],
    [["--team-reviewer", "pilots"], "mara has no teams"],
    [["--team-reviewer", "lena/pilots"], "Unknown team 'lena/pilots' in mara"],
    [["--reviewer", "jonas,lena/pilots"], "Unknown team 'lena/pilots' in mara"],
  ])("creates nothing if the name in %j is unknown or not allowed", async (flags, words) => {
    await start();
    const ran = await forge.run(["pr", "create", "--head", "buoys", "--title", "Buoys", ...flags]);
    expect(ran.code).toBe(13);
    expect(ran.stderr).toContain(words);
    expect(forge.writes()).toEqual([]);
  });

  it.each([
    [["--head", "x"], "--title is required"],
    [["--head", "x", "--title", "T", "--editor"], "--editor requires a terminal"],
    [["--head", "x", "--title", ""], "--title must not be empty"],
    [["--head", "x", "--title", "a\nb"], "--title must be one line"],
    [["--head", "x", "--title", "b".repeat(256)], "--title must have at most 255 characters, not 256"],
    [["--head", "x", "--title", "T", "--body", "a", "--body-file", "b"], "Specify only one of"],
    [["--title", "T", "--base", "main"], "Could not determine the current branch: not in a git repository"],
    [["--head", "main", "--base", "main", "--title", "T"], "The head and base branch are both main"],
    [["--head", "x", "--base", "main", "--title", "T", "--push"], "No git remote found for mara/harbor"],
  ])("refuses %j and writes nothing", async (flags, words) => {
    await start();
    const ran = await forge.run(["pr", "create", ...flags]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(words);
    expect(forge.writes()).toEqual([]);
  });

  it("says that HEAD is on no branch, in a repository", async () => {
    await start();
    const folder = gitFolder();
    folder.git("checkout", "-q", "--detach");
    for (const line of [
      ["pr", "create", "--title", "T", "--base", "main"],
      ["pr", "view"],
    ]) {
      const ran = await forge.run(line, { cwd: folder.path });
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("current branch: not on any branch")]);
    }
  });

  it("says that the current branch has no commits yet, as in the clone of an empty repository", async () => {
    await start();
    const cwd = emptyFolder();
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd });
    for (const line of [
      ["pr", "create", "--title", "T", "--base", "trunk"],
      ["pr", "view"],
    ]) {
      const ran = await forge.run(line, { cwd });
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("Branch main has no commits yet")]);
    }
  });

  it("uses the repository's template without its front matter if no body is given", async () => {
    const content = Buffer.from("---\nname: all\n---\n## What\n").toString("base64");
    await start({
      "GET /contents?ref=main": {
        body: [
          { name: ".gitea", path: ".gitea", type: "dir" },
          { name: "README.md", path: "README.md", type: "file" },
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

  it("fills title and body from the server's commits without a checkout", async () => {
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

  it("requests the reviewers that were ignored at creation", async () => {
    await start({
      "POST /pulls": asAsked(ignoring(), ["allow_maintainer_edit"]),
      "POST /pulls/12/requested_reviewers": { status: 201, body: [] },
      "GET /pulls/12": { body: ignoring() },
    });
    const ran = await forge.run("pr create --head buoys --title B --body x --reviewer jonas".split(" "));
    expect(ran.code).toBe(0);
    expect(forge.writes()[1]).toEqual([
      "POST /pulls/12/requested_reviewers",
      { reviewers: ["jonas"], team_reviewers: [] },
    ]);
  });

  it("sets maintainer edit afterwards", async () => {
    await start({
      "POST /pulls": asAsked(ignoring(), ["allow_maintainer_edit"]),
      "PATCH /pulls/12": { status: 201, body: ignoring() },
    });
    await forge.run(["pr", "create", "--head", "buoys", "--title", "B", "--body", "", "--maintainer-edit"]);
    expect(forge.writes()[1]).toEqual(["PATCH /pulls/12", { allow_maintainer_edit: true }]);
  });

  it("reports the created pull request when that fails, prints its URL, and advises against creating it again", async () => {
    const refusal = { status: 403, body: { message: "no" } };
    await start({
      "POST /pulls": asAsked(ignoring(), ["allow_maintainer_edit"]),
      "POST /pulls/12/requested_reviewers": refusal,
    });
    const ran = await forge.run("pr create --head buoys --title B --body x --reviewer jonas".split(" "));
    expect(ran).toMatchObject({ code: 11, stdout: "https://x.test/12\n" });
    expect(ran.stderr).toContain("Created mara/harbor#12, but the reviews could not be requested");
    expect(ran.stderr).toContain("Fix it: tongs pr edit 12");
  });

  it("selects the parent of a fork in the hint, if it was created there", async () => {
    const folder = gitFolder();
    const parent = { name: "harbor", full_name: "tide/harbor", owner: { login: "tide" }, default_branch: "main" };
    await start({
      "GET ": { body: { ...parent, full_name: "mara/harbor", owner: { login: "mara" }, fork: true, parent } },
      "GET //repos/tide/harbor": { body: parent },
      "POST //repos/tide/harbor/pulls": { status: 201, body: ignoring() },
      "POST //repos/tide/harbor/pulls/12/requested_reviewers": { status: 403, body: { message: "no" } },
    });
    folder.git("remote", "add", "origin", `${forge.server.url}/mara/harbor.git`);
    const line = ["pr", "create", "--head", "buoys", "--title", "B", "--body", "", "--reviewer", "jonas"];
    const ran = await forge.run(line, { cwd: folder.path, env: { TONGS_REPO: "" } });
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("Fix it: tongs pr edit 12 -R tide/harbor\n")]);
  });

  it.each([
    recorded("forgejo", "create a pull request with the head written owner/repo:branch: 404"),
    // Forgejo 16.0.
    { status: 404, body: { message: "the owner priya/harbor does not exist", errors: null } },
  ])("accepts owner/repo:branch, which the server does not", async (refused) => {
    await start({
      "POST /pulls": [
        refused,
        asAsked(made())({ body: JSON.stringify({ head: "priya:ferry", title: "F", body: "" }) }),
      ],
      "GET //repos/priya/harbor/branches/ferry": { body: { name: "ferry" } },
    });
    const ran = await forge.run(["pr", "create", "--head", "priya/harbor:ferry", "--title", "F", "--body", ""]);
    expect(ran.code).toBe(0);
    expect(forge.writes()[1]?.[1]).toMatchObject({ head: "priya:ferry" });
  });
});

describe("a failing pr create", () => {
  const user = { id: 1, login: "mara" };
  const head = { ref: "buoys", sha: "a".repeat(40) };
  const base = { ref: "main", sha: "b".repeat(40) };
  const line = ["pr", "create", "--head", "buoys", "--title", "B", "--body", ""];
  const branches = { "GET /branches/main": { body: { name: "main" } } };

  it.each(["gitea", "forgejo"] as const)("distinguishes a missing head from a missing base, on %s", async (server) => {
    const routes = { "POST /pulls": recorded(server, "create a pull request whose head branch is missing: 404") };
    await start({ ...routes, ...branches });
    const head = await forge.run(line);
    expect(head.code).toBe(5);
    expect(head.stderr).toContain("Branch buoys not found in mara/harbor\n");
    await start({ "POST /pulls": recorded(server, "create a pull request whose base branch is missing: 404") });
    expect((await forge.run([...line, "--base", "quay"])).stderr).toContain("Branch quay not found in mara/harbor\n");
  });

  it("names the missing head where Forgejo 10 answers 500 without a message, and keeps other errors of the server", async () => {
    const broken = { status: 500, body: { message: "", url: "http://git.example.org/api/swagger" } };
    await start({ "POST /pulls": broken, ...branches });
    expect(await forge.run(line)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Branch buoys not found in mara/harbor\n"),
    });
    await start({ "POST /pulls": broken, ...branches, "GET /branches/buoys": { body: { name: "buoys" } } });
    expect((await forge.run(line)).code).toBe(7);
  });

  it.each([
    ["gitea", "create a pull request from a user who has no fork: 400", 5, "tomas has no fork of mara/harbor"],
    ["forgejo", "create a pull request from a user who has no fork: 404", 5, "tomas has no fork of mara/harbor"],
    ["gitea", "create a pull request from main into main: 422", 9, "No commits between main and tomas:buoys"],
    ["gitea", "create a pull request in an archived repository: 423", 9, "The repository is archived"],
    [
      "gitea",
      "create a second pull request for the same two branches: 409",
      9,
      "already exists: mara/harbor#1\n  http",
    ],
  ] as const)("is explained, on %s: %s", async (server, label, code, words) => {
    await start({ "POST /pulls": recorded(server, label) });
    const ran = await forge.run("pr create --head tomas:buoys --title B --body x".split(" "));
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(words)]);
  });

  it("reports that pull requests are disabled", async () => {
    await start({
      "POST /pulls": recorded("gitea", "create one while they are switched off: 404"),
      "GET ": { body: { full_name: "mara/harbor", default_branch: "main", has_pull_requests: false } },
    });
    expect((await forge.run(line)).stderr).toContain("Pull requests are disabled in mara/harbor");
  });

  it("finds the pull request that Gitea created despite a 500 for a reviewer without access", async () => {
    const exists = { title: "B", body: "", user, head, base, created_at: new Date().toISOString() };
    await start({
      "POST /pulls": recorded("gitea", "create a pull request with its own author as reviewer: 500, message empty"),
      "GET /pulls": { body: [made({ id: 99, title: "Other" }), made({ ...exists, requested_reviewers: null })] },
      "GET //user": { body: user },
      "POST /pulls/12/requested_reviewers": { status: 422, body: { message: "poster of pr can't be reviewer" } },
    });
    const ran = await forge.run([...line, "--reviewer", "jonas"]);
    expect(ran).toMatchObject({ code: 11, stdout: "https://x.test/12\n" });
    expect(ran.stderr).toContain("Created mara/harbor#12, but the reviews could not be requested");
  });

  it("takes one for what it created without an answer only if it is no older than the request", async () => {
    for (const [age, code] of [
      [9_000, 7],
      [0, 0],
    ] as const) {
      const there = made({
        title: "B",
        body: "",
        user,
        head,
        base,
        created_at: new Date(Date.now() - age).toISOString(),
      });
      await start({
        "POST /pulls": { status: 502 },
        "GET /pulls": { body: [there] },
        "GET /pulls/12": { body: there },
        "GET //user": { body: user },
      });
      const ran = await forge.run(line);
      expect(ran.code, ran.stderr).toBe(code);
      if (code !== 0) expect(ran.stderr).toContain("Look before you run the command again: tongs pr list --head buoys");
    }
  });

  it("saves the body that was read from stdin", async () => {
    await start({ "POST /pulls": recorded("gitea", "create a second pull request for the same two branches: 409") });
    const ran = await forge.run(["pr", "create", "--head", "buoys", "--title", "B", "-F", "-"], { stdin: "Dear all" });
    const file = /Your text was saved. To use it, pass --body-file (\S+)/.exec(ran.stderr)?.[1] ?? "";
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

  it("uses the current branch, in the fork it is pushed to, with the message of its only commit", async () => {
    await start(pushed("0".repeat(40)));
    const folder = checkout(forge.server.url);
    folder.commit("Light the lamps\n\nWith oil.", "lamps.txt", "oil\n");
    const ran = await forge.run(["pr", "create", "--fill"], { cwd: folder.path, env: { TONGS_REPO: "" } });
    expect(ran.code).toBe(0);
    expect(posted()).toEqual({ head: "priya:lamps", base: "main", title: "Light the lamps", body: "With oil." });
  });

  it("warns about unpushed commits", async () => {
    await start();
    const folder = checkout(forge.server.url);
    const first = folder.commit("One", "a", "1");
    folder.commit("Two", "b", "2");
    await start(pushed(first));
    folder.git("remote", "set-url", "upstream", `${forge.server.url}/mara/harbor.git`);
    folder.git("remote", "set-url", "origin", `${forge.server.url}/priya/harbor.git`);
    const ran = await forge.run(["pr", "create", "--fill"], { cwd: folder.path });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("1 commit on lamps not pushed; pass --push to include it");
    expect(posted()).toMatchObject({ title: "One" });
    await start(pushed(folder.git("rev-parse", `${first}~`).trim()));
    for (const remote of ["upstream", "origin"])
      folder.git(
        "remote",
        "set-url",
        remote,
        `${forge.server.url}/${remote === "origin" ? "priya" : "mara"}/harbor.git`,
      );
    const empty = await forge.run(["pr", "create", "--fill"], { cwd: folder.path });
    expect([empty.code, empty.stderr]).toEqual([9, expect.stringContaining("No commits between main and lamps")]);
  });

  it("refuses a branch that is not on the server, before prompting", async () => {
    await start();
    const folder = checkout(forge.server.url);
    const ran = await forge.run(["pr", "create", "--title", "T"], { cwd: folder.path });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      "Branch lamps has not been pushed to priya/harbor\n  Push it first: pass --push, or run git push.",
    );
    expect(forge.writes()).toEqual([]);
  });

  it("pushes and creates nothing with --dry-run", async () => {
    // The base has moved since it was fetched.
    const moved = { "GET /branches/main": { body: { commit: { id: "1".repeat(40) } } } };
    await start({ ...moved, "GET /compare/": { status: 404, body: { message: "not found" } } });
    const folder = checkout(forge.server.url);
    folder.commit("One", "a", "1");
    const ran = await forge.run(["pr", "create", "--fill", "--push", "--dry-run"], { cwd: folder.path });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("Dry run: would push lamps to origin");
    expect(ran.stdout).toContain('"head": "priya:lamps"');
    expect(forge.lines().filter((sent) => !sent.startsWith("GET "))).toEqual([]);
    expect(forge.lines().some((sent) => sent.includes(".git"))).toBe(false);
  });

  it("takes the repository that a remote pushes to, if that is another than it fetches from", async () => {
    await start();
    const folder = gitFolder();
    folder.git("remote", "add", "origin", `${forge.server.url}/mara/harbor.git`);
    folder.git("remote", "set-url", "--push", "origin", `${forge.server.url}/priya/harbor.git`);
    folder.git("update-ref", "refs/remotes/origin/main", "HEAD");
    folder.git("switch", "-q", "-c", "lamps");
    folder.commit("One", "a", "1");
    const line = ["pr", "create", "--fill", "--push", "--dry-run"];
    const ran = await forge.run(line, { cwd: folder.path });
    expect(ran.stderr).toContain(`would push lamps to origin (${forge.server.url}/priya/harbor.git)`);
    expect(ran.stdout).toContain('"head": "priya:lamps"');

    folder.git("remote", "set-url", "--push", "origin", "no_push");
    const closed = await forge.run(line, { cwd: folder.path });
    expect(closed.stdout).toContain('"head": "lamps"');
  });

  /** A clone whose `origin` is a repository of that name on another server, and `gitea` the one on this server. */
  function mirrored(host: string) {
    const folder = gitFolder();
    folder.git("remote", "add", "origin", "http://127.0.0.1:9/mara/harbor.git");
    folder.git("remote", "add", "gitea", `${host}/mara/harbor.git`);
    folder.git("update-ref", "refs/remotes/origin/main", "HEAD");
    folder.git("update-ref", "refs/remotes/gitea/main", "HEAD");
    folder.git("switch", "-q", "-c", "lamps");
    folder.commit("One", "a", "1");
    return folder;
  }

  it.each([
    ["the current branch", []],
    ["the branch of --head", ["--head", "lamps"]],
  ])("pushes %s to the selected server only, whatever its remote is called", async (_, head) => {
    await start();
    const folder = mirrored(forge.server.url);
    const line = ["pr", "create", ...head, "--fill", "--push", "--dry-run"];
    const ran = await forge.run(line, { cwd: folder.path });
    expect(ran.stderr).toContain(`Dry run: would push lamps to gitea (${forge.server.url}/mara/harbor.git)`);
    expect(ran.stdout).toContain('"head": "lamps"');

    folder.git("config", "branch.lamps.remote", "origin");
    folder.git("config", "branch.lamps.merge", "refs/heads/lamps");
    const tracking = await forge.run(line, { cwd: folder.path });
    expect(tracking.stderr).toContain("Dry run: would push lamps to gitea");

    folder.git("remote", "remove", "gitea");
    const without = await forge.run(line, { cwd: folder.path });
    expect(without).toMatchObject({ code: 2, stdout: "" });
    expect(without.stderr).toContain("No git remote found for mara/harbor");
  });

  it("compares with the base branch of the remote on the selected server", async () => {
    await start({ "GET /branches/lamps": { body: { commit: { id: "0".repeat(40) } } } });
    const folder = mirrored(forge.server.url);
    // The other server has this commit on its main already.
    folder.git("update-ref", "refs/remotes/origin/main", "HEAD");
    const ran = await forge.run(["pr", "create", "--fill"], { cwd: folder.path });
    expect(ran.code).toBe(0);
    expect(posted()).toMatchObject({ head: "lamps", title: "One" });
  });

  it("prompts for the title, and opens the body in the editor", async () => {
    await start(pushed("0".repeat(40)));
    const folder = checkout(forge.server.url);
    folder.commit("Light the lamps\n\nWith oil.", "lamps.txt", "oil\n");
    const editor = "printf 'And wicks.' >>";
    const ran = await forge.run(["pr", "create"], {
      cwd: folder.path,
      terminal: true,
      env: { EDITOR: editor },
      answers: ["", `Edit in ${editor}`, "Submit"],
    });
    expect(ran.code).toBe(0);
    expect(posted()).toMatchObject({ title: "Light the lamps", body: "With oil.And wicks." });
  });

  it("saves the text from the editor when the server refuses", async () => {
    const refusal = recorded("gitea", "create a second pull request for the same two branches: 409");
    await start({ ...pushed("0".repeat(40)), "POST /pulls": refusal });
    const folder = checkout(forge.server.url);
    folder.commit("One", "a", "1");
    const editor = "printf 'And wicks.' >>";
    const ran = await forge.run(["pr", "create", "--title", "T"], {
      cwd: folder.path,
      terminal: true,
      env: { EDITOR: editor },
      answers: [`Edit in ${editor}`, "Submit"],
    });
    expect(ran.code).toBe(9);
    const file = /Your text was saved. To use it, pass --body-file (\S+)/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("And wicks.\n");
  });

  it("offers to push, and changes nothing if declined", async () => {
    await start();
    const folder = checkout(forge.server.url);
    const ran = await forge.run(["pr", "create"], { cwd: folder.path, terminal: true, answers: [false] });
    expect(ran).toMatchObject({ code: 3, asked: ["Push lamps to origin?"] });
    expect(forge.writes()).toEqual([]);
  });
});
