import { afterEach, describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let player: Cassette;
afterEach(() => player.close());

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
    await play();
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
    await server.close();
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

describe("pr thread list of a real server", () => {
  it("shows the line in the old file with a minus", async () => {
    const labels = ["reviews of one pull request", "comments of its review, one thread resolved"].map(label);
    player = await cassette("review-comments", labels, { repo: "mara/thread-charts" });
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
    await play();
    const server = await serve(() => ({
      status: 404,
      headers: { "content-type": "text/plain" },
      body: "404 page not found\n",
    }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas" };
    const ran = await tongs(["pr", "thread", "resolve", "275", "--json"], { env });
    await server.close();
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('"code":"unknown_operation"');
    expect(ran.stderr).toContain("Available since Gitea 1.26.");
    expect(ran.stderr).toContain(`Use the web page instead: ${server.url}/mara/atlas/pulls`);
  });
});

describe("pr thread reply on a server that has no replies", () => {
  it("names the page, and the command that comments on the same line", async () => {
    const comment = { id: 275, body: "why?", path: "src/chart.txt", position: 5, user: { login: "mara" } };
    const server = await serve(({ method, url }) => {
      if (method === "POST")
        return { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found\n" };
      if (url.includes("/reviews/1/comments")) return { body: [comment] };
      return { body: url.includes("/reviews") ? [{ id: 1, comments_count: 1 }] : { full_name: "mara/atlas" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas" };
    const ran = await tongs(["pr", "thread", "reply", "275", "--pr", "12", "--body", "So."], { env });
    await server.close();
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(`Use the web page instead: ${server.url}/mara/atlas/pulls/12/files`);
    expect(ran.stderr).toContain("tongs pr review add 12 -R mara/atlas --comment --file src/chart.txt:5=TEXT");
  });
});

describe("pr thread resolve and unresolve", () => {
  it("settle the thread of each comment", async () => {
    await play("resolve, by the author of the pull request: 204", "unresolve, by a writer: 204");
    expect((await player.run(["pr", "thread", "resolve", "275"])).stderr).toContain(
      "Resolved the thread of comment 275",
    );
    expect((await player.run(["pr", "thread", "unresolve", "-"], { stdin: "275\n" })).code).toBe(0);
  });

  it("fail for readers and unknown comments", async () => {
    await play(repository, "resolve, by a reader: 403", "resolve an unknown comment: 404");
    expect((await player.run(["pr", "thread", "resolve", "275"])).code).toBe(4);
    expect((await player.run(["pr", "thread", "resolve", "99999"])).code).toBe(5);
  });
});
