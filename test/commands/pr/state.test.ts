import { describe, expect, it } from "vitest";
import { asAsked } from "../../support/as-asked.ts";
import { recorded, recordedRecord } from "../../support/recorded.ts";
import { gitFolder } from "./git-folder.ts";
import { type Answer, cut, type Scripted, scripted } from "./scripted.ts";

let forge: Scripted;

const open = (changes = {}) => recordedRecord("gitea", "… it is still open", { number: 12, ...changes });
const start = async (routes: Record<string, Answer>) => {
  forge = await scripted({ "GET /pulls/12": { body: open() }, "GET ": { body: {} }, ...routes });
};

describe("pr close and pr reopen", () => {
  it.each([
    ["close", "closed", "Closed"],
    ["reopen", "open", "Reopened"],
  ])("%s sends the state, then the comment", async (verb, state, word) => {
    await start({
      "PATCH /pulls/12": { status: 201, body: open({ state }) },
      "POST /issues/12/comments": { status: 201, body: { id: 7 } },
    });
    const ran = await forge.run(["pr", verb, "12", "--comment", "See #14"]);
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toContain(`✓ ${word} pull request mara/harbor#12`);
    expect(forge.writes()).toEqual([
      ["PATCH /pulls/12", { state }],
      ["POST /issues/12/comments", { body: "See #14" }],
    ]);
  });

  it("select the pull request of the current branch, not of the branch it was created from", async () => {
    const head = {
      ref: "lamps",
      label: "lamps",
      sha: "a".repeat(40),
      repo: { full_name: "mara/harbor", owner: { login: "mara" } },
    };
    const pulls = {
      body: [open({ id: 1, number: 11, head: { ...head, ref: "main", label: "main" } }), open({ head })],
    };
    await start({ "GET /pulls": pulls, "PATCH /pulls/12": asAsked(open()) });
    const folder = gitFolder();
    folder.git("remote", "add", "origin", `${forge.server.url}/mara/harbor.git`);
    folder.git("update-ref", "refs/remotes/origin/main", "HEAD");
    folder.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    folder.git("switch", "-q", "-c", "lamps", "origin/main");
    expect((await forge.run(["pr", "close"], { cwd: folder.path })).code).toBe(0);
    expect(forge.writes()[0]?.[0]).toBe("PATCH /pulls/12");
  });

  it("select the pull request of the current branch in the fork it was pushed to without an upstream", async () => {
    const from = (number: number, login: string) => {
      const repo = { full_name: `${login}/harbor`, owner: { login } };
      return open({ id: number, number, head: { ref: "lamps", label: `${login}:lamps`, sha: "a".repeat(40), repo } });
    };
    const pulls = { body: [from(10, "jonas"), from(12, "priya"), from(13, "mara")] };
    await start({ "GET /pulls": pulls, "PATCH /pulls/12": asAsked(from(12, "priya")) });
    const folder = gitFolder();
    folder.git("remote", "add", "origin", `${forge.server.url}/mara/harbor.git`);
    folder.git("remote", "add", "fork", `${forge.server.url}/priya/harbor.git`);
    folder.git("update-ref", "refs/remotes/origin/main", "HEAD");
    folder.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    folder.git("switch", "-q", "-c", "lamps", "origin/main");
    folder.git("update-ref", "refs/remotes/fork/lamps", "HEAD");
    await forge.run(["pr", "close"], { cwd: folder.path });
    folder.git("update-ref", "-d", "refs/remotes/fork/lamps");
    folder.git("config", "remote.pushDefault", "fork");
    await forge.run(["pr", "close"], { cwd: folder.path });
    expect(forge.writes().map(([line]) => line)).toEqual(["PATCH /pulls/12", "PATCH /pulls/12"]);
  });

  it("select the pull request of a branch after the repository was transferred", async () => {
    const repo = { full_name: "tidewater/harbor", owner: { login: "tidewater" } };
    const moved = open({
      head: { ref: "lamps", label: "lamps", sha: "a".repeat(40), repo },
      base: { ref: "main", label: "main", sha: "b".repeat(40), repo },
    });
    await start({ "GET /pulls": { body: [moved] }, "PATCH /pulls/12": asAsked(moved) });
    await forge.run(["pr", "close", "lamps"]);
    await forge.run(["pr", "close", "mara:lamps"]);
    expect(forge.writes().map(([line]) => line)).toEqual(["PATCH /pulls/12", "PATCH /pulls/12"]);
  });

  it.each([
    ["close", "closed", "closed"],
    ["reopen", "open", "open"],
  ])(
    "%s says if one that was found by its branch is already %s, and still adds the comment",
    async (verb, _, state) => {
      const repo = { full_name: "mara/harbor", owner: { login: "mara" } };
      const pulls = { body: [open({ state, head: { ref: "lamps", label: "lamps", sha: "a".repeat(40), repo } })] };
      await start({ "GET /pulls": pulls, "POST /issues/12/comments": { status: 201, body: { id: 7 } } });
      const ran = await forge.run(["pr", verb, "lamps", "--comment", "See #14"]);
      expect([ran.code, ran.stderr]).toEqual([0, `Pull request mara/harbor#12 is already ${state}\n`]);
      expect(forge.writes()).toEqual([["POST /issues/12/comments", { body: "See #14" }]]);
    },
  );

  it.each(["close", "reopen"])("%s is refused in a dry run as without it if it is merged", async (verb) => {
    await start({ "GET /pulls/12": { body: open({ merged: true, state: "closed" }) } });
    const ran = await forge.run(["pr", verb, "12", "--dry-run"]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([9, "", "✗ Pull request mara/harbor#12 is already merged\n"]);
  });

  it("close -d says in a dry run that the branch could not be restored", async () => {
    await start({});
    const ran = await forge.run(["pr", "close", "12", "-d", "--dry-run"]);
    expect(ran.stdout).toContain("PATCH ");
    expect(ran.stderr).toContain("The deletion of branch pumps could not be undone: servers do not keep what is");
    expect(forge.writes()).toEqual([]);
  });

  it("close -d deletes the head branch, but not one that has other commits by now", async () => {
    const repo = { full_name: "mara/harbor", owner: { login: "mara" } };
    const [own, other] = ["a".repeat(40), "b".repeat(40)];
    const closed = (sha: string) => open({ state: "closed", head: { ref: "lamps", label: "lamps", sha, repo } });
    await start({
      "PATCH /pulls/12": [
        { status: 201, body: closed(own) },
        { status: 201, body: closed(other) },
      ],
      "GET /git/commits/refs/pull/12/head": {
        body: { sha: own, url: "", html_url: "", parents: [], commit: { message: "" } },
      },
      "GET /branches/lamps": { body: { name: "lamps" } },
      "DELETE /branches/lamps": { status: 204 },
    });
    const deleted = await forge.run(["pr", "close", "12", "-d"]);
    expect([deleted.code, deleted.stderr]).toEqual([
      0,
      expect.stringMatching(/^✓ Closed pull request mara\/harbor#12; deleted its branch lamps on .*\n$/),
    ]);
    const ran = await forge.run(["pr", "close", "12", "-d"]);
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("Closed mara/harbor#12, but its branch lamps of mara/harbor was not deleted");
    expect(ran.stderr).toContain("Branch lamps has commits that are not in mara/harbor#12");
    expect(ran.stderr).toContain("tongs branch delete lamps -R mara/harbor");
    expect(forge.writes().filter(([line]) => line.startsWith("DELETE"))).toHaveLength(1);
  });

  it("print the record with --json, from the same request", async () => {
    await start({ "PATCH /pulls/12": { status: 201, body: open({ state: "closed" }) } });
    const ran = await forge.run(["pr", "close", "12", "--json", "state"]);
    expect(ran.stdout).toBe('[{"state":"closed"}]\n');
    expect(forge.lines()).toEqual(["PATCH /pulls/12"]);
  });

  it.each(["gitea", "forgejo"] as const)("report on %s that a merged one cannot change", async (server) => {
    const label = server === "gitea" ? "close a merged one: 412" : "edit a pull request: reopen a merged one: 412";
    await start({ "PATCH /pulls/12": recorded(server, label) });
    const ran = await forge.run(["pr", "reopen", "12"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("mara/harbor#12 is already merged");
  });

  it("warn if the head branch of a reopened one was deleted", async () => {
    const head = {
      repo: { id: 1, full_name: "mara/harbor" },
      repo_id: 1,
      sha: "a".repeat(40),
      ref: "refs/pull/12/head",
    };
    await start({ "PATCH /pulls/12": { status: 201, body: open({ head }) } });
    expect((await forge.run(["pr", "reopen", "12"])).stderr).toContain(
      "mara/harbor#12 cannot be merged: its head branch was deleted",
    );
  });
});

describe("pr ready", () => {
  it.each([
    ["WIP: Add the lights", "Add the lights"],
    ["wip:Add the lights", "Add the lights"],
    ["[WIP] Add the lights", "Add the lights"],
    ["[wip] WIP: Add the lights", "Add the lights"],
  ])("removes the prefix of '%s'", async (title, ready) => {
    await start({
      "GET /pulls/12": { body: open({ title, draft: true }) },
      "PATCH /pulls/12": { status: 201, body: open({ title: ready, draft: false }) },
    });
    expect((await forge.run(["pr", "ready", "12"])).code).toBe(0);
    expect(forge.writes()).toEqual([["PATCH /pulls/12", { title: ready }]]);
  });

  it("converts it to a draft with --undo", async () => {
    await start({
      "GET /pulls/12": { body: open({ title: "Draft: lights" }) },
      "PATCH /pulls/12": asAsked(open({ draft: true })),
    });
    expect((await forge.run(["pr", "ready", "12", "--undo"])).code).toBe(0);
    expect(forge.writes()).toEqual([["PATCH /pulls/12", { title: "WIP: Draft: lights" }]]);
  });

  it("is refused for a merged one", async () => {
    await start({ "GET /pulls/12": { body: open({ merged: true, state: "closed" }) } });
    const ran = await forge.run(["pr", "ready", "12"]);
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("mara/harbor#12 is already merged")]);
  });

  it("sends nothing if it is already ready for review", async () => {
    await start({});
    const ran = await forge.run(["pr", "ready", "12"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("is already ready for review");
    expect(forge.writes()).toEqual([]);
  });

  it("reports that the server uses other prefixes", async () => {
    await start({ "GET /pulls/12": { body: open({ title: "ENTWURF Lights", draft: true }) } });
    const ran = await forge.run(["pr", "ready", "12"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("Cannot make mara/harbor#12 ready for review by changing its title 'ENTWURF Lights'");
  });
});

describe("pr update", () => {
  it.each([
    [[], "POST /pulls/12/update"],
    [["--style", "rebase"], "POST /pulls/12/update?style=rebase"],
  ])("sends one request with %j", async (flags, line) => {
    const moved = { ...(open()["head"] as object), sha: "9".repeat(40) };
    await start({
      "POST /pulls/12/update": { status: 200 },
      "GET /pulls/12": [{ body: open() }, { body: open({ head: moved }) }],
    });
    const ran = await forge.run(["pr", "update", "12", ...flags]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("✓ Updated")]);
    expect(forge.lines()).toEqual(["GET /pulls/12", line, "GET /pulls/12"]);
  });

  it("asks again if the server answers 200 and the head has not changed, and is no success if it never does", async () => {
    const { base, head } = open() as { base: { sha: string }; head: { sha: string } };
    const behind = { [`GET /compare/${head.sha}...${base.sha}`]: { body: { total_commits: 2, commits: [] } } };
    const late = [1, 2, 3].map(() => ({ body: open({ merge_base: "0".repeat(40) }) }));
    const moved = open({ head: { ...head, sha: "9".repeat(40) } });
    await start({ "POST /pulls/12/update": { status: 200 }, "GET /pulls/12": [...late, { body: moved }], ...behind });
    const ran = await forge.run(["pr", "update", "12", "--style", "rebase"]);
    expect([ran.code, forge.writes().length], ran.stderr).toEqual([0, 3]);
    await start({ "POST /pulls/12/update": { status: 200 }, "GET /pulls/12": late, ...behind });
    const never = await forge.run(["pr", "update", "12", "--style", "rebase"]);
    expect([never.code, never.stderr]).toEqual([1, expect.stringContaining("was not updated: the server accepted it")]);
  });

  it.each([
    ["gitea", "update again, nothing to do: 500"],
    ["forgejo", "update again, nothing to do: 500"],
    ["forgejo", "update again, nothing to do, as the administrator: 500"],
  ] as const)("reports that it is already up to date after the 500 of %s (%s)", async (server, label) => {
    const base = { ...(open()["base"] as object), sha: open()["merge_base"] };
    await start({ "POST /pulls/12/update": recorded(server, label), "GET /pulls/12": { body: open({ base }) } });
    const ran = await forge.run(["pr", "update", "12"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("mara/harbor#12 is already up to date");
  });

  it.each([
    ["up to date", 0, 0],
    ["behind its base", 2, 7],
  ])("compares branches on a server that finds no commits: %s", async (_what, behind, code) => {
    const { base, head } = open() as { base: { ref: string }; head: { ref: string } };
    await start({
      "POST /pulls/12/update": recorded("forgejo", "update again, nothing to do: 500"),
      [`GET /compare/${head.ref}...${base.ref}`]: { body: { total_commits: behind, commits: [] } },
    });
    expect((await forge.run(["pr", "update", "12"])).code).toBe(code);
  });

  it("reports the refusal if the server cannot compare at all", async () => {
    await start({ "POST /pulls/12/update": recorded("forgejo", "update again, nothing to do: 500") });
    const ran = await forge.run(["pr", "update", "12"]);
    expect(ran.code).toBe(7);
    expect(ran.stderr).toContain("returned 500");
  });

  it("lists the conflicting files on a server that compares only branches", async () => {
    const { base, head } = open() as { base: { ref: string }; head: { ref: string } };
    await start({
      "POST /pulls/12/update": recorded("gitea", "update a conflicting one by merge: 409"),
      "GET /pulls/12/files": { body: [{ filename: "tides.txt" }] },
      [`GET /compare/${head.ref}...${base.ref}`]: { body: { commits: [{ files: [{ filename: "tides.txt" }] }] } },
    });
    const ran = await forge.run(["pr", "update", "12"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("Changed on both sides: tides.txt\n");
  });

  it.each([
    ["gitea", "update a merged one: 422"],
    ["forgejo", "update a merged one: 422"],
  ] as const)("reports on %s that it is merged", async (server, label) => {
    await start({
      "POST /pulls/12/update": recorded(server, label),
      "GET /pulls/12": { body: open({ merged: true }) },
    });
    const ran = await forge.run(["pr", "update", "12"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("is already merged");
    expect(ran.stderr).not.toContain("%!s");
  });

  it("explains a refusal without a message", async () => {
    await start({ "POST /pulls/12/update": recorded("gitea", "update as a reader: 403, no body") });
    const ran = await forge.run(["pr", "update", "12"]);
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain("only users with write access to its head branch can");
  });
});

describe("pr merged", () => {
  it("exits 0 with one request if it is merged", async () => {
    await start({ "GET /pulls/12/merge": { status: 204 } });
    const ran = await forge.run(["pr", "merged", "12"]);
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(forge.lines()).toEqual(["GET /pulls/12/merge"]);
  });

  it("exits 1 if it is not merged", async () => {
    await start({});
    const ran = await forge.run(["pr", "merged", "12"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toBe("Pull request mara/harbor#12 is not merged\n");
  });

  it("exits 5, not 1, for a pull request or a repository that does not exist", async () => {
    await start({ "GET ": { status: 404, body: { message: "not found" } } });
    expect((await forge.run(["pr", "merged", "99"])).stderr).toContain("Repository mara/harbor not found");
    await start({});
    const ran = await forge.run(["pr", "merged", "99"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("Pull request #99 not found in mara/harbor");
  });

  it("prints the record with --json, with the same exit codes", async () => {
    await start({});
    expect(await forge.run(["pr", "merged", "12", "--json", "merged"])).toMatchObject({
      code: 1,
      stdout: '{"merged":false}\n',
    });
  });
});

describe("a server that does not say what is a draft", () => {
  const plain = (changes: object) => {
    const { draft: _, ...rest } = open(changes);
    return rest;
  };

  it("has the drafts by their titles", async () => {
    const pulls = [plain({ id: 1, number: 11, title: "WIP: Lamps" }), plain({ id: 2, number: 12, title: "Quay" })];
    await start({
      "GET /pulls": { body: pulls },
      "GET /pulls/12": { body: plain({ title: "Quay" }) },
      "PATCH /pulls/12": { status: 201, body: plain({ title: "WIP: Quay" }) },
    });
    expect((await forge.run(["pr", "list", "--draft", "--jq", ".[].number"])).stdout).toBe("11\n");
    expect((await forge.run(["pr", "list", "--no-draft", "--jq", ".[].number"])).stdout).toBe("12\n");
    const ran = await forge.run(["pr", "ready", "12", "--undo"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("is now a draft")]);
    expect(forge.writes()).toEqual([["PATCH /pulls/12", { title: "WIP: Quay" }]]);
  });
});

describe("a comment that was added although the server failed", () => {
  const added = {
    id: 7,
    body: "See #14",
    html_url: "https://git.example.org/mara/harbor/pulls/12#issuecomment-7",
    user: { id: 1, login: "mara" },
    created_at: new Date(Date.now() + 60_000).toISOString(),
  };
  const older = { ...added, created_at: new Date(Date.now() - 9_000).toISOString() };

  it.each<[string, object[], number, string, Answer?]>([
    ["added", [{ ...added, id: 5 }, added], 0, "✓ Closed pull request"],
    ["missing", [{ ...added, body: "Another" }], 7, "but the comment was not added"],
    ["missing", [older], 7, "but the comment was not added"],
    ["missing", [{ ...added, user: { id: 2, login: "jonas" } }], 7, "but the comment was not added"],
    ["uncertain", [added], 7, "but the comment may not have been added", { status: 502 }],
    ["uncertain", [added], 6, "Look before you run the command again: tongs issue view", cut],
  ])("is reported as %s after a look at the comments (%#)", async (_word, comments, code, words, failure) => {
    await start({
      "PATCH /pulls/12": { status: 201, body: open({ state: "closed" }) },
      "POST /issues/12/comments": failure ?? { status: 500, body: "<html>crashed</html>" },
      "GET //user": { body: { id: 1, login: "mara" } },
      "GET /issues/12/comments": { body: comments },
      "GET /issues/12": { body: {} },
    });
    const before = Date.now();
    const ran = await forge.run(["pr", "close", "12", "--comment", "See #14"]);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(words)]);
    if (failure !== undefined) return;
    const since = /since=([^&]+)/.exec(forge.lines().find((line) => line.startsWith("GET /issues/12/comments")) ?? "");
    const time = Date.parse(since?.[1] ?? "");
    expect([time > before - 60_000, time <= Date.now()]).toEqual([true, true]);
  });
});

describe("pr status", () => {
  it("leaves out what you have reviewed since you were asked, though the server still lists you", async () => {
    const asked = (number: number) => open({ id: number, number, requested_reviewers: [{ id: 1, login: "mara" }] });
    const reviews = (...states: readonly string[]) => {
      const body = states.map((state, id) => ({ id, state, dismissed: false, user: { id: 1, login: "mara" } }));
      return { headers: { "x-total-count": String(body.length) }, body };
    };
    await start({
      "GET //user": { body: { id: 1, login: "mara" } },
      "GET /pulls": { headers: { "x-total-count": "3" }, body: [asked(1), asked(2), asked(3)] },
      "GET /pulls/1/reviews": reviews("REQUEST_REVIEW"),
      "GET /pulls/2/reviews": reviews("REQUEST_REVIEW", "APPROVED"),
      "GET /pulls/3/reviews": reviews("COMMENT", "REQUEST_REVIEW"),
    });
    const ran = await forge.run(["pr", "status", "--jq", "[.review_requested[].number]"]);
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, [1, 3]]);
  });
});
