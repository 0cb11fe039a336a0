import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
await sandbox.ask("POST", "/user/repos", "mara", { name: "atlas", auto_init: true });
await sandbox.ask("POST", "/user/repos", "mara", { name: "slate" });

/** Runs a command as mara, who owns the repository. */
const run = (
  line: readonly string[],
  { env, ...world }: { readonly cwd?: string; readonly stdin?: string; readonly env?: Record<string, string> } = {},
) => sandbox.run(line, { as: "mara", ...world, env: { TONGS_REPO: "mara/atlas", ...env } });

async function upload(path: string, text: string): Promise<void> {
  const ran = await run(["file", "put", path, "-", "-m", `Add ${path}`], { stdin: text });
  expect(ran.code, ran.stderr).toBe(0);
}

async function textOf(path: string, ref = "main"): Promise<string> {
  return (await run(["file", "view", path, "--ref", ref])).stdout;
}

describe("file put", () => {
  it("uploads the local file with the same path, byte for byte", async () => {
    const cwd = emptyFolder();
    const bytes = Buffer.from([0, 255, 254, 10, 13, 0]);
    writeFileSync(join(cwd, "chart.bin"), bytes);
    expect((await run(["file", "put", "chart.bin", "-m", "Chart"], { cwd })).code).toBe(0);
    expect((await run(["file", "view", "chart.bin"])).bytes).toEqual(bytes);
  });

  it("makes no commit for a file that is unchanged", async () => {
    await upload("same.md", "same\n");
    sandbox.writes();
    const again = await run(["file", "put", "same.md", "-", "-m", "Again"], { stdin: "same\n" });
    expect(again).toMatchObject({ code: 0, stdout: "" });
    expect(again.stderr).toContain("unchanged");
    const record = await run(["file", "put", "same.md", "-", "-m", "Again", "--json"], { stdin: "same\n" });
    expect(record.json()).toMatchObject({ content: { path: "same.md" }, commit: null });
    expect(sandbox.writes()).toEqual([]);
  });

  it("has written it if only the answer was lost, also where the next attempt is refused", async () => {
    const { url } = await droppingProxy(sandbox.url, { drops: ({ method = "" }) => /^(POST|PUT)$/.test(method) });
    for (const text of ["one\n", "two\n"]) {
      const ran = await run(["file", "put", "cut.md", "-", "-m", "Cut"], { stdin: text, env: { TONGS_HOST: url } });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(await textOf("cut.md")).toBe(text);
    }
  });

  it("is not written in .git, which git does not allow", async () => {
    sandbox.writes();
    for (const line of [
      ["put", "docs/.Git/x", "-"],
      ["commit", "--put", ".git/x=-"],
    ]) {
      const ran = await run(["file", ...line, "-m", "Add"], { stdin: "lost\n" });
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("git allows no files in .git")]);
    }
    expect(sandbox.writes()).toEqual([]);
  });

  it.each(["--branch", "--new-branch"])("commits nothing to the default branch if %s is empty", async (flag) => {
    sandbox.writes();
    const ran = await run(["file", "put", "lost.md", "-", "-m", "Add", flag, ""], { stdin: "lost\n" });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`${flag} must not be empty`)]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("refuses --sha of another file than the server has, though it is the hash of the local file", async () => {
    await upload("hashed.md", "one\n");
    const [{ sha }] = (await run(["file", "list", "hashed.md", "--json", "sha"])).json() as [{ sha: string }];
    await upload("hashed.md", "two\n");
    sandbox.writes();
    const line = ["file", "put", "hashed.md", "-", "-m", "Back", "--sha", sha];
    const late = await run(line, { stdin: "one\n" });
    expect(late).toMatchObject({ code: 9, stderr: expect.stringContaining(`expected ${sha}, but the server has`) });
    const gone = await run(["file", "put", "gone.md", "-", "-m", "x", "--sha", sha], { stdin: "one\n" });
    expect(gone).toMatchObject({ code: 9, stderr: expect.stringContaining("but the server has no gone.md") });
    expect(sandbox.writes()).toEqual([]);
  });

  it.each([
    ["put", ["file", "put", "new.md", "-", "-m", "New"]],
    ["commit", ["file", "commit", "--put", "new.md=-", "-m", "New"]],
    ["patch", ["file", "patch", "-m", "New"]],
  ])("%s says that the branch got another commit at the same time, which Gitea answers with 403", async (_, line) => {
    const [found, expected] = ["79e5a91ee3494c22056cb02cfed29c337d07bf9e", "51dd5c256ded86155ba656cf9400858eb103581b"];
    const message = `cannot lock ref 'refs/heads/main': is at ${found} but expected ${expected}`;
    const server = await serve(({ method, url }) => {
      if (method !== "GET") return { status: 403, body: { message } };
      if (url.endsWith("/repos/mara/atlas")) return { body: { name: "atlas", full_name: "mara/atlas" } };
      return { status: 404, body: { message: "object does not exist [id: , rel_path: new.md]" } };
    });
    const stdin = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n";
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas" };
    const ran = await tongs(line, { env, stdin });
    expect([ran.code, ran.stderr]).toEqual([
      9,
      "✗ The branch got another commit at the same time\n  Nothing was written. Try again.\n",
    ]);
  });

  it("makes a new branch, and the first commit of an empty repository", async () => {
    const line = ["file", "put", "north.md", "-", "-m", "North", "--branch", "main", "--new-branch", "north"];
    expect((await run(line, { stdin: "n\n" })).code).toBe(0);
    expect(await textOf("north.md", "north")).toBe("n\n");
    expect((await run(["file", "view", "north.md"])).code).toBe(5);
    expect(await run(line, { stdin: "again\n" })).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("✗ Branch north already exists\n  Nothing was written."),
    });
    const { commit: dropped } = (await run(["branch", "view", "north", "--json"])).json() as { commit: { id: string } };
    const dry = await run([...line, "--force-push", "--dry-run"], { stdin: "again\n" });
    const replaces = `--force-push replaces branch north, which is at ${dropped.id}\n`;
    const why = `it replaces branch north, which was at ${dropped.id}: push that commit again instead`;
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining(replaces)]);
    expect(dry.stderr).toContain(`It could not be undone: ${why}.`);
    const env = { XDG_STATE_HOME: emptyFolder() };
    const replaced = await run([...line, "--force-push"], { stdin: "again\n", env });
    expect([replaced.code, replaced.stderr]).toEqual([0, expect.stringContaining(replaces)]);
    expect(replaced.stderr).toContain(`✓ Created north.md on north (was ${dropped.id.slice(0, 10)}) of mara/atlas`);
    expect((await run(["journal", "undo", "1", "--yes"], { env })).stderr).toContain(why);
    const fresh = await run(["file", "put", "f", "-", "-m", "F", "--new-branch", "f", "--force-push"], { stdin: "f" });
    expect([fresh.code, fresh.stderr]).toEqual([0, expect.not.stringContaining("replaces")]);
    expect(await textOf("north.md", "north")).toBe("again\n");
    const old = await serve(() => ({ body: { version: "15.0.0+gitea-1.22.0" } }), { saysVersion: true });
    const away = { TONGS_HOST: old.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/atlas" };
    const refused = await tongs([...line, "--force-push"], { env: away, stdin: "n" });
    expect([refused.code, refused.stderr, old.lines().some((one) => one.startsWith("PO"))]).toEqual([
      5,
      expect.stringContaining("--force-push needs Forgejo 16.0"),
      false,
    ]);
    const alone = await run(["file", "put", "north.md", "-", "-m", "North", "--force-push"], { stdin: "n" });
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("--force-push requires --new-branch")]);
    const first = await run(["file", "put", "a.md", "-", "-m", "First", "-R", "mara/slate"], { stdin: "a\n" });
    expect(first.code, first.stderr).toBe(0);
  });

  it("names what is missing before it sends anything", async () => {
    sandbox.writes();
    const noMessage = await run(["file", "put", "x.md", "-"], { stdin: "x" });
    expect(noMessage.code).toBe(2);
    expect(noMessage.stderr).toContain("--message is required");
    const noFile = await run(["file", "put", "nowhere.md", "-m", "x"]);
    expect(noFile.code).toBe(2);
    expect(noFile.stderr).toContain("could not read nowhere.md");
    expect((await run(["file", "put", "../x", "-", "-m", "x"], { stdin: "x" })).code).toBe(2);
    const noBranch = await run(["file", "put", "x.md", "-", "-m", "x", "-b", "absent"], { stdin: "x" });
    expect(noBranch.code).toBe(5);
    expect(sandbox.writes()).toEqual([]);
  });

  it("refuses folders, and people who may not write", async () => {
    await upload("docs/tides.md", "low\n");
    expect((await run(["file", "put", "docs", "-", "-m", "x"], { stdin: "x" })).stderr).toContain(
      "docs is a directory",
    );
    const stranger = await sandbox.run(["file", "put", "x.md", "-", "-m", "x", "-R", "mara/atlas"], {
      as: "priya",
      stdin: "x",
    });
    expect(stranger.code).toBe(4);
  });
});

