import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
await sandbox.ask("POST", "/repos/mara/buoy/branches", "mara", { new_branch_name: "start" });
for (const name of ["lamp", "horn"]) {
  const file = { content: Buffer.from(name).toString("base64"), message: `Add a ${name}\n\nIt is new.` };
  await sandbox.ask("POST", `/repos/mara/buoy/contents/${name}.txt`, "mara", file);
}

const run = (line: readonly string[]) =>
  sandbox.run(["commit", ...line], { as: "mara", env: { TONGS_REPO: "mara/buoy" } });
const titles = (json: unknown) =>
  (json as { readonly commit: { readonly message: string } }[]).map(({ commit }) => commit.message.split("\n")[0]);

describe("commit list", () => {
  it("lists the commits of a ref or a path, newest first", async () => {
    expect(titles((await run(["list", "--json"])).json())).toEqual(["Add a horn", "Add a lamp", "Initial commit"]);
    expect(titles((await run(["list", "start", "--json"])).json())).toEqual(["Initial commit"]);
    expect(titles((await run(["list", "--path", "lamp.txt", "--json"])).json())).toEqual(["Add a lamp"]);
    expect((await run(["list", "--limit", "1"])).stdout).toMatch(/^[0-9a-f]{40}\tAdd a horn\tmara\t\d{4}-/);
    expect((await run(["list", "nowhere"])).code).toBe(5);
  });

  it("filters by time itself, for servers that do not", async () => {
    const dates = ["2026-03-01T00:00:00Z", "2026-02-01T12:00:00Z", "2026-01-01T00:00:00Z"];
    const server = await serve(() => ({ body: dates.map((created, at) => ({ sha: `${at}`, created })) }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const line = ["commit", "list", "--since", "2026-02-01", "--until", "2026-02-28T23:00:00Z", "--json", "sha"];
    const ran = await tongs(line, { env });
    expect(ran.json()).toEqual([{ sha: "1" }]);
    const asked = new URL(server.seen[0]?.url ?? "", server.url).searchParams;
    // A date begins at midnight here.
    expect(Date.parse(asked.get("since") ?? "")).toBe(new Date(2026, 1, 1).getTime());
    expect(asked.get("until")).toBe("2026-02-28T23:00:00Z");
  });
});

describe("commit view", () => {
  it("shows a commit by branch or abbreviated hash", async () => {
    const shown = (await run(["view", "main"])).stdout;
    expect(shown).toMatch(/^title\tAdd a horn\ncommit\t[0-9a-f]{40}\n/);
    expect(shown).toContain("It is new.");
    expect(shown).toContain("horn.txt");
    const { sha } = (await run(["view", "main", "--json", "sha"])).json() as { readonly sha: string };
    expect((await run(["view", sha.slice(0, 8), "--json", "sha"])).json()).toEqual({ sha });
    expect((await run(["view", "nowhere"])).code).toBe(5);
    expect((await run(["view", "main", "--diff", "--patch"])).code).toBe(2);
  });

  it("prints the diff or the patch unchanged, after looking the commit up", async () => {
    const content = Buffer.from("diff --git a/x b/x\n+\u001b[31mred\r\n");
    const sha = "a".repeat(40);
    const server = await serve(({ url }) => (/\.(diff|patch)$/.test(url) ? { body: content } : { body: { sha } }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    for (const type of ["diff", "patch"]) {
      const ran = await tongs(["commit", "view", "main", `--${type}`], { env });
      expect([ran.code, ran.bytes.equals(content)]).toEqual([0, true]);
      expect(server.lines().at(-1)).toBe(`GET /api/v1/repos/mara/buoy/git/commits/${sha}.${type}`);
    }
  });
});

describe("commit note", () => {
  it.each([
    ["commits", "mara/atlas", "f8c66cb1a6ae3b27c770badcf4a73a17b0bbcb29", "checked by the harbour office\n"],
    ["forgejo-commits", "imara/ferry", "78204fa9ab14497f6ce06eb332f025db60866a0d", "crossed in fog\n"],
  ])("prints the note of a commit, as %s", async (name, repo, sha, words) => {
    const player = await cassette(name, undefined, { repo });
    const ran = await player.run(["commit", "note", sha]);
    expect([ran.code, ran.stdout]).toEqual([0, words]);
  });

  it("says whether the commit or its note is missing", async () => {
    const sha = "a".repeat(40);
    const server = await serve(({ url }) =>
      url.includes(`/git/commits/${sha}`) ? { body: { sha } } : { status: 404, body: { message: "not found" } },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
    const none = await tongs(["commit", "note", sha], { env });
    const unknown = await tongs(["commit", "note", "nowhere"], { env });
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining("Commit aaaaaaaaaa has no note")]);
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining("No branch, tag or commit 'nowhere'")]);
  });
});

describe("commit note of Forgejo", () => {
  const sha = "895f232a4a1ee8cf0110b35036edc56c4d2ef2e9";
  const path = `/api/v1/repos/root1/work/git/notes/${sha}`;
  const repo = "root1/work";
  const made = {
    [`GET /api/v1/repos/root1/work/git/commits/${sha}`]: { sha },
    [`GET ${path}`]: { message: "a note\n" },
  };

  it("is viewed, which need not be said", async () => {
    const player = await cassette("forgejo-16-repos", [], { repo, made });
    for (const verb of [["view"], []]) {
      expect((await player.run(["commit", "note", ...verb, sha])).stdout).toBe("a note\n");
    }
  });

  it("is set, and replaced", async () => {
    const player = await cassette("forgejo-16-repos", ["note set", "note set, again"], { repo, made });
    const set = (...line: string[]) => player.run(["commit", "note", "set", sha, ...line], { stdin: "a note\n" });
    const ran = await set("--body-file", "-");
    expect(ran, ran.stderr).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Set the note of commit 895f232a4a"),
    });
    expect((await set("--body", "another", "--jq", ".message")).stdout).toBe("another\n");
    const empty = await set("--body", "");
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining("The note must not be empty") });
  });

  it("is deleted", async () => {
    const player = await cassette("forgejo-16-described", ["note delete, succeeds"], { repo, made });
    const ran = await player.run(["commit", "note", "delete", sha, "--yes"]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining("Deleted the note of commit") });
  });

  it("is neither set for an unknown commit, nor deleted where there is none, which servers answer with 500", async () => {
    const server = await serve(({ url }) =>
      url.includes(`/git/commits/${sha}`) ? { body: { sha } } : { status: 404, body: { message: "not found" } },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: repo };
    const unknown = await tongs(["commit", "note", "set", "nowhere", "--body", "x"], { env });
    const none = await tongs(["commit", "note", "delete", sha, "--yes"], { env });
    expect(unknown).toMatchObject({ code: 5, stderr: expect.stringContaining("No branch, tag or commit 'nowhere'") });
    expect(none).toMatchObject({ code: 5, stderr: expect.stringContaining("Commit 895f232a4a has no note") });
    expect(server.lines().filter((line) => !line.startsWith("GET "))).toEqual([]);
  });
});

