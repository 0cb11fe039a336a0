import { describe, expect, it } from "vitest";
import { type Reply, type Seen, serve, type TestServer } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let server: TestServer;

interface Fleet {
  readonly count: number;
  readonly collaborators: readonly string[];
}

const user = (login: string) => ({
  id: Buffer.from(login).readUIntBE(0, Math.min(6, login.length)),
  login,
  username: login,
});
const team = (id: number, name: string, permission: string, units_map = {}) => ({ id, name, permission, units_map });

const teams = [
  team(1, "Owners", "owner"),
  team(2, "pilots", "none", { "repo.code": "write", "repo.issues": "read" }),
  team(3, "hidden", "read", { "repo.code": "read" }),
];
const members: Readonly<Record<string, readonly string[]>> = { "1": ["rosa"], "2": ["jonas", "priya"] };

/** An organization with `count` repositories, every second of which is private. */
async function fleet({ count, collaborators }: Fleet): Promise<void> {
  const repo = (index: number) => ({
    id: index,
    full_name: `fleet/boat-${index}`,
    private: index % 2 === 0,
    owner: { ...user("fleet"), visibility: "public" },
    permissions: { admin: false, push: true, pull: true },
  });
  const all = Array.from({ length: count }, (_, index) => repo(index + 1));
  const page = (items: readonly unknown[], url: URL): Reply => {
    const [at, size] = [Number(url.searchParams.get("page") ?? 1), Number(url.searchParams.get("limit") ?? 50)];
    return { headers: { "x-total-count": String(items.length) }, body: items.slice((at - 1) * size, at * size) };
  };
  const answer = (seen: Seen): Reply => {
    const url = new URL(seen.url, "http://x");
    const path = url.pathname.replace("/api/v1", "");
    if (path === "/orgs/fleet/repos") return page(all, url);
    if (path.endsWith("/teams")) return { body: teams };
    const [, id] = /^\/teams\/(\d+)\/members$/.exec(path) ?? [];
    if (id === "3") return { status: 403, body: { message: "Must be a team member" } };
    if (id !== undefined) return page((members[id] ?? []).map(user), url);
    if (path.endsWith("/collaborators")) return page(collaborators.map(user), url);
    if (path === "/users/JONAS") return { body: user("jonas") };
    if (path === "/users/PRIYA") return { body: { ...user("priya"), restricted: true } };
    if (path.endsWith("/permission")) return { body: { permission: "write" } };
    return { status: 404, body: { message: "not found" } };
  };
  server = await serve(answer);
}

const run = (line: string) =>
  tongs(["policy", "access", "--org", "fleet", ...line.split(" ")], {
    env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" },
  });

