import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { listed } from "./pulls.ts";

let server: TestServer | undefined;

async function diff(handler: Handler, argv: readonly string[], world: World = {}) {
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor", ...world.env };
  return tongs(["pr", "diff", "12", ...argv], { ...world, env });
}

/** Not UTF-8, with an escape sequence, both kinds of line endings, and none at the end. */
const odd = Buffer.concat([
  Buffer.from("diff --git a/t b/t\n--- a/t\n+++ b/t\n@@ -1,2 +1,2 @@\n--- low\r\n+++ high \u001b[2J\r\n "),
  Buffer.from([0xe9, 0xff]),
]);

const files = [
  { filename: "tides.txt", status: "changed", additions: 3, deletions: 1, changes: 4 },
  { filename: "quay.txt", previous_filename: "pier.txt", status: "renamed", additions: 0, deletions: 0, changes: 0 },
];

/** A pager that copies its input and settings into a folder. */
function pager() {
  const folder = emptyFolder();
  const program = join(folder, "pager");
  writeFileSync(program, `#!/bin/sh\ncat > ${folder}/shown\nprintf '%s' "$LESS" > ${folder}/less\n`);
  chmodSync(program, 0o755);
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined;
  return { program, shown: () => read("shown"), less: () => read("less") };
}

const plain = (text: string | undefined) => text?.replace(/\u001b\[\d+m/g, "");

describe("tongs pr diff", () => {
  it("writes exactly the server's bytes to a pipe, with one request", async () => {
    const large = Buffer.concat([odd, Buffer.alloc(3 << 20, "x\n"), odd]);
    const ran = await diff(() => ({ body: large }), []);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.bytes.equals(large)).toBe(true);
    expect(server?.lines()).toEqual(["GET /api/v1/repos/mara/harbor/pulls/12.diff?binary=true"]);
  });

  it("requests the patches with --patch", async () => {
    await diff(() => ({ body: "From 0" }), ["--patch"]);
    expect(server?.lines()).toEqual(["GET /api/v1/repos/mara/harbor/pulls/12.patch?binary=true"]);
  });

  it("fails if the diff is cut off after its start", async () => {
    const ran = await diff((_seen, _request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("diff --git");
      setTimeout(() => response.destroy(), 20);
      return undefined;
    }, []);
    expect(ran).toMatchObject({ code: 6, stdout: "diff --git" });
    expect(ran.stderr).toContain("was lost");
  });

  it("shows the diff on a terminal in color, without control characters, in $PAGER with LESS=FRX", async () => {
    const { program, shown, less } = pager();
    const ran = await diff(() => ({ body: odd }), [], { terminal: true, env: { PAGER: program, TERM: "xterm" } });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(plain(shown())).toBe(
      "diff --git a/t b/t\n--- a/t\n+++ b/t\n@@ -1,2 +1,2 @@\n--- low\n+++ high ␛[2J\n \ufffd\ufffd",
    );
    expect(shown()).toContain("\u001b[31m--- low\u001b[39m");
    expect(shown()).toContain("\u001b[32m+++ high");
    expect(shown()).toContain("\u001b[1m--- a/t");
    expect(less()).toBe("FRX");
  });

  it("does not change LESS if it is set, and uses no color if it is disabled", async () => {
    const { program, shown, less } = pager();
    const env = { PAGER: program, LESS: "R", NO_COLOR: "1" };
    await diff(() => ({ body: odd }), [], { terminal: true, env });
    expect(less()).toBe("R");
    expect(shown()).toBe(plain(shown()));
  });

  it.each(["cat", ""])("prints without a pager when PAGER is '%s'", async (PAGER) => {
    const ran = await diff(() => ({ body: odd }), ["--color", "never"], { terminal: true, env: { PAGER } });
    expect(ran.stdout).toContain("--- low\n+++ high ␛[2J\n");
  });

  it("exits quietly if the pager quits early", async () => {
    const endless = Buffer.alloc(4 << 20, "+line\n");
    const ran = await diff(() => ({ body: endless }), [], { terminal: true, env: { PAGER: "head -n 1" } });
    expect(ran).toMatchObject({ code: 0, stdout: "+line\n", stderr: "" });
  });

  it("reports a pager that does not exist", async () => {
    const ran = await diff(() => ({ body: odd }), [], { terminal: true, env: { PAGER: "absent-pager 2>/dev/null" } });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("Could not start the pager");
  });

  it("keeps the bytes between the colors with --color always in a pipe", async () => {
    const ran = await diff(() => ({ body: odd }), ["--color", "always"]);
    expect(ran.bytes.toString("latin1").replace(/\u001b\[\d+m/g, "")).toBe(odd.toString("latin1"));
    expect(ran.bytes.toString("latin1")).toContain("\u001b[31m--- low\r\u001b[39m");
  });

  it("prints the names of all files, regardless of the default limit", async () => {
    const many = Array.from({ length: 45 }, (_, index) => ({ ...files[0], filename: `f${index}` }));
    const ran = await diff(() => listed(many), ["--name-only"]);
    expect(ran.stdout).toBe(many.map(({ filename }) => `${filename}\n`).join(""));
  });

  it("counts the lines of each file with --stat", async () => {
    const ran = await diff(() => listed(files), ["--stat"]);
    expect(ran.stdout).toBe(
      " tides.txt           | 4 +++-\n pier.txt → quay.txt | 0\n 2 files changed, 3 insertions(+), 1 deletion(-)\n",
    );
  });

  it("colors the counts on a terminal, and escapes control characters in file names", async () => {
    const ran = await diff(() => listed([{ ...files[0], filename: "t\u001b[2J" }]), ["--stat"], { terminal: true });
    expect(ran.stdout).toContain(" t␛[2J | 4 \u001b[32m+++\u001b[39m\u001b[31m-\u001b[39m\n");
  });

  it("prints the changed files as records with --json", async () => {
    const ran = await diff(() => listed(files), ["--json", "filename,additions"]);
    expect(ran.json()).toEqual([
      { filename: "tides.txt", additions: 3 },
      { filename: "quay.txt", additions: 0 },
    ]);
  });
});

/** What git prints for a changed, an added, a renamed and a binary file, and one with an unusual name. */
const several = [
  "diff --git a/src/a.txt b/src/a.txt",
  "index 1..2 100644",
  "--- a/src/a.txt",
  "+++ b/src/a.txt",
  "@@ -1,3 +1,3 @@",
  " one",
  "--- two",
  "+++ zwei",
  " three",
  "@@ -10 +10,2 @@ here",
  " ten",
  "+eleven",
  "diff --git a/old name.txt b/docs/new name.txt",
  "similarity index 100%",
  "rename from old name.txt",
  "rename to docs/new name.txt",
  'diff --git "a/src/gr\\303\\274n.txt" "b/src/gr\\303\\274n.txt"',
  "new file mode 100644",
  "--- /dev/null",
  '+++ "b/src/gr\\303\\274n.txt"',
  "@@ -0,0 +1 @@",
  "+green",
  "\\ No newline at end of file",
  "diff --git a/lamp.png b/lamp.png",
  "Binary files a/lamp.png and b/lamp.png differ",
  "",
];
const part = (from: number, to: number) => several.slice(from, to);
const text = (...lines: readonly (string | readonly string[])[]) => `${lines.flat().join("\n")}\n`;

describe("tongs pr diff -- PATH", () => {
  const only = async (...paths: string[]) => {
    const body = Buffer.from(several.join("\n"));
    // In pieces of 7 bytes: a line, and a character, can arrive in two.
    const ran = await diff(
      (_seen, _request, response) => {
        for (let at = 0; at < body.length; at += 7) response.write(body.subarray(at, at + 7));
        response.end();
        return undefined;
      },
      ["--", ...paths],
    );
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return ran.stdout;
  };

  it("prints only these files and directories, by their names before and after", async () => {
    expect(await only("src/a.txt")).toBe(text(part(0, 12)));
    expect(await only("src/")).toBe(text(part(0, 12), part(16, 23)));
    expect(await only("docs")).toBe(text(part(12, 16)));
    expect(await only("old name.txt", "lamp.png")).toBe(text(part(12, 16), part(23, 25)));
    expect(await only("src/grün.txt")).toBe(text(part(16, 23)));
    expect(await only("*.txt")).toBe(text(part(0, 23)));
    expect(await only("./src/../docs/")).toBe(text(part(12, 16)));
    expect(await only(".")).toBe(text(part(0, 25)));
    expect(await only("src/a")).toBe("");
  });

  it("selects files for --name-only, --stat and JSON, too", async () => {
    const named = await diff(() => listed(files), ["--name-only", "--", "tides.txt"]);
    expect(named.stdout).toBe("tides.txt\n");
    const stat = await diff(() => listed(files), ["--stat", "--", "pier.txt"]);
    expect(stat.stdout).toContain(" 1 file changed");
    const json = await diff(() => listed(files), ["--json", "filename", "--", "quay.*"]);
    expect(json.json()).toEqual([{ filename: "quay.txt" }]);
  });

  it("takes the pull request of the current branch if only paths are given", async () => {
    server = await serve(() => ({ body: "" }));
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["pr", "diff", "--", "src"], { env });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("current branch") });
    expect(server.lines()).toEqual([]);
  });

  it("refuses paths outside, before --, and with --patch, before anything is sent", async () => {
    for (const line of [
      ["--", "../x"],
      ["--", "/src"],
      ["--", ":!src"],
      ["--", ".", ":(exclude)src"],
      ["src"],
      ["--patch", "--", "src"],
      ["--comments", "--json"],
    ]) {
      expect((await diff(() => ({ body: "" }), line)).code, line.join(" ")).toBe(2);
      expect(server?.lines()).toEqual([]);
    }
  });
});

