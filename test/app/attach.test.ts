import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Interruption } from "../../src/failure/interruption.ts";
import { parseRelease } from "../../src/sandbox/release.ts";
import { splitWords } from "../../src/text/words.ts";
import { type OnSandbox, onSandbox } from "../commands/on-sandbox.ts";
import { type Answer, cut, type Scripted, scripted } from "../commands/pr/scripted.ts";
import { emptyFolder, type World } from "../support/tongs.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const secret = "-----BEGIN NOT A KEY-----\n";

const sandbox = await onSandbox();
let cwd: string;
beforeEach(() => {
  cwd = emptyFolder();
  mkdirSync(join(cwd, "notes"));
  for (const name of ["lamp.png", "notes/buoy.png", "notes/lamp 2.png"]) writeFileSync(join(cwd, name), png);
  writeFileSync(join(cwd, "log.txt"), "dark\n");
  sandbox.writes();
});

const repo = "/repos/mara/harbor";
const run = (line: readonly string[], world: World = {}) =>
  sandbox.run(line, { as: "mara", cwd, ...world, env: { TONGS_REPO: "mara/harbor", ...world.env } });
/** Creates an issue. */
const create = (flags: readonly string[], world: World = {}) =>
  run(["issue", "create", "--title", "x", ...flags], world);
const get = async <T>(path: string) => (await sandbox.ask("GET", `${repo}${path}`, "mara")).body as T;
interface Text {
  readonly body: string;
  readonly assets: readonly { readonly name: string; readonly browser_download_url: string }[];
}
interface Made extends Text {
  readonly number: number;
  readonly id: number;
  readonly uploaded?: readonly { readonly name: string; readonly browser_download_url: string }[];
}

/** The text with the addresses of uploaded files as `(NAME)`. */
function withNames({ body, assets }: Text): string {
  return assets.reduce((text, { name, browser_download_url: url }) => text.replaceAll(url, name), body);
}

