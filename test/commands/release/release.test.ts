import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { type Handler, serve } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });

const run = (line: readonly string[], world: World = {}) =>
  sandbox.run(["release", ...line], { as: "mara", ...world, env: { TONGS_REPO: "mara/buoy", ...world.env } });
const paths = () => sandbox.writes().map((line) => line.replace(/\/repos\/mara\/buoy|\?.*/g, ""));

describe("release", () => {
  it("says why a new tag may be 500", async () => {
    const old = { id: 1, tag_name: "w1", name: "w1", draft: false, prerelease: false, assets: [] };
    const server = await serve(({ method }) =>
      method === "PATCH" ? { status: 500, body: { message: "" } } : { body: old },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["release", "edit", "w1", "--tag", "v8", "-R", "mara/buoy"], { env });
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("A tag protection may not let you create v8")]);
  });

  it("of a draft has no tag until it is published", async () => {
    await run(["create", "v2.0", "--draft", "--notes", "Soon"]);
    const tag = async () => (await sandbox.run(["tag", "view", "v2.0", "-R", "mara/buoy"], { as: "mara" })).code;
    expect(await tag()).toBe(5);
    expect((await run(["list", "--draft", "--json", "tag_name"])).json()).toEqual([{ tag_name: "v2.0" }]);
    expect((await run(["edit", "v2.0", "--no-draft"])).code).toBe(0);
    expect(await tag()).toBe(0);
    const refused = await sandbox.run(["tag", "delete", "v2.0", "-R", "mara/buoy", "--yes"], { as: "mara" });
    expect([refused.code, refused.stderr]).toEqual([
      9,
      expect.stringContaining("tongs release delete v2.0 --cleanup-tag"),
    ]);
    expect((await run(["delete", "v2.0", "v9", "--cleanup-tag", "--yes"])).code).toBe(11);
    expect(await tag()).toBe(5);
  });

  it("is created from an annotated tag with its message, and with a tag message", async () => {
    const made = await run(["create", "v3.0", "--tag-message", "Version 3", "--notes", "x"]);
    expect(made.code).toBe(0);
    const tag = await sandbox.run(["tag", "view", "v3.0", "-R", "mara/buoy", "--json", "message"], { as: "mara" });
    expect(tag.json()).toEqual({ message: "Version 3\n" });
    await sandbox.run(["tag", "create", "v3.1", "-m", "Notes of the tag", "-R", "mara/buoy"], { as: "mara" });
    const noted = await run(["create", "v3.1", "--verify-tag", "--notes-from-tag", "--json", "body,name"]);
    expect(noted.json()).toEqual({ body: "Notes of the tag", name: "v3.1" });
    const missing = await run(["create", "v3.2", "--notes-from-tag"]);
    expect([missing.code, missing.stderr]).toEqual([
      5,
      expect.stringContaining("Tag v3.2 does not exist in mara/buoy"),
    ]);
    expect((await run(["create", "v3.2", "--verify-tag", "--notes", ""])).code).toBe(5);
  });

  it("named latest is the one with this tag, or else the newest, which the prompt names", async () => {
    await run(["create", "v3.9", "--notes", "x"]);
    await run(["create", "latest", "--prerelease", "--notes", "rolling"]);
    expect((await run(["view", "--jq", ".tag_name"])).stdout).toBe("v3.9\n");
    expect((await run(["view", "latest", "--jq", ".tag_name"])).stdout).toBe("latest\n");
    const deleted = await run(["delete", "latest", "--cleanup-tag", "--yes"]);
    expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringContaining("Deleted release latest of")]);
    expect((await run(["view", "v3.9"])).code).toBe(0);
    const asked = await run(["delete", "latest"], { terminal: true, answers: [true] });
    expect([asked.code, asked.asked]).toEqual([0, [expect.stringContaining("Delete release v3.9 of mara/buoy")]]);
    expect((await run(["view", "v3.9"])).code).toBe(5);
  });

  it("asks for title and notes on a terminal", async () => {
    const ran = await run(["create", "v4.0"], { terminal: true, answers: ["Fourth", "Leave blank"] });
    expect([ran.code, ran.asked]).toEqual([0, ["Title", "Release notes"]]);
    expect((await run(["view", "v4.0", "--json", "name,body"])).json()).toEqual({ name: "Fourth", body: "" });
  });

  it("saves notes that were typed in the editor if it fails", async () => {
    const ran = await run(["create", "v3.0"], {
      terminal: true,
      answers: ["Again", "Write my own in printf"],
      env: { EDITOR: "printf 'Long notes' >>" },
    });
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("pass --notes-file ")]);
    const file = /pass --notes-file (\S+)/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("Long notes\n");
  });

  it("is not edited if the target does not exist", async () => {
    await run(["create", "v7.0", "--notes", "x", "--draft"]);
    paths();
    const lost = await run(["edit", "v7.0", "--target", "nowhere", "--no-draft"]);
    expect([lost.code, lost.stderr]).toEqual([
      5,
      expect.stringContaining("No branch, tag or commit 'nowhere' in mara/buoy"),
    ]);
    expect(paths()).toEqual([]);
    const found = await run(["edit", "v7.0", "--target", "main", "--json", "target_commitish"]);
    expect(found.json()).toEqual({ target_commitish: "main" });
    await run(["delete", "v7.0", "--yes"]);
  });

  it.each<[string, Parameters<typeof droppingProxy>[1], string, boolean]>([
    [
      "upload and edit are lost",
      { drops: ({ method, url }) => method === "PATCH" || /assets/.test(url ?? "") },
      "Created release vl of",
      false,
    ],
    [
      "upload and edit are those of a proxy",
      { drops: ({ method, url }) => (method === "PATCH" || /assets/.test(url ?? "") ? 502 : false) },
      "Created release vl of",
      false,
    ],
    [
      "upload did not arrive",
      { drops: () => false, swallows: ({ url }) => /name=b/.test(url ?? "") },
      "1 of 2 files were not uploaded (b.bin)",
      true,
    ],
    [
      "upload is lost, as is the look",
      { drops: ({ url }) => /name=b|tags/.test(url ?? "") },
      "1 of 2 files may not have been uploaded (b.bin)",
      true,
    ],
    [
      "edit is lost, as is the look",
      { drops: ({ method, url }) => method === "PATCH" || /releases\/\d+$/.test(url ?? "") },
      "the release may still be a draft",
      true,
    ],
    [
      "edit did not arrive",
      { drops: () => false, swallows: ({ method }) => method === "PATCH" },
      "The files are uploaded, but the release may still be a draft",
      true,
    ],
  ])("with files is complete, or by the command shown: the %s", async (_what, how, words, isUnfinished) => {
    const cwd = emptyFolder();
    for (const name of ["a.bin", "b.bin"]) writeFileSync(join(cwd, name), name);
    const proxy = await droppingProxy(sandbox.url, how);
    const line = ["create", "vl", "a.bin", "b.bin", "--notes", "x"];
    const ran = await run(line, { cwd, env: { TONGS_HOST: proxy.url } });
    expect([ran.code !== 0, ran.stderr]).toEqual([isUnfinished, expect.stringContaining(words)]);
    const [, commands = ""] = /To continue: (.*)/.exec(ran.stderr) ?? [];
    for (const command of isUnfinished ? commands.split(" && ") : [])
      expect(await run(command.split(" ").slice(2), { cwd })).toMatchObject({ code: 0 });
    const { draft, assets } = (await run(["view", "vl", "--json", "draft,assets"])).json() as {
      draft: boolean;
      assets: { name: string }[];
    };
    expect([draft, assets.map(({ name }) => name).sort()]).toEqual([false, ["a.bin", "b.bin"]]);
    await run(["delete", "vl", "--yes"]);
  });

  it("says that a draft has the tag, as a lost answer leaves one, with the commands that complete it", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "a.bin"), "a");
    await run(["create", "vz", "--notes", "x", "--draft"]);
    const again = await run(["create", "vz", "a.bin", "--notes", "x"], { cwd });
    expect([again.code, again.stderr]).toEqual([
      9,
      expect.stringContaining("already exists in mara/buoy, as a draft\n"),
    ]);
    const upload = "tongs release upload vz a.bin -R mara/buoy";
    expect(again.stderr).toContain(`To continue: ${upload} && tongs release edit vz --no-draft -R mara/buoy\n`);
    // A file that has arrived before the interruption is replaced: it can have changed since.
    writeFileSync(join(cwd, "b.bin"), "b");
    expect((await run(["upload", "vz", "a.bin"], { cwd })).code).toBe(0);
    const more = await run(["create", "vz", "a.bin", "b.bin", "--notes", "x"], { cwd });
    const [, words = ""] = /To continue: tongs release (.*) && tongs release edit vz/.exec(more.stderr) ?? [];
    expect(words).toBe("upload vz a.bin b.bin --clobber -R mara/buoy");
    expect((await run([...words.split(" "), "--yes"], { cwd })).code).toBe(0);
    await run(["delete", "vz", "--yes"]);
  });

  it("explains a tag with a release and an unknown target", async () => {
    const again = await run(["create", "v3.0", "--notes", "x"]);
    expect([again.code, again.stderr]).toEqual([
      9,
      expect.stringContaining("Release v3.0 already exists in mara/buoy"),
    ]);
    const lost = await run(["create", "v5.0", "--notes", "x", "--target", "nowhere"]);
    expect([lost.code, lost.stderr]).toEqual([
      5,
      expect.stringContaining("No branch or commit 'nowhere' in mara/buoy"),
    ]);
  });

  it.each([
    [["create", "a..b", "--notes", "x"], "'a..b' is not a valid tag name"],
    [["create", "v9"], "--notes, --notes-file, --notes-from-tag or --generate-notes is required"],
    [["create", "v9", "--notes", "x", "--notes-from-tag"], "Specify only one of"],
    [["create", "v9", "--notes", "x", "none.bin"], "Cannot upload none.bin: no such file or directory"],
    [["create", "v9", "--notes", "x", "."], "Cannot upload .: not a regular file"],
    [["create", "v9", "--notes", "x", "--notes-start-tag", "v1"], "--notes-start-tag requires --generate-notes"],
    [["create", "v9", "--notes-file", "none.md"], "--notes-file: could not read none.md"],
    [["edit", "v3.0"], "Nothing to change"],
    [["edit", "v3.0", "--notes", ""], "Release notes must not be empty"],
    [["delete", "v3.0"], "--yes is required"],
    [["upload", "v3.0", "none.bin"], "Cannot upload none.bin"],
    [["download", "v3.0", "--max-size", "big"], "--max-size must be a size"],
  ])("rejects %j before writing anything", async (line, words) => {
    sandbox.writes();
    const ran = await run(line);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });
});

