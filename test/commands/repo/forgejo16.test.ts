import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

describe("repo convert", () => {
  const convert = ["repo", "convert", "root1/mirror"];

  it("makes a mirror a regular repository, after a confirmation", async () => {
    const player = await cassette("forgejo-16-repos", ["convert a mirror"]);
    const asked = await player.run(convert);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes is required") });
    const ran = await player.run([...convert, "--yes", "--json", "full_name,mirror"]);
    expect(ran.json()).toEqual([{ full_name: "root1/mirror", mirror: false }]);
    expect(ran.stderr).toContain("Converted root1/mirror into a regular repository");
  });

  it("says of a repository that it is not a mirror, or does not exist", async () => {
    const player = await cassette("forgejo-16-repos", ["convert again", "convert unknown", "convert by stranger"], {
      made: { "GET /api/v1/repos/root1/nope": {} },
    });
    const denied = await player.run([...convert, "--yes"]);
    expect(denied).toMatchObject({ code: 9, stderr: expect.stringContaining("root1/mirror is not a mirror") });
    expect((await player.run([...convert, "--yes"])).code).toBe(4);
    expect((await player.run(["repo", "convert", "root1/nope", "--yes"])).code).toBe(5);
  });
});

describe("repo flag", () => {
  const on = async (labels: readonly string[], line: readonly string[], repo = "root1/ci") => {
    const made = { "GET /api/v1/repos/root1/ci": {} };
    const player = await cassette("forgejo-16-repo-flags", labels, { repo, made });
    const ran = await player.run(["repo", "flag", ...line]);
    return ran;
  };

  it("lists, adds, removes and replaces flags", async () => {
    expect((await on(["flags"], ["list"])).stdout).toBe("important\n");
    expect((await on(["flag add"], ["add", "important"])).stderr).toContain("Added flag important to root1/ci");
    expect((await on(["flag delete"], ["remove", "a"])).stderr).toContain("Removed flag a from root1/ci");
    expect((await on([], ["set", "a", "b"])).stderr).toContain("--yes is required to replace all flags of root1/ci");
    expect((await on(["flags replace"], ["set", "a", "b", "--yes"])).stderr).toContain(
      "Set the flags a, b of root1/ci",
    );
    expect((await on(["flags delete all"], ["set", "--yes"])).stderr).toContain("Removed all flags of root1/ci");
    expect((await on(["flags replace", "flags"], ["set", "a", "b", "--yes", "--json"])).json()).toEqual(["important"]);
  });

  it("tells whether a repository has one", async () => {
    expect((await on(["flag has"], ["check", "important"])).code).toBe(0);
    expect((await on(["flag has, unknown"], ["check", "nope"])).code).toBe(1);
  });

  it("is for administrators", async () => {
    expect(await on(["flags by stranger"], ["list"])).toMatchObject({ code: 4 });
  });
});

describe("repo mirror add --branch-filter", () => {
  const address = "https://example.org/mara/harbor.git";
  const add = async (version: string) => {
    const server = await serve(
      ({ url, body }) =>
        url.endsWith("/version")
          ? { body: { version } }
          : { status: 200, body: { remote_name: "mirror1", ...(JSON.parse(body) as object) } },
      { saysVersion: true },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["repo", "mirror", "add", address, "--branch-filter", "main,release/*"], { env });
    return { ...ran, sent: server.seen.filter(({ method }) => method === "POST").map(({ body }) => body) };
  };

  it("is sent to a server that knows it", async () => {
    const { code, sent } = await add("13.0.1+gitea-1.22.0");
    expect([code, JSON.parse(sent[0] ?? "")]).toEqual([
      0,
      expect.objectContaining({ branch_filter: "main,release/*" }),
    ]);
  });

  it.each([
    ["12.0.0+gitea-1.22.0", /--branch-filter needs Forgejo 13\.0; 127\.0\.0\.1:\d+ is 12\.0/],
    ["1.27.0", /--branch-filter needs Forgejo 13\.0; 127\.0\.0\.1:\d+ is Gitea 1\.27/],
  ])("is not sent to %s, which would push all branches", async (version, words) => {
    expect(await add(version)).toMatchObject({ code: 5, sent: [], stderr: expect.stringMatching(words) });
  });
});