describe("a new issue", () => {
  it("has the images that its text shows, and the files of --attach, with their links", async () => {
    const body = [
      "![lamp](lamp.png) ![again](./lamp.png) ![two](<lamp 2.png> 'Two') ![b](buoy.png)",
      "[log](../log.txt) [other](https://example.org/lamp.png) `![code](lamp.png)`",
      "",
      "    ![block](lamp.png)",
      "",
      "- > ![ref][r] lamp.png",
      "",
      "[r]: lamp%202.png",
    ].join("\n");
    writeFileSync(join(cwd, "notes/dark.md"), body);
    const ran = await create(["-F", "notes/dark.md", "--attach", "log.txt", "--json"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Uploading log.txt (5 B), lamp.png (16 B)")]);
    const made = ran.json() as Made;
    const names = ["log.txt", "lamp.png", "lamp 2.png", "buoy.png"];
    expect(made.uploaded?.map(({ name }) => name)).toEqual(names);
    const issue = await get<Text>(`/issues/${made.number}`);
    expect(issue.assets.map(({ name }) => name)).toEqual(names);
    expect(made.body).toBe(issue.body);
    expect(withNames(issue)).toBe(
      [
        "![lamp](lamp.png) ![again](lamp.png) ![two](<lamp 2.png> 'Two') ![b](buoy.png)",
        "[log](log.txt) [other](https://example.org/lamp.png) `![code](lamp.png)`",
        "",
        "    ![block](lamp.png)",
        "",
        "- > ![ref][r] lamp.png",
        "",
        "[r]: lamp 2.png",
      ].join("\n"),
    );
    expect(issue.body.split("/attachments/").length - 1).toBe(6);
    const lines = sandbox.writes().map((line) => line.replace(/\?.*/, "").replace(repo, ""));
    const at = `/issues/${made.number}`;
    expect(lines).toEqual(["POST /issues", ...Array(4).fill(`POST ${at}/assets`), `PATCH ${at}`]);
  });

  it("sends nothing more without a file, and files without links do not edit the text", async () => {
    const plain = [
      "issue",
      "create",
      "--title",
      "Fog",
      "--body",
      "[x](https://example.org) ![y](/attachments/1) `![z](lamp.png)`",
    ];
    expect((await run(plain)).stderr).not.toMatch(/pload/);
    expect(sandbox.writes()).toEqual([`POST ${repo}/issues`]);
    expect((await run(["issue", "create", "--title", "Fog", "--body", "Thick", "--attach", "log.txt"])).code).toBe(0);
    expect(sandbox.writes().map((line) => line.split("?")[0])).toEqual([
      `POST ${repo}/issues`,
      expect.stringMatching(/^POST .*\/assets$/),
    ]);
  });

  it("uploads nothing that the text does not plainly show: hidden, outside, through a link, or no image", async () => {
    const outside = emptyFolder();
    writeFileSync(join(outside, "far.png"), png);
    mkdirSync(join(cwd, ".ssh"));
    writeFileSync(join(cwd, ".ssh/id.png"), png);
    writeFileSync(join(cwd, "key.png"), secret);
    symlinkSync(join(outside, "far.png"), join(cwd, "near.png"));
    mkdirSync(join(cwd, "dir.png"));
    const far = join(outside, "far.png");
    const links = [
      ".ssh/id.png",
      "key.png",
      "near.png",
      "dir.png",
      "gone.png",
      "%00.png",
      far,
      "~/x.png",
      `file://${far}`,
    ];
    const body = `${links.map((link) => `![x](${link})`).join(" ")} [log](log.txt) <img src="lamp.png"> <!-- ![c](lamp.png) -->`;
    const ran = await create(["--body", body, "--json"]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    const { message } = (JSON.parse(ran.stderr) as { error: { message: string } }).error;
    expect(message.split("\n  ").map((line) => line.replace(/(:| \().*/, ""))).toEqual([
      "The text shows images that cannot be uploaded",
      ...links.slice(0, 6),
      far,
      "~/x.png",
      "file",
    ]);
    expect(message).toContain("gone.png: there is no such file");
    expect(ran.stderr).toContain("is sent as it is if it is a URL, begins with / or is HTML");
    // --attach would not take it either.
    expect(message).toMatch(/dir\.png: it is a directory$/m);
    expect(message).toMatch(/key\.png: it is not a PNG, .* image\. To upload it, pass --attach key\.png$/m);
    expect(sandbox.writes()).toEqual([]);
    const plain = body.replaceAll(/!\[x\]\([^)]*\)/g, "![x](/attachments/1234)");
    const made = await create(["--body", plain, "--json"]);
    expect(made.json()).toMatchObject({ body: plain, assets: [] });
    expect(sandbox.writes()).toEqual([`POST ${repo}/issues`]);
    const named = await create(["--body", `![x](${far}) ![y](near.png)`, "--attach", far, "--json"]);
    expect(withNames(named.json() as Made)).toBe("![x](far.png) ![y](far.png)");
  });

  it("uploads images by their full paths, too, if they are below the directory", async () => {
    const here = join(cwd, "lamp.png");
    const body = `![x](${here}) ![y](${pathToFileURL(here).href}) ![z](file:///gone.png)`;
    const refused = await create(["--body", body]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("file:///gone.png: there is no such file"),
    ]);
    const made = await create(["--body", body.replace(/ !\[z.*/, ""), "--json"]);
    expect(withNames(made.json() as Made)).toBe("![x](lamp.png) ![y](lamp.png)");
  });

  it("takes only links of texts that the user gives: not those of a saved text, of commits, or of what the editor began with", async () => {
    writeFileSync(join(cwd, "kept.md"), "Title\n\n![x](lamp.png)\n");
    const recovered = await run(["issue", "create", "--recover", "kept.md", "--json"]);
    expect(recovered.json()).toMatchObject({ body: "![x](lamp.png)", assets: [] });
    expect(recovered.stderr).toContain(
      "Not uploaded: lamp.png: its link is not in a text that you give. To upload it, pass --attach lamp.png",
    );
    const { number } = recovered.json() as Made;
    sandbox.writes();
    const edited = await run(["issue", "edit", `${number}`], {
      terminal: true,
      answers: ["Body"],
      env: { EDITOR: "printf '\\n![y](notes/buoy.png)' >>" },
    });
    expect(edited.code).toBe(0);
    const { assets, ...issue } = await get<Text>(`/issues/${number}`);
    expect(assets.map(({ name }) => name)).toEqual(["buoy.png"]);
    expect(withNames({ assets, ...issue })).toMatch(/^!\[x\]\(lamp\.png\)\s+!\[y\]\(buoy\.png\)$/);
  });

  it("takes a file from stdin under a name", async () => {
    const flags = ["--attach", "-", "--attach-name", "plot.png"];
    const ran = await create(["--body", "![p](plot.png)", ...flags, "--json"], {
      stdin: "line\n",
    });
    expect(withNames(ran.json() as Made)).toBe("![p](plot.png)");
    const [file] = (ran.json() as Made).uploaded ?? [];
    expect(await (await fetch(file?.browser_download_url ?? "")).text()).toBe("line\n");
  });

  it.each([
    [["--attach", "gone.txt"], "Cannot upload gone.txt"],
    [["--attach", "notes"], "not a regular file"],
    [["--attach", "-"], "--attach - requires --attach-name"],
    [["--attach-name", "x.txt"], "--attach-name requires --attach -"],
    [["--attach", "-", "--attach-name", "x", "-F", "-"], "stdin can be read only once"],
    [["--attach", "log.txt", "--attach", "lamp.png#log.txt"], "Several files have the name 'log.txt'"],
    [["--attach", "log.txt", "--web"], "Specify only one of"],
  ])("is refused with %j before anything is sent", async (flags, words) => {
    const ran = await create([...flags]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("of a dry run names the files, and sends none", async () => {
    const line = ["issue", "create", "--title", "x", "--body", "![l](lamp.png)", "--attach", "log.txt", "--dry-run"];
    const ran = await run(line);
    expect(ran.stderr).toContain("Would upload log.txt (5 B), lamp.png (16 B)");
    expect((await run([...line, "--json"])).json()).toMatchObject({
      dry_run: {
        method: "POST",
        uploads: [
          { name: "log.txt", size: 5 },
          { name: "lamp.png", size: 16 },
        ],
      },
    });
    expect(sandbox.writes()).toEqual([]);
  });
});

describe("other texts", () => {
  it("of issues and pull requests, new and edited, and of comments have their files and images", async () => {
    await run(["file", "put", "horn.md", "-m", "Horn", "--new-branch", "new-horn", "log.txt"]);
    const flags = ["-H", "new-horn", "-B", "main", "--title", "Horn", "-b", "![l](lamp.png)"];
    const pull = (await run(["pr", "create", ...flags, "--json"])).json() as Made;
    expect(withNames({ body: pull.body, assets: pull.uploaded ?? [] })).toBe("![l](lamp.png)");
    const number = `${pull.number}`;
    const edited = await run(["pr", "edit", number, "-b", "![b](notes/buoy.png)", "--attach", "log.txt", "--json"]);
    expect(edited.stderr).toContain("attachments");
    const [record] = edited.json() as Made[];
    expect(withNames({ body: record?.body ?? "", assets: record?.uploaded ?? [] })).toBe("![b](buoy.png)");
    for (const noun of ["issue", "pr"]) {
      const ran = await run([noun, "comment", number, "-b", "![b](notes/buoy.png)", "--attach", "log.txt", "--json"]);
      const { id, uploaded } = ran.json() as Made;
      expect(uploaded?.map(({ name }) => name)).toEqual(["log.txt", "buoy.png"]);
      const comment = await get<Text>(`/issues/comments/${id}`);
      const assets = await get<Text["assets"]>(`/issues/comments/${id}/assets`);
      expect([withNames({ ...comment, assets }), assets.length]).toEqual(["![b](buoy.png)", 2]);
      const again = await run(["comment", "edit", `${id}`, "--attach", "lamp.png", "--json"]);
      expect(again.json()).toMatchObject([{ body: comment.body, uploaded: [{ name: "lamp.png" }] }]);
    }
  });

  it("of reviews have theirs on the pull request, before the review is added", async () => {
    sandbox.writes();
    const ran = await run(["pr", "review", "4", "--comment", "-b", "![l](lamp.png)", "--json"], {});
    const { body, uploaded = [] } = ran.json() as Made;
    expect(withNames({ body, assets: uploaded })).toBe("![l](lamp.png)");
    expect(sandbox.writes().map((line) => line.split("?")[0])).toEqual([
      `POST ${repo}/issues/4/assets`,
      `POST ${repo}/pulls/4/reviews`,
    ]);
  });

  it("of comments on lines have theirs there, too, whatever the review is written with", async () => {
    const review = {
      event: "COMMENT",
      body: "![l](lamp.png)",
      comments: [{ path: "signals.md", body: "So: ![b](buoy.png)", new_position: 1 }],
    };
    writeFileSync(join(cwd, "notes/review.json"), JSON.stringify(review));
    const line = `${review.comments[0]?.path}:1=So: ![b](notes/buoy.png)`;
    for (const words of [
      ["--comment", "-b", "![l](lamp.png)", "--file", line],
      ["--review-file", "notes/review.json"],
    ]) {
      const ran = await run(["pr", "review", "4", ...words, "--attach", "log.txt", "--json"]);
      const { id, body, uploaded = [] } = ran.json() as Made;
      expect(uploaded.map(({ name }) => name)).toEqual(["log.txt", "lamp.png", "buoy.png"]);
      expect(withNames({ body, assets: uploaded })).toBe("![l](lamp.png)");
      const [comment] = await get<Text[]>(`/pulls/4/reviews/${id}/comments`);
      expect(withNames({ body: comment?.body ?? "", assets: uploaded })).toBe("So: ![b](buoy.png)");
    }
  });

  it("of releases lead to the assets, which are uploaded before it is published", async () => {
    const ran = await run(["release", "create", "v7.0", "--notes", "![l](lamp.png)", "--attach", "log.txt", "--json"]);
    const { body, assets } = ran.json() as Text;
    expect(assets.map(({ name }) => name)).toEqual(["lamp.png", "log.txt"]);
    expect(body).toBe(`![l](${sandbox.url}/mara/harbor/releases/download/v7.0/lamp.png)`);
    expect((await fetch(/\((.*)\)/.exec(body)?.[1] ?? "")).status).toBe(200);
  });
});

describe("a server that refuses", () => {
  let forge: Scripted;
  const settings = (more: object = {}) => ({
    body: { enabled: true, allowed_types: "", max_size: 4, max_files: 5, ...more },
  });
  const file = { id: 9, name: "lamp.png", uuid: "u9", browser_download_url: "https://h.test/attachments/u9" };

  it.each([
    [{ enabled: false }, "Attachments are turned off"],
    [{ max_size: 0 }, "log.txt (5 B) is too large"],
    [{ allowed_types: ".png,.zip" }, "does not allow attachments such as log.txt"],
    [{ allowed_types: "text/plain, .zip" }, "does not allow attachments such as lamp.png"],
  ])("files by its settings %j gets none, and no issue", async (more, words) => {
    forge = await scripted({ "GET //settings/attachment": settings(more) });
    const ran = await forge.run(["issue", "create", "--title", "x", "-b", "![l](lamp.png)", "--attach", "log.txt"], {
      cwd,
    });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(forge.lines()).toEqual(["GET ", "GET //settings/attachment"]);
  });

  it("more or larger files than its limits for the web page has them", async () => {
    forge = await scripted({
      "GET //version": { body: { version: "16.0.0+gitea-1.22.0" } },
      "GET //settings/attachment": settings({ max_files: 1, max_size: 0 }),
      "POST /issues/7/comments": { status: 201, body: { id: 34, body: "x" } },
      "POST /issues/comments/34/assets": { status: 201, body: file },
    });
    const line = ["issue", "comment", "7", "-b", "x", "--attach", "log.txt", "--attach", "lamp.png"];
    const ran = await forge.run(line, { cwd });
    expect(ran.code, ran.stderr).toBe(0);
  });

  it("one file of several keeps the issue, and says the command that finishes it", async () => {
    forge = await scripted({
      "GET //settings/attachment": settings(),
      "POST /issues": {
        status: 201,
        body: { number: 7, title: "x", body: "", state: "open", html_url: "https://h.test/7" },
      },
      "POST /issues/7/assets": ({ url }) =>
        url.includes("lamp") ? { status: 201, body: file } : { status: 500, body: { message: "disk full" } },
    });
    const body = "![l](lamp.png) ![b](notes/buoy.png)";
    const flags = ["--attach", "-", "--attach-name", "a.txt"];
    const ran = await forge.run(["issue", "create", "--title", "x", "-b", body, ...flags], { cwd, stdin: "piped" });
    expect([ran.code, ran.stdout]).toEqual([11, "https://h.test/7\n"]);
    expect(ran.stderr).toContain("Created issue mara/harbor#7, but 2 files were not uploaded (a.txt, buoy.png)");
    const [, text = "", stdin = "", buoy = ""] =
      /To finish: tongs issue edit 7 -R mara\/harbor --body-file (\S+) --attach '(\S+)#a\.txt' --attach (\S+)/.exec(
        ran.stderr,
      ) ?? [];
    expect([readFileSync(stdin, "utf8"), buoy]).toEqual(["piped", join(cwd, "notes/buoy.png")]);
    expect(readFileSync(text, "utf8")).toBe(`![l](https://h.test/attachments/u9) ![b](${buoy})`);
  });

  it("an upload whose answer was lost is looked for, and used if it arrived", async () => {
    const lost = (there: object[] | undefined, how: Answer = cut) =>
      scripted({
        "GET //settings/attachment": settings(),
        "POST /issues": { status: 201, body: { number: 7, title: "x", body: "![l](lamp.png)", state: "open" } },
        "POST /issues/7/assets": how,
        "GET /issues/7/assets": there === undefined ? { status: 500, body: {} } : { body: there },
        "PATCH /issues/7": ({ body }) => ({ body: { number: 7, title: "x", state: "open", ...JSON.parse(body) } }),
      });
    const line = ["issue", "create", "--title", "x", "-b", "![l](lamp.png)"];
    forge = await lost([{ ...file, size: png.length }]);
    const used = await forge.run([...line, "--json"], { cwd });
    expect(used.code, used.stderr).toBe(0);
    expect(used.json()).toMatchObject({ body: "![l](https://h.test/attachments/u9)", uploaded: [{ id: 9 }] });
    const lines = forge.lines().map((one) => one.split("?")[0] ?? "");
    expect(lines.filter((one) => !one.startsWith("GET "))).toEqual([
      "POST /issues",
      "POST /issues/7/assets",
      "PATCH /issues/7",
    ]);
    for (const [there, words] of [
      [[{ ...file, size: 1 }], "but a file was not uploaded (lamp.png)"],
      [undefined, "but a file may not have been uploaded (lamp.png)"],
    ] as const) {
      forge = await lost(there && [...there], { status: 502 });
      const ran = await forge.run(line, { cwd });
      expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining(words)]);
    }
  });

  it("an upload to what existed whose answer was lost may have arrived: an equal file can be an older one", async () => {
    forge = await scripted({
      "GET //settings/attachment": settings(),
      "GET /issues/7": { body: { number: 7, title: "Dark", state: "open" } },
      "POST /issues/7/assets": { status: 502 },
      "GET /issues/7/assets": { body: [{ ...file, size: png.length }] },
    });
    const ran = await forge.run(["issue", "edit", "7", "--attach", "lamp.png"], { cwd });
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("The request may have taken effect")]);
  });

  it("the edit of the text keeps the files, and the text with their addresses", async () => {
    forge = await scripted({
      "GET //settings/attachment": settings(),
      "POST /issues/7/comments": { status: 201, body: { id: 34, body: "" } },
      "POST /issues/comments/34/assets": { status: 201, body: file },
      "PATCH /issues/comments/34": { status: 403, body: { message: "no" } },
    });
    const ran = await forge.run(["issue", "comment", "7", "-b", "![l](lamp.png)", "--json"], { cwd });
    expect([
      ran.code,
      JSON.parse(ran.stderr.split("\n").findLast((line) => line.startsWith("{")) ?? "{}"),
    ]).toMatchObject([
      11,
      {
        error: {
          code: "partly_done",
          hint: expect.stringMatching(/^To finish: tongs comment edit 34 -R mara\/harbor --body-file \S+$/),
        },
      },
    ]);
    expect(ran.json()).toMatchObject({ id: 34, uploaded: [{ id: 9 }] });
  });

  it("the review after its files says so, and how to go on", async () => {
    forge = await scripted({
      "GET //settings/attachment": settings(),
      "GET /pulls/4/reviews": { body: [] },
      "POST /issues/4/assets": { status: 201, body: file },
      "POST /pulls/4/reviews": { status: 422, body: { message: "own pull" } },
    });
    const ran = await forge.run(["pr", "review", "4", "-r", "-b", "![l](lamp.png)"], { cwd });
    expect([ran.code, ran.stderr]).toEqual([
      13,
      expect.stringMatching(
        /Uploaded to mara\/harbor#4: lamp\.png\. To finish: tongs pr review 4 -R mara\/harbor --review-file \S+/,
      ),
    ]);
    const [, kept = ""] = /--review-file (\S+)/.exec(ran.stderr) ?? [];
    expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({
      event: "REQUEST_CHANGES",
      body: "![l](https://h.test/attachments/u9)",
    });
  });

  it("is said when Ctrl-C interrupts the uploads: what is there, and how to finish", async () => {
    const stop = new AbortController();
    forge = await scripted({
      "GET //settings/attachment": settings(),
      "POST /issues": { status: 201, body: { number: 7, title: "x", body: "", state: "open" } },
      "POST /issues/7/assets": () => {
        stop.abort(new Interruption("SIGINT"));
        return { status: 201, body: file };
      },
    });
    const line = ["issue", "create", "--title", "x", "-b", "![l](lamp.png)"];
    const ran = await forge.run(line, { cwd, signal: stop.signal });
    expect([ran.code, ran.stderr]).toEqual([
      130,
      expect.stringMatching(
        /Created issue mara\/harbor#7\. To finish: tongs issue edit 7 -R mara\/harbor --body-file \S+/,
      ),
    ]);
    const [, text = ""] = /--body-file (\S+)/.exec(ran.stderr) ?? [];
    expect(existsSync(text)).toBe(true);
  });
});

describe.each(["gitea", "forgejo@16"])("files of somebody without write access, on %s", (as) => {
  let own: OnSandbox;
  beforeAll(async () => {
    own = await onSandbox({ release: parseRelease(as) });
  });
  const asPriya = (line: readonly string[], world: World = {}) =>
    own.run(line, { as: "priya", cwd, ...world, env: { TONGS_REPO: "mara/harbor" } });

  it("are taken with their own comment by Forgejo; else what works is said, and what stdin had is kept", async () => {
    const flags = ["-b", "Dark", "--attach", "-", "--attach-name", "a.txt"];
    const ran = await asPriya(["pr", "comment", "4", ...flags], { stdin: "piped" });
    if (as !== "gitea") return expect(ran.code, ran.stderr).toBe(0);
    // Nothing is posted without them.
    expect(own.writes()).toEqual([]);
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("Nothing was posted")]);
    const [, stdin = ""] =
      /in the browser: tongs browse 4 -R mara\/harbor\s+The files: '(\S+)#a\.txt'/.exec(ran.stderr) ?? [];
    expect(readFileSync(stdin, "utf8")).toBe("piped");
  });

  it("are refused for another's pull request before the review is added", async () => {
    own.writes();
    const ran = await asPriya(["pr", "review", "4", "-c", "-b", "![l](lamp.png)"]);
    const works =
      as === "gitea"
        ? "in the browser: tongs browse 4 -R mara/harbor"
        : `to a comment of yours: tongs pr comment 4 -R mara/harbor --body lamp.png --attach ${join(cwd, "lamp.png")}`;
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining(works)]);
    expect(own.writes().map((line) => line.split("?")[0])).toEqual([`POST ${repo}/issues/4/assets`]);
    const [, printed] = /comment of yours: tongs (.*)\n/.exec(ran.stderr) ?? [];
    if (printed !== undefined) expect((await asPriya(splitWords(printed, "hint"))).code).toBe(0);
  });
});
