import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";

let player: Cassette;

const play = async (...labels: readonly string[]) => {
  player = await cassette("wiki", labels, { repo: "mara/harbor" });
};

const home = "wiki: get a page: sidebar and footer come along";
const pages = "wiki: list pages";
const notFound = "wiki: get an unknown page";
const repository = "get a repository: as its owner";

describe("wiki list, view and history", () => {
  it("list the pages", async () => {
    await play("wiki: list pages");
    const ran = await player.run(["wiki", "list"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout.split("\n")[2]).toBe("Night signals\tNight-signals\tmara\t2026-11-21T09:48:51Z");
  });

  it("list nothing if the wiki has no page yet", async () => {
    player = await cassette("wiki-none", undefined, { repo: "mara/harbor" });
    expect(await player.run(["wiki", "list", "--json"])).toMatchObject({ code: 0, stdout: "[]\n" });
  });

  it("show a page by its title, whole or only its text", async () => {
    await play("wiki: get a page by its title with a space", "wiki: get a page by its sub_url", pages);
    const shown = await player.run(["wiki", "view", "Night signals"]);
    expect(shown.stdout).toContain("title\tNight signals");
    expect(shown.stdout).toContain("--\ntwo long, one short");
    const raw = await player.run(["wiki", "view", "Night-signals", "--raw"]);
    expect(raw.stdout).toBe("two long, one short\n");
  });

  it("say which page is missing", async () => {
    await play(notFound, pages, repository);
    const ran = await player.run(["wiki", "view", "Nowhere"]);
    expect(ran).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Wiki page Nowhere not found in mara/harbor"),
    });
  });

  it("show the page with the typed title, not another page with that name", async () => {
    await play();
    const content_base64 = Buffer.from("text\n").toString("base64");
    const written = ["pre commit", "pre-commit", "notes.md"];
    const all = written.map((title, index) => {
      const sub_url = ["pre-commit", "pre-commit.-", "notes.md.-"][index] ?? "";
      return { title, sub_url, content_base64 };
    });
    const server = await serve(({ url }) => {
      if (url.includes("/wiki/pages")) return { body: all };
      const page = all.find(({ sub_url }) => url.endsWith(`/wiki/page/${sub_url}`));
      return page === undefined ? { status: 404, body: { message: "not found" } } : { body: page };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
    const titles = [];
    for (const title of [...written.slice(1), "pre-commit.-"]) {
      titles.push((await tongs(["wiki", "view", title, "--json", "title"], { env })).json());
    }
    expect(titles).toEqual([{ title: "pre-commit" }, { title: "notes.md" }, { title: "pre-commit" }]);
  });

  it("list the revisions, newest first", async () => {
    await play(pages, "wiki: revisions of a page, newest first");
    const ran = await player.run(["wiki", "history", "Home"]);
    expect(ran.stdout.split("\n").map((line) => line.split("\t")[1])).toEqual([
      ...['Update "Home"', "welcome", "start the wiki", undefined],
    ]);
  });
});

describe("wiki create", () => {
  it("refuses an empty title before anything is sent", async () => {
    await play();
    const ran = await player.run(["wiki", "create", " ", "--body", "x", "--dry-run"]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("The title of the page must not be empty")]);
  });

  it("sends title, text and message, and prints the URL", async () => {
    await play("wiki: create the first page");
    const ran = await player.run(["wiki", "create", "Home", "-F", "-", "-m", "start the wiki"], {
      stdin: "# Harbor\n",
    });
    expect(ran.stdout).toBe("http://127.0.0.1:3303/mara/harbor/wiki/Home\n");
  });

  it("passes on why a page is refused", async () => {
    await play(
      "wiki: create a page that exists",
      "wiki: create with a reserved title",
      "wiki: create without the right",
    );
    const exists = await player.run(["wiki", "create", "Home", "--body", "x"]);
    expect(exists).toMatchObject({ code: 9, stderr: expect.stringContaining("wiki page already exists") });
    expect((await player.run(["wiki", "create", "_pages", "--body", "x"])).code).toBe(13);
    const denied = await player.run(["wiki", "create", "Mine", "-F", "-"], { stdin: "x" });
    expect([denied.code, denied.stderr]).toEqual([4, expect.stringContaining("Your text was saved.")]);
    expect((await player.run(["wiki", "create", "Mine"])).stderr).toContain("--body is required");
  });
});

