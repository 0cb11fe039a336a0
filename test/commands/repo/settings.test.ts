import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { type Reply, type Seen, serve } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";

const record = { id: 1, name: "harbor", full_name: "mara/harbor", owner: { login: "mara" }, empty: false };

/** Runs a command against a server that answers as the test says. */
async function against(reply: (seen: Seen) => Reply, line: readonly string[], world: World = {}) {
  const server = await serve(reply);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor", ...world.env };
  const ran: Ran = await tongs(line, { ...world, env });
  const bodies = server.seen.filter(({ body }) => body !== "").map(({ body }) => JSON.parse(body) as unknown);
  return { ran, lines: server.lines().map((text) => text.replace("/api/v1", "")), bodies };
}

describe("repo edit", () => {
  it("sends only the fields that are given, texts also when empty", async () => {
    const { ran, lines, bodies } = await against(
      ({ method }) => ({
        body: method === "GET" ? record : { ...record, has_wiki: false, mirror: true, mirror_interval: "1h0m0s" },
      }),
      ["repo", "edit", "--no-has-wiki", "--description", "", "--enable-prune", "--mirror-interval", "1h"],
    );
    expect([ran.code, lines]).toEqual([0, ["GET /repos/mara/harbor", "PATCH /repos/mara/harbor"]]);
    expect(bodies).toEqual([{ has_wiki: false, description: "", enable_prune: true, mirror_interval: "1h" }]);
  });

  it("keeps the settings of trackers that are not given, which the server would replace", async () => {
    const before = {
      ...record,
      internal_tracker: { enable_time_tracker: true, enable_issue_dependencies: true },
      external_tracker: { external_tracker_url: "https://a.example", external_tracker_style: "numeric" },
    };
    const internal = await against(() => ({ body: before }), ["repo", "edit", "--no-enable-time-tracker", "--yes"]);
    expect(internal.bodies).toEqual([
      { has_issues: true, internal_tracker: { enable_time_tracker: false, enable_issue_dependencies: true } },
    ]);
    const external = await against(
      () => ({ body: before }),
      [...["repo", "edit", "--external-tracker-style", "alphanumeric", "--external-wiki-url", "https://w.example"]],
    );
    expect(external.bodies).toEqual([
      {
        has_issues: true,
        external_tracker: { external_tracker_url: "https://a.example", external_tracker_style: "alphanumeric" },
        has_wiki: true,
        external_wiki: { external_wiki_url: "https://w.example" },
      },
    ]);
  });

  it.each([
    ["--no-has-issues --enable-time-tracker", "--enable-time-tracker sets what --no-has-issues switches off"],
    ["--no-has-issues --enable-issue-dependencies", "--enable-issue-dependencies sets what --no-has-issues"],
    ["--no-has-issues --external-tracker-url https://a.example", "--external-tracker-url sets what --no-has-issues"],
    ["--no-has-wiki --external-wiki-url https://a.example", "--external-wiki-url sets what --no-has-wiki"],
    ["--no-has-pull-requests --default-merge-style squash", "--default-merge-style sets what --no-has-pull-requests"],
    ["--no-has-projects --projects-mode all", "--projects-mode sets what --no-has-projects"],
    [
      "--external-tracker-url https://a.example --enable-time-tracker",
      "only one of --external-tracker-url or --enable",
    ],
  ])("refuses flags of which one switches off what the other sets: %s", async (line, words) => {
    const { ran, lines } = await against(() => ({ body: record }), ["repo", "edit", ...line.split(" ")]);
    expect([ran.code, ran.stderr, lines]).toEqual([2, expect.stringContaining(words), []]);
  });

  it("says the tracker that a setting of it switches on, and no field of it that the server did not apply", async () => {
    const internal_tracker = { enable_time_tracker: false, enable_issue_dependencies: true };
    const after = { ...record, has_issues: true, internal_tracker };
    const { ran } = await against(
      ({ method }) => ({ body: method === "GET" ? { ...record, has_issues: false } : after }),
      ["repo", "edit", "--enable-time-tracker", "--enable-issue-dependencies"],
    );
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("(enable_issue_dependencies, has_issues)")]);
    expect(ran.stderr).toContain("The server did not apply internal_tracker.enable_time_tracker to mara/harbor");
  });

  it("says that pull requests and projects are on, without which older servers ignore their settings", async () => {
    const on = { ...record, has_pull_requests: true, has_projects: true };
    const changed = { allow_rebase: false, default_merge_style: "squash", projects_mode: "all" };
    const line = ["repo", "edit", "--no-allow-rebase", "--default-merge-style", "squash", "--projects-mode", "all"];
    // As Gitea before 1.26 does it.
    const older = ({ method, body }: Seen): Reply => {
      if (method === "GET") return { body: on };
      const sent = JSON.parse(body) as { has_pull_requests?: boolean };
      return { body: sent.has_pull_requests === true ? { ...on, ...changed } : on };
    };
    const { ran, lines, bodies } = await against(older, line);
    expect([ran.code, lines], ran.stderr).toEqual([0, ["GET /repos/mara/harbor", "PATCH /repos/mara/harbor"]]);
    expect(bodies).toEqual([{ ...changed, has_pull_requests: true, has_projects: true }]);
    const off = { ...on, has_pull_requests: false };
    const ignored = await against(() => ({ body: off }), ["repo", "edit", "--no-allow-rebase"]);
    expect(ignored.bodies).toEqual([{ allow_rebase: false }]);
    expect([ignored.ran.code, ignored.ran.stderr]).toEqual([1, expect.stringContaining("add: --has-pull-requests")]);
    const both = await against(() => ({ body: off }), ["repo", "edit", "--no-has-pull-requests", "--no-allow-rebase"]);
    expect(both.bodies).toEqual([{ has_pull_requests: false, allow_rebase: false }]);
  });

  it("replaces, adds and removes topics, without an edit of the repository", async () => {
    const reply = ({ url }: Seen): Reply =>
      url.includes("/topics") ? { body: { topics: ["fog", "tides"] } } : { body: record };
    const changed = await against(reply, ["repo", "edit", "--add-topic", "light,tides", "--remove-topic", "fog"]);
    expect(changed.bodies).toEqual([{ topics: ["tides", "light"] }]);
    const replaced = await against(reply, ["repo", "edit", "--topic", "light"]);
    expect(replaced.lines).toEqual(["GET /repos/mara/harbor", "PUT /repos/mara/harbor/topics"]);
    expect((await against(reply, ["repo", "edit", "--topic", "a", "--add-topic", "b"])).ran.code).toBe(2);
    expect((await against(reply, ["repo", "edit", "--topic", ""])).bodies).toEqual([{ topics: [] }]);
  });

  it("reads secrets from files and prints them nowhere", async () => {
    const { ran, bodies } = await against(
      () => ({ body: record }),
      ["repo", "edit", "--mirror-token-file", "-", "--debug"],
      {
        stdin: "lamp-oil\n",
      },
    );
    expect([ran.code, bodies]).toEqual([0, [{ mirror_token: "lamp-oil" }]]);
    expect(ran.stdout + ran.stderr).not.toContain("lamp-oil");
    const none = await against(() => ({ body: record }), ["repo", "edit", "--mirror-token-file", "-"], { stdin: "\n" });
    expect([none.ran.code, none.lines]).toEqual([2, []]);
  });

  it("tells which fields the server ignored, such as those that it does not have", async () => {
    const { ran } = await against(() => ({ body: record }), ["repo", "edit", "--projects-mode", "all"]);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("did not apply projects_mode to mara/harbor")]);
  });

  it("accepts a change of the default branch that was made in spite of a 500", async () => {
    const reply =
      (branch: string) =>
      (seen: Seen): Reply =>
        seen.method === "PATCH"
          ? { status: 500, body: { message: "" } }
          : { body: { ...record, default_branch: branch } };
    const made = await against(reply("main"), ["repo", "edit", "--default-branch", "main"]);
    expect(made.ran.code).toBe(0);
    const failed = await against(reply("old"), ["repo", "edit", "--default-branch", "main"]);
    expect(failed.ran.code).toBe(7);
    expect(made.bodies).toEqual([{ default_branch: "main" }]);
  });
});

