import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asAsked } from "../../support/as-asked.ts";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { gitFolder } from "./git-folder.ts";
import { listed } from "./pulls.ts";

let server: TestServer | undefined;

const made = { id: 5, html_url: "https://forge.example.org/mara/harbor/pulls/12#issuecomment-5", body: "x" };

const answer: Handler = (seen) => (isReviews(seen) ? { body: [] } : asAsked(made)(seen));

async function pr(argv: readonly string[], world: World = {}, handler: Handler = answer) {
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return tongs(["pr", ...argv], { ...world, env });
}

/** Whether the reviews are read, for a pending one. */
const isReviews = ({ method, url }: { readonly method: string; readonly url: string }) =>
  method === "GET" && /\/pulls\/12\/reviews(\?|$)/.test(url);

const sent = () =>
  server?.seen.filter((one) => !isReviews(one)).map(({ method, url, body }) => [`${method} ${url}`, JSON.parse(body)]);

describe("tongs pr review", () => {
  it.each([
    [["--approve"], { event: "APPROVED" }, "Approved"],
    [["--approve", "--body", "Fine"], { event: "APPROVED", body: "Fine" }, "Approved"],
    [["--request-changes", "--body", "Red"], { event: "REQUEST_CHANGES", body: "Red" }, "Requested changes on"],
    [["--comment", "-b", "Hm"], { event: "COMMENT", body: "Hm" }, "Commented on"],
  ])("sends %j as one write and prints the URL of the review", async (flags, body, word) => {
    const ran = await pr(["review", "12", ...flags]);
    expect(ran).toMatchObject({ code: 0, stdout: `${made.html_url}\n` });
    expect(ran.stderr).toContain(`${word} pull request mara/harbor#12 on http://127.0.0.1`);
    expect(sent()).toEqual([["POST /api/v1/repos/mara/harbor/pulls/12/reviews", body]]);
    expect(ran.stderr).not.toContain("pending review");
  });

  it("says in a dry run how to take a pending one back, which cannot be dismissed", async () => {
    server = await serve(answer);
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", XDG_STATE_HOME: emptyFolder() };
    const dry = (...flags: string[]) =>
      tongs(["pr", "review", "12", "-R", "mara/harbor", ...flags, "--dry-run"], { env });
    const pending = await dry("--pending", "--body", "Later");
    expect(pending.stderr).toContain("delete it instead with tongs pr review delete.");
    expect((await dry("--approve")).stderr).toContain("a review that was submitted stays: dismiss it instead.");
  });

  it.each([
    [[], "--approve, --request-changes or --comment is required"],
    [["--approve", "--comment"], "Specify only one of"],
    [["--request-changes"], "--body is required"],
    [["--comment", "--body", "  "], "--body is required unless you approve"],
  ])("refuses %j before anything is sent", async (flags, words) => {
    const ran = await pr(["review", "12", ...flags]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(words);
    expect(server?.lines()).toEqual([]);
  });

  it("says in words that one cannot approve one's own pull request", async () => {
    const handler: Handler = () => ({ status: 422, body: { message: "approve your own pull is not allowed" } });
    const ran = await pr(["review", "12", "--approve"], {}, handler);
    expect(ran.code).toBe(13);
    expect(ran.stderr).toContain("you cannot approve your own pull request");
  });

  it.each([
    ["review", ["submit", "27", "--approve"]],
    ["review", ["delete", "27", "--yes"]],
    ["thread", ["reply", "27", "--body", "x"]],
  ])("says in %s %j that the number is an ID where the branch has no pull request", async (noun, line) => {
    const ran = await pr([noun, ...line], { cwd: gitFolder().path }, () => listed([]));
    expect(ran.code).toBe(5);
    const of = noun === "review" ? "review" : "comment";
    expect(ran.stderr).toContain(`The number is taken as the ID of a ${of}. Name its pull request with --pr.`);
    expect(ran.stderr).not.toContain("Create one");
    expect((await pr([noun, ...line], { cwd: emptyFolder() })).stderr).toContain("with --pr.");
  });
});

describe("tongs pr comment", () => {
  it("sends the body from --body, a file or stdin, and prints the URL", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "note.md"), "From a file\n");
    const comments: readonly (readonly [readonly string[], string])[] = [
      [["--body", "Ready"], "Ready"],
      [["--body-file", "note.md"], "From a file\n"],
      [["--body-file", "-"], "From stdin"],
    ];
    for (const [flags, body] of comments) {
      const ran = await pr(["comment", "12", ...flags], { cwd, stdin: "From stdin" });
      expect(ran).toMatchObject({ code: 0, stdout: `${made.html_url}\n` });
      expect(sent()).toEqual([["POST /api/v1/repos/mara/harbor/issues/12/comments", { body }]]);
    }
  });

  it.each([
    [["--body", " \n"], "The comment must not be empty"],
    [[], "--body is required"],
    [["--body-file", "absent.md"], "could not read absent.md"],
    [["--body", "x", "--body-file", "y"], "Specify only one of"],
  ])("refuses %j before anything is sent", async (flags, words) => {
    const ran = await pr(["comment", "12", ...flags]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(words);
    expect(server?.lines()).toEqual([]);
  });
});