describe("release assets", () => {
  const folder = emptyFolder();
  const big = randomBytes(3 * 1024 * 1024 + 7);
  writeFileSync(join(folder, "big.bin"), big);
  writeFileSync(join(folder, "a b.txt"), "lamp");
  writeFileSync(join(folder, "empty"), "");

  it("are uploaded to a draft, which is published last", async () => {
    sandbox.writes();
    const line = ["create", "v6.0", "--notes", "x", "big.bin", "a b.txt#list (1).txt", "empty"];
    const made = await run([...line, "--json", "draft,assets"], { cwd: folder });
    const { draft, assets } = made.json() as { draft: boolean; assets: { name: string; size: number }[] };
    expect([made.code, draft]).toEqual([0, false]);
    expect(assets.map(({ name, size }) => `${name} ${size}`).sort()).toEqual([
      `big.bin ${big.length}`,
      "empty 0",
      "list (1).txt 4",
    ]);
    const writes = paths().map((path) => path.replace(/\d+/, "1"));
    const upload = "POST /releases/1/assets";
    expect(writes).toEqual(["POST /releases", upload, upload, upload, "PATCH /releases/1"]);
  });

  it("are downloaded byte for byte, all or by pattern", async () => {
    const into = emptyFolder();
    const ran = await run(["download", "v6.0", "--dir", "out"], { cwd: into });
    expect([ran.code, ran.stdout.split("\n").sort()]).toEqual([
      0,
      ["", "out/big.bin", "out/empty", "out/list (1).txt"],
    ]);
    expect(readFileSync(join(into, "out", "big.bin")).equals(big)).toBe(true);
    expect(readdirSync(join(into, "out")).sort()).toEqual(["big.bin", "empty", "list (1).txt"]);
    const some = await run(["download", "v6.0", "-p", "l*", "-p", "e*", "--json", "name,path"], { cwd: into });
    // In the order in which the uploads ended.
    expect(some.json()).toHaveLength(2);
    expect(some.json()).toEqual(
      expect.arrayContaining([
        { name: "list (1).txt", path: join(into, "list (1).txt") },
        { name: "empty", path: join(into, "empty") },
      ]),
    );
    const none = await run(["download", "v6.0", "-p", "*.deb"], { cwd: into });
    expect([none.code, none.stderr]).toEqual([
      5,
      expect.stringContaining("No asset of release v6.0 of mara/buoy matches"),
    ]);
  });

  it("are printed up to --max-size", async () => {
    const line = ["download", "v6.0", "-p", "big.bin", "-O", "-"];
    const refused = await run([...line, "--max-size", "1K"]);
    expect([refused.code, refused.bytes.length]).toEqual([1, 0]);
    expect(refused.stderr).toContain("The file is larger than the limit of 1.0 KiB");
    expect((await run(line)).bytes.equals(big)).toBe(true);
  });

  it("are not replaced without --clobber, and kept with --skip-existing", async () => {
    const into = emptyFolder();
    writeFileSync(join(into, "list (1).txt"), "my own");
    const line = ["download", "v6.0", "-p", "l*"];
    const refused = await run(line, { cwd: into });
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("already exists")]);
    expect((await run([...line, "--skip-existing"], { cwd: into })).code).toBe(0);
    expect(readFileSync(join(into, "list (1).txt"), "utf8")).toBe("my own");
    expect((await run([...line, "--overwrite"], { cwd: into })).code).toBe(0);
    expect(readFileSync(join(into, "list (1).txt"), "utf8")).toBe("lamp");
  });

  it.skipIf(process.platform === "win32")("do not replace a directory or a FIFO, even with --clobber", async () => {
    const into = emptyFolder();
    mkdirSync(join(into, "folder"));
    execFileSync("mkfifo", [join(into, "fifo")]);
    symlinkSync("fifo", join(into, "link"));
    const before = readdirSync(into).sort();
    const line = ["download", "v6.0", "-p", "b*", "--clobber", "-O"];
    for (const name of ["fifo", "link"]) {
      const ran = await run([...line, join(into, name)], { cwd: into });
      expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining(`${name} is not a regular file`)]);
    }
    const ran = await run([...line, "folder"], { cwd: into });
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("folder is a directory")]);
    expect(lstatSync(join(into, "fifo")).isFIFO()).toBe(true);
    expect(readdirSync(into).sort()).toEqual(before);
  });

  it("are written to a chosen file or to stdout, one at a time", async () => {
    const into = emptyFolder();
    expect((await run(["download", "v6.0", "-p", "b*", "-O", "-"])).bytes.equals(big)).toBe(true);
    await run(["download", "v6.0", "-p", "b*", "-O", "mine.bin"], { cwd: into });
    expect(readFileSync(join(into, "mine.bin")).equals(big)).toBe(true);
    expect((await run(["download", "v6.0", "-O", "x"], { cwd: into })).code).toBe(2);
  });

  it("with the same name are refused, or replaced after the new one is there", async () => {
    writeFileSync(join(folder, "empty"), "no longer");
    const refused = await run(["upload", "v6.0", "empty"], { cwd: folder });
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("Already assets of release v6.0")]);
    sandbox.writes();
    const dry = await run(["upload", "v6.0", "empty", "--clobber", "--dry-run"], { cwd: folder });
    expect([dry.code, dry.stderr]).toEqual([
      0,
      expect.stringContaining("The deletion of the old empty could not be undone"),
    ]);
    const replaced = await run(["upload", "v6.0", "empty", "--clobber", "--json", "name,size"], { cwd: folder });
    expect(replaced.json()).toEqual([{ name: "empty", size: 9 }]);
    expect(replaced.stderr).toContain("the old file was deleted, which cannot be undone");
    expect(paths().map((line) => line.split(" ")[0])).toEqual(["POST", "DELETE"]);
    expect((await run(["view", "v6.0", "--jq", ".assets | length"])).stdout.trim()).toBe("3");
  });

  it("are deleted by name, or by ID where names clash", async () => {
    const { body } = await sandbox.ask("GET", "/repos/mara/buoy/releases/tags/v6.0", "mara");
    const { id } = body as { readonly id: number };
    for (const _twice of [1, 2])
      await sandbox.ask("POST", `/repos/mara/buoy/releases/${id}/assets?name=twin`, "mara", {});
    const clash = await run(["delete-asset", "v6.0", "twin", "--yes"]);
    const ids = /Several assets are named 'twin' in release v6\.0 of mara\/buoy: (\d+), (\d+)/.exec(clash.stderr);
    expect([clash.code, ids]).toEqual([2, expect.anything()]);
    const ran = await run(["delete-asset", "v6.0", ids?.[1] ?? "", "none", "empty", "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("Asset 'none' not found")]);
    expect((await run(["delete-asset", "v6.0", "twin", "--yes"])).code).toBe(0);
  });
});