describe("repo migrate", () => {
  it("asks until the copy is done if the request takes too long, and reports progress", async () => {
    let asked = 0;
    const now = new Date("2026-03-31T08:00:00Z");
    const server = await serve(async ({ method }) => {
      if (method === "POST") {
        await setTimeout(1500);
        return { body: record };
      }
      asked += 1;
      return { body: { ...record, empty: asked < 15 } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(
      ["repo", "migrate", "https://example.org/mara/harbor.git", "--repo-owner", "mara", "--timeout", "0.3"],
      { env, now, onSleep: (milliseconds) => void now.setTime(now.getTime() + milliseconds) },
    );
    expect([ran.code, asked]).toEqual([0, 15]);
    expect(ran.stderr).toContain("Still copying after 30 s.");
    expect(server.lines().filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  it("reports a migration that failed while it waited", async () => {
    const server = await serve(async ({ method }) => {
      if (method === "POST") await setTimeout(1500);
      return { status: 404, body: { message: "not found" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const line = ["repo", "migrate", "https://example.org/mara/harbor.git", "--repo-owner", "mara", "--timeout", "0.3"];
    const ran = await tongs(line, { env });
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("The migration to mara/harbor failed")]);
  });

  it("sends no interval of a mirror for what is not to be one, which servers drop", async () => {
    const line = ["repo", "migrate", "https://example.org/x.git", "--mirror-interval", "8h"];
    const { ran, lines } = await against(() => ({ body: record }), line);
    expect([ran.code, ran.stderr, lines]).toEqual([2, expect.stringContaining("requires --mirror"), []]);
  });

  it("prints no token that is the username of the address", async () => {
    const { ran, lines } = await against(
      () => ({ body: { ...record, name: "x", full_name: "mara/x" } }),
      ["repo", "migrate", "https://lamp-token@example.org/x.git", "--repo-owner", "mara"],
    );
    expect([ran.code, lines]).toEqual([0, ["POST /repos/migrate"]]);
    expect(ran.stderr).toContain("Migrating https://***@example.org/x.git to mara/x");
    expect(ran.stderr).toContain("Migrated https://***@example.org/x.git to");
    const unnamed = await against(() => ({ body: record }), ["repo", "migrate", "https://lamp-token@example.org/.git"]);
    expect([unnamed.ran.code, unnamed.lines]).toEqual([2, []]);
    expect(`${ran.stdout}${ran.stderr}${unnamed.ran.stderr}`).not.toContain("lamp");
  });

  it.each([
    [["https://mara:lamp@example.org/x.git"], "The URL contains a password"],
    [["https://example.org/x.git", "--issues"], "--issues requires --service"],
    [
      ["https://example.org/x.git", "--releases", "--mirror", "--service", "gitea"],
      "--releases cannot be used with --mirror",
    ],
    [["https://example.org/x.git", "--service", "svn"], "Invalid value 'svn'"],
  ])("refuses %j before anything is sent", async (line, words) => {
    const { ran, lines } = await against(() => ({ body: record }), ["repo", "migrate", ...line]);
    expect([ran.code, ran.stderr, lines]).toEqual([2, expect.stringContaining(words), []]);
    expect(ran.stderr).not.toContain("lamp");
  });

  it.each([
    ["empty", { body: { ...record, empty: true } }, true],
    ["missing", { status: 404, body: { message: "Not Found" } }, false],
  ])("says after a failure whether the server kept the empty repository: it is %s", async (_, kept, isSaid) => {
    const { ran } = await against(
      ({ method }) => (method === "GET" ? kept : { status: 422, body: { message: "Migration failed: clone error" } }),
      ["repo", "migrate", "https://example.org/mara/harbor.git", "--repo-owner", "mara"],
    );
    expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining("Migration failed: clone error")]);
    expect(ran.stderr.includes("To try again, delete it first: tongs repo delete mara/harbor")).toBe(isSaid);
  });

  it("names the deletion of an empty repository on the server of the command", async () => {
    const server = await serve(({ method }) =>
      method === "GET" ? { body: { ...record, empty: true } } : { status: 422, body: { message: "clone error" } },
    );
    const line = ["repo", "migrate", "https://example.org/mara/harbor.git", "--repo-owner", "mara"];
    const ran = await tongs([...line, "--host", server.url], { env: { TONGS_TOKEN: "not-a-secret" } });
    expect(ran.stderr).toContain(`delete it first: tongs repo delete mara/harbor --host ${server.url}\n`);
  });
});

describe("repo language", () => {
  it("lists the shares of languages, and prints the record as it is", async () => {
    const body = { C: 250, TypeScript: 750 };
    const listed = await against(() => ({ body }), ["repo", "language"]);
    expect(listed.ran.stdout).toBe("TypeScript\t75.0\t750\nC\t25.0\t250\n");
    expect((await against(() => ({ body }), ["repo", "language", "--json"])).ran.json()).toEqual(body);
  });

  it("ends with exit 7 for a record of another form", async () => {
    for (const body of [{ C: "many" }, [1], "text"]) {
      const { ran } = await against(() => ({ body }), ["repo", "language"]);
      expect([ran.code, ran.stdout]).toEqual([7, ""]);
    }
  });
});

describe("repo mirror, deploy-key, avatar", () => {
  it("name the push mirrors that failed, with the reason, and exit 11 if others were synced", async () => {
    const player = await cassette(
      "repo-more",
      ["push mirrors: sync, one fails", "push mirrors: list after the sync: last_update and last_error"],
      { repo: "mara/harbor" },
    );
    const ran = await player.run(["repo", "mirror", "sync"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("1 of 2 push mirrors of mara/harbor")]);
    expect(ran.stderr).toContain("http://127.0.0.1:3303/priya/absent.git: ");
  });

  it("delete only push mirrors and keys that exist", async () => {
    const mirrors = await cassette("repo-more", ["push mirrors: list"], { repo: "mara/harbor" });
    const dry = await mirrors.run(["repo", "mirror", "delete", "remote_mirror_HsYw8WTQkY", "--dry-run"]);
    const path = "/api/v1/repos/mara/harbor/push_mirrors/remote_mirror_HsYw8WTQkY";
    expect([dry.code, dry.stdout.split(" ", 1), dry.stdout]).toEqual([0, ["DELETE"], expect.stringContaining(path)]);
    const reply = ({ url }: Seen): Reply => {
      if (url.includes("/push_mirrors")) return { body: [] };
      return url.endsWith("/mara/harbor") ? { body: record } : { status: 404, body: { message: "not found" } };
    };
    for (const [line, words] of [
      [["repo", "mirror", "delete", "remote_mirror_none"], "Push mirror remote_mirror_none not found in mara/harbor"],
      [["repo", "deploy-key", "delete", "9"], "Deploy key 9 not found in mara/harbor"],
    ] as const) {
      const { ran, lines } = await against(reply, [...line, "--yes"]);
      expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining(words)]);
      expect(lines.some((request) => request.startsWith("DELETE"))).toBe(false);
    }
  });

  it("ask for the password of a push mirror, and show it nowhere", async () => {
    const created = { repo_name: "harbor", remote_name: "remote_mirror_a" };
    const line = ["repo", "mirror", "add", "https://example.org/x.git", "--remote-username", "mara"];
    const without = await against(() => ({ body: created }), line);
    expect([without.ran.code, without.lines]).toEqual([2, []]);
    expect(without.ran.stderr).toContain("--remote-password-file is required");
    const dry = await against(() => ({ body: created }), [...line, "--remote-password-file", "-", "--dry-run"], {
      stdin: "lamp-oil\n",
    });
    expect([dry.ran.code, dry.lines]).toEqual([0, []]);
    expect(dry.ran.stdout + dry.ran.stderr).not.toContain("lamp-oil");
    const ssh = await against(
      () => ({ body: created }),
      ["repo", "mirror", "add", "https://example.org/x.git", "--use-ssh"],
    );
    expect([ssh.ran.code, ssh.ran.stderr]).toEqual([
      1,
      expect.stringContaining("did not apply use_ssh to push mirror"),
    ]);
  });

  it("judge an image by its bytes, before anything is sent", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "tongs-avatar-"));
    const images = {
      png: Buffer.from("89504e470d0a1a0a00", "hex"),
      jpeg: Buffer.from("ffd8ffe0", "hex"),
      gif: Buffer.from("GIF89a"),
      webp: Buffer.from("RIFF\0\0\0\0WEBPVP8 "),
    };
    for (const [type, bytes] of Object.entries(images)) {
      writeFileSync(join(cwd, "anchor"), bytes);
      const { ran, bodies } = await against(() => ({ status: 204 }), ["repo", "avatar", "set", "anchor"], { cwd });
      expect([type, ran.code, bodies]).toEqual([type, 0, [{ image: bytes.toString("base64") }]]);
    }
    for (const text of ["<svg/>", "", "RIFF\0\0\0\0WAVE", "BM6"]) {
      writeFileSync(join(cwd, "anchor.png"), text);
      const { ran, lines } = await against(() => ({ status: 204 }), ["org", "avatar", "set", "pilots", "anchor.png"], {
        cwd,
      });
      expect([ran.code, lines, ran.stderr]).toEqual([
        2,
        [],
        expect.stringMatching(/anchor\.png is (not an image|empty)/),
      ]);
    }
    const missing = await against(() => ({ status: 204 }), ["repo", "avatar", "set", "nowhere.png"], { cwd });
    expect([missing.ran.code, missing.lines]).toEqual([2, []]);
  });
});
