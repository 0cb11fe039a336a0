import { describe, expect, it } from "vitest";
import { type Cassette, cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let player: Cassette | undefined;

/** A server that replays these exchanges, each once; their labels begin with `packages: `. */
async function play(name: string, ...labels: readonly string[]): Promise<Cassette["run"]> {
  player = await cassette(
    name,
    labels.map((label) => `packages: ${label}`),
  );
  const { run } = player;
  return (line, world) => run(["package", ...line, "--owner", "mara"], world);
}

describe("package", () => {
  it("lists packages, filters them, and lists the versions of one", async () => {
    const run = await play("packages", "list", "list of one type", "search", "versions of a package");
    const all = await run(["list", "--jq", 'map("\\(.name)@\\(.version)") | join(" ")']);
    expect(all.stdout).toBe("pilot-book@2026 charts@1.1.0 charts@1.0.0\n");
    expect((await run(["list", "--type", "generic"])).stdout.split("\n")).toHaveLength(4);
    expect((await run(["list", "--query", "pilot"])).stdout).toMatch(/^generic\tpilot-book\t2026\t/);
    const versions = await run(["list", "generic/charts", "--json", "version"]);
    expect(versions.json()).toEqual([{ version: "1.1.0" }, { version: "1.0.0" }]);
  });

  it("lists versions and finds the latest on a server without operations for it", async () => {
    const missing = ["latest version: no such operation: 404", "list of one type and name: 200"];
    const run = await play(
      "forgejo-packages",
      "versions of a package: no such operation: 404",
      "list of one type and name: 200",
      ...missing,
    );
    const versions = await run(["list", "generic/charts", "--json", "version"]);
    expect(versions.json()).toHaveLength(2);
    const viewed = await run(["view", "generic/charts"]);
    expect(viewed.stderr, "asks for the version 1.1.0, which was not recorded").toContain("generic/charts/1.1.0");
    await expect(player?.close()).rejects.toThrow("1.1.0");
    player = undefined;
  });

  it("views a version and its files on both servers", async () => {
    const gitea = await play("packages", "latest version", "get a version", "files of a version");
    expect((await gitea(["view", "generic/charts@1.0.0", "--jq", ".html_url"])).stdout).toContain("/charts/1.0.0");
    expect((await gitea(["files", "generic/charts@1.0.0"])).stdout).toMatch(/^2\tlegend.txt\t7\teebe5f41/);
    expect((await gitea(["view", "generic/charts"])).code, "the latest is 1.1.0").not.toBe(0);
    await expect(player?.close()).rejects.toThrow("1.1.0");
    const forgejo = await play("forgejo-packages", "files of a version: 200");
    expect((await forgejo(["files", "generic/charts@1.0.0"])).stdout).toMatch(/^1\tmap.txt\t5\t23e1765c/);
  });

  it("names what is missing", async () => {
    const run = await play(
      "packages",
      "get an unknown version",
      "latest version of an unknown package",
      "versions of an unknown package",
    );
    const version = await run(["view", "generic/charts@9.9.9"]);
    expect([version.code, version.stderr]).toEqual([
      5,
      expect.stringContaining("Package generic/charts@9.9.9 not found in mara"),
    ]);
    const name = await run(["view", "generic/none"]);
    expect([name.code, name.stderr]).toEqual([5, expect.stringContaining("Package generic/none not found in mara")]);
    expect((await run(["list", "generic/none"])).code).toBe(5);
  });

  it("is named if the server gives no reason", async () => {
    const server = await serve(() => ({ status: 404, body: { message: "%!s(<nil>)", url: "" } }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["package", "download", "none", "--owner", "mara"], { env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Package generic/none not found in mara")]);
  });

  it("links and unlinks, and explains the second time", async () => {
    const run = await play(
      "packages",
      ...["link to a repository", "link again to the same, 400", "latest version", "link to an unknown repository"],
      ...["unlink", "unlink again"],
    );
    const linked = await run(["link", "generic/charts", "harbor"]);
    expect([linked.code, linked.stderr]).toEqual([
      0,
      expect.stringContaining("Linked package generic/charts to mara/harbor"),
    ]);
    const again = await run(["link", "generic/charts", "mara/harbor"]);
    expect([again.code, again.stderr]).toEqual([13, expect.stringContaining("is already linked to a repository")]);
    const none = await run(["link", "generic/charts", "none"]);
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining("Repository mara/none not found")]);
    expect((await run(["link", "generic/charts", "jonas/harbor"])).code).toBe(2);
    expect((await run(["unlink", "generic/charts"])).code).toBe(0);
    const gone = await run(["unlink", "generic/charts"]);
    expect([gone.code, gone.stderr]).toEqual([
      0,
      expect.stringMatching(/^Package generic\/charts of mara was already not linked/),
    ]);
  });

  it("says to which repository a package is linked already", async () => {
    const names = { type: "generic", name: "charts", version: "1.0.0", html_url: "", owner: null, creator: null };
    const repository = { id: 2, full_name: "mara/buoy" };
    const latest = { id: 1, ...names, created_at: "2026-01-01T00:00:00Z", repository };
    const server = await serve(({ method }) =>
      method === "POST" ? { status: 400, body: { message: "invalid argument" } } : { body: latest },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const link = (repo: string) => tongs(["package", "link", "generic/charts", repo], { env });
    const other = await link("mara/harbor");
    expect([other.code, other.stderr]).toEqual([13, expect.stringContaining("is already linked to mara/buoy")]);
    const same = await link("mara/Buoy");
    expect([same.code, same.stderr]).toEqual([
      0,
      expect.stringMatching(/^Package generic\/charts was already linked to mara\/Buoy/),
    ]);
  });

  it("deletes versions and whole packages, asks first, and continues after a failure", async () => {
    // Each run looks for the name of the owner first.
    const run = await play(
      "packages",
      ...["list", "list", "list", "list"],
      "delete a version",
      "delete a version again",
      "delete a whole package",
      "delete a whole package again",
    );
    const asked = await run(["delete", "generic/charts@1.0.0", "generic/charts"]);
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining(
        "--yes is required to delete generic/charts@1.0.0, generic/charts (all versions) of mara",
      ),
    ]);
    expect((await run(["delete", "generic/charts@1.0.0", "--yes"])).code).toBe(0);
    const some = await run(["delete", "generic/charts@1.0.0", "generic/charts", "--yes"]);
    expect([some.code, some.stderr]).toEqual([
      11,
      expect.stringContaining("Package generic/charts@1.0.0 not found in mara"),
    ]);
    expect((await run(["delete", "generic/charts", "--yes"])).code).toBe(5);
  });

  it("deletes a whole package version by version where the server has no operation for it", async () => {
    const version = (id: number, name: string) => ({
      id,
      owner: null,
      repository: null,
      creator: null,
      type: "npm",
      name,
      version: `${id}.0.0`,
      html_url: "http://127.0.0.1/",
      created_at: "2026-01-01T00:00:00Z",
    });
    const server = await serve(({ method, url }) => {
      if (method === "DELETE" && /\/\d\.0\.0$/.test(url)) return { status: 204 };
      if (method === "GET")
        return { body: [version(3, "@tide/table"), version(2, "@tide/table-legs"), version(1, "@tide/table")] };
      return { status: 404, headers: { "content-type": "text/plain; charset=utf-8" }, body: "404 page not found\n" };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["package", "delete", "npm/@tide/table", "--owner", "tide", "--yes"], { env });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Deleted package npm/@tide/table of tide")]);
    const one = "DELETE /api/v1/packages/tide/npm/%40tide%2Ftable";
    expect(server.lines().filter((line) => line.startsWith("DELETE"))).toEqual([one, `${one}/3.0.0`, `${one}/1.0.0`]);
  });

  it.each(["charts", "generic/", "generic/charts@", "/charts"])("refuses %j, which is not a package", async (typed) => {
    const env = { TONGS_HOST: "http://127.0.0.1:9", TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["package", "view", typed, "--owner", "mara"], { env });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("is not a package")]);
  });
});