describe("tongs pr diff --comments", () => {
  const comment = (id: number, path: string, at: object, more: object = {}) => {
    return { id, path, body: `Comment ${id}`, user: { login: "jonas" }, pull_request_review_id: 1, ...at, ...more };
  };
  const comments = [
    comment(
      4,
      "src/a.txt",
      { position: 1, extra_lines_count: 1 },
      { diff_hunk: "@@ -1,3 +1,3 @@\n one\n--- two\n+++ zwei" },
    ),
    comment(
      5,
      "src/a.txt",
      { position: 1, extra_lines_count: 1 },
      { user: { login: "mara" }, body: "Yes.\r\n\nDone \u001b[2J" },
    ),
    comment(2, "src/a.txt", { original_position: 2 }, { resolver: { login: "mara" } }),
    comment(6, "src/a.txt", { position: 11 }, { diff_hunk: "@@ -10 +10,2 @@\n ten\n+elf" }),
    comment(7, "src/grün.txt", { position: 1 }),
    comment(8, "gone.txt", { position: 3 }),
    comment(9, "gone.txt", { position: 4, extra_lines_count: 1 }),
  ];
  const withComments: Handler = ({ url }) => {
    if (url.includes(".diff")) return { body: Buffer.from(several.join("\n")) };
    if (url.includes("/reviews/1/comments")) return { body: comments };
    return listed(url.includes("/reviews?") ? [{ id: 1, comments_count: 6 }] : []);
  };
  const first = ["│ jonas (comment 2, resolved by mara)", "│   Comment 2"];
  const second = ["│ jonas (comment 4, open)", "│   Comment 4", "│ mara (comment 5, open)"];
  const left = "│ Comments on lines that are not in the diff, or have changed:";

  it("prints them below their lines of the old or the new file, and the others at the end", async () => {
    const ran = await diff(withComments, ["--comments"]);
    expect(ran.stdout).toBe(
      text(
        part(0, 7),
        first,
        part(7, 8),
        second,
        ["│   Yes.", "│", "│   Done \u241b[2J"],
        part(8, 22),
        ["│ jonas (comment 7, open)", "│   Comment 7"],
        part(22, 25),
        left,
        ["│ gone.txt:3 jonas (comment 8, open)", "│   Comment 8"],
        ["│ gone.txt:4-5 jonas (comment 9, open)", "│   Comment 9"],
        ["│ src/a.txt:11 jonas (comment 6, open)", "│   Comment 6"],
      ),
    );
  });

  it("prints those of the wanted files only", async () => {
    const ran = await diff(withComments, ["--comments", "--", "src/grün.txt"]);
    expect(ran.stdout).toBe(text(part(16, 22), ["│ jonas (comment 7, open)", "│   Comment 7"], part(22, 23)));
  });

  it("colors comments, and the lines after them as before, without control characters", async () => {
    const ran = await diff(withComments, ["--comments"], { terminal: true, env: { PAGER: "cat", TERM: "xterm" } });
    expect(ran.stdout).toContain("\u001b[33m│   Done ␛[2J\u001b[39m\n three\n\u001b[36m@@ -10");
    const piped = await diff(withComments, ["--comments", "--color", "always"]);
    expect(piped.stdout).toContain("\u001b[33m│   Comment 4\u001b[39m\n");
  });
});

describe("tongs pr files", () => {
  it("sends the whitespace option in the server's terms", async () => {
    server = await serve(() => listed(files));
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["pr", "files", "12", "--ignore-whitespace", "eol"], { env });
    expect(ran.stdout).toBe("changed\t+3\t-1\ttides.txt\nrenamed\t+0\t-0\tpier.txt → quay.txt\n");
    expect(server.lines()[0]).toContain("/pulls/12/files?whitespace=ignore-eol&page=1");
  });
});

describe("tongs pr commits", () => {
  const commit = { sha: "c".repeat(40), author: null, commit: { message: "Add it\n\nAll.", author: { name: "Mara" } } };

  it("lists commits without requesting signatures and files, which the table does not show", async () => {
    server = await serve(() => listed([commit]));
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["pr", "commits", "12"], { env });
    expect(ran.stdout).toBe(`${"c".repeat(40)}\tAdd it\tMara\t\n`);
    expect(server.lines()[0]).toContain("verification=false&files=false");
  });

  it("prints full records as JSON", async () => {
    server = await serve(() => listed([commit]));
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor" };
    expect((await tongs(["pr", "commits", "12", "--json"], { env })).json()).toEqual([commit]);
    expect(server.lines()[0]).not.toContain("false");
  });
});