/** A server with one release, whose uploads and downloads are handled by the test. */
function releaseServer(assets: readonly unknown[], handler: Handler) {
  const release = { id: 1, tag_name: "v1", name: "v1", html_url: "http://127.0.0.1:9/v1", draft: true, assets };
  return serve((seen, request, response) => {
    if (seen.url.includes("/assets?") || seen.url.startsWith("/attachments/")) return handler(seen, request, response);
    if (seen.method === "PATCH") return { body: { ...release, draft: false } };
    return { status: seen.method === "POST" ? 201 : 200, body: release };
  });
}
const world = (url: string, cwd: string): World => ({
  cwd,
  env: { TONGS_HOST: url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" },
});

describe("a release that the server refuses with 500", () => {
  it.each([
    [true, 9, "The repository is archived"],
    [false, 7, "returned 500"],
  ])("is explained if the repository is archived: %s", async (archived, code, words) => {
    const server = await serve(({ method }) =>
      method === "GET"
        ? { body: { id: 1, name: "buoy", full_name: "mara/buoy", owner: { login: "mara" }, archived } }
        : { status: 500, body: { message: "" } },
    );
    const ran = await tongs(["release", "create", "v1", "--notes", "x"], world(server.url, emptyFolder()));
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(words)]);
  });
});