describe("file commit", () => {
  it("changes nothing if one file is missing, and names all that are", async () => {
    await upload("stays.md", "here\n");
    sandbox.writes();
    const ran = await run(["file", "commit", "-m", "x", "--delete", "stays.md", "--delete", "no1", "--move", "no2=b"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("Files no1, no2 not found");
    expect(sandbox.writes()).toEqual([]);
    const onto = await run(["file", "commit", "-m", "x", "--move", "stays.md=README.md"]);
    expect(onto.code).toBe(9);
    expect(onto.stderr).toContain("README.md already exists");
    expect(await textOf("stays.md")).toBe("here\n");
  });

  it("refuses a link and a new executable file, which would become plain files; one that is there keeps its mode", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "tides.sh"), "echo high\n", { mode: 0o755 });
    symlinkSync("tides.sh", join(cwd, "link"));
    sandbox.writes();
    for (const line of [
      ["file", "commit", "-m", "x", "--put", "run.sh=tides.sh"],
      ["file", "commit", "-m", "x", "--put", "run.sh=link"],
      ["file", "put", "tides.sh", "-m", "x"],
      ["file", "put", "run.sh", "link", "-m", "x"],
    ]) {
      const ran = await run([...line, "--json"], { cwd });
      expect(ran, line.join(" ")).toMatchObject({ code: 9, stderr: expect.stringContaining('"code":"mode_not_kept"') });
    }
    expect(sandbox.writes()).toEqual([]);
    await upload("tides.sh", "echo low\n");
    expect(await run(["file", "commit", "-m", "x", "--put", "tides.sh=tides.sh"], { cwd })).toMatchObject({ code: 0 });
    expect(await textOf("tides.sh")).toBe("echo high\n");
  });

  it("refuses no change, a path that is changed twice, and a flag without =", async () => {
    expect((await run(["file", "commit", "-m", "x"])).stderr).toContain("Nothing to commit");
    const twice = await run(["file", "commit", "-m", "x", "--delete", "a", "--move", "b=a"]);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining("a is changed more than once") });
    expect((await run(["file", "commit", "-m", "x", "--put", "a.md"])).stderr).toContain("--put must be PATH=FILE");
  });
});

