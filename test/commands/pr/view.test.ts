import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { end, listed, pull } from "./pulls.ts";

let server: TestServer | undefined;

async function view(handler: Handler, argv: readonly string[], world: World = {}) {
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor", ...world.env };
  return tongs(["pr", "view", ...argv], { ...world, env });
}

const notFound = { status: 404, body: { message: "not found" } };
const said = [
  { id: 1, user: { login: "priya" }, body: "First!", created_at: "2026-11-20T11:00:00Z" },
  { id: 2, user: { login: "mara" }, body: "Mended \u001b[31mnow", created_at: "2026-11-20T13:00:00Z" },
];
const judged = [
  { id: 7, user: { login: "jonas" }, state: "REQUEST_CHANGES", body: "Too red", submitted_at: "2026-11-20T12:00:00Z" },
  { id: 8, user: { login: "lena" }, state: "REQUEST_REVIEW", body: "", submitted_at: "2026-11-20T12:30:00Z" },
  {
    id: 9,
    user: { login: "jonas" },
    state: "APPROVED",
    body: "",
    submitted_at: "2026-11-20T14:00:00Z",
    comments_count: 1,
  },
].map((review) => ({ dismissed: false, comments_count: 0, ...review }));

const discussion: Handler = ({ url }) => {
  if (url.includes("/comments")) return { body: said };
  return url.includes("/reviews") ? listed(judged) : { body: pull(12) };
};