describe("text that was typed for a pull request", () => {
  const editor = { terminal: true, env: { EDITOR: "printf 'Long thoughts' >>" } };
  it.each([
    [["comment", "12"], editor],
    [["comment", "12", "-F", "-"], { stdin: "Long thoughts" }],
    [["review", "12", "--request-changes"], editor],
    [["review", "12", "--approve", "-F", "-"], { stdin: "Long thoughts" }],
    [["thread", "reply", "275", "--pr", "12"], editor],
    [["thread", "reply", "275", "276", "--pr", "12", "-F", "-"], { stdin: "Long thoughts" }],
    // Without a git checkout there is no current branch.
    [["comment", "-F", "-"], { stdin: "Long thoughts" }],
  ])("is saved if pr %j fails", async (line, world) => {
    server = await serve(() => ({ status: 403, body: { message: "locked" } }));
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor", ...("env" in world ? world.env : {}) };
    const ran = await tongs(["pr", ...line], { ...world, env });
    expect(ran.code).not.toBe(0);
    const file = /Your text was saved. To use it, pass --body-file (\S+)/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("Long thoughts\n");
  });

  it.each([
    ["comment", "999", "-b", "x"],
    ["lock", "999"],
    ["unlock", "999"],
  ])("names the pull request that does not exist: pr %s %s", async (...line) => {
    const ran = await pr(line, {}, ({ url }) =>
      url.endsWith("/harbor") ? { body: { id: 1 } } : { status: 404, body: { message: "" } },
    );
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Pull request #999 not found in mara/harbor")]);
  });
});

describe("--pr with a URL", () => {
  const lines = [
    ["thread", "reply", "275", "-b", "x"],
    ["review", "delete", "31", "--yes"],
    ["review", "dismiss", "31"],
    ["review", "undismiss", "31"],
  ].map((line) => [line] as const);

  it.each(lines)("refuses one of another repository or server: pr %j", async (line) => {
    const { url } = await startServer();
    for (const address of [`${url}/lena/harbor/pulls/12`, "https://other.example/mara/harbor/pulls/12"]) {
      const ran = await tongs(["pr", ...line, "--pr", address], {
        env: { TONGS_HOST: url, TONGS_REPO: "mara/harbor" },
      });
      expect(ran.code).toBe(2);
      expect(ran.stderr).toMatch(/is not in mara\/harbor|is on another server/);
    }
    expect(server?.lines()).toEqual([]);
  });

  it.each(lines)("takes one of the selected repository: pr %j", async (line) => {
    const { url } = await startServer();
    const env = { TONGS_HOST: url, TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["pr", ...line, "--pr", `${url}/Mara/harbor/pulls/12/files`], { env });
    expect(ran.code).toBe(0);
    expect(server?.lines().join()).toContain("/pulls/12/");
  });

  async function startServer() {
    server = await serve(({ method }) => (method === "DELETE" ? { status: 204 } : { body: made }));
    return server;
  }
});

describe("tongs pr reviews", () => {
  it("lists reviews, dismissed ones with their state", async () => {
    const common = { official: true, stale: false, comments_count: 0, submitted_at: "2026-11-20T12:00:00Z", body: "" };
    const all = [
      { ...common, id: 1, user: { login: "priya" }, team: null, state: "APPROVED", dismissed: true },
      {
        ...common,
        id: 2,
        user: { login: "jonas" },
        team: null,
        state: "REQUEST_CHANGES",
        dismissed: false,
        body: "Too red",
      },
      {
        ...common,
        id: 3,
        user: null,
        team: { name: "pilots" },
        state: "REQUEST_REVIEW",
        dismissed: false,
        official: false,
      },
      { ...common, id: 4, user: { login: "lena" }, team: null, state: "constructor", dismissed: false, stale: true },
    ];
    const ran = await pr(["reviews", "12"], {}, () => listed(all));
    expect(ran.stderr).toBe("");
    expect(ran.stdout.split("\n").map((line) => line.split("\t").slice(0, 5).join("|"))).toEqual([
      "1|priya|approved (dismissed)|yes|",
      "2|jonas|changes requested|yes|",
      "3|team pilots|requested||",
      "4|lena|constructor|yes|yes",
      "",
    ]);
  });
});
