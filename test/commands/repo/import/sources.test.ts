import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ofList } from "../../../../src/commands/repo/import/at-source.ts";
import type { ImportSettings } from "../../../../src/commands/repo/import/settings.ts";
import { UsageError } from "../../../../src/failure/failure.ts";
import {
  type AtSource,
  giteaSource,
  githubServer,
  gitlabServer,
  type SourceServer,
} from "../../../support/source-servers.ts";
import { emptyFolder, tongs, type World } from "../../../support/tongs.ts";
import { type TargetServer, targetServer } from "./target.ts";

const secret = "not-a-real-source-token";
const run = (target: TargetServer, line: readonly string[], { env, ...world }: World = {}) =>
  tongs(["repo", "import", ...line], {
    ...world,
    env: { TONGS_HOST: target.url, TONGS_TOKEN: "not-a-real-token", ...env },
  });
const signedIn = { TONGS_SOURCE_TOKEN: secret };
const boats = (count: number, under = "acme"): AtSource[] =>
  Array.from({ length: count }, (_, index) => ({ path: `${under}/boat-${index}` }));
const rowsOf = (ran: { json(): unknown }) => ran.json() as { source: string; repository: string; action: string }[];

describe("repo import of GitHub, a stand-in written from its published interface", () => {
  const mixed: AtSource[] = [
    { path: "acme/open", description: "Open" },
    { path: "acme/hidden", visibility: "private" },
    { path: "acme/inner", visibility: "internal" },
    { path: "acme/twig", fork: true },
    { path: "acme/done", archived: true },
  ];

  it("lists an organization, and sends the migration of GitHub with the token", async () => {
    const [source, target] = [await githubServer(mixed), await targetServer()];
    const line = [`${source.url}/acme`, "--service", "github", "--all-items"];
    const ran = await run(target, line, { env: signedIn });
    expect(ran.code, ran.stderr).toBe(0);
    expect(target.bodies[0]).toEqual({
      clone_addr: `${source.url}/acme/open.git`,
      repo_name: "open",
      repo_owner: "fleet",
      service: "github",
      private: false,
      description: "Open",
      auth_token: secret,
      issues: true,
      pull_requests: true,
      labels: true,
      milestones: true,
      releases: true,
      wiki: true,
      lfs: true,
    });
    expect(target.bodies.map((body) => body["private"])).toEqual([false, true, true, false, false]);
    expect(target.repos.get("done")).toMatchObject({ archived: true });
    expect(source.seen.every(({ headers }) => headers["authorization"] === `token ${secret}`)).toBe(true);
  });

  it("lists the own private repositories of a user only with the user's token", async () => {
    const own = mixed.map((repo) => ({ ...repo, path: repo.path.replace("acme", "octavia") }));
    const [source, target] = [await githubServer(own), await targetServer()];
    const line = [`${source.url}/octavia`, "--service", "github", "--plan", "--json"];
    expect(rowsOf(await run(target, line))).toHaveLength(3);
    expect(rowsOf(await run(target, line, { env: signedIn }))).toHaveLength(5);
    const missing = await run(target, [`${source.url}/nobody`, "--service", "github"]);
    expect(missing).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("no user, organization or group 'nobody'"),
    });
    expect(missing.stderr).toContain("TONGS_SOURCE_TOKEN");
  });

  it("reads pages of 100, and stops if one of them fails", async () => {
    const target = await targetServer();
    const source = await githubServer(boats(250));
    const line = [`${source.url}/acme`, "--service", "github"];
    expect(rowsOf(await run(target, [...line, "--plan", "--json"]))).toHaveLength(250);
    expect(source.lines().filter((one) => one.includes("/orgs/")).length).toBeLessThanOrEqual(3);
    const failing = await githubServer(boats(250), {
      instead: ({ url }) => (new URL(url, "http://x").searchParams.get("page") === "2" ? { status: 500 } : undefined),
    });
    const ran = await run(target, [`${failing.url}/acme`, "--service", "github", "--yes", "--prune"]);
    expect(ran).toMatchObject({ code: 7, stdout: "" });
    expect(target.bodies).toEqual([]);
  });

  it("takes no address and no path from the source that leads elsewhere, and shows names as text", async () => {
    const evil: AtSource[] = [
      { path: "acme/../../admin" },
      { path: "acme/x\u001b[31m\u202e" },
      { path: "acme/.." },
      { path: "acme/-x;rm" },
      { path: "acme/good", description: "Good\u001b[31m" },
    ];
    const [source, target] = [await githubServer(evil), await targetServer()];
    const ran = await run(target, [`${source.url}/acme`, "--service", "github"], { terminal: true, env: signedIn });
    expect(ran.code).toBe(11);
    expect(target.bodies.map((body) => body["clone_addr"])).toEqual([`${source.url}/acme/good.git`]);
    expect(ran.stdout + ran.stderr).not.toMatch(/\u001b\[31m\u202e|\u202e/);
  });
});

