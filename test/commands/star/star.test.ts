import { describe, expect, it } from "vitest";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let server: TestServer;

/** A server with repositories `mara/*`, some of them starred; `mara/gone…` does not exist. */
function forgeWithStars(starred: Set<string>): Handler {
  return ({ method, url }) => {
    const repo = /^\/api\/v1\/user\/starred\/([^?]+)$/.exec(url)?.[1];
    const known = (name: string) => !name.startsWith("mara/gone");
    if (repo !== undefined) {
      if (!known(repo)) return { status: 404, body: { message: "not found" } };
      if (method === "GET")
        return starred.has(repo) ? { status: 204 } : { status: 404, body: { message: "not found" } };
      if (method === "PUT") starred.add(repo);
      else starred.delete(repo);
      return { status: 204 };
    }
    const asked = /^\/api\/v1\/repos\/(.+)$/.exec(url)?.[1];
    if (asked !== undefined && known(asked)) return { body: { full_name: asked } };
    return { status: 404, body: { message: "not found" } };
  };
}

const world = () => ({ env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" } });

describe("star", () => {
  it("refuses a repository on another server, also on stdin", async () => {
    server = await serve(forgeWithStars(new Set()));
    const stdin = "mara/atlas\nhttps://code.example.org/mara/harbor\n";
    for (const line of [
      ["star", "add", "-"],
      ["star", "remove", "-"],
      ["repo", "archive", "-"],
      ["repo", "watch", "-"],
    ]) {
      const ran = await tongs([...line, "--yes"], { ...world(), stdin });
      expect([ran.code, ran.stderr]).toEqual([
        2,
        expect.stringContaining("The repository is on https://code.example.org, but the selected server is"),
      ]);
    }
    expect(server.lines()).toEqual([]);
    expect((await tongs(["star", "-"], { ...world(), stdin: `${server.url}/mara/atlas\n` })).code).toBe(0);
  });

  it("continues after a failure, names the target, and exits with 11 if some failed", async () => {
    const starred = new Set<string>();
    server = await serve(forgeWithStars(starred));
    const ran = await tongs(["star", "add", "mara/gone", "mara/harbor"], world());
    expect(ran.code).toBe(11);
    expect([...starred]).toEqual(["mara/harbor"]);
    expect(ran.stderr).toContain("✗ mara/gone: Repository mara/gone not found");
    expect(ran.stderr).toContain("1 of 2 failed.");
  });

  it("adds 504 eight at a time, and prints them in the given order, whatever the order of the responses", async () => {
    const names = Array.from({ length: 504 }, (_, index) => `mara/r${index}`);
    const answer = forgeWithStars(new Set());
    // Eight requests wait for each other, and are answered in another order.
    let [waiting, widest]: [(() => void)[], number] = [[], 0];
    server = await serve(async (seen, request, response) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        widest = Math.max(widest, waiting.length);
        if (waiting.length < 8) return;
        const all = waiting.toReversed();
        waiting = [];
        for (const one of all) one();
      });
      return answer(seen, request, response);
    });
    const ran = await tongs(["star", ...names, "--json", "full_name"], world());
    expect(ran.json()).toEqual(names.map((full_name) => ({ full_name })));
    expect(widest).toBe(8);
    const stars = server.lines().filter((line) => line.startsWith("PUT "));
    expect(stars.toSorted()).toEqual(names.map((name) => `PUT /api/v1/user/starred/${name}`).toSorted());
  });

  it("prints the record with check --json, an empty list if it is not starred, and reads it only then", async () => {
    server = await serve(forgeWithStars(new Set(["mara/harbor"])));
    const starred = await tongs(["star", "check", "mara/harbor", "--json", "full_name"], world());
    expect([starred.code, starred.json()]).toEqual([0, [{ full_name: "mara/harbor" }]]);
    const other = await tongs(["star", "check", "mara/atlas", "--json", "full_name"], world());
    expect([other.code, other.json()]).toEqual([1, []]);
    const before = server.seen.length;
    expect((await tongs(["star", "check", "mara/harbor"], world())).stderr).toContain("You have starred mara/harbor");
    expect(server.lines().slice(before)).toEqual(["GET /api/v1/user/starred/mara/harbor"]);
  });

  it.each([
    ["Gitea", { status: 403, body: { message: "stars disabled by administrator" } }],
    ["Forgejo", { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found\n" }],
  ])("reports in one sentence that stars are disabled on %s", async (_kind, reply) => {
    server = await serve(({ url }) =>
      url.endsWith("/settings/repository") ? { body: { stars_disabled: true } } : reply,
    );
    for (const line of [
      ["star", "list"],
      ["star", "mara/harbor"],
      ["star", "check", "mara/harbor"],
    ]) {
      const ran = await tongs(line, world());
      expect(ran.code).toBe(4);
      expect(ran.stderr).toContain("Stars are disabled on");
    }
  });

  it("lists every page, even if pages are short because repositories became invisible", async () => {
    const all = Array.from({ length: 130 }, (_, index) => ({ id: index + 1, full_name: `mara/r${index}` }));
    server = await serve(({ url }) => {
      const query = new URL(url, "http://x").searchParams;
      const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
      const body = all.slice((page - 1) * limit, page * limit).filter((repo) => repo.id % 10 !== 0);
      return { body, headers: { "x-total-count": "130" } };
    });
    const ran = await tongs(["star", "list", "--all", "--json", "id"], world());
    expect((ran.json() as { id: number }[]).map((repo) => repo.id)).toEqual(
      all.map((repo) => repo.id).filter((id) => id % 10 !== 0),
    );
  });
});
