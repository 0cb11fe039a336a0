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
const wrote = "c".repeat(40);

/** The text that was committed, or the refusal, where the file had one text in the commit that wrote line 4, and has another now. */
async function applied(comment: object, then: string, now: string, given: object = pull, flags: string[] = []) {
  let sent: string | undefined;
  const server = await serve(({ method, url, body }) => {
    const path = url.replace("/api/v1", "");
    if (method === "POST") {
      const [file] = (JSON.parse(body) as { files: { content: string }[] }).files;
      sent = Buffer.from(file?.content ?? "", "base64").toString();
      return { status: 201, body: { commit: { sha: "d".repeat(40) }, files: [] } };
    }
    if (path.startsWith("/repos/mara/atlas/contents/")) {
      const text = path.includes(wrote) ? then : now;
      if (text === "") return { status: 404, body: { message: "object does not exist" } };
      const content = Buffer.from(text).toString("base64");
      return { body: { type: "file", name: "r.txt", path: "r.txt", sha: "e".repeat(40), encoding: "base64", content } };
    }
    if (path.endsWith("/reviews/1/comments?limit=50&page=1") || path.endsWith("/comments"))
      return { body: [{ id: 7, body: suggestion, path: "r.txt", user: { login: "mara" }, ...comment }] };
    if (path.includes("/reviews")) return { body: [{ id: 1, comments_count: 1 }] };
    return { body: path.startsWith("/user") ? { id: 1, login: "mara" } : path.includes("/pulls/1") ? given : repo };
  });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas", TONGS_JOURNAL: "off" };
  const listed = await tongs(["pr", "thread", "list", "1"], { env });
  const ran = await tongs(["pr", "thread", "apply", "7", "--pr", "1", ...flags], { env });
  await server.close();
  return { sent, code: ran.code, stderr: ran.stderr, place: listed.stdout.split("\t")[1] };
}

const hunk = "@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4";

describe("pr thread apply where lines moved", () => {
  const forgejo = { position: 4, extra_lines_count: 0, commit_id: wrote, diff_hunk: hunk };
  const gitea = { position: 3, commit_id: wrote, diff_hunk: hunk };

  it("finds the line that Forgejo numbers by the commit that wrote it", async () => {
    expect(await applied(forgejo, "1\n2\n3\n4\n5\n", "2\n3\n4\n5\n")).toMatchObject({
      code: 0,
      sent: "2\n3\nIV\n5\n",
      place: "r.txt:3",
    });
    expect((await applied(forgejo, "1\n2\n3\n4\n5\n", "x\ny\n2\nthree\n4\n5\n")).sent).toBe("x\ny\n2\nthree\nIV\n5\n");
  });

  it("writes none that was changed, removed, or is one of several", async () => {
    for (const now of ["2\n3\nfour\n5\n", "2\n3\n5\n", "2\n3\n5\n4\n"]) {
      const ran = await applied(forgejo, "1\n2\n3\n4\n5\n", now);
      expect(ran, now).toMatchObject({ code: 9, sent: undefined });
    }
    expect(await applied(forgejo, "1\n4\n3\n4\n5\n", "1\n4\n5\n")).toMatchObject({ code: 9, sent: undefined });
    // Line 4 of the commit is another line: its number cannot be trusted.
    expect(await applied(forgejo, "4\n3\n2\n1\n", "2\n3\n4\n")).toMatchObject({ code: 9, sent: undefined });
  });

  it("stays at the number where servers keep that of the head, and with the lines above it", async () => {
    expect(await applied(gitea, "1\n2\n3\n4\n", "2\n3\n4\n5\n")).toMatchObject({
      sent: "2\n3\nIV\n5\n",
      place: "r.txt:3",
    });
    expect(await applied(gitea, "1\n2\n3\n4\n", "x\n2\n3\n4\n5\n")).toMatchObject({ code: 9, sent: undefined });
  });
});

describe("pr thread apply on a fork whose author allows no edits", () => {
  it("is refused before it is sent, in a dry run, too, with who can do it", async () => {
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
    const text = "1\n2\n3\n4\n";
    const comment = { position: 3, commit_id: wrote, diff_hunk: hunk };
    for (const flags of [[], ["--dry-run"]]) {
      const ran = await applied(comment, text, text, given, flags);
      expect(ran).toMatchObject({ code: 4, sent: undefined });
      expect(ran.stderr).toContain("its branch is in priya/atlas, and its author does not let maintainers edit it");
      expect(ran.stderr).toContain("Ask priya to run: tongs pr thread apply 7 --pr 1 -R mara/atlas");
      expect(ran.stderr).toContain("tongs pr edit 1 -R mara/atlas --maintainer-edit");
    }
  });
});