describe("file delete", () => {
  it("deletes several files in one commit, after asking", async () => {
    await upload("a1.md", "1");
    await upload("a2.md", "2");
    sandbox.writes();
    expect((await run(["file", "delete", "a1.md", "a2.md", "-m", "Clean"])).code).toBe(2);
    expect(sandbox.writes()).toEqual([]);
    const ran = await run(["file", "delete", "-", "-m", "Clean", "--yes"], { stdin: "a1.md\na2.md\n" });
    expect(ran.code, ran.stderr).toBe(0);
    expect(sandbox.writes()).toEqual(["POST /repos/mara/atlas/contents"]);
    expect((await run(["file", "delete", "a1.md", "-m", "Again", "--yes"])).code).toBe(5);
  });
});

describe("file patch", () => {
  it("refuses a patch that is not UTF-8, and sends nothing", async () => {
    const cwd = emptyFolder();
    const diff = "diff --git a/uno.md b/uno.md\n--- a/uno.md\n+++ b/uno.md\n@@ -1 +1,2 @@\n one\n+d\u00e9j\u00e0\n";
    writeFileSync(join(cwd, "latin.patch"), Buffer.from(diff, "latin1"));
    sandbox.writes();
    const ran = await run(["file", "patch", "latin.patch", "-m", "x"], { cwd });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("latin.patch is not UTF-8 text") });
    expect(sandbox.writes()).toEqual([]);
  });
});

