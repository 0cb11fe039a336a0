import { describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../support/cassette.ts";
import { answeredBy } from "../support/requests.ts";
import { serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

let player: Cassette;

describe("render", () => {
  it("prints the HTML of Markdown from stdin", async () => {
    player = await cassette("markup", ["markup: markdown"]);
    const ran = await player.run(["render"], { stdin: "*hi*" });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("<em>hi</em>") });
  });

  it("sends the mode and the context", async () => {
    player = await cassette("markup", ["markup: comment"]);
    const ran = await player.run(["render", "-", "--mode", "comment", "--context", "/mara/harbor"], { stdin: "*hi*" });
    expect(ran.code, ran.stderr).toBe(0);
  });

  it("picks the renderer by a file name, and says if the server has none", async () => {
    player = await cassette("markup", ["markup: file, renderer picked by its name", "markup: file of an unknown kind"]);
    const table = await player.run(["render", "--mode", "file", "--filename", "x.csv"], { stdin: "a,b\n1,2\n" });
    expect(table.stdout).toContain("<table");
    const unknown = await player.run(["render", "--mode", "file", "--filename", "x.zzz"], { stdin: "a" });
    expect(unknown).toMatchObject({ code: 13, stderr: expect.stringContaining("unable to find a render") });
  });

  it("uses the operations for Markdown on a server that has no other", async () => {
    player = await cassette("markup", ["markdown: gfm with context", "markdown/raw"]);
    const old = await serve(async ({ method, url, headers, body }) => {
      if (url.endsWith("/markup")) {
        return { status: 404, headers: { "content-type": "text/plain; charset=utf-8" }, body: "404 page not found\n" };
      }
      const type = String(headers["content-type"]);
      const response = await fetch(`${player.url}${url}`, { method, body, headers: { "content-type": type } });
      return { status: response.status, headers: { "content-type": "text/html" }, body: await response.text() };
    });
    // Everything but /markup is handed on to the recording.
    answeredBy(old.url, "recording");
    const env = { TONGS_HOST: old.url, TONGS_TOKEN: "not-a-secret" };
    const gfm = ["render", "-", "--mode", "gfm", "--context", "/mara/harbor/src/branch/main"];
    const linked = await tongs(gfm, { env, stdin: "see #1 and @mara, [x](docs/tides.md)" });
    expect(linked.stdout).toContain("docs/tides.md");
    expect((await tongs(["render"], { env, stdin: "# Raw\n\n*hi*\n" })).stdout).toContain("<em>hi</em>");
    const file = await tongs(["render", "--mode", "file", "--filename", "x.csv"], { env, stdin: "a" });
    expect(file.code).toBe(5);
  });

  it("refuses what cannot work before it sends anything", async () => {
    player = await cassette("markup", []);
    expect((await player.run(["render", "--mode", "file"], { stdin: "a" })).stderr).toContain("requires FILE");
    expect((await player.run(["render", "--mode", "odd"], { stdin: "a" })).code).toBe(2);
    expect((await player.run(["render", "absent.md"])).stderr).toContain("could not read absent.md");
  });
});