describe("repo import of GitLab, a stand-in written from its published interface", () => {
  it("is recognized, and lists a group with its subgroups by a token of its own header", async () => {
    const repos: AtSource[] = [
      { path: "acme/harbor", issues: 2 },
      { path: "acme/tools/crane", visibility: "internal", description: "A crane" },
      { path: "acme/tools/harbor" },
    ];
    const [source, target] = [await gitlabServer(repos), await targetServer()];
    const ran = await run(target, [`${source.url}/acme`, "--json", "source,repository,action"], { env: signedIn });
    expect(ran.code, ran.stderr).toBe(11);
    expect(ran.stderr).toContain("acme/harbor.git has the same name");
    expect(target.bodies).toMatchObject([
      { clone_addr: `${source.url}/acme/harbor.git`, service: "gitlab", private: false, auth_token: secret },
      { clone_addr: `${source.url}/acme/tools/crane.git`, repo_name: "crane", private: true, description: "A crane" },
    ]);
    expect(source.seen.some(({ headers }) => headers["private-token"] === secret)).toBe(true);
    // The subgroup alone.
    const part = await run(target, [`${source.url}/acme/tools`, "--plan", "--json"], { env: signedIn });
    expect(rowsOf(part).map(({ action }) => action)).toEqual(["unchanged", "conflict"]);
    const user = await run(target, [`${source.url}/octavia`, "--plan", "--json"], { env: signedIn });
    expect(rowsOf(user)).toHaveLength(3);
  });

  it("archives what vanished only if the source says that it is not there", async () => {
    const source = await gitlabServer(boats(3));
    const target = await targetServer();
    await run(target, [`${source.url}/acme`, "--service", "gitlab"]);
    // One of them is not listed, although it is there: it was moved to another group.
    source.repos = [{ path: "acme/boat-0" }, { path: "acme/boat-1" }];
    let at = "other/boat-2";
    const hidden = await gitlabServer(source.repos, {
      instead: ({ url }) =>
        url.includes("projects/acme%2Fboat-2") ? { body: { path: "boat-2", path_with_namespace: at } } : undefined,
    });
    for (const here of target.repos.values())
      here.original_url = here.original_url?.replace(source.url, hidden.url) ?? "";
    target.changes.splice(0);
    const env = signedIn;
    for (const [where, said] of [
      ["other/boat-2", "Elsewhere at the source: fleet/boat-2 (was renamed or transferred at the source, to "],
      ["acme/boat-2", "Not listed by their owner at the source: fleet/boat-2"],
    ] as const) {
      at = where;
      const kept = await run(target, [`${hidden.url}/acme`, "--service", "gitlab", "--prune", "--yes"], { env });
      expect(kept).toMatchObject({ code: 0, stderr: expect.stringContaining(said) });
      expect(target.changes).toEqual([]);
    }
    for (const here of target.repos.values())
      here.original_url = here.original_url?.replace(hidden.url, source.url) ?? "";
    const pruned = await run(target, [`${source.url}/acme`, "--service", "gitlab", "--prune", "--yes"], { env });
    expect(pruned.code, pruned.stderr).toBe(0);
    expect(target.changes).toEqual(["PATCH boat-2"]);
  });

  it("archives nothing by a token that does not see all, of GitHub and GitLab", async () => {
    for (const [service, server, where] of [
      ["gitlab", gitlabServer, "/members/all/"],
      ["github", githubServer, "/memberships/"],
    ] as const) {
      let isMember = false;
      const source = await server(boats(1), {
        instead: ({ url }) => (url.includes(where) && !isMember ? { status: 404, body: {} } : undefined),
      });
      const target = await targetServer();
      target.repos.set("gone", { name: "gone", original_url: `${source.url}/acme/gone.git` });
      // What is no address of a repository there says nothing.
      for (const odd of ["//127.0.0.1:1/a/b.git", "/acme/.git", "/acme//x.git"])
        target.repos.set(odd, { name: odd.replace(/\W/g, ""), original_url: `${source.url}${odd}` });
      const line = [`${source.url}/acme`, "--service", service, "--prune", "--plan", "--json"];
      const actions = async () => rowsOf(await run(target, line, { env: signedIn })).map(({ action }) => action);
      expect([service, await actions()]).toEqual([service, ["import", "unseen"]]);
      isMember = true;
      expect([service, await actions()]).toEqual([service, ["import", "archive"]]);
    }
  });
});