describe("commit status", () => {
  it("is set from CI and listed, newest first or the latest of each context", async () => {
    for (const [state, context] of [
      ["pending", "ci/lint"],
      ["success", "ci/lint"],
      ["failure", "ci/test"],
    ]) {
      const line = ["status", "set", "main", "--state", state ?? "", "--context", context ?? "", "-d", "Done"];
      expect((await run([...line, "--target-url", "https://ci.example.org/7"])).code).toBe(0);
    }
    const rows = async (flags: readonly string[]) =>
      (await run(["status", "list", "main", ...flags])).stdout
        .split("\n")
        .map((line) => line.split("\t").slice(0, 2).join(" "));
    expect(await rows([])).toEqual(["ci/test failure", "ci/lint success", "ci/lint pending", ""]);
    expect(await rows(["--latest"])).toEqual(["ci/test failure", "ci/lint success", ""]);
    expect(await rows(["--state", "pending"])).toEqual(["ci/lint pending", ""]);
    expect(await rows(["--context", "ci/test"])).toEqual(["ci/test failure", ""]);
  });

  it("of a commit that does not exist is an error, although servers say 500 or nothing", async () => {
    const unknown = "1".repeat(40);
    for (const line of [
      ["set", unknown, "--state", "success", "--context", "x"],
      ["set", "nowhere", "--state", "success", "--context", "x"],
      ["list", "nowhere"],
      ["list", unknown],
    ]) {
      expect((await run(["status", ...line])).code).toBe(5);
    }
  });

  it.each([
    [["set", "main", "--context", "x"], "--state is required"],
    [["set", "main", "--state", "success"], "--context is required"],
    [["set", "main", "--state", "success", "--context", ""], "--context is required"],
    [["set", "main", "--state", "great", "--context", "x"], "Invalid value 'great' for --state"],
    [
      ["set", "main", "--state", "success", "--context", "x", "--target-url", "nowhere"],
      "--target-url must begin with",
    ],
  ])("rejects %j before writing anything", async (line, words) => {
    sandbox.writes();
    const ran = await run(["status", ...line]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });
});

describe("commit list of an unknown ref", () => {
  it("ends with 5 on a server that answers with 500", async () => {
    const server = await serve(({ url }) =>
      url.includes("/git/commits/")
        ? { status: 404, body: { message: "not found", url: "" } }
        : { status: 500, body: { message: "object does not exist [id: nowhere, rel_path: ]" } },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["commit", "list", "nowhere"], { env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("No branch, tag or commit 'nowhere'")]);
  });
});