describe("a release whose assets fail", () => {
  const folder = emptyFolder();
  for (const name of ["good", "bad one", "worse"]) writeFileSync(join(folder, name), name);

  it("stays a draft and says how to go on", async () => {
    const server = await releaseServer([], ({ url }) =>
      url.includes("good")
        ? { status: 201, body: { id: 2, name: "good", size: 4 } }
        : { status: 507, body: { message: "full" } },
    );
    const line = ["release", "create", "v1", "--notes", "x", "good", "bad one", "worse"];
    const ran = await tongs(line, world(server.url, folder));
    expect([ran.code, ran.stdout]).toEqual([11, ""]);
    expect(ran.stderr).toContain("2 of 3 files were not uploaded (bad one, worse)");
    const next =
      "tongs release upload v1 'bad one' worse -R mara/buoy && tongs release edit v1 --no-draft -R mara/buoy";
    expect(ran.stderr).toContain(`The release is a draft. To continue: ${next}\n`);
    expect(server.lines().filter((one) => one.startsWith("PATCH"))).toEqual([]);
  });

  it("is exit 5 for an unknown target that a server answers with 500", async () => {
    const server = await serve(({ method, url }) => {
      if (method === "POST") return { status: 500, body: { message: "" } };
      return url.includes("/git/commits/") ? { status: 404, body: { message: "not found" } } : { body: {} };
    });
    const line = ["release", "create", "v1", "--notes", "x", "--target", "nowhere"];
    const ran = await tongs(line, world(server.url, folder));
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("No branch, tag or commit 'nowhere'")]);
  });

  it("says how to publish it if only that fails", async () => {
    const server = await serve(({ method }) =>
      method === "PATCH"
        ? { status: 403, body: { message: "no" } }
        : { status: 201, body: { id: 1, tag_name: "v1", name: "good", size: 4 } },
    );
    const ran = await tongs(["release", "create", "v1", "--notes", "x", "good"], world(server.url, folder));
    expect([ran.code, ran.stderr]).toEqual([
      4,
      expect.stringContaining("To continue: tongs release edit v1 --no-draft -R mara/buoy"),
    ]);
  });

  it("ends at once on Ctrl-C, and says that the release is a draft", async () => {
    const interruption = new AbortController();
    const server = await releaseServer([], () => {
      interruption.abort(new Error("interrupted"));
      return undefined;
    });
    const ran = await tongs(["release", "create", "v1", "--notes", "x", "good"], {
      ...world(server.url, folder),
      signal: interruption.signal,
    });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain("The release is a draft. See it with: tongs release view v1");
  });

  it("notices an upload that the server cut short", async () => {
    const server = await releaseServer([], () => ({ status: 201, body: { id: 2, name: "good", size: 3 } }));
    const ran = await tongs(["release", "upload", "v1", "good"], world(server.url, folder));
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("The server stored 3 of 4 bytes of good")]);
  });

  it("uploads the others, and at most --jobs at a time", async () => {
    let under = 0;
    let most = 0;
    const server = await releaseServer([], async ({ url }) => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 30));
      under -= 1;
      const name = new URL(url, "http://server").searchParams.get("name") ?? "";
      return name === "worse" ? { status: 413 } : { status: 201, body: { id: 2, name, size: name.length } };
    });
    const line = ["release", "upload", "v1", "good", "worse", "bad one"];
    expect((await tongs([...line, "--jobs", "2"], world(server.url, folder))).code).toBe(11);
    expect(most).toBe(2);
  });
});

