import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { table } from "../../../src/commands/index.ts";
import { openProfiles } from "../../../src/profiles/profiles.ts";
import { type Reply, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";

let server: TestServer;

const now = new Date("2026-08-01T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400e3).toISOString();
const user = (login: string, more = {}) => ({
  id: login.length,
  login,
  username: login,
  active: true,
  is_admin: false,
  ...more,
});

const users = [
  user("warden", { is_admin: true }),
  user("jonas"),
  user("gone", { prohibit_login: true, is_admin: true }),
];
const keys = [
  { id: 1, title: "old laptop", created_at: daysAgo(400), last_used_at: daysAgo(1) },
  { id: 2, title: "unused", created_at: daysAgo(200), last_used_at: daysAgo(100) },
  { id: 3, title: "fine", created_at: daysAgo(9), updated_at: daysAgo(1) },
  { id: 4, title: "timeless", created_at: "1970-01-01T00:00:00Z" },
];

interface Site {
  readonly version: string;
  readonly repos?: number;
  readonly userHooks?: Readonly<Record<string, readonly unknown[]>>;
  /** Whether the header Sudo arrives at the server. */
  readonly mayActAs?: boolean;
  /** Answers in the place of others. */
  readonly first?: (path: string) => Reply | undefined;
}

async function site({
  version,
  repos = 1,
  userHooks = {},
  mayActAs = true,
  first = () => undefined,
}: Site): Promise<void> {
  const all = Array.from({ length: repos }, (_, index) => ({
    id: index + 1,
    full_name: `fleet/boat-${index + 1}`,
    private: index > 0,
    default_branch: "main",
    archived: false,
    empty: false,
  }));
  const lists: Readonly<Record<string, readonly unknown[]>> = {
    "/admin/orgs": [{ id: 9, name: "fleet" }],
    "/admin/hooks": [{ id: 5, type: "gitea", active: true, config: { url: "http://ci.example.org/hook?token=abc" } }],
    "/orgs/fleet/hooks": [],
    "/orgs/fleet/repos": all,
    "/users/jonas/keys": keys,
    "/users/warden/keys": [],
    "/admin/users/jonas/tokens": [{ id: 7, name: "ci", scopes: ["all"], created_at: daysAgo(500) }],
    "/admin/users/warden/tokens": [{ id: 8, name: "new", scopes: ["all"], created_at: "0001-01-01T00:00:00Z" }],
    branch_protections: [{ rule_name: "release/**" }],
    hooks: [
      { id: 3, type: "gitea", active: true, config: { url: "http://ci.example.org/hook" } },
      { id: 4, type: "gitea", active: true, config: { url: "https://ci.example.org/hook" } },
      { id: 6, type: "gitea", active: false, config: { url: "http://off.example.org/hook" } },
    ],
    keys: [
      { id: 2, title: "deploy", read_only: false },
      { id: 3, title: "mirror", read_only: true },
    ],
  };
  server = await serve(
    ({ url, headers: sent }) => {
      const at = new URL(url, "http://x");
      const path = at.pathname.replace("/api/v1", "");
      const caller = mayActAs ? String(sent["sudo"] ?? "warden") : "warden";
      const page = (items: readonly unknown[]) => {
        const [number, size] = [Number(at.searchParams.get("page") ?? 1), Number(at.searchParams.get("limit") ?? 50)];
        return items.slice((number - 1) * size, number * size);
      };
      const headers = (items: readonly unknown[]) => ({ "x-total-count": String(items.length) });
      const given = first(path);
      if (given !== undefined) return given;
      if (path === "/version") return { body: { version } };
      if (path === "/user") return { body: users.find(({ login }) => login === caller) };
      if (path === "/user/hooks")
        return { headers: headers(userHooks[caller] ?? []), body: page(userHooks[caller] ?? []) };
      if (path === "/admin/users") {
        if (at.searchParams.get("visibility") === "nonsense")
          return version.includes("gitea") ? { body: [] } : { status: 422, body: { message: "unknown visibility" } };
        const found = at.searchParams.has("is_2fa_enabled") ? users.slice(1) : users;
        return { headers: headers(found), body: page(found) };
      }
      if (path === "/repos/search") return { headers: headers(all), body: { ok: true, data: page(all) } };
      if (path === "/admin/actions/runners") {
        const runners = [
          { id: 1, name: "dock", status: "idle", labels: [], owner_id: 0, repo_id: 0 },
          { id: 2, name: "own", status: "idle", labels: [], owner_id: 4, repo_id: 0 },
          { id: 3, name: "somewhere", status: "online", labels: [] },
        ];
        return { headers: headers(runners), body: version.includes("gitea") ? runners : { runners, total_count: 3 } };
      }
      const list = lists[path] ?? (path.startsWith("/repos/fleet/") ? lists[path.replace(/.*\//, "")] : undefined);
      return list === undefined
        ? { status: 404, body: { message: "not found" } }
        : { headers: headers(list), body: page(list) };
    },
    { saysVersion: true },
  );
}

const gitea = "1.26.0";
const forgejo = "16.0.1+gitea-1.22.0";

const run = (line: readonly string[], world: World = {}) =>
  tongs(["policy", "audit", ...line], { now, ...world, env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" } });

interface Row {
  readonly check: string;
  readonly subject: string;
  readonly state: string;
  readonly detail: string;
  readonly fix: string | null;
}

const rowsOf = (ran: { json(): unknown }) => ran.json() as Row[];
const brief = (rows: readonly Row[]) =>
  rows.map(({ check, subject, state, detail }) =>
    `${check} ${subject} ${state}: ${detail}`.replaceAll(/http:\/\/127.*?:\d+/g, "SERVER"),
  );

describe("policy audit", () => {
  it("finds what is risky on a Forgejo, each with the command that mends it", async () => {
    await site({ version: forgejo });
    const ran = await run(["--json"]);
    expect(ran.code).toBe(1);
    const rows = rowsOf(ran).map((row) => ({ ...row, fix: row.fix?.replace(` --host ${server.url}`, "") ?? null }));
    expect(brief(rows)).toEqual([
      "administrator warden found: the only administrator of the server",
      "administrator gone found: administrator of the server, blocked",
      "two-factor jonas found: no two-factor authentication: ask for it to be enabled at SERVER/user/settings/security",
      "ssh-key jonas: old laptop found: created 1 year ago",
      "ssh-key jonas: unused found: last used 3 months ago",
      "ssh-key jonas: timeless not known: the server does not say when it was created",
      "token warden: new not known: the server does not say when it was created",
      "token jonas: ci found: created 1 year ago",
      "token SERVER not known: the server does not say when tokens were last used",
      "public-repository fleet/boat-1 found: anybody can read it",
      "unprotected-branch fleet/boat-1: main found: no protection applies to the default branch",
      "plain-webhook SERVER: 5 found: delivered to http://ci.example.org",
      "plain-webhook SERVER not known: the server does not list its default webhooks",
      "plain-webhook fleet/boat-1: 3 found: delivered to http://ci.example.org",
      "writable-deploy-key fleet/boat-1: deploy found: the key can push",
      "open-runner dock found: runs the jobs of every repository",
      "open-runner somewhere not known: the server does not say whose runner it is",
    ]);
    expect(ran.stdout).not.toContain("token=abc");
    const fixes = rows.flatMap(({ fix }) => fix ?? []);
    expect(fixes).toContain("tongs hook edit 3 -R fleet/boat-1 --url https://ci.example.org/hook");
    // Nothing of an address that can be a secret, nor a part of it that would replace it.
    expect(fixes).toContain("tongs hook edit 5 --admin --no-active");
    expect(fixes).toContain("tongs branch protection create main -R fleet/boat-1");
    // Each is a command line that exists: the server refuses what it is about, and nothing before it.
    for (const fix of fixes) {
      const line =
        fix
          .match(/'[^']*'|\S+/g)
          ?.slice(1)
          .map((word) => word.replace(/^'|'$/g, "")) ?? [];
      const dry = await tongs([...line, "--dry-run", "--yes"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "x" } });
      expect(dry.code, `${fix}\n${dry.stderr}`).not.toBe(2);
    }
    expect(Object.keys(table)).toContain("policy");
  });

  it("refuses checks that would look at nothing, and says who can read what a limited owner has", async () => {
    const owner = { id: 9, login: "fleet", visibility: "limited" };
    const open = { id: 1, full_name: "fleet/boat-1", owner, private: false, default_branch: "main", archived: true };
    await site({ version: gitea, first: (path) => (path === "/orgs/fleet/repos" ? { body: [open] } : undefined) });
    const refused = await run(["--org", "fleet", "--check", "administrator,public-repository"]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("whole server can be checked for administrator"),
    ]);
    expect(server.seen).toEqual([]);
    const rows = rowsOf(await run(["--org", "fleet", "--check", "public-repository", "--json"]));
    expect(brief(rows)).toEqual(["public-repository fleet/boat-1 found: everybody who is signed in can read it"]);
  });

  it("says of a Gitea what is not known, and of its users without two factors who they are", async () => {
    await site({ version: gitea });
    const rows = rowsOf(await run(["--json", "--check", "two-factor,token,open-runner"]));
    expect(brief(rows)).toEqual([
      "two-factor jonas found: no two-factor authentication: ask for it to be enabled at SERVER/user/settings/security",
      "token SERVER not known: the server lists tokens only with the password of the user",
      "open-runner dock found: runs the jobs of every repository",
      "open-runner somewhere not known: the server does not say whose runner it is",
    ]);
    await server.close();
    await site({ version: "1.24.0", first: (path) => (path === "/admin/users" ? { body: users } : undefined) });
    const old = rowsOf(await run(["--json", "--check", "two-factor"]));
    expect(old).toEqual([
      expect.objectContaining({ state: "not known", detail: expect.stringContaining("two-factor") }),
    ]);
  });

  it("never says to shut somebody out who has no two factors, and names the server in each fix", async () => {
    const admins = [user("warden", { is_admin: true }), user("jonas")];
    await site({
      version: gitea,
      first: (path) => (path === "/admin/users" ? { body: admins, headers: { "x-total-count": "2" } } : undefined),
    });
    const cwd = emptyFolder();
    const profiles = openProfiles({ env: { TONGS_CONFIG_DIR: cwd }, platform: process.platform });
    const [here, other] = [{ host: "https://here.example" }, { host: server.url }];
    await profiles.update(() => ({ default: "here", profiles: { here, other } }));
    const env = { TONGS_HOST: "", TONGS_TOKEN: "", TONGS_CONFIG_DIR: cwd };
    const line = ["policy", "audit", "--check", "administrator,two-factor,writable-deploy-key", "--profile", "other"];
    const ran = await tongs([...line, "--json"], { now, env, cwd });
    expect(rowsOf(ran).map(({ subject, fix }) => [subject, fix])).toEqual([
      ["warden", null],
      ["warden", null],
      ["jonas", null],
      ["fleet/boat-1: deploy", "tongs repo deploy-key delete 2 -R fleet/boat-1 --profile other"],
    ]);
    expect((await tongs([...line, "--csv"], { now, env, cwd })).stdout).toContain("-R fleet/boat-1 --profile other");
    // The environment is not the same where the findings are read.
    const byHost = { now, cwd, env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" } };
    const fixes = rowsOf(await tongs(["policy", "audit", "--check", "writable-deploy-key", "--json"], byHost));
    expect(fixes[0]?.fix).toBe(`tongs repo deploy-key delete 2 -R fleet/boat-1 --host ${server.url}`);
    const limited = await tongs([...line, "--limit", "2"], { now, env, cwd });
    expect(limited.stdout.match(/\n/g)).toHaveLength(2);
    expect(limited.stderr).toContain("4 findings");
    // What does not fit is below, and whole.
    const narrow = await tongs(line, { now, env, cwd, terminal: true, columns: 50 });
    expect(narrow.stdout).toContain("\n  tongs repo deploy-key delete 2 -R fleet/boat-1 \\\n    --profile other\n");
    expect(narrow.stdout).toContain("\n  the key can push\n");
  });

  it("keeps accepted findings out of the exit code, by subject and by pattern", async () => {
    await site({ version: forgejo });
    const cwd = emptyFolder();
    const accept = (text: string) => writeFileSync(join(cwd, "accepted.yml"), text);
    accept("accept:\n  administrator: [WARDEN, gone]\n  public-repository: ['fleet/*']\n");
    const ran = await run(["accepted.yml", "--check", "administrator,public-repository", "--json"], { cwd });
    expect([ran.code, rowsOf(ran).map(({ state }) => state)]).toEqual([0, ["accepted", "accepted", "accepted"]]);
    const text = await run(["accepted.yml", "--check", "administrator,token"], { cwd });
    expect([text.code, text.stderr]).toEqual([
      1,
      expect.stringContaining("1 finding, 2 accepted, 2 not known in 3 users and 0 repositories."),
    ]);
    for (const [wrong, says] of [
      [
        "accept: {administrators: [x]}",
        "accepted.yml:1:10: accept.administrators is unknown; did you mean: administrator",
      ],
      ["accept: {administrator: warden}", "must be a list of names"],
      ["ignore: []", "accepted.yml:1:1: ignore is unknown"],
    ] as const) {
      accept(wrong);
      expect(await run(["accepted.yml"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    }
  });

  it.each([gitea, forgejo])(
    "finds users' own webhooks as each of them, or says that they are not known, on %s",
    async (version) => {
      const hook = (id: number) => [{ id, type: "gitea", active: true, config: { url: "http://h.example.org/in" } }];
      const userHooks = { warden: hook(11), jonas: hook(12), gone: hook(13) };
      const ofUsers = (ran: { json(): unknown }) =>
        rowsOf(ran)
          .filter(({ subject }) => /^(warden|jonas|gone|users)\b/.test(subject))
          .map(({ subject, state, fix }) => [subject, state, fix?.replace(` --host ${server.url}`, "") ?? null]);
      const mended = (end: string) => `tongs hook edit ${end} --url https://h.example.org/in`;
      await site({ version, userHooks });
      const line = ["--check", "plain-webhook", "--json"];
      expect(ofUsers(await run(line))).toEqual([
        ["warden: 11", "found", mended("11 --user")],
        ["jonas: 12", "found", mended("12 --user --sudo jonas")],
        ["gone: 13", "found", mended("13 --user --sudo gone")],
      ]);
      const denied = { status: 403, body: { message: "Only administrators allowed to sudo." } };
      for (const fault of [
        { mayActAs: false },
        { first: (path: string) => (path === "/user/hooks" ? denied : undefined) },
      ]) {
        await site({ version, userHooks, ...fault });
        const rows = ofUsers(await run(line));
        expect(rows.filter(([, state]) => state === "found").length).toBe("mayActAs" in fault ? 1 : 0);
        expect(rows.filter(([, state]) => state === "not known").length).toBe("mayActAs" in fault ? 1 : 3);
      }
    },
  );

  it("says what a user who is no administrator cannot see, and still looks at the repositories", async () => {
    const denied = { status: 403, body: { message: "user should be the site admin" } };
    await site({
      version: forgejo,
      first: (path) => (path.startsWith("/admin/") || path.endsWith("/hooks") ? denied : undefined),
    });
    const ran = await run(["--json"]);
    const rows = rowsOf(ran);
    expect(ran.code).toBe(1);
    expect(rows.filter(({ state }) => state === "not known").map(({ check }) => check)).toEqual([
      ..."administrator two-factor ssh-key token".split(" "),
      ...Array(4).fill("plain-webhook"),
      "open-runner",
    ]);
    expect(rows.filter(({ state }) => state === "found").map(({ check }) => check)).toEqual([
      "public-repository",
      "unprotected-branch",
      "writable-deploy-key",
    ]);
  });

  it("asks at most three times for each of 500 repositories, and at most three times for each user", async () => {
    await site({ version: forgejo, repos: 500 });
    expect(await run(["--json"])).toMatchObject({ code: 1 });
    const lists = server.lines().filter((line) => !line.includes("/repos/fleet/"));
    expect(server.seen.length - lists.length).toBe(1500);
    expect(lists.length).toBeLessThanOrEqual(30);
  });
});
