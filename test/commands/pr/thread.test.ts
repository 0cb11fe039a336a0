import { describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let player: Cassette;

const label = (rest: string) => `review comments: ${rest}`;
const repository = "… default_branch follows";
const play = async (...labels: readonly string[]) => {
  player = await cassette(
    "review-comments",
    labels.map((one) => (one === repository ? one : label(one))),
    { repo: "mara/atlas" },
  );
};

describe("pr thread list", () => {
  it("groups the comments of each line, oldest first, and tells what is resolved", async () => {
    const bodies = (ids: readonly number[], resolver: number | undefined) =>
      ids.map((id) => ({
        id,
        body: `comment ${id}`,
        path: id === 9 ? "b.txt" : "a.txt",
        position: id === 4 ? 0 : 5,
        original_position: id === 4 ? 15 : 0,
        pull_request_review_id: 1,
        user: { login: "jonas" },
        resolver: id === resolver ? { login: "mara" } : null,
      }));
    const server = await serve(({ url }) => ({
      body: url.includes("/comments")
        ? bodies([9, 7, 3, 4], 3)
        : [
            { id: 1, comments_count: 4 },
            { id: 2, comments_count: 0 },
          ],
    }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas" };
    const all = await tongs(["pr", "thread", "list", "1"], { env });
    const open = await tongs(["pr", "thread", "list", "1", "--state", "open", "--json", "id"], { env });
    expect(all.stdout.split("\n").map((line) => line.split("\t").slice(0, 4).join(" "))).toEqual([
      ...[
        "4 a.txt:-15 jonas open",
        "3 a.txt:5 jonas resolved by mara",
        "7 a.txt:5 jonas resolved by mara",
        "9 b.txt:5 jonas open",
        "",
      ],
    ]);
    expect(open.json()).toEqual([{ id: 4 }, { id: 9 }]);
    expect(server.lines().filter((line) => line.includes("/reviews/2"))).toEqual([]);
  });
});

const pullAt = (sha = "") => {
  const repo = { name: "atlas", full_name: "mara/atlas", owner: { login: "mara" }, default_branch: "main" };
  const base = { ref: "main", sha: "a".repeat(40), repo };
  return {
    number: 1,
    state: "open",
    merged: false,
    title: "Digits",
    user: null,
    base,
    head: { ref: "digits", sha, repo },
  };
};

describe("pr thread list where the head was another one", () => {
  const [head, then, gone] = ["b", "c", "d"].map((letter) => letter.repeat(40));
  const comments = [
    { id: 1, position: 2, diff_hunk: "@@ -0,0 +1,2 @@\n+one\n+two" },
    { id: 2, position: 3, diff_hunk: "@@ -0,0 +1,3 @@\n+one\n+two\n+three" },
    { id: 3, position: 1, extra_lines_count: 2, diff_hunk: "@@ -0,0 +1,3 @@\n+one\n+two\n+three" },
    { id: 4, position: 4, extra_lines_count: 1, diff_hunk: "@@ -0,0 +1,5 @@\n+one\n+two\n+three\n+four\n+five" },
    { id: 5, original_position: 9 },
  ];

  it("shows where the lines are now, and reads a file once in each commit", async () => {
    const server = await serve(({ url }) => {
      const path = url.replace("/api/v1/repos/mara/atlas", "");
      const record = (review: number) => ({ path: "a.txt", body: "why?", pull_request_review_id: review });
      if (path.startsWith("/pulls/1/reviews/1/")) return { body: comments.map((one) => ({ ...one, ...record(1) })) };
      if (path.startsWith("/pulls/1/reviews/2/")) return { body: [{ id: 6, position: 6, ...record(2) }] };
      if (path.startsWith("/pulls/1/reviews/3/")) return { body: [{ id: 7, position: 7, ...record(3) }] };
      if (path.startsWith("/pulls/1/reviews"))
        return { body: [then, head, gone].map((commit, at) => ({ id: at + 1, comments_count: 1, commit_id: commit })) };
      if (!path.startsWith("/contents/")) return { body: pullAt(head) };
      if (path.includes(`${gone}`))
        return { status: 404, body: { message: `object does not exist [id: ${gone}, rel_path: ]` } };
      const [text, sha] = path.includes(`${then}`)
        ? ["one\ntwo\nthree\nfour\nfive\n", "1".repeat(40)]
        : ["zero\none\ntwo\n2.5\nthree\nfour\nfive\n", "2".repeat(40)];
      const content = Buffer.from(text).toString("base64");
      return { body: { type: "file", name: "a.txt", path: "a.txt", sha, encoding: "base64", content } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas" };
    const records = (await tongs(["pr", "thread", "list", "1", "--json"], { env })).json();
    expect(records).toContainEqual(expect.objectContaining({ id: 2, position: 3 }));
    expect(server.lines().filter((line) => /contents|pulls\/1$/.test(line))).toEqual([]);
    const ran = await tongs(["pr", "thread", "list", "1"], { env });
    expect(ran.stdout.split("\n").map((line) => line.split("\t").slice(0, 2).join(" "))).toEqual([
      "5 a.txt:-9",
      "3 a.txt:1-3 (outdated)",
      "1 a.txt:3",
      "2 a.txt:5",
      "4 a.txt:6-7",
      "6 a.txt:6",
      "7 a.txt:7 (outdated)",
      "",
    ]);
    expect(server.lines().filter((line) => line.includes("/contents/"))).toHaveLength(3);
    expect(server.lines().filter((line) => line.endsWith("/pulls/1"))).toHaveLength(1);
  });
});

describe("pr thread list of a real server", () => {
  it("shows the line in the old file with a minus", async () => {
    const labels = ["reviews of one pull request", "comments of its review, one thread resolved"].map(label);
    const made = { "GET /api/v1/repos/mara/thread-charts/pulls/1": pullAt("301599c80b9aa9fa61c12a4cd031d179de10d6ef") };
    player = await cassette("review-comments", labels, { repo: "mara/thread-charts", made });
    const ran = await player.run(["pr", "thread", "list", "1"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain("\tchart.txt:-2\tmara\t");
    expect(ran.stdout).toContain("resolved by mara");
  });
});

describe("pr thread reply", () => {
  it("posts the reply and prints its URL", async () => {
    await play("reply: 201");
    const ran = await player.run(["pr", "thread", "reply", "275", "--pr", "1", "--body", "because"]);
    expect(ran.stdout).toMatch(/\/mara\/atlas\/pulls\/1#issuecomment-292\n$/);
  });

  it("continues after a comment that cannot be replied to", async () => {
    await play(repository, "reply to an unknown comment: 404", "reply to a plain comment: 400");
    const line = ["pr", "thread", "reply", "99999", "295", "--pr", "1", "--body", "x"];
    const ran = await player.run(line);
    expect(ran.stderr).toContain("comment is not a review comment");
    expect(ran.stderr).toContain("2 of 2 failed.");
    expect((await player.run(["pr", "thread", "reply", "x", "--pr", "1", "--body", "x"])).code).toBe(2);
    expect((await player.run(["pr", "thread", "reply", "1", "--pr", "1", "--body", " "])).code).toBe(2);
  });

  it("says that a server lacks the operation, and since when it exists", async () => {
    const server = await serve(() => ({
      status: 404,
      headers: { "content-type": "text/plain" },
      body: "404 page not found\n",
    }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas" };
    const ran = await tongs(["pr", "thread", "resolve", "275", "--json"], { env });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('"code":"unknown_operation"');
    expect(ran.stderr).toContain("Available since Gitea 1.26.");
    expect(ran.stderr).toContain(`Use the web page instead: ${server.url}/mara/atlas/pulls`);
  });
});

describe("pr thread reply on a server that has no replies", () => {
  it("names the page", async () => {
    const server = await serve(({ method }) =>
      method === "POST"
        ? { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found\n" }
        : { body: { full_name: "mara/atlas" } },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas" };
    const ran = await tongs(["pr", "thread", "reply", "275", "--pr", "12", "--body", "So."], { env });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(`Use the web page instead: ${server.url}/mara/atlas/pulls/12/files`);
  });
});

describe("pr thread resolve and unresolve", () => {
  it("settle the thread of each comment", async () => {
    await play("resolve, by the author of the pull request: 204", "unresolve, by a writer: 204");
    const resolved = await player.run(["pr", "thread", "resolve", "275"]);
    expect(resolved.stderr).toMatch(/^✓ Comment 275 in \S+ is resolved /);
    const open = await player.run(["pr", "thread", "unresolve", "-"], { stdin: "275\n" });
    expect([open.code, open.stderr]).toEqual([0, expect.stringMatching(/^✓ Comment 275 in \S+ is not resolved /)]);
  });

  it("say what was so already with --pr, and send nothing", async () => {
    const labels = ["reviews of one pull request", "comments of its review, one thread resolved"].map(label);
    player = await cassette("review-comments", [labels, labels, labels].flat(), { repo: "mara/thread-charts" });
    const ran = await player.run(["pr", "thread", "resolve", "80", "--pr", "1", "--json"]);
    expect(ran).toMatchObject({ code: 0, stderr: "The thread of comment 80 was already resolved\n" });
    expect(ran.json()).toEqual([{ id: "80", repository: "mara/thread-charts", result: "unchanged" }]);
    const open = await player.run(["pr", "thread", "unresolve", "81", "--pr", "1"]);
    expect(open).toMatchObject({ code: 0, stderr: "The thread of comment 81 was not resolved\n" });
    const none = await player.run(["pr", "thread", "resolve", "9", "--pr", "1"]);
    expect(none).toMatchObject({ code: 5, stderr: expect.stringContaining("Comment 9 not found on the lines of") });
    expect(player.lines().filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  it("fail for readers and unknown comments", async () => {
    await play(repository, "resolve, by a reader: 403", "resolve an unknown comment: 404");
    expect((await player.run(["pr", "thread", "resolve", "275"])).code).toBe(4);
    expect((await player.run(["pr", "thread", "resolve", "99999"])).code).toBe(5);
  });
});