it("takes an owner of Gitea whom it may not see, and whose list is empty, for unknown, and one without repositories for empty", async () => {
  let isHidden = true;
  const source = await giteaSource([], {
    instead: ({ url }) =>
      isHidden && new URL(url, "http://x").pathname === "/api/v1/users/acme" ? { status: 404, body: {} } : undefined,
  });
  const target = await targetServer();
  target.repos.set("lamp", { name: "lamp", original_url: `${source.url}/acme/lamp.git` });
  const line = [`${source.url}/acme`, "--prune", "--yes"];
  expect(await run(target, line)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("A private one needs a token"),
  });
  isHidden = false;
  expect(await run(target, line)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("Not visible without a token: "),
  });
  expect(target.changes).toEqual([]);
});

it.each(["include", "exclude"])(
  "refuses an invalid pattern, and warns of one that matches nothing: --%s",
  async (flag) => {
    const source = await giteaSource([{ path: "acme/lamp" }]);
    const target = await targetServer();
    const line = [`${source.url}/acme`, "--service", "gitea", "--plan", `--${flag}`];
    const invalid = await run(target, [...line, "["]);
    expect([invalid.code, invalid.stderr]).toEqual([
      2,
      expect.stringContaining(`--${flag}: '[' is not a valid pattern`),
    ]);
    expect(source.seen).toEqual([]);
    const unmatched = await run(target, [...line, "boat-*"]);
    expect(unmatched.stderr).toContain(`! --${flag} 'boat-*' matches no repository of acme`);
    expect((await run(target, [...line, "LAMP"])).stderr).not.toContain("matches no");
  },
);

describe("repo import of a list", () => {
  it("asks only the host of an address, whatever its path, with the token", async () => {
    const asked: string[] = [];
    const reads = ofList({ service: "gitea" } as ImportSettings, async (base) => {
      asked.push(base.href);
      throw new UsageError("enough");
    });
    for (const path of ["//evil.example/a/b.git", "/\\\\evil.example/a/b", "/x/a/b", "/a/b"])
      await reads.find(`http://source.example${path}`);
    expect(asked.map((one) => new URL(one).host)).toEqual(Array(4).fill("source.example"));
  });

  const address = (name: string) => `https://git.example.org/acme/${name}.git`;

  it("imports each line, by another name if there is one", async () => {
    const target = await targetServer();
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "list"), `# ours\n${address("lamp")}\n\n  ${address("bell")}   gong\n`);
    const ran = await run(target, ["--list", "list", "--private", "--json"], { cwd, env: signedIn });
    expect(ran.code, ran.stderr).toBe(0);
    expect(target.bodies).toMatchObject([
      { clone_addr: address("lamp"), repo_name: "lamp", private: true, service: "git" },
      { clone_addr: address("bell"), repo_name: "gong" },
    ]);
    const stdin = `${address("lamp")}\n${address("rope")}\n`;
    const again = await run(target, ["--list", "-", "--private"], { cwd, stdin });
    expect(again.code, again.stderr).toBe(0);
    expect(target.changes).toEqual(["POST lamp", "POST gong", "POST rope"]);
  });

  it("of several servers is refused with a token, which each of them would get", async () => {
    const target = await targetServer();
    const stdin = `${address("lamp")}\nhttps://git.example.com/acme/bell.git\n`;
    const line = ["--list", "-", "--private"];
    const ran = await run(target, line, { stdin, env: signedIn });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("git.example.org, git.example.com")]);
    expect(target.changes).toEqual([]);
    expect(await run(target, line, { stdin })).toMatchObject({ code: 0 });
  });

  it("names each faulty line, and sends nothing", async () => {
    const target = await targetServer();
    const stdin = [
      "/srv/git/x.git",
      address("fine"),
      `https://mara:${secret}@git.example.org/a/b`,
      `${address("x")} ../y`,
      `${address("x")} y z`,
      "https://git.example.org/",
      "http://git.example.org\\@evil.example/a/b.git",
      "http://git.example.org//evil.example/a/b.git",
    ].join("\n");
    const ran = await run(target, ["--list", "-", "--private"], { stdin });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    for (const [line, what] of [
      [1, "is not an address"],
      [3, "has a username or password"],
      [4, "cannot be the name"],
      [5, "has more than an address and a name"],
      [6, "cannot be the name"],
      [7, "has a backslash or //"],
      [8, "has a backslash or //"],
    ] as const)
      expect(ran.stderr).toMatch(new RegExp(`stdin:${line}:? .*${what}`));
    expect(ran.stderr).not.toContain(secret);
    // The file may be that of the token.
    const token = await run(target, ["--list", "-", "--private"], { stdin: `${secret}\n` });
    expect(token).toMatchObject({ code: 2, stderr: expect.stringContaining("stdin:1 is not an address") });
    expect(token.stderr).not.toContain(secret);
    expect(target.seen).toEqual([]);
  });
});