describe("wiki edit", () => {
  it("always sends the title that the page has", async () => {
    await play(pages, home, "wiki: edit with its own title keeps the name");
    const ran = await player.run(["wiki", "edit", "Home", "--body-file", "-"], { stdin: "# Harbor\n" });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("Edited wiki page Home of mara/harbor");
  });

  it("always sends the text that the page has, when it only renames", async () => {
    const page = { title: "Night signals", sub_url: "Night-signals", content_base64: "dHdvIGxvbmcK" };
    player = await cassette("wiki", [], { repo: "mara/harbor" });
    const server = await serve(({ method, url }) => {
      if (method === "PATCH") return { body: { ...page, title: "Night lights", sub_url: "Night-lights" } };
      if (url.includes("/pages")) return { body: [page] };
      if (url.endsWith("/Night-signals")) return { body: page };
      return { status: 404, body: { message: "not found" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["wiki", "edit", "Night signals", "--title", "Night lights"], { env });
    expect(ran.stderr).toContain("Renamed wiki page Night signals to Night lights");
    const sent = server.seen.find(({ method }) => method === "PATCH");
    expect(sent?.url).toBe("/api/v1/repos/mara/harbor/wiki/page/Night-signals");
    expect(JSON.parse(sent?.body ?? "{}")).toEqual({ title: "Night lights", content_base64: "dHdvIGxvbmcK" });
  });

  it("does not create a page that does not exist, nor overwrite another page", async () => {
    await play(pages, pages);
    expect((await player.run(["wiki", "edit", "Nowhere", "--body", "x"])).code).toBe(5);
    const taken = await player.run(["wiki", "edit", "Home", "--title", "Night signals"]);
    expect(taken).toMatchObject({ code: 9, stderr: expect.stringContaining("Night signals already exists") });
  });

  it("writes nothing if the text is unchanged after the editor", async () => {
    await play(pages, home);
    const ran = await player.run(["wiki", "edit", "Home"], { terminal: true, env: { EDITOR: "true" } });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("Wiki page Home is unchanged; nothing was written");
  });

  it("keeps the typed text, and overwrites no text that was written meanwhile", async () => {
    const other = Buffer.from("# Port\n").toString("base64");
    const current = { title: "Home", sub_url: "Home", last_commit: null, commit_count: 1 };
    const texts = ["# Harbor\n", "# Port\n"].map((text) => Buffer.from(text).toString("base64"));
    const server = await serve(({ url }) =>
      url.includes("/wiki/pages")
        ? { body: [current] }
        : { body: { ...current, html_url: "http://127.0.0.1/", content_base64: texts.shift() ?? other } },
    );
    const ran = await tongs(["wiki", "edit", "Home", "-R", "mara/harbor"], {
      terminal: true,
      env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", EDITOR: "printf 'And a crane.' >>" },
    });
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("Wiki page Home was changed by someone else")]);
    const file = /Your text was saved. To use it, pass --body-file (\S+)/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toBe("# Harbor\nAnd a crane.\n");
    expect(server.lines().filter((line) => !line.startsWith("GET"))).toEqual([]);
    await play();
  });
});

describe("wiki delete", () => {
  it("asks, deletes each page and continues after a failure", async () => {
    await play(pages, "wiki: delete a page, 204");
    expect((await player.run(["wiki", "delete", "Home"])).stderr).toContain("--yes");
    const ran = await player.run(["wiki", "delete", "-", "--yes"], { stdin: "Nigt signals\nSignals/Day\n" });
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("Deleted wiki page Signals/Day from mara/harbor");
    expect(ran.stderr).toContain("Did you mean: Night signals?");
  });
});

describe("a wiki that is switched off", () => {
  it("is not found", async () => {
    const labels = [
      "wiki: pages where the wiki is switched off",
      "access tokens: public-only may read a public one: 200",
    ];
    player = await cassette("wiki", labels, { repo: "mara/lantern" });
    const ran = await player.run(["wiki", "list", "--json"]);
    expect(ran.code).toBe(5);
  });
});

describe("wiki clone", () => {
  it("clones with the token in no argument and no file", async () => {
    player = await cassette("wiki", [], { repo: "mara/harbor" });
    const cwd = emptyFolder();
    const bare = join(cwd, "source.git");
    const work = join(cwd, "work");
    const git = (...line: string[]) => execFileSync("git", line, { stdio: "pipe" });
    git("init", "-q", "-b", "main", work);
    git("-C", work, "-c", "user.name=m", "-c", "user.email=m@example.org", "commit", "-q", "--allow-empty", "-m", "x");
    git("clone", "-q", "--bare", work, bare);
    git("-C", bare, "update-server-info");
    let name = "harbor";
    const server = await serve(({ url }) => {
      if (url.startsWith("/api/")) return { body: { full_name: `mara/${name}`, name, owner: { login: "mara" } } };
      const file = /^\/mara\/harbor\.wiki\.git\/([^?]+)/.exec(url)?.[1];
      if (file === undefined) return { status: 404 };
      try {
        return { body: readFileSync(join(bare, file)) };
      } catch {
        return { status: 404 };
      }
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
    const dry = await tongs(["wiki", "clone", "--dry-run"], { cwd, env });
    expect(dry.stdout).toBe(`git clone ${server.url}/mara/harbor.wiki.git harbor.wiki\n`);
    const ran = await tongs(["wiki", "clone"], { cwd, env });
    name = ".ssh";
    const hidden = await tongs(["wiki", "clone"], { cwd, env });
    expect([hidden.code, hidden.stderr]).toEqual([1, expect.stringContaining("directory: tongs wiki clone DIR")]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toBe(`${join(cwd, "harbor.wiki")}\n`);
    const asked = server.seen.filter(({ url }) => url.startsWith("/mara/"));
    expect(asked[0]?.headers["authorization"]).toBe("token not-a-secret");
    expect(readFileSync(join(cwd, "harbor.wiki/.git/config"), "utf8")).not.toContain("not-a-secret");
  });
});

describe("a server that looks for a wiki on another branch", () => {
  it("is named, and whether the page was created", async () => {
    const errors = ["object does not exist [id: refs/heads/master, rel_path: ]"];
    const server = await serve(() => ({ status: 404, body: { errors, message: "The target couldn't be found." } }), {
      saysVersion: true,
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
    const listed = await tongs(["wiki", "list"], { env });
    const created = await tongs(["wiki", "create", "Home", "--body", "x"], { env });
    expect([listed.code, listed.stderr]).toEqual([
      9,
      expect.stringMatching(/^✗ The API of .* looks for the branch master/),
    ]);
    expect([created.code, created.stderr]).toEqual([9, expect.stringContaining("The page was created, but the API")]);
    expect(created.stderr).toContain("Available since Gitea 1.23 and Forgejo 8.0.");
  });
});