describe("policy access", () => {
  it("names every way into a repository, and says what it does not know", async () => {
    await fleet({ count: 2, collaborators: ["mara"] });
    const ran = await run("--json");
    expect(ran.code).toBe(0);
    const ways = ran.json() as { repository: string }[];
    const base = { repository: "fleet/boat-1", team: null, units: null };
    expect(ways.filter(({ repository }) => repository === "fleet/boat-1")).toEqual([
      { ...base, user: "rosa", permission: "owner", by: "team", team: "Owners" },
      ...["jonas", "priya"].map((login) => ({
        ...base,
        user: login,
        permission: "write",
        by: "team",
        team: "pilots",
        units: { "repo.code": "write", "repo.issues": "read" },
      })),
      { ...base, user: null, permission: "read", by: "team", team: "hidden", units: { "repo.code": "read" } },
      { ...base, user: "mara", permission: "write", by: "collaborator" },
      { ...base, user: null, permission: "read", by: "public" },
    ]);
    expect(ways).toHaveLength(11);
    expect(await run("--user nobody")).toMatchObject({ code: 5, stdout: "" });
    const csv = await run("--user JONAS --csv");
    expect(csv.stdout.split("\n").slice(0, 2)).toEqual([
      "repository,user,permission,by,team,units",
      expect.stringContaining("fleet/boat-1,jonas,write,team,pilots,"),
    ]);
    // The hidden team may be a way of anybody.
    expect((await run("--user JONAS --json")).json()).toContainEqual(
      expect.objectContaining({ user: null, team: "hidden" }),
    );
    // Of two repositories, one is public.
    expect((await run("--user JONAS --json")).json()).toContainEqual({
      ...base,
      user: null,
      permission: "read",
      by: "public",
    });
    expect((await run("--user JONAS")).stderr).toContain("5 ways, 2 not known into 2 repositories.");
    // Servers differ in what they show who is restricted.
    expect((await run("--user PRIYA")).stderr).toContain("5 ways, 3 not known into 2 repositories.");
    const cut = await run("--limit 1");
    expect(cut.stdout.match(/\n/g)).toHaveLength(1);
    expect(cut.stderr).toContain("Showing 1 of 11");
    const text = await run("--limit 99");
    expect(text.stdout).toContain("(members not known)");
    expect(text.stdout).toContain("code: write, issues: read");
    expect(text.stderr).toContain("11 ways into 2 repositories.");
  });

  it("names the members of a private organization, who can read what is not private in it", async () => {
    const hold = (name: string, isPrivate: boolean) => ({
      id: isPrivate ? 1 : 2,
      full_name: `fleet/${name}`,
      private: isPrivate,
      internal: !isPrivate,
      owner: { ...user("fleet"), visibility: "private" },
    });
    let isShown = true;
    server = await serve(({ url }) => {
      const path = url.replace("/api/v1", "").replace(/\?.*/, "");
      if (path === "/orgs/fleet/repos") return { body: [hold("closed", true), hold("open", false)] };
      if (path === "/orgs/fleet/members")
        return isShown ? { body: [user("tom"), { ...user("lee"), restricted: true }] } : { status: 403, body: {} };
      return path === "/users/tom" ? { body: user("tom") } : { body: [] };
    });
    const row = { repository: "fleet/open", permission: "read", by: "member", team: null, units: null };
    expect((await run("--json")).json()).toEqual([{ ...row, user: "tom" }]);
    expect((await run("--user tom --json")).json()).toEqual([{ ...row, user: "tom" }]);
    isShown = false;
    expect((await run("--json")).json()).toEqual([{ ...row, user: null }]);
    expect((await run("--limit 9")).stdout).toContain("(not known)");
  });

  it("goes on with what it may read, and says what is not known", async () => {
    const repo = (name: string) => ({ id: 1, full_name: `fleet/${name}`, private: true, owner: user("fleet") });
    server = await serve(({ url }) => {
      const path = url.replace("/api/v1", "").replace(/\?.*/, "");
      const denied = { status: 403, body: { message: "no" } };
      if (/^\/repos\/fleet\/\w+$/.test(path)) return { body: repo(path.slice(13)) };
      if (path.endsWith("/permission")) return denied;
      if (path.startsWith("/repos/fleet/closed/")) return denied;
      if (path.endsWith("/collaborators")) return { body: [user("mara")] };
      return path === "/repos/fleet/open/teams" ? { body: [teams[2]] } : denied;
    });
    const line = ["policy", "access", "-R", "fleet/closed,fleet/open"];
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs([...line, "--json"], { env });
    expect(ran.code, ran.stderr).toBe(0);
    const none = { user: null, permission: "not known", team: null, units: null };
    expect(ran.json()).toEqual([
      { ...none, repository: "fleet/closed", by: "team" },
      { ...none, repository: "fleet/closed", by: "collaborator" },
      {
        ...none,
        repository: "fleet/open",
        permission: "read",
        by: "team",
        team: "hidden",
        units: { "repo.code": "read" },
      },
      { ...none, repository: "fleet/open", by: "collaborator", user: "mara" },
    ]);
    const text = await tongs(line, { env });
    expect(text.stdout).toContain("fleet/closed\t(not known)\tnot known\tteam\t\t\n");
    expect(text.stdout).toContain("fleet/open\t(members not known)\tread\tteam\thidden\tcode: read\n");
    expect(text.stderr).toContain("4 ways, 3 not known into 2 repositories.");
  });

  it("asks at most three times for each of 100 repositories with a collaborator", async () => {
    await fleet({ count: 100, collaborators: ["mara"] });
    const ran = await run("--json");
    expect([ran.code, (ran.json() as unknown[]).length]).toEqual([0, 550]);
    expect(server.seen.length).toBeLessThanOrEqual(310);
  });
});
