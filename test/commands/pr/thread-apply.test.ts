import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

const suggestion = "```suggestion\nIV\n```";
const repo = { name: "atlas", full_name: "mara/atlas", owner: { login: "mara" }, default_branch: "main" };
const pull = {
  number: 1,
  state: "open",
  merged: false,
  title: "Tides",
  user: { login: "mara" },
  base: { ref: "main", sha: "a".repeat(40), repo },
  head: { ref: "tides", sha: "b".repeat(40), repo },
};
/** The commit that wrote the line, and the head of the review; the file of another is the head's now. */
const wrote = "c".repeat(40);
const reviewed = "f".repeat(40);

interface Given {
  readonly pull?: object;
  readonly flags?: readonly string[];
  /** The text in the commit that wrote the line. */
  readonly written?: string;
}

/** The text that was committed, or the refusal, where the file had one text in the head of the review, and has another now. */
async function applied(comment: object, then: string, now: string, given: Given = {}) {
  const { pull: one = pull, flags = [], written = then } = given;
  let sent: string | undefined;
  const server = await serve(({ method, url, body }) => {
    const path = url.replace("/api/v1", "");
    if (method === "POST") {
      const [file] = (JSON.parse(body) as { files: { content: string }[] }).files;
      sent = Buffer.from(file?.content ?? "", "base64").toString();
      return { status: 201, body: { commit: { sha: "d".repeat(40) }, files: [] } };
    }
    if (path.startsWith("/repos/mara/atlas/contents/")) {
      const text = path.includes(wrote) ? written : path.includes(reviewed) ? then : now;
      if (text === "") return { status: 404, body: { message: "object does not exist" } };
      const content = Buffer.from(text).toString("base64");
      return {
        body: {
          type: "file",
          name: "r.txt",
          path: "r.txt",
          sha: createHash("sha1").update(text).digest("hex"),
          encoding: "base64",
          content,
        },
      };
    }
    if (path.endsWith("/reviews/1/comments?limit=50&page=1") || path.endsWith("/comments"))
      return {
        body: [
          { id: 7, pull_request_review_id: 1, body: suggestion, path: "r.txt", user: { login: "mara" }, ...comment },
        ],
      };
    if (path.includes("/reviews")) return { body: [{ id: 1, comments_count: 1, commit_id: reviewed }] };
    return { body: path.startsWith("/user") ? { id: 1, login: "mara" } : path.includes("/pulls/1") ? one : repo };
  });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas", TONGS_JOURNAL: "off" };
  const listed = await tongs(["pr", "thread", "list", "1"], { env });
  const ran = await tongs(["pr", "thread", "apply", "7", "--pr", "1", ...flags], { env });
  return { sent, code: ran.code, stderr: ran.stderr, place: listed.stdout.split("\t")[1] };
}

const hunk = "@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4";

describe("pr thread apply where lines moved", () => {
  const forgejo = { position: 4, extra_lines_count: 0, commit_id: wrote, diff_hunk: hunk };
  const gitea = { position: 3, commit_id: wrote, diff_hunk: hunk };

  it("finds the line by the head of the review, wherever the commit that wrote it has it", async () => {
    for (const comment of [forgejo, gitea]) {
      const written = "1\n2\n3\n4\n5\n";
      expect(await applied(comment, "2\n3\n4\n5\n", "2\n3\n4\n5\n", { written })).toMatchObject({
        code: 0,
        sent: "2\n3\nIV\n5\n",
        place: "r.txt:3",
      });
      const now = "x\ny\n2\nthree\n4\n5\n";
      expect((await applied(comment, "2\n3\n4\n5\n", now, { written })).sent).toBe("x\ny\n2\nthree\nIV\n5\n");
    }
  });

  it("writes none that was changed, removed, or is one of several", async () => {
    for (const now of ["2\n3\nfour\n5\n", "2\n3\n5\n", "2\n3\n5\n4\n"]) {
      const ran = await applied(forgejo, "2\n3\n4\n5\n", now);
      expect(ran, now).toMatchObject({ code: 9, sent: undefined });
    }
    expect(await applied(forgejo, "4\n3\n4\n5\n", "4\n5\n")).toMatchObject({ code: 9, sent: undefined });
  });

  it("commits nothing where the suggestion is there already", async () => {
    for (const now of ["2\n3\nIV\n5\n", "x\n2\n3\nIV\n5\n"]) {
      const ran = await applied(gitea, "2\n3\n4\n5\n", now);
      expect(ran, now).toMatchObject({ code: 0, sent: undefined });
      expect(ran.stderr).toContain("already applied");
    }
  });

  it("applies what only removes a line, which is still there", async () => {
    for (const [text, sent] of [
      ["1\n3\n4\n5\n", "1\nIV\n5\n"],
      ["1\nIV\n4\n5\n", "1\nIV\n5\n"],
      ["1\nIV\n4\n", "1\nIV\n"],
    ] as const) {
      const [, above] = text.split("\n");
      const body = `Lines 2-3:\n\n> ${above}\n> 4\n\n${suggestion}`;
      const comment = { position: 3, commit_id: wrote, diff_hunk: `@@ -1,3 +1,3 @@\n 1\n ${above}\n+4`, body };
      expect((await applied(comment, text, text)).sent).toBe(sent);
    }
  });

  it("writes none where the line of that head has another text, or the head is gone", async () => {
    for (const then of ["4\n3\n2\n1\n", ""]) {
      const ran = await applied(gitea, then, "2\n3\n4\n");
      expect(ran, then).toMatchObject({ code: 9, sent: undefined, place: "r.txt:3 (outdated)" });
    }
  });
});

describe("pr thread apply where sections repeat themselves", () => {
  const section = (name: string, value: number) => `[${name}]\n x\n y\n z\n w\n  a: ${value}\n`;
  const rest = ["2", "3", "4"].map((name) => section(name, 1)).join("");
  const base = section("1", 1) + rest;
  const first = section("one", 2) + rest;

  it("counts in the head of the review, not in the commit that wrote the line", async () => {
    const comment = {
      position: 5,
      extra_lines_count: 0,
      commit_id: wrote,
      diff_hunk: "@@ -2,4 +2,4 @@\n  x\n  y\n  z\n  w",
    };
    const ran = await applied(comment, first, section("0", 1) + first, { written: base });
    expect(ran).toMatchObject({ code: 0, place: "r.txt:11" });
    expect(ran.sent).toBe(section("0", 1) + first.replace(" w\n", "IV\n"));
  });
});

describe("pr thread apply on a fork whose author allows no edits", () => {
  it("is refused before it is sent, in a dry run, too", async () => {
    const fork = {
      ...repo,
      full_name: "priya/atlas",
      owner: { login: "priya" },
      permissions: { push: false, pull: true },
    };
    const given = {
      ...pull,
      user: { login: "priya" },
      allow_maintainer_edit: false,
      base: { ...pull.base, repo_id: 1, repo: { ...repo, permissions: { push: true } } },
      head: { ...pull.head, repo_id: 2, repo: fork },
    };
    const text = "2\n3\n4\n";
    const comment = { position: 3, commit_id: wrote, diff_hunk: hunk };
    for (const flags of [[], ["--dry-run"]]) {
      const ran = await applied(comment, text, text, { pull: given, flags });
      expect(ran).toMatchObject({ code: 4, sent: undefined });
      expect(ran.stderr).toContain("its branch is in priya/atlas, and its author does not let maintainers edit it");
    }
  });
});
