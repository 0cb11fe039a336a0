import { describe, expect, it } from "vitest";
import { recorded, recordedRecord } from "../../support/recorded.ts";
import { type Answer, cut, type Scripted, scripted, silent } from "./scripted.ts";

let forge: Scripted;

const open = (changes = {}) => recordedRecord("gitea", "… it is still open", { number: 12, ...changes });
const conflicting = (changes = {}) =>
  recordedRecord("gitea", "a pull request with a conflict: mergeable is false", { number: 12, ...changes });
const tryAgain = recorded("gitea", "merge it: 405, although waiting does not help");
/** A pull request that is open when it is read first. */
const opened = (then: { readonly body: unknown }) => [{ body: open() }, then];
const start = async (routes: Record<string, Answer>) => {
  forge = await scripted({ "POST /pulls/12/merge": { status: 200 }, "GET /pulls/12": { body: open() }, ...routes });
};

describe("pr merge", () => {
  it.each(["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"])(
    "merges with style %s after one look at the pull request, and names the base",
    async (style) => {
      await start({});
      const ran = await forge.run(["pr", "merge", "12", "--style", style]);
      expect(ran).toMatchObject({ code: 0, stdout: "" });
      expect(ran.stderr).toBe(`✓ Merged mara/harbor#12 into main (${style}) on ${forge.server.url}\n`);
      expect(forge.lines()).toEqual(["GET /pulls/12", "POST /pulls/12/merge"]);
      expect(forge.writes()).toEqual([["POST /pulls/12/merge", { Do: style }]]);
    },
  );

  it("takes one more request for the record", async () => {
    await start({ "GET /pulls/12": opened({ body: open({ merged: true, state: "closed" }) }) });
    const ran = await forge.run(["pr", "merge", "12", "--style", "rebase", "--json", "number,merged"]);
    expect(ran).toMatchObject({ code: 0, stdout: '{"number":12,"merged":true}\n' });
    expect(forge.lines()).toEqual(["GET /pulls/12", "POST /pulls/12/merge", "GET /pulls/12"]);
  });

  it("records a manual merge, with the full hash for an abbreviated one", async () => {
    const sha = "e1eef2f26ecbeef31cd9020ff531addd75157403";
    await start({ "GET /git/commits/e1eef2f2": { body: { sha } } });
    const ran = await forge.run(["pr", "merge", "12", "--style", "manually-merged", "--merge-commit", "e1eef2f2"]);
    expect(ran.code).toBe(0);
    expect(forge.writes()).toEqual([["POST /pulls/12/merge", { Do: "manually-merged", MergeCommitID: sha }]]);
  });

  it("uses the default style of the repository without --style, and reports it", async () => {
    const base = { ...(open()["base"] as object), repo: { full_name: "mara/harbor", default_merge_style: "squash" } };
    await start({ "GET /pulls/12": { body: open({ base }) } });
    const ran = await forge.run(["pr", "merge", "12"]);
    expect(ran.stderr).toContain('Using merge style "squash" (the default of mara/harbor)');
    expect(forge.lines()).toEqual(["GET /pulls/12", "POST /pulls/12/merge"]);
    expect(forge.writes()[0]?.[1]).toEqual({ Do: "squash" });
  });

  it("deletes the branch if that is the default of the repository, which not every server applies itself", async () => {
    const mara = { full_name: "mara/harbor", default_merge_style: "squash", default_delete_branch_after_merge: true };
    const start12 = async (head: object) => {
      const base = { ...(open()["base"] as object), repo_id: 1, repo: mara };
      await start({ "GET /pulls/12": { body: open({ base, head: { ref: "buoys", sha: "a".repeat(40), ...head } }) } });
    };
    await start12({ repo_id: 1, repo: mara });
    await forge.run(["pr", "merge", "12"]);
    expect(forge.writes()[0]?.[1]).toEqual({ Do: "squash", delete_branch_after_merge: true });
    await start12({ repo_id: 1, repo: mara });
    await forge.run(["pr", "merge", "12", "--no-delete-branch"]);
    expect(forge.writes()[0]?.[1]).toEqual({ Do: "squash", delete_branch_after_merge: false });
    await start12({ repo_id: 2, repo: { ...mara, full_name: "priya/harbor" } });
    await forge.run(["pr", "merge", "12"]);
    expect(forge.writes()[0]?.[1]).toEqual({ Do: "squash" });
  });

  it.each([
    ["--squash", "squash"],
    ["--rebase", "rebase"],
    ["--merge", "merge"],
    ["-s", "squash"],
  ])("accepts gh's %s", async (flag, style) => {
    await start({});
    expect((await forge.run(["pr", "merge", "12", flag])).code).toBe(0);
    expect(forge.writes()[0]?.[1]).toEqual({ Do: style });
  });

  it("sends title, message, force and deletion under the keys that every server accepts", async () => {
    await start({
      "GET /pulls/12": opened({
        body: recordedRecord("gitea", "… the head of the merged one", {
          number: 12,
          head: { repo: { full_name: "priya/harbor" }, sha: "a".repeat(40), ref: "refs/pull/12/head" },
        }),
      }),
    });
    const line = ["pr", "merge", "12", "--squash", "--title", "T", "--message-file", "-", "--force", "-d"];
    const ran = await forge.run(line, { stdin: "All hands." });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).not.toContain("!");
    expect(forge.writes()[0]?.[1]).toEqual({
      Do: "squash",
      MergeTitleField: "T",
      MergeMessageField: "All hands.",
      force_merge: true,
      delete_branch_after_merge: true,
    });
  });

  it("keeps the head branch in a fork with a note, as gh does, if the server does", async () => {
    const head = { ref: "ferry", sha: "a".repeat(40), repo_id: 3, repo: { full_name: "priya/harbor" } };
    await start({ "GET /pulls/12": opened({ body: open({ merged: true, head }) }) });
    const ran = await forge.run(["pr", "merge", "12", "--merge", "--delete-branch"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(
      /^✓ Merged mara\/harbor#12 [\s\S]*! Merged mara\/harbor#12, but its branch ferry of priya\/harbor was not deleted\n/,
    );
  });

  it.each([
    [["--style", "octopus"], "for --style: must be one of merge, rebase"],
    [["--style", "rebase", "--title", "x"], "cannot be used with --style rebase"],
    [["--style", "manually-merged"], "must be used together"],
    [["--squash", "--merge-commit", "abcd"], "must be used together"],
    [["--squash", "--rebase"], "Specify only one of"],
    [["--auto", "--cancel-auto"], "Specify only one of"],
    [["--merge", "--match-head", "main"], "must be a commit SHA"],
  ])("refuses %j before anything is sent", async (flags, words) => {
    await start({});
    const ran = await forge.run(["pr", "merge", "12", ...flags]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(words);
    expect(forge.lines()).toEqual([]);
  });

  it("sends nothing with --dry-run and prints the request", async () => {
    await start({});
    const ran = await forge.run(["pr", "merge", "12", "--rebase", "--dry-run"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('"Do": "rebase"');
    expect(forge.lines()).toEqual(["GET /pulls/12"]);
  });

  it("is refused in a dry run as without it if it is merged or closed", async () => {
    await start({
      "GET /pulls/12": [{ body: open({ merged: true, state: "closed" }) }, { body: open({ state: "closed" }) }],
    });
    for (const what of ["already merged", "closed"]) {
      const ran = await forge.run(["pr", "merge", "12", "--rebase", "--dry-run"]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([
        9,
        "",
        expect.stringContaining(`✗ Pull request mara/harbor#12 is ${what}`),
      ]);
    }
  });
});

describe("pr merge --match-head", () => {
  const sha = "4f2bdde111111111111111111111111111111111";
  const head = { ...(open()["head"] as object), sha };

  it("sends a full hash as it is", async () => {
    await start({});
    await forge.run(["pr", "merge", "12", "--merge", "--match-head", sha]);
    expect(forge.lines()).toEqual(["GET /pulls/12", "POST /pulls/12/merge"]);
    expect(forge.writes()[0]?.[1]).toEqual({ Do: "merge", head_commit_id: sha });
  });

  it("expands an abbreviated hash", async () => {
    await start({ "GET /pulls/12": { body: open({ head }) } });
    await forge.run(["pr", "merge", "12", "--merge", "--match-head", "4F2bdde"]);
    expect(forge.writes()[0]?.[1]).toEqual({ Do: "merge", head_commit_id: sha });
  });

  it("merges nothing if the head is another commit", async () => {
    await start({ "GET /pulls/12": { body: open({ head }) } });
    const ran = await forge.run(["pr", "merge", "12", "--merge", "--match-head", "abcdef"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("Its head is 4f2bdde111, not abcdef");
    expect(forge.writes()).toEqual([]);
  });

  it("explains the server's refusal if the head has changed", async () => {
    await start({
      "POST /pulls/12/merge": recorded("gitea", "merge with a head_commit_id that is not the head: 409"),
      "GET /pulls/12": { body: open({ head }) },
    });
    const ran = await forge.run(["pr", "merge", "12", "--merge", "--match-head", "0".repeat(40)]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("is 4f2bdde111, not 0000000000");
  });
});

it("is tried once more after git failed on the server, as just after a push to the base", async () => {
  const failed = { status: 500, body: { message: "exit status 128 - fatal: bad object" } };
  await start({ "POST /pulls/12/merge": [failed, { status: 200 }] });
  expect((await forge.run(["pr", "merge", "12", "--rebase"])).code).toBe(0);
  await start({ "POST /pulls/12/merge": failed });
  expect((await forge.run(["pr", "merge", "12", "--rebase"])).code).toBe(7);
  expect(forge.writes()).toHaveLength(2);
});

describe("'Please try again later'", () => {
  it("is retried while the server checks mergeability", async () => {
    await start({
      "POST /pulls/12/merge": [tryAgain, { status: 200 }],
      "GET /pulls/12": [false, false, false, true].map((mergeable) => ({ body: open({ mergeable }) })),
      "GET /pulls/12/files": { body: [] },
    });
    const waits: number[] = [];
    const ran = await forge.run(["pr", "merge", "12", "--merge"], { onSleep: (wait) => waits.push(wait) });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("; retrying");
    expect(forge.writes()).toHaveLength(2);
    expect(waits).toHaveLength(2);
  });

  it("is retried for at most 15 s", async () => {
    await start({
      "POST /pulls/12/merge": tryAgain,
      "GET /pulls/12": { body: open({ mergeable: false }) },
      "GET /pulls/12/files": { body: [{ filename: "pumps.md" }] },
    });
    let waited = 0;
    const ran = await forge.run(["pr", "merge", "12", "--merge"], {
      now: new Date(String(open()["updated_at"])),
      onSleep: (wait) => {
        waited += wait;
      },
    });
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("is still checking whether mara/harbor#12 is mergeable");
    expect(waited).toBeGreaterThanOrEqual(15_000);
    expect(waited).toBeLessThan(17_100);
  });

  it("fails at once if the base contains the head, although mergeable is true", async () => {
    const { merge_base } = open();
    const head = { ...(open()["head"] as object), sha: merge_base };
    await start({
      "POST /pulls/12/merge": recorded(
        "gitea",
        "merge a pull request whose head has nothing that main lacks: 405 although mergeable is true",
      ),
      "GET /pulls/12": { body: open({ head, mergeable: true }) },
    });
    const waits: number[] = [];
    const ran = await forge.run(["pr", "merge", "12", "--merge"], { onSleep: (wait) => waits.push(wait) });
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("has nothing to merge: main already contains its head");
    expect(waits).toEqual([]);
    expect(forge.writes()).toHaveLength(1);
  });

  const bothSides = () => {
    const { merge_base, base } = conflicting();
    const compare = `GET /compare/${String(merge_base)}...${(base as { sha: string }).sha}`;
    return {
      "POST /pulls/12/merge": tryAgain,
      "GET /pulls/12": { body: conflicting() },
      "GET /pulls/12/files": { body: [{ filename: "tides.txt" }, { filename: "only-here.txt" }] },
      [compare]: { body: { commits: [{ files: [{ filename: "tides.txt" }, { filename: "only-there.txt" }] }] } },
    };
  };

  it("fails at once for a conflict if nothing was pushed recently, listing the files", async () => {
    await start(bothSides());
    const waits: number[] = [];
    const later = new Date("2026-11-22T00:00:00Z");
    const ran = await forge.run(["pr", "merge", "12", "--merge"], { now: later, onSleep: (wait) => waits.push(wait) });
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("Changed on both sides: tides.txt\n");
    expect(ran.stderr).not.toContain("only-");
    expect(waits).toEqual([]);
  });

  it("counts as a conflict after three seconds if something was pushed recently", async () => {
    await start(bothSides());
    let waited = 0;
    const now = new Date(String(conflicting()["updated_at"]));
    const ran = await forge.run(["pr", "merge", "12", "--merge"], {
      now,
      onSleep: (wait) => {
        waited += wait;
      },
    });
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("Changed on both sides: tides.txt");
    expect(waited).toBeGreaterThanOrEqual(3_000);
    expect(waited).toBeLessThan(6_000);
  });
});

describe("a refused merge", () => {
  const refused = async (server: "gitea" | "forgejo", label: string, branch: object, pull = {}) => {
    await start({
      "POST /pulls/12/merge": recorded(server, label),
      "GET /pulls/12": { body: open({ draft: false, ...pull }) },
      "GET /branches/main": { body: { name: "main", protected: false, ...branch } },
      [`GET /commits/${(open()["head"] as { sha: string }).sha}/status`]: { body: { state: "", statuses: [] } },
      "GET /pulls/12/reviews": { body: [] },
    });
    const ran = await forge.run(["pr", "merge", "12", "--merge"]);
    // What keeps it from being merged is only read.
    expect([ran.code, forge.writes().map(([write]) => write)]).toEqual([9, ["POST /pulls/12/merge"]]);
    return ran.stderr;
  };
  const required = { enable_status_check: true, status_check_contexts: ["ci"] };

  it.each([
    ["gitea", "merge with a failed required status: 405", required, {}, "Required checks were not reported: ci\n"],
    ["forgejo", "merge with a missing required status: 405", required, {}, "Required checks were not reported: ci\n"],
    [
      "gitea",
      "merge a draft: 405",
      {},
      { draft: true },
      "It is a draft\n  Mark it as ready for review: tongs pr ready 12 -R mara/harbor\n",
    ],
    ["gitea", "merge by somebody who is not on the list: 405", { user_can_merge: false }, {}, "no write access"],
  ] as const)("is explained by what pr why finds, on %s: %s", async (server, label, branch, pull, words) => {
    const said = await refused(server, label, branch, pull);
    expect(said).toContain("✗ Cannot merge mara/harbor#12: ");
    expect(said).toContain(words);
    expect(said).not.toMatch(/Not all required|allowed to merge PR|Work in progress|server says/);
  });

  it.each([
    ["gitea", "merge with a failed required status: 405"],
    ["forgejo", "merge with a missing required status: 405"],
  ] as const)(
    "has the words of %s where no fact shows a reason, or not every rule can be read",
    async (server, label) => {
      expect(await refused(server, label, {})).toContain("#12: Not all required status checks successful\n");
      const said = await refused(server, label, { protected: true, required_approvals: 1 });
      expect(said).toMatch(
        /#12: Needs 1 more approval\n[\s\S]*The server says: Not all required status checks successful\n/,
      );
    },
  );

  it("lists the styles that the repository allows", async () => {
    const allowed = { allow_merge_commits: true, allow_rebase_explicit: true };
    const repo = { full_name: "mara/harbor", ...allowed, allow_rebase: false, allow_squash_merge: false };
    await start({
      "POST /pulls/12/merge": recorded("gitea", "merge with the style squash, which is not allowed: 405"),
      "GET /pulls/12": { body: open({ base: { ...(open()["base"] as object), repo } }) },
    });
    const ran = await forge.run(["pr", "merge", "12", "--squash"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("Allowed: merge, rebase-merge");
  });

  it.each(["gitea", "forgejo"] as const)("reports that it is already merged, on %s", async (server) => {
    await start({
      "POST /pulls/12/merge": recorded(server, "merge it again: 405"),
      "GET /pulls/12": opened({
        body: open({ merged: true, merge_commit_sha: "abcdef0123456789", merged_by: { login: "jonas" } }),
      }),
    });
    const ran = await forge.run(["pr", "merge", "12", "--merge"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("mara/harbor#12 is already merged (by jonas as abcdef0123)");
  });

  it("distinguishes a closed pull request from a missing one", async () => {
    await start({
      "POST /pulls/12/merge": recorded("gitea", "merge a closed one: 404"),
      "GET /pulls/12": opened({ body: open({ state: "closed" }) }),
      "GET ": { body: {} },
    });
    const closed = await forge.run(["pr", "merge", "12", "--merge"]);
    expect(closed.code).toBe(9);
    expect(closed.stderr).toContain("Reopen it: tongs pr reopen 12");
    const missing = await forge.run(["pr", "merge", "99", "--merge"]);
    expect(missing.code).toBe(5);
    expect(missing.stderr).toContain("Pull request #99 not found in mara/harbor");
  });

  it.each([
    [
      "gitea",
      "merge right after a push to main that conflicts with it: 409 while the stale mergeable holds (405 once the new check has begun)",
      "Conflicts with its base branch in tides.txt",
    ],
    [
      "gitea",
      "merge by rebase where one commit conflicts although the whole merges cleanly: 409 with CommitSHA",
      "in tides.txt (commit 8c703df829 does not apply)",
    ],
    ["gitea", "… merging it: 409 unrelated histories", "refusing to merge unrelated histories"],
    [
      "forgejo",
      "merge the second at once (the check has not run yet): 409",
      "Conflicts with its base branch in tide.txt",
    ],
  ] as const)("reads git's report of a conflict on %s: %s", async (server, label, words) => {
    await start({ "POST /pulls/12/merge": recorded(server, label) });
    const ran = await forge.run(["pr", "merge", "12", "--rebase"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain(words);
    expect(forge.lines()).toEqual(["GET /pulls/12", "POST /pulls/12/merge"]);
  });

  const manual = `manually-merged --merge-commit ${"1".repeat(40)}`;
  it.each([
    ["gitea", "manually-merged without a commit id: 409", manual, "is not a merge of it on its base branch"],
    ["forgejo", "merge manually-merged without a commit id: 409", manual, "is not a merge of it on its base branch"],
    [
      "gitea",
      "merge by fast-forward-only on diverged branches: 500",
      "fast-forward-only",
      "cannot be fast-forwarded: ",
    ],
    ["forgejo", "merge by fast-forward-only on diverged branches: 500", "fast-forward-only", "its base branch has new"],
  ] as const)("is explained by its style, on %s: %s", async (server, label, style, words) => {
    await start({ "POST /pulls/12/merge": recorded(server, label) });
    const ran = await forge.run(`pr merge 12 --style ${style}`.split(" "));
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining(words)]);
  });

  it("lists the open dependencies that cause a 500", async () => {
    await start({
      "POST /pulls/12/merge": recorded("gitea", "merge with an open dependency: 500"),
      "GET /issues/12/dependencies": { body: [{ id: 1, number: 11, title: "The crane squeaks", state: "open" }] },
    });
    const ran = await forge.run(["pr", "merge", "12", "--merge"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("Open dependencies: #11 The crane squeaks");
  });

  it.each([
    ["a 500", { status: 500, body: { message: "repository does not exist" } }],
    ["try again", { status: 405, body: { message: "Please try again later" } }],
  ])("says that the repository of the head is gone, where the server answers %s", async (_what, answer) => {
    const pull = open();
    await start({
      "POST /pulls/12/merge": answer,
      "GET /pulls/12": { body: { ...pull, head: { ...(pull["head"] as object), repo: null } } },
    });
    const ran = await forge.run(["pr", "merge", "12", "--style", "merge", "--json"]);
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining('"code":"head_missing"') });
  });

  it("says that the head branch is gone, and how to create it again", async () => {
    const pull = open();
    const head = { ...(pull["head"] as object), ref: "refs/pull/12/head", label: "buoys", sha: "f".repeat(40) };
    await start({ "POST /pulls/12/merge": { status: 500, body: {} }, "GET /pulls/12": { body: { ...pull, head } } });
    const ran = await forge.run(["pr", "merge", "12"]);
    const says = "Cannot merge mara/harbor#12: Its head branch was deleted";
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining(says)]);
    expect(ran.stderr).toContain(`Create it again: tongs branch create buoys ${"f".repeat(40)} -R `);
    expect(forge.writes()).toEqual([]);
  });

  it("reports a 500 that it cannot explain", async () => {
    await start({ "POST /pulls/12/merge": { status: 500, body: { message: "" } } });
    expect((await forge.run(["pr", "merge", "12", "--merge"])).code).toBe(7);
  });
});

describe("a merge that succeeded despite an error", () => {
  it("fails with the reason, after the merge was said, if Forgejo could not delete the branch", async () => {
    await start({
      "POST /pulls/12/merge": recorded(
        "forgejo",
        "merge of a fork's pull request with delete_branch_after_merge by one who may not delete it: 403",
      ),
      "GET /pulls/12": opened({ body: open({ merged: true }) }),
    });
    const ran = await forge.run(["pr", "merge", "12", "--merge", "-d"]);
    expect(ran.code).toBe(11);
    expect(ran.stderr).toMatch(/✓ Merged [\s\S]*was not deleted: insufficient permission to delete head branch\n/);
  });

  const kept = recorded(
    "forgejo",
    "merge of a fork's pull request with delete_branch_after_merge by one who may not delete it: 403",
  );
  it.each([
    ["a 500 of Gitea", "1.26.0", ["--merge"], { status: 500, body: {} }],
    ["a 500 of Gitea with -d", "1.26.0", ["--merge", "-d"], { status: 500, body: {} }],
    ["a 500 of Forgejo without -d", "16.0.0+gitea-1.22.0", ["--merge"], { status: 500, body: {} }],
    ["a 403 without -d", "16.0.0+gitea-1.22.0", ["--merge"], { ...kept }],
  ])("is another's where the answer is %s: no success, and no word of a deletion", async (_, version, line, answer) => {
    const base = { ...(open()["base"] as object), repo_id: 1 };
    const head = { ...(open()["head"] as object), repo_id: 1, ref: "buoys", repo: { full_name: "mara/harbor" } };
    await start({
      "GET //version": { body: { version } },
      "POST /pulls/12/merge": answer,
      "GET /pulls/12": opened({
        body: open({ base, head, merged: true, state: "closed", merged_by: { login: "mara", id: 1 } }),
      }),
    });
    const ran = await forge.run(["pr", "merge", "12", ...line]);
    expect(ran).toMatchObject({ code: 9, stdout: "" });
    expect(ran.stderr).toContain("Pull request mara/harbor#12 was merged meanwhile by mara");
    expect(ran.stderr).not.toMatch(/✓|not deleted/);
  });

  it("says once that Forgejo could not delete the branch, also for a 500", async () => {
    await start({
      "GET //version": { body: { version: "16.0.0+gitea-1.22.0" } },
      "POST /pulls/12/merge": { status: 500, body: {} },
      "GET /pulls/12": opened({ body: open({ merged: true }) }),
    });
    const ran = await forge.run(["pr", "merge", "12", "--merge", "-d"]);
    expect(ran.code).toBe(11);
    expect(ran.stderr.match(/was not deleted/g)).toHaveLength(1);
  });

  it.each<Answer>([cut, { status: 502, body: "Bad Gateway" }, { status: 503 }, { status: 504 }])(
    "is detected if the response was lost, and never sent twice (%j)",
    async (lost) => {
      await start({ "POST /pulls/12/merge": lost, "GET /pulls/12": opened({ body: open({ merged: true }) }) });
      const ran = await forge.run(["pr", "merge", "12", "--merge"]);
      expect(ran.code).toBe(0);
      expect(ran.stderr).toContain("the pull request was merged anyway");
      expect(forge.lines()).toEqual(["GET /pulls/12", "POST /pulls/12/merge", "GET /pulls/12"]);
    },
  );

  const merged = (by: string, at: Date, changes = {}) => ({
    body: open({
      merged: true,
      state: "closed",
      merged_by: { login: by, id: 1 },
      merged_at: at.toISOString(),
      ...changes,
    }),
  });

  it.each([[[]], [["--auto"]]])(
    "is no success if the response was lost and another account merged it (%j)",
    async (line) => {
      await start({
        "POST /pulls/12/merge": cut,
        "GET /pulls/12": opened(merged("jonas", new Date())),
        "GET //user": { body: { login: "mara", id: 2 } },
      });
      const ran = await forge.run(["pr", "merge", "12", "--rebase", ...line]);
      expect(ran).toMatchObject({ code: 9, stdout: "" });
      expect(ran.stderr).toContain("Pull request mara/harbor#12 was merged meanwhile by jonas");
      expect(ran.stderr).not.toMatch(/✓|anyway/);
    },
  );

  it("is no success if the response was lost and the account had merged it before, by the server's clock", async () => {
    const now = new Date("2031-03-01T12:00:00Z");
    const mergedAt = async (at: string, style: readonly string[]) => {
      const answer = { ...merged("mara", new Date(at)), headers: { date: now.toUTCString() } };
      await start({
        "POST /pulls/12/merge": cut,
        "GET /pulls/12": opened(answer),
        "GET //user": { body: { login: "mara", id: 2 } },
      });
      return forge.run(["pr", "merge", "12", ...style], { now: new Date("2031-03-01T12:30:00Z") });
    };
    const before = await mergedAt("2031-03-01T11:50:00Z", ["--merge"]);
    expect([before.code, before.stderr]).toEqual([9, expect.stringContaining("already merged (by mara)")]);
    expect((await mergedAt("2031-03-01T12:00:00Z", ["--merge"])).code).toBe(0);
    // The time of a manual merge is that of its commit.
    const manual = ["--style", "manually-merged", "--merge-commit", "e1eef2f26ecbeef31cd9020ff531addd75157403"];
    expect((await mergedAt("2031-03-01T11:50:00Z", manual)).code).toBe(0);
  });

  it("is none if it was merged before the request, which is not sent then", async () => {
    await start({ "POST /pulls/12/merge": { status: 502 }, "GET /pulls/12": merged("mara", new Date()) });
    const ran = await forge.run(["pr", "merge", "12", "--merge"]);
    expect([ran.code, ran.stderr]).toEqual([9, "✗ Pull request mara/harbor#12 is already merged (by mara)\n"]);
    expect(forge.writes()).toEqual([]);
  });

  it("is a failure if the merge did not happen", async () => {
    await start({ "POST /pulls/12/merge": cut });
    expect((await forge.run(["pr", "merge", "12", "--merge"])).code).toBe(6);
    expect(forge.writes()).toHaveLength(1);
  });
});

describe("pr merge --auto", () => {
  const scheduled = recorded("gitea", "schedule an auto merge: 201, no body");
  const status = (state: string, ...statuses: object[]) => ({
    body: { state, statuses: statuses.map((one, id) => ({ id, ...one })) },
  });
  const sha = (open()["head"] as { sha: string }).sha;
  const requiring = (...contexts: readonly string[]) => ({
    "GET /branches/main": {
      body: { name: "main", protected: false, enable_status_check: true, status_check_contexts: contexts },
    },
  });
  const approved = (isProtected: boolean) => ({
    "GET /branches/main": {
      body: { name: "main", protected: isProtected, enable_status_check: false, required_approvals: 1 },
    },
  });

  it("schedules the merge and says what it waits for, and which checks no server waits for", async () => {
    const statuses = ["ci/build", "ci/b"].map((context) => ({ context, status: "pending" }));
    await start({
      "POST /pulls/12/merge": scheduled,
      ...requiring("ci/build"),
      [`GET /commits/${sha}/status`]: status("pending", ...statuses),
    });
    const ran = await forge.run(["pr", "merge", "12", "--squash", "--auto", "-d"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("The server does not wait for checks that are not required: ci/b (pending)\n");
    expect(ran.stderr).toContain("Not merged yet: Required checks are pending: ci/build\n");
    expect(ran.stderr).toContain("Scheduled the automatic merge of pull request mara/harbor#12 into main (squash)");
    const body = { Do: "squash", delete_branch_after_merge: true, merge_when_checks_succeed: true };
    expect(forge.writes()).toEqual([["POST /pulls/12/merge", body]]);
  });

  it("says that --match-head is not checked again when the server merges", async () => {
    await start({
      "POST /pulls/12/merge": scheduled,
      ...requiring("ci/build"),
      [`GET /commits/${sha}/status`]: status("pending", { context: "ci/build", status: "pending" }),
    });
    const ran = await forge.run(["pr", "merge", "12", "--squash", "--auto", "--match-head", sha.slice(0, 8)]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("! The server does not check --match-head again when it merges mara/harbor#12");
    const foretold = await forge.run(["pr", "merge", "12", "--auto", "--match-head", sha.slice(0, 8), "--dry-run"]);
    expect(foretold.stderr).toContain("! The server does not check --match-head again when it merges mara/harbor#12");
    const other = await forge.run(["pr", "merge", "12", "--squash", "--auto"]);
    expect(other.stderr).not.toContain("--match-head");
  });

  it("merges at once if nothing is pending, because Forgejo would wait forever", async () => {
    await start({
      "POST /pulls/12/merge": [
        recorded("forgejo", "merge later, when checks succeed: scheduled: 201 without a body"),
        { status: 200 },
      ],
      ...approved(false),
      [`GET /commits/${sha}/status`]: { body: { state: "", statuses: null } },
    });
    const ran = await forge.run(["pr", "merge", "12", "--squash", "--auto"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("No checks are pending, so it was merged now.");
    expect(ran.stderr).toContain("Merged mara/harbor#12 into main (squash)");
    expect(forge.writes().map(([, body]) => body)).toEqual([
      { Do: "squash", merge_when_checks_succeed: true },
      { Do: "squash" },
    ]);
  });

  it("does not merge at once right after a push, when no check is reported yet", async () => {
    for (const contexts of [["ci/a"], []]) {
      await start({
        "POST /pulls/12/merge": scheduled,
        ...requiring(...contexts),
        [`GET /commits/${sha}/status`]: status(""),
      });
      const ran = await forge.run(["pr", "merge", "12", "--squash", "--auto"]);
      expect([ran.code, forge.writes().length], ran.stderr).toEqual([0, 1]);
      expect(ran.stderr).toMatch(/Not merged yet: .* reported/);
      expect(ran.stderr).toContain("Scheduled the automatic merge");
    }
  });

  it.each([
    ["none was given", [], "Needs 1 more approval"],
    ["the server counts none", [{ id: 1, state: "APPROVED", official: true }], "Does not have enough approvals"],
  ])("waits for a required approval where no check is required and %s", async (_, reviews, waits) => {
    await start({
      "POST /pulls/12/merge": [scheduled, recorded("gitea", "merge without the required approval: 405")],
      ...approved(true),
      "GET /pulls/12/reviews": { body: reviews },
      [`GET /commits/${sha}/status`]: status("failure", { context: "ci", status: "failure" }),
    });
    const ran = await forge.run(["pr", "merge", "12", "--squash", "--auto"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(`Not merged yet: ${waits}`)]);
    expect(ran.stderr).toContain("not required: ci (failure)\n");
    expect(ran.stderr).toContain("Scheduled the automatic merge");
  });

  it.each<[string, string, string, readonly string[]]>([
    ["merges one that is scheduled already if nothing is pending", "success", "Merged mara/harbor#12 into main", ["m"]],
    ["says what one that is scheduled already waits for", "pending", "✓ Already scheduled: the automatic merge", []],
  ])("%s", async (_, state, says, merges) => {
    await start({
      "POST /pulls/12/merge": [recorded("gitea", "schedule it again: 409"), { status: 200 }],
      ...requiring("ci"),
      [`GET /commits/${sha}/status`]: status(state, { context: "ci", status: state }),
    });
    const ran = await forge.run(["pr", "merge", "12", "--squash", "--auto"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(says)]);
    expect(forge.writes().slice(1)).toEqual(merges.map(() => ["POST /pulls/12/merge", { Do: "squash" }]));
    if (merges.length > 0) return;
    expect(ran.stderr).toContain("Not merged yet: Required checks are pending: ci\n");
    expect(ran.stderr).toContain("tongs pr merge 12 --cancel-auto");
  });

  it("is cancelled by --cancel-auto", async () => {
    await start({ "DELETE /pulls/12/merge": { status: 204 } });
    const ran = await forge.run(["pr", "merge", "12", "--cancel-auto"]);
    expect(ran.code).toBe(0);
    expect(forge.lines()).toEqual(["DELETE /pulls/12/merge"]);
  });

  it("reports that no merge is scheduled", async () => {
    await start({
      "DELETE /pulls/12/merge": recorded("gitea", "cancel an auto merge where none is scheduled: 404"),
      "GET ": { body: {} },
    });
    const ran = await forge.run(["pr", "merge", "12", "--cancel-auto"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("No automatic merge is scheduled for mara/harbor#12");
    expect((await forge.run(["pr", "merge", "99", "--cancel-auto"])).stderr).toContain("Pull request #99 not found");
  });
});

describe("pr merge where the base requires no checks", () => {
  const sha = (open()["head"] as { sha: string }).sha;
  const none = { "GET /branches/main": { body: { enable_status_check: false, status_check_contexts: [] } } };
  const at = (...statuses: readonly (readonly [context: string, status: string, url?: string])[]) => ({
    body: {
      state: "",
      statuses: statuses.map(([context, state, url], id) => ({ id, context, status: state, target_url: url ?? "" })),
    },
  });
  const polls = (...answers: readonly ReturnType<typeof at>[]) => ({
    ...none,
    [`GET /commits/${sha}/status`]: answers,
  });

  it("refuses --auto in a script, with both ways out, and sends nothing", async () => {
    await start(none);
    for (const flags of [[], ["--yes"], ["--dry-run"]]) {
      const ran = await forge.run(["pr", "merge", "12", "--squash", "--auto", ...flags]);
      expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("main requires no checks")]);
      expect(ran.stderr).toContain("main requires no checks, so the server would not wait for any\n");
      expect(ran.stderr).toMatch(/pr merge 12 --wait .*omit --auto/);
    }
    expect(forge.writes()).toEqual([]);
  });

  it("offers on a terminal to wait here", async () => {
    const question =
      "main requires no checks, so the server would not wait for any. Wait here until all checks of #12 succeed?";
    await start(polls(at(["x/a", "success"], ["x/b", "pending"]), at(["x/a", "success"], ["x/b", "success"])));
    const line = ["pr", "merge", "12", "--squash", "--auto"];
    expect(await forge.run(line, { terminal: true, answers: [false] })).toMatchObject({ code: 3, asked: [question] });
    expect(forge.writes()).toEqual([]);
    const ran = await forge.run(line, { terminal: true, answers: [true] });
    expect([ran.code, forge.writes()], ran.stderr).toEqual([
      0,
      [["POST /pulls/12/merge", { Do: "squash", head_commit_id: sha }]],
    ]);
  });

  const wait = ["pr", "merge", "12", "--squash", "--wait"];

  it("waits with --wait for a first check and for all, and merges the head that was checked", async () => {
    await start(polls(at(), at(["x/a", "pending"], ["x/b", "pending"]), at(["x/a", "success"], ["x/b", "success"])));
    const ran = await forge.run(wait);
    expect([ran.code, ran.stdout]).toEqual([0, ""]);
    expect(ran.stderr).toContain("x/b: success\n✓ Merged mara/harbor#12 into main (squash)");
    expect(forge.writes()).toEqual([["POST /pulls/12/merge", { Do: "squash", head_commit_id: sha }]]);
  });

  it.each([
    [12, "x/b failed", [at(["x/a", "success"], ["x/b", "pending"]), at(["x/a", "success"], ["x/b", "failure"])]],
    [9, "no checks were reported", [at()]],
    [8, "x/b is pending after 40 s", [at(["x/a", "success"], ["x/b", "pending"])]],
  ])("exits %i and merges nothing: %s", async (code, words, answered) => {
    await start(polls(...answered));
    let slept = 0;
    const ran = await forge.run([...wait, "--wait-limit", code === 8 ? "40" : "600"], {
      onSleep: (ms) => (slept += ms),
    });
    expect([ran.code, ran.stderr, forge.writes()]).toEqual([code, expect.stringContaining(words), []]);
    if (code === 8) expect(slept).toBe(40_000);
    // What is not required does not keep it from being merged, so that pr why would not name it.
    if (code === 12) expect(ran.stderr).toContain("View the checks: tongs pr checks 12 -R mara/harbor\n");
  });

  it("waits for a first check no longer than --wait-limit, and says so", async () => {
    await start(polls(at()));
    const ran = await forge.run([...wait, "--wait-limit", "5"]);
    expect([ran.code, ran.stderr, forge.writes()]).toEqual([8, expect.stringContaining("Waiting at most 5 s "), []]);
    expect(ran.stderr).toContain("mara/harbor#12 was not merged: no check was reported after 5 s\n");
  });

  it("exits 8 and merges nothing if the server stops responding until the time is up", async () => {
    await start({ ...none, [`GET /commits/${sha}/status`]: silent });
    const ran = await forge.run([...wait, "--wait-limit", "0.1"]);
    expect([ran.code, forge.writes()]).toEqual([8, []]);
    expect(ran.stderr).toContain("was not merged: checks are pending after 0.1 s");
  });

  it.each([
    ["head", { sha: "9".repeat(40) }, "Its head is 9999999999"],
    ["base", { ref: "rel" }, "Its base is rel now, not main"],
  ])("merges nothing if the %s changes while it waits", async (side, change, says) => {
    const moved = open({ [side]: { ...(open()[side] as object), ...change } });
    await start({ ...polls(at(["x/a", "pending"])), "GET /pulls/12": [{ body: open() }, { body: moved }] });
    const ran = await forge.run(wait);
    expect([ran.code, ran.stderr, forge.writes()]).toEqual([9, expect.stringContaining(says), []]);
  });

  it.each([
    ["by its name", ["CI / merge (push)", "pending", "/mara/harbor/actions/runs/7/jobs/1"], "merge", 0],
    [
      "as the only one of its run",
      ["CI / Merge it (push)", "pending", "/mara/harbor/actions/runs/7/jobs/1"],
      "merge",
      0,
    ],
    ["but one of another run", ["CI / merge (push)", "pending", "/mara/harbor/actions/runs/8/jobs/1"], "merge", 8],
  ] as const)("does not wait for the check of its own job, %s", async (_, own, job, code) => {
    await start(polls(at(["x/a", "success"], own)));
    const env = { GITHUB_REPOSITORY: "mara/harbor", GITHUB_RUN_ID: "7", GITHUB_RUN_NUMBER: "3", GITHUB_JOB: job };
    expect((await forge.run(wait, { env })).code).toBe(code);
  });

  it("waits for a check beside that of its own job, and merges if there is none", async () => {
    const own = ["CI / merge (push)", "pending", "/mara/harbor/actions/runs/7/jobs/1"] as const;
    const env = { GITHUB_REPOSITORY: "mara/harbor", GITHUB_RUN_ID: "7", GITHUB_RUN_NUMBER: "3", GITHUB_JOB: "merge" };
    await start(polls(at(own), at(own, ["x/a", "failure"])));
    const failed = await forge.run(wait, { env });
    expect([failed.code, forge.writes()]).toEqual([12, []]);
    await start(polls(at(own)));
    const alone = await forge.run(wait, { env });
    expect([alone.code, alone.stderr]).toEqual([0, expect.stringContaining("at most 60 s for the first")]);
  });
});

describe("the rest of a half-merged stack", () => {
  const of = (ref: string, sha = "c".repeat(40)) => {
    const repo = { full_name: "mara/harbor", default_branch: "main" };
    return { ref, label: ref, sha, repo_id: 1, repo };
  };
  const upper = (changes = {}) =>
    open({ base: of("lower"), head: of("upper"), created_at: "2026-11-19T10:00:00Z", ...changes });
  const lower = (changes = {}) =>
    upper({
      number: 11,
      merged: true,
      state: "closed",
      merged_at: "2026-11-20T10:00:00Z",
      base: of("main"),
      head: of("lower"),
      ...changes,
    });
  const half = (pull: object, closed: readonly object[], { ahead = 0, isProtected = false } = {}) =>
    start({
      "GET /pulls/12": { body: pull },
      "GET /pulls": { headers: { "x-total-count": String(closed.length) }, body: closed },
      "GET /branches/lower": { body: { name: "lower", protected: isProtected, enable_status_check: false } },
      "GET /compare/main...lower": { body: { total_commits: ahead, commits: [] } },
    });
  const middle = { id: 7, number: 10, base: of("keel") };
  const keel = { id: 8, number: 9 };

  it.each<[string, object[]]>([
    ["has not changed since", [lower()]],
    [
      "was merged after another one of the stack was merged into it",
      [lower(), lower({ id: 13, number: 13, base: of("lower"), head: of("x"), merged_at: "2026-11-19T12:00:00Z" })],
    ],
    ["has later commits", [lower({ head: of("lower", "d".repeat(40)) })]],
    ["was merged into a merged one", [lower({ base: of("keel") }), lower({ ...keel, head: of("keel") })]],
    [
      "was merged into one whose branch was deleted",
      [lower({ base: of("keel") }), lower({ ...keel, head: { ...of("refs/pull/9/head"), label: "keel" } })],
    ],
    [
      "was merged into one that goes round in a circle",
      [lower({ base: of("main") }), lower({ ...middle, head: of("keel"), base: of("lower") })],
    ],
  ])("is not merged into the branch of a merged one that %s, by merge nor by what why says", async (_, closed) => {
    await half(upper(), closed);
    for (const [line, code] of [
      ["pr merge 12 --squash", 9],
      ["pr why 12", 1],
    ] as const) {
      const ran = await forge.run(line.split(" "));
      expect([line, ran.code], ran.stderr).toEqual([line, code]);
      const said = ran.stdout + ran.stderr;
      expect(said).toMatch(/[Ii]ts base lower is the branch of #11, which was merged into (main|keel)/);
      expect(said).toContain("Retarget it: tongs pr edit 12 --base main -R mara/harbor\n");
      expect(said).toContain("If lower goes on, merge it there: tongs pr merge 12 --force");
      expect(said).not.toContain("--stack");
    }
    expect(forge.writes()).toEqual([]);
  });

  it("is to be rebased where its base was squashed or rebased, unless its branch is in a fork", async () => {
    const hint = "Rebase and merge it: tongs pr merge 12 --stack -R mara/harbor\n";
    await half(upper(), [lower()], { ahead: 1 });
    expect((await forge.run(["pr", "merge", "12", "--squash"])).stderr).toMatch(`${hint}  Retarget it: `);
    await half(upper({ head: { ...of("upper"), repo_id: 9 } }), [lower()], { ahead: 1 });
    expect((await forge.run(["pr", "merge", "12", "--squash"])).stderr).not.toContain("--stack");
  });

  it("is merged into that branch with --force, and the base is named", async () => {
    await half(upper(), [lower()]);
    const ran = await forge.run(["pr", "merge", "12", "--squash", "--force"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("! Its base lower is the branch of #11")]);
  });

  it.each<[string, object, object[], boolean]>([
    ["it was opened after that merge", upper({ created_at: "2026-11-20T10:00:01Z" }), [lower()], false],
    ["the base is protected", upper(), [lower()], true],
    [
      "others were merged into the base before",
      upper(),
      [lower(), lower({ id: 5, number: 5, base: of("lower"), head: of("x"), merged_at: "2026-11-19T10:00:00Z" })],
      false,
    ],
    ["the base is that of a closed one", upper(), [lower({ merged: false, merged_at: null })], false],
  ])("is merged if %s", async (_, pull, closed, isProtected) => {
    await half(pull, closed, { isProtected });
    const ran = await forge.run(["pr", "merge", "12", "--squash"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Merged mara/harbor#12 into lower (squash)")]);
  });
});