describe("file list and file view", () => {
  it("list folders and files, and say what is not there", async () => {
    await upload("src/deep/a.txt", "a\n");
    expect((await run(["file", "list", "src"])).stdout).toBe("src/deep/\tdir\t\t\n");
    expect((await run(["file", "list", "./src/deep/"])).stdout).toBe("src/deep/a.txt\tfile\t2\t\n");
    const root = (await run(["file", "list", "--json", "path"])).json() as { path: string }[];
    expect(root.map(({ path }) => path)).toContain("README.md");
    expect((await run(["file", "list", "absent"])).stderr).toContain("File absent not found in mara/atlas");
    const typo = await run(["file", "view", "README.md", "--ref", "typo"]);
    expect(typo).toMatchObject({ code: 5, stdout: "" });
    expect((await run(["file", "view", "src"])).stderr).toContain("src is a directory");
  });

  it("shows control characters as pictures on a terminal, and refuses binary files there", async () => {
    await upload("escape.txt", "red \u001b[31malert\n");
    const world = { as: "mara", terminal: true, env: { TONGS_REPO: "mara/atlas", PAGER: "cat" } };
    const shown = await sandbox.run(["file", "view", "escape.txt"], world);
    expect(shown.stdout).toContain("red ␛[31malert");
    const binary = await sandbox.run(["file", "view", "chart.bin"], world);
    expect(binary.code).toBe(1);
    expect(binary.stderr).toContain("chart.bin is a binary file");
  });
});

describe("file get", () => {
  it("saves files below the folder, and reports what is missing", async () => {
    const cwd = emptyFolder();
    const ran = await run(["file", "get", "src/deep/a.txt", "README.md", "absent.md", "src", "-D", "out"], { cwd });
    expect(ran.code).toBe(11);
    expect(ran.stdout.split("\n").sort()).toEqual(["", "out/README.md", "out/src/deep/a.txt"]);
    expect(ran.stderr).toContain("File absent.md not found in mara/atlas");
    expect(ran.stderr).toContain("src is a directory");
    expect(readFileSync(join(cwd, "out/src/deep/a.txt"), "utf8")).toBe("a\n");
    expect(readdirSync(join(cwd, "out")).sort()).toEqual(["README.md", "src"]);
  });

  it("keeps or replaces existing files only if told to", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "README.md"), "mine\n");
    const refused = await run(["file", "get", "README.md"], { cwd });
    expect(refused.code).toBe(9);
    expect(refused.stderr).toContain("--clobber");
    expect(readFileSync(join(cwd, "README.md"), "utf8")).toBe("mine\n");
    const kept = await run(["file", "get", "README.md", "--skip-existing"], { cwd });
    expect(kept).toMatchObject({ code: 0, stdout: "README.md\n" });
    expect(kept.stderr).toBe("✓ README.md already exists\n");
    expect(readFileSync(join(cwd, "README.md"), "utf8")).toBe("mine\n");
    expect((await run(["file", "get", "README.md", "--clobber"], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, "README.md"), "utf8")).not.toBe("mine\n");
  });

  it.skipIf(process.platform === "win32")("does not treat a backslash in a file name as a separator", async () => {
    await upload("odd\\name.txt", "backslash\n");
    await upload("odd/name.txt", "slash\n");
    const cwd = emptyFolder();
    const ran = await run(["file", "get", "odd\\name.txt", "odd/name.txt", "--overwrite"], { cwd });
    expect(ran.code, ran.stderr).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual(["odd", "odd\\name.txt"]);
    expect(readFileSync(join(cwd, "odd\\name.txt"), "utf8")).toBe("backslash\n");
    expect(readFileSync(join(cwd, "odd/name.txt"), "utf8")).toBe("slash\n");
  });

  it("writes nothing outside the folder, nor through a symbolic link", async () => {
    const cwd = emptyFolder();
    const outside = emptyFolder();
    mkdirSync(join(cwd, "out"));
    symlinkSync(outside, join(cwd, "out/src"));
    const ran = await run(["file", "get", "src/deep/a.txt", "-D", "out"], { cwd });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("symbolic link");
    expect((await run(["file", "get", "../../etc/passwd"], { cwd })).code).toBe(2);
    const git = await run(["file", "get", ".git/config"], { cwd });
    expect(git.stderr).toContain("refusing to write into .git (its config can run programs)");
    expect(readdirSync(outside)).toEqual([]);
  });
});

it("file list --commits shows the commit that changed each entry last", async () => {
  const player = await cassette("extended-contents", undefined, { repo: "mara/atlas" });
  const env = { NO_COLOR: "1" };
  const shown = await player.run(["file", "list", "maps", "--commits"], { terminal: true, env, columns: 120 });
  expect(shown.stdout).toMatch(/^PATH +TYPE +SIZE +TARGET +UPDATED +LAST COMMIT\n/);
  expect(shown.stdout).toMatch(/maps\/inlets\.md .* Add maps\/inlets\.md\n/);
});