describe("release download", () => {
  const asset = (name: string, size: number) => ({
    id: 2,
    name,
    size,
    uuid: "0c1d",
    created_at: "2026-01-02T03:04:05Z",
  });

  it("resumes an interrupted download", async () => {
    const content = randomBytes(600_000);
    const into = emptyFolder();
    let broken = true;
    const ranges: unknown[] = [];
    const server = await releaseServer([asset("big", content.length)], ({ headers }, _request, response) => {
      const head = { etag: '"a"', "last-modified": "Fri, 02 Jan 2026 03:04:05 GMT" };
      ranges.push(headers["range"]);
      const from = Number(/^bytes=(\d+)-$/.exec(String(headers["range"] ?? ""))?.[1] ?? 0);
      if (!broken) {
        const range = `bytes ${from}-${content.length - 1}/${content.length}`;
        return { status: 206, headers: { ...head, "content-range": range }, body: content.subarray(from) };
      }
      response.writeHead(200, { ...head, "content-length": String(content.length) });
      response.write(content.subarray(0, 400_000), () => setTimeout(() => response.destroy(), 20));
      return undefined;
    });
    const line = ["release", "download", "v1"];
    expect((await tongs(line, world(server.url, into))).code).toBe(6);
    expect(readdirSync(into)).toEqual([expect.stringMatching(/^\.tongs-/)]);
    broken = false;
    ranges.length = 0;
    expect((await tongs(line, world(server.url, into))).code).toBe(0);
    expect(readFileSync(join(into, "big")).equals(content)).toBe(true);
    expect(readdirSync(into)).toEqual(["big"]);
    expect(ranges).toEqual([expect.stringMatching(/^bytes=[1-9]/)]);
  });

  it("goes on after an interruption: files that are complete are not downloaded again", async () => {
    const into = emptyFolder();
    const assets = [asset("done", 4), { ...asset("new", 3), id: 3, uuid: "0c1e" }];
    const server = await releaseServer(assets, ({ url }) => ({ body: url.endsWith("/0c1d") ? "done" : "123" }));
    expect((await tongs(["release", "download", "v1", "-p", "done"], world(server.url, into))).code).toBe(0);
    expect(statSync(join(into, "done")).mtime).toEqual(new Date(asset("done", 4).created_at));
    const again = await tongs(["release", "download", "v1"], world(server.url, into));
    utimesSync(join(into, "done"), 0, 0);
    const stale = await tongs(["release", "download", "v1"], world(server.url, into));
    // As a program makes it that copies it, or another download.
    utimesSync(join(into, "done"), new Date(), new Date());
    const younger = await tongs(["release", "download", "v1"], world(server.url, into));
    writeFileSync(join(into, "done"), "do");
    const cut = await tongs(["release", "download", "v1"], world(server.url, into));
    expect([again.code, again.stdout.split("\n").sort()]).toEqual([0, ["", "done", "new"]]);
    expect(again.stderr).toContain("done already exists (same size and time)\n");
    for (const { code, stderr } of [stale, younger, cut])
      expect([code, stderr]).toEqual([11, expect.stringMatching(/done already exists\n +Pass --clobber/)]);
    expect(server.lines().filter((one) => one.startsWith("GET /attachments/"))).toHaveLength(2);
  });

  it("refuses a file of another size than the server says, after a second try", async () => {
    const into = emptyFolder();
    const server = await releaseServer([asset("small", 10)], () => ({ body: "123" }));
    const ran = await tongs(["release", "download", "v1"], world(server.url, into));
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining("small is damaged: received 3 bytes, expected 10"),
    ]);
    expect(readdirSync(into)).toEqual([]);
    expect(server.lines().filter((one) => one.startsWith("GET /attachments/"))).toHaveLength(2);
  });

  it.each(["../../evil", "/etc/evil", ".git", "..", "a\u0000b", "con\u202efdp.exe"])(
    "writes %j only into the folder",
    async (name) => {
      const into = emptyFolder();
      const server = await releaseServer([asset(name, 3)], () => ({ body: "123" }));
      const ran = await tongs(["release", "download", "v1", "--dir", "out"], world(server.url, into));
      expect(ran.code).toBe(0);
      expect([readdirSync(into), readdirSync(join(into, "out")).length]).toEqual([["out"], 1]);
    },
  );

  it("downloads the source code", async () => {
    const into = emptyFolder();
    const server = await serve(({ url }) =>
      url.includes("/archive/") ? { body: "zip" } : { body: { id: 1, tag_name: "seas/v1", assets: [] } },
    );
    const ran = await tongs(["release", "download", "seas/v1", "--archive", "zip"], world(server.url, into));
    const limited = ["--archive", "zip", "-O", "-", "--max-size", "2"];
    const refused = await tongs(["release", "download", "seas/v1", ...limited], world(server.url, into));
    expect([ran.code, ran.stdout]).toEqual([0, "buoy-seas_v1.zip\n"]);
    expect(refused).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("larger than the limit of 2 B"),
    });
    expect(server.lines()).toContain("GET /api/v1/repos/mara/buoy/archive/seas/v1.zip");
  });
});