describe("repo import refuses", () => {
  it.each([
    [["https://github.com/acme", "--mirror", "--issues"], "--issues cannot be used with --mirror"],
    [["https://github.com/acme", "--mirror", "--all-items"], "--all-items cannot be used with --mirror"],
    [["https://github.com/acme", "--mirror-interval", "8h"], "--mirror-interval requires --mirror"],
    [["https://github.com/acme", "--mirror", "--mirror-interval", "x"], "'x' is not a duration"],
    [["https://github.com/acme", "--mirror", "--mirror-interval", "1s"], "'1s' is shorter than a minute"],
    [["https://github.com/acme", "--repo-owner", ""], "--repo-owner must not be empty"],
    [["https://github.com/acme", "--limit", "2"], "--limit cannot be used here"],
    [["https://github.com/acme/lamp"], "is not the address of an owner"],
    [["https://github.com/acme", "--no-private"], "--no-private needs --list"],
    [["https://github.com/acme", "--service", "gogs"], "cannot list the repositories of a gogs server"],
    [["https://github.com/"], "names no owner"],
    [[`https://mara:${secret}@github.com/acme`], "contains a password"],
    [["--list", "-"], "--list requires --private or --no-private"],
    [["--list", "-", "--private", "--issues"], "--issues requires --service"],
    [["--list", "-", "--private", "--include", "x"], "--include cannot be used with --list"],
    [["--list", "-", "--private", "--prune"], "--prune needs the address of an owner"],
    [["https://github.com/acme", "--list", "-"], "Specify either SOURCE or --list"],
    [[], "Specify either SOURCE or --list"],
    [["--resume"], "Run the same command without --resume"],
  ])("%j", async (line, message) => {
    const target = await targetServer();
    const ran = await run(target, line, { stdin: "https://git.example.org/a/b.git\n" });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(ran.stderr).not.toContain(secret);
    expect(target.bodies).toEqual([]);
  });

  it("a server that says nothing of its kind", async () => {
    const target = await targetServer();
    const source = await giteaSource([], { instead: () => ({ status: 404, body: "no" }) });
    const ran = await run(target, [`${source.url}/acme`]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("Pass --service") });
    const repo = await run(target, [`${source.url}/acme/lamp`]);
    expect(repo.stderr).toContain(`pass that of its owner: ${source.url}/acme\n`);
  });

  it("a token that the source does not accept, or that lacks a scope, as one for the source", async () => {
    const target = await targetServer();
    for (const [status, where] of [
      [401, "/api/v1/version"],
      [403, "/repos"],
    ] as const) {
      const source = await giteaSource([], {
        instead: ({ url }) =>
          url.includes(where) ? { status, body: { message: "token does not have the scope" } } : undefined,
      });
      const ran = await run(target, [`${source.url}/acme`], { env: signedIn });
      expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("pass --auth-token-file") });
      expect(ran.stderr.includes("needs the scopes")).toBe(status === 403);
      expect(ran.stderr).not.toContain("auth login");
    }
  });

  it("a server that migrates nothing, and an owner who is not there", async () => {
    const source = await giteaSource(boats(1));
    const off = await targetServer({ settings: { migrations_disabled: true } });
    expect(await run(off, [`${source.url}/acme`])).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("DISABLE_MIGRATIONS = false"),
    });
    const target = await targetServer();
    const nobody = await run(target, [`${source.url}/acme`, "--repo-owner", "nobody"]);
    expect(nobody).toMatchObject({ code: 5, stderr: expect.stringContaining("tongs org create nobody") });
    const line = [`${source.url}/acme`, "--repo-owner", "nobody", "--host", target.url];
    expect((await run(target, line)).stderr).toContain(`tongs org create nobody --host ${target.url}`);
  });
});

it("plans 1,000 repositories, half of which are there, with at most 60 requests", async () => {
  const source: SourceServer = await giteaSource(boats(1000));
  const target = await targetServer();
  for (let index = 0; index < 1000; index += 1) {
    const name = index % 2 === 0 ? `boat-${index}` : `other-${index}`;
    target.repos.set(name, { name, original_url: index % 2 === 0 ? `${source.url}/acme/${name}` : "" });
  }
  const ran = await run(target, [`${source.url}/acme`, "--plan", "--json", "action"]);
  const actions = rowsOf(ran).map(({ action }) => action);
  expect([actions.filter((one) => one === "import").length, actions.length]).toEqual([500, 1000]);
  expect(source.seen.length + target.seen.length).toBeLessThanOrEqual(60);
});