describe("tongs pr view", () => {
  it("shows a pull request by number with a single request", async () => {
    const ran = await view(() => ({ body: pull(12) }), ["12"]);
    expect(ran).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("title\tChange 12 #12\n") });
    expect(server?.lines()).toEqual(["GET /api/v1/repos/mara/harbor/pulls/12"]);
  });

  it("needs nothing that not all releases have, and does not ask for the version", async () => {
    const sent = async (terminal: boolean, version: string) => {
      const answers: Handler = ({ url }) => {
        if (url.endsWith("/version")) return { body: { version } };
        if (url.includes("/reviews")) return listed(judged);
        if (url.includes("/status")) return { body: { statuses: null } };
        return { body: url.includes("/branches/") ? { name: "main" } : pull(12) };
      };
      server = await serve(answers, { saysVersion: true });
      const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
      expect((await tongs(["pr", "view", "12"], { env, terminal })).code).toBe(0);
      const lines = server.lines();
      return lines;
    };
    const pulls = "GET /api/v1/repos/mara/harbor/pulls/12";
    for (const version of ["1.22.3", "7.0.0+gitea-1.21.0"]) {
      expect(await sent(false, version)).toEqual([pulls]);
      const shown = await sent(true, version);
      expect(shown.map((line) => line.replace(/\?.*/, "")).sort()).toEqual([
        "GET /api/v1/repos/mara/harbor/branches/main",
        `GET /api/v1/repos/mara/harbor/commits/${pull(12).head.sha}/status`,
        pulls,
        `${pulls}/reviews`,
      ]);
    }
  });

  it("says on a terminal why it cannot be merged, and leaves that out in a pipe, where checks and reviews are not read", async () => {
    const branch = { name: "main", protected: true, required_approvals: 2 };
    const handler: Handler = ({ url }) => {
      if (url.includes("/reviews")) return listed([{ ...judged[2], official: true }]);
      if (url.includes("/status")) return { body: { statuses: [{ id: 1, context: "build", status: "failure" }] } };
      return { body: url.includes("/branches/") ? branch : pull(12) };
    };
    const shown = await view(handler, ["12"], { terminal: true });
    expect(shown.stdout).toMatch(/mergeable.*no: 1 of 2 required approvals/);
    expect(shown.stdout).toMatch(/checks.*1 failed/);
    expect(shown.stdout).toMatch(/reviews.*jonas approved/);
    const piped = await view(handler, ["12"]);
    expect(piped.stdout).toContain("state\topen\nauthor\tmara\n");
    expect(piped.stdout).not.toMatch(/^(mergeable|checks|reviews)\t/m);
  });

  it("reads the whole record of a pull request that it found in a list, where the changes are missing", async () => {
    const short = pull(12);
    const handler: Handler = ({ url }) =>
      url.includes("/pulls?") ? listed([short]) : { body: { ...short, changed_files: 2, additions: 7, deletions: 1 } };
    const ran = await view(handler, ["change-12"]);
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("changes\t2 files, +7 -1\n")]);
  });

  it("shows comments and reviews in chronological order, without review requests", async () => {
    const ran = await view(discussion, ["12", "--comments"]);
    const titles = ran.stdout.split("\n").filter((line) => / 2026-11-20T1[1-4]/.test(line));
    expect(titles).toEqual([
      "priya commented 2026-11-20T11:00:00Z",
      "jonas requested changes 2026-11-20T12:00:00Z",
      "mara commented 2026-11-20T13:00:00Z",
      "jonas approved with 1 comment on the code 2026-11-20T14:00:00Z",
    ]);
    expect(ran.stdout).toContain("Too red");
    expect(ran.stdout).not.toContain("\u001b");
  });

  it("adds unchanged comments and reviews to the JSON record under separate keys", async () => {
    const ran = await view(discussion, ["12", "--comments", "--json"]);
    expect(ran.json()).toEqual({ ...pull(12), comment_list: said, review_list: judged });
  });

  it("counts no dismissed review, neither for nor against it", async () => {
    const official = { official: true, dismissed: true, body: "" };
    const reviews = [
      { ...official, id: 1, user: { login: "jonas" }, state: "REQUEST_CHANGES" },
      { ...official, id: 2, user: { login: "lena" }, state: "APPROVED" },
    ];
    const handler: Handler = ({ url }) => {
      if (url.includes("/branches/")) return { body: { name: "main", required_approvals: 1 } };
      if (url.includes("/status")) return { body: { statuses: null } };
      return url.includes("/reviews") ? listed(reviews) : { body: pull(12) };
    };
    const ran = await view(handler, ["12", "--color", "never"], { terminal: true });
    expect(ran.stdout).toMatch(/^reviews +jonas changes requested \(dismissed\), lena approved \(dismissed\)$/m);
    expect(ran.stdout).toMatch(/^mergeable +✗ no: 0 of 1 required approvals$/m);
  });

  it("says nothing about approvals if the reviews cannot be read", async () => {
    const handler: Handler = ({ url }) => {
      if (url.includes("/branches/")) return { body: { name: "main", required_approvals: 1 } };
      if (url.includes("/status")) return { body: { statuses: null } };
      return url.includes("/reviews") ? { status: 403, body: { message: "no" } } : { body: pull(12) };
    };
    const ran = await view(handler, ["12", "--color", "never"], { terminal: true });
    expect(ran.code).toBe(0);
    expect(ran.stdout).not.toContain("required approvals");
  });

  it("finds the open one between two branches", async () => {
    const tides = end("tides");
    const closed = pull(2, { state: "closed", head: tides });
    const other = pull(5, { head: end("tides", "priya") });
    const handler: Handler = ({ url }) =>
      url.includes("?") ? listed([other, closed, pull(4, { head: tides })]) : { body: pull(4, { head: tides }) };
    const ran = await view(handler, ["--base", "main", "--head", "tides", "--json", "number"]);
    expect(ran.json()).toEqual({ number: 4 });
    expect(server?.lines().at(-1)).toBe("GET /api/v1/repos/mara/harbor/pulls/4");
  });

  it("finds one whose branch has the name of another API operation", async () => {
    const handler: Handler = ({ url }) =>
      url.includes("?") ? listed([pull(6, { head: end("files") })]) : { body: pull(6) };
    const ran = await view(handler, ["--base", "main", "--head", "files", "--json", "number"]);
    expect(ran.json()).toEqual({ number: 6 });
  });

  it("reports that there is none between two branches, with exit code 5", async () => {
    const handler: Handler = ({ url }) =>
      url.includes("?") ? listed([]) : url.endsWith("/harbor") ? { body: {} } : notFound;
    const ran = await view(handler, ["--base", "main", "--head", "absent"]);
    expect(ran).toMatchObject({ code: 5, stdout: "" });
    expect(ran.stderr).toContain("No pull requests found from absent into main in mara/harbor");
  });

  it.each([
    [["--base", "main"], "--base and --head must be used together"],
    [["12", "--base", "main", "--head", "x"], "Cannot use --base and --head with a pull request argument"],
    [["12", "--web", "--comments"], "Specify only one of"],
  ])("refuses %s before anything is sent", async (argv, words) => {
    const ran = await view(() => ({ body: pull(12) }), argv);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(words);
    expect(server?.lines()).toEqual([]);
  });

  it("says outside of a git repository that there is no current branch for that reason", async () => {
    const ran = await view(() => ({ body: pull(12) }), [], { cwd: emptyFolder() });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("current branch: not in a git repository")]);
    expect(server?.lines()).toEqual([]);
  });

  it("opens its page on the configured server in $BROWSER, with nothing on stdout", async () => {
    const folder = emptyFolder();
    const browser = join(folder, "browser");
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$*" > ${folder}/opened\n`);
    chmodSync(browser, 0o755);
    const ran = await view(() => ({ body: pull(12) }), ["12", "--web"], { env: { BROWSER: `${browser} --new` } });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(join(folder, "opened"), "utf8")).toBe(`--new ${server?.url}/mara/harbor/pulls/12`);
  });

  it("prints the URL if no browser can be started", async () => {
    const ran = await view(() => ({ body: pull(12) }), ["12", "--web"], { env: { BROWSER: "/absent/browser" } });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`open this page: ${server?.url}/mara/harbor/pulls/12`);
  });
});
