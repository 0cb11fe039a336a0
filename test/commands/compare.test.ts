import { describe, expect, it } from "vitest";
import { countChanges } from "../../src/output/diff-stat.ts";
import { cassette } from "../support/cassette.ts";
import { serve } from "../support/server.ts";
import { type Ran, tongs } from "../support/tongs.ts";
import { onSandbox } from "./on-sandbox.ts";

const sandbox = await onSandbox();

const compare = (...line: readonly string[]): Promise<Ran> =>
  sandbox.run(["compare", ...line], { as: "mara", env: { TONGS_REPO: "mara/harbor" } });

describe("compare", () => {
  it("lists the commits that HEAD has and BASE does not, newest first", async () => {
    const ran = await compare("main...fog-horn");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/^[0-9a-f]{40}\t[^\t]+\t\w+\t\d{4}-/);
    const record = (await compare("main...fog-horn", "--json", "total_commits")).json();
    expect(record).toEqual({ total_commits: ran.stdout.trim().split("\n").length });
    expect((await compare("fog-horn...fog-horn")).stdout).toBe("");
  });

  it("prints the diff, a patch for each commit, and the numbers of lines", async () => {
    const diff = await compare("main...fog-horn", "--diff");
    expect(diff.stdout).toMatch(/^diff --git a\//);
    expect((await compare("main...fog-horn", "--patch")).stdout).toMatch(/^From [0-9a-f]{40} /);
    const stat = await compare("main...fog-horn", "--stat");
    expect(stat.stdout).toMatch(
      / \| +\d+ \++\n(?:.|\n)* \d+ files? changed, \d+ insertions?\(\+\), \d+ deletions?\(-\)\n$/,
    );
  });

  it("refuses what is not a range, and unknown branches", async () => {
    for (const range of ["main", "main...", "...main", "main...a b", ""]) {
      expect((await compare(range)).code, range).toBe(2);
    }
    const unknown = await compare("main...absent");
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain("absent");
    expect((await compare("main...fog-horn", "--diff", "--stat")).code).toBe(2);
  });

  it("names the unknown ref where Forgejo 10 answers 500, and keeps other errors of the server", async () => {
    const commit = { sha: "c".repeat(40), commit: { message: "Mend the net" }, parents: [] };
    const broken = { status: 500, body: { message: "", url: "http://git.example.org/api/swagger" } };
    const server = await serve(({ url }) => {
      if (url.includes("/compare/")) return broken;
      return url.includes("/absent") ? { status: 404, body: { message: "object does not exist" } } : { body: commit };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
    const unknown = await tongs(["compare", "main...absent"], { env });
    const failed = await tongs(["compare", "main...fog-horn"], { env });
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining("absent")]);
    expect(failed.code).toBe(7);
  });

  it("lists the commits on a server without comparisons, and says since when there are diffs of them", async () => {
    const commits = [
      { sha: "c".repeat(40), commit: { message: "Mend the net" }, parents: [], created: "2026-02-01T08:00:00Z" },
    ];
    const server = await serve(({ url }) =>
      url.includes("/compare/")
        ? { status: 404, headers: { "content-type": "text/plain; charset=utf-8" }, body: "404 page not found\n" }
        : { headers: { "x-total-count": "1" }, body: commits },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
    const listed = await tongs(["compare", "main...tides/june", "--json"], { env });
    const fork = await tongs(["compare", "main...jonas:tides"], { env });
    const diff = await tongs(["compare", "main...tides/june", "--diff"], { env });
    expect(listed.json()).toEqual({ total_commits: 1, commits });
    expect(server.lines()[1]).toMatch(/^GET \/api\/v1\/repos\/mara\/harbor\/commits\?sha=tides%2Fjune&not=main&/);
    for (const ran of [fork, diff]) {
      expect(ran).toMatchObject({ code: 5, stdout: "" });
      expect(ran.stderr).toMatch(
        /does not support GET .*\/compare\/.*\n +Available since Gitea 1\.22 and Forgejo 8\.0\./,
      );
    }
  });

  it("says that a server has no diffs of comparisons", async () => {
    const player = await cassette("forgejo-search", ["compare as a diff: the word is not looked at, JSON"], {
      repo: "imara/harbor",
    });
    const ran = await player.run(["compare", "main...tides/june", "--diff"]);
    expect(ran).toMatchObject({ code: 5, stdout: "" });
    expect(ran.stderr).toContain("does not support diffs of comparisons");
    expect(ran.stderr).toContain("Available since Gitea 1.27.");
  });
});

describe("the numbers of changed lines in a diff", () => {
  it("are read by hunks, with renamed, binary, quoted and deleted files", async () => {
    const diff = [
      ...[
        "diff --git a/a.md b/a.md",
        "--- a/a.md",
        "+++ b/a.md",
        "@@ -1,2 +1,2 @@",
        "--- not a header",
        "+++ b/nor this",
        " same",
      ],
      ...["diff --git a/old.md b/new name.md", "similarity index 90%", "rename from old.md", "rename to new name.md"],
      ...["diff --git a/x.png b/x.png", "Binary files a/x.png and b/x.png differ"],
      ...[
        'diff --git "a/\\303\\244.md" "b/\\303\\244.md"',
        "--- /dev/null",
        '+++ "b/\\303\\244.md"',
        "@@ -0,0 +1 @@",
        "+ä",
      ],
      ...["diff --git a/gone.md b/gone.md", "--- a/gone.md", "+++ /dev/null", "@@ -1 +0,0 @@", "-gone", ""],
    ].join("\n");
    async function* pieces(): AsyncGenerator<Buffer> {
      for (const byte of Buffer.from(diff)) yield Buffer.from([byte]);
    }
    expect(await countChanges(pieces())).toEqual([
      { name: "a.md", additions: 1, deletions: 1 },
      { name: "new name.md", additions: 0, deletions: 0 },
      { name: "x.png", additions: 0, deletions: 0 },
      { name: "\\303\\244.md", additions: 1, deletions: 0 },
      { name: "gone.md", additions: 0, deletions: 1 },
    ]);
  });
});
