import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { killedAtEachRequest } from "../../support/killed.ts";
import type { Reply, Seen } from "../../support/server.ts";
import { emptyFolder, type Ran, tongs, type World } from "../../support/tongs.ts";
import { type AccountServer, accountServer } from "./import/forge.ts";

/** A server for newcomers: its accounts, the members of the team deck of fleet, and the keys of each user. */
interface JoiningServer extends AccountServer {
  readonly members: string[];
  readonly keys: Map<string, string[]>;
  /** Writes to the team and to keys that were so already. */
  readonly repeats: string[];
  /** The ID of the team; undefined if it is gone. */
  readonly deck: { id: number | undefined };
}

async function started(
  faults: { readonly loses?: (seen: Seen) => boolean; readonly onRequest?: () => void } = {},
): Promise<JoiningServer> {
  const members: string[] = [];
  const keys = new Map<string, string[]>();
  const repeats: string[] = [];
  const deck: JoiningServer["deck"] = { id: 5 };
  const reply = ({ method, url, body }: Seen): Reply | undefined => {
    const [path = ""] = url.replace("/api/v1", "").split("?");
    const [, one = "", two = "", three = "", four = ""] = path.split("/");
    if (path === "/users/search") {
      const uid = Number(new URL(url, "http://server").searchParams.get("uid"));
      return { body: { ok: true, data: [...server.accounts.values()].filter(({ id }) => id === uid) } };
    }
    if (one === "orgs" && two !== "fleet") return { status: 404, body: { message: "not found" } };
    if (one === "orgs" && three === "") return { body: { id: 3, name: "fleet", username: "fleet" } };
    if (one === "orgs") {
      const teams = deck.id === undefined ? [] : [{ id: deck.id, name: "deck", permission: "write" }];
      return { body: four === "search" ? { data: teams, ok: true } : teams };
    }
    if (one === "teams" && two !== `${deck.id}`) return { status: 404, body: { message: "not found" } };
    if (one === "teams" && method === "GET")
      return members.includes(four)
        ? { body: { id: 1, login: four } }
        : { status: 404, body: { message: "not found" } };
    if (one === "teams") {
      if (members.includes(four)) repeats.push(path);
      else members.push(four);
      return { status: 204 };
    }
    if (one === "users" && three === "keys")
      return { body: (keys.get(two) ?? []).map((key, index) => ({ id: index + 1, key, title: "laptop" })) };
    if (one === "admin" && four === "keys") {
      const { key, title } = JSON.parse(body) as { readonly key: string; readonly title: string };
      const had = keys.get(three) ?? [];
      if (had.includes(key)) repeats.push(path);
      keys.set(three, [...had, key]);
      return { status: 201, body: { id: 1, key, title } };
    }
    return undefined;
  };
  const server = await accountServer((seen) => {
    faults.onRequest?.();
    return reply(seen);
  }, faults);
  return Object.assign(server, { members, keys, repeats, deck });
}

const envOf = (server: JoiningServer) => ({ TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" });

function run(server: JoiningServer, line: readonly string[], world: World = {}): Promise<Ran> {
  return tongs(["user", "onboard", ...line], { ...world, env: { ...envOf(server), ...world.env } });
}

const keyOf = (name: string) => `ssh-ed25519 ${Buffer.from(`the public key of ${name}`).toString("base64")}`;

/** A file of newcomers, each with an administrator's flag for every tenth, a team and a key. */
function newcomers(count: number): string {
  const users = Array.from({ length: count }, (_, index) => {
    const name = `new${index}`;
    const account = { email: `${name}@example.org`, password: `not-a-secret-${name}`, admin: index % 10 === 0 };
    return [name, { ...account, organizations: { fleet: ["deck"] }, keys: [`${keyOf(name)} laptop`] }];
  });
  return JSON.stringify({ users: Object.fromEntries(users) });
}

function expectHere(server: JoiningServer, count: number): void {
  const names = Array.from({ length: count }, (_, index) => `new${index}`);
  expect(server.made.map((one) => String(one["username"])).sort()).toEqual([...names].sort());
  expect([...server.members].sort()).toEqual([...names].sort());
  for (const name of names) expect(server.keys.get(name)).toEqual([`${keyOf(name)} laptop`]);
  expect([...server.accounts.values()].filter(({ is_admin }) => is_admin).length).toBe(Math.ceil(count / 10));
}

describe("user onboard", () => {
  it("names each fault of the file with its line and column, and sends nothing", async () => {
    const server = await started();
    const cwd = emptyFolder();
    const write = (text: string) => writeFileSync(join(cwd, "new.yml"), text);
    write(
      [
        "users:",
        "  a b: {email: a@example.org, password: not-a-secret-a}",
        "  gull: {emial: gull@example.org, password: not-a-secret-g, admin: perhaps}",
        "  knot:",
        "    email: knot@example.org",
        "    organizations: {fleet: []}",
        "    keys: [-----BEGIN OPENSSH PRIVATE KEY-----]",
        "  ruff: {email: KNOT@example.org, password: not-a-secret-k, full_name: [x]}",
      ].join("\n"),
    );
    const { code, stderr, stdout } = await run(server, ["new.yml"], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("new.yml:2:3: users.a b ");
    expect(stderr).toContain("new.yml:3:10: users.gull.emial is unknown; did you mean: email?");
    expect(stderr).toContain("new.yml:3:61: users.gull.admin admin must be true or false, not 'perhaps'");
    expect(stderr).toContain("new.yml:3:3: users.gull has no email");
    expect(stderr).toContain("new.yml:6:21: users.knot.organizations.fleet names no team");
    expect(stderr).toContain("new.yml:7:5: users.knot.keys has something that is not a public SSH key");
    expect(stderr).toContain("new.yml:8:61: users.ruff.full_name must be a single value");
    expect(stderr).toContain("new.yml:8:10: users.ruff.email is also that of knot");
    expect(stderr).not.toMatch(/PRIVATE|not-a-secret/);
    write("users:\n  knot: {email: a@example.org, password: x}\n  KNOT: {email: b@example.org, password: x}\n");
    const twice = await run(server, ["new.yml"], { cwd });
    expect(twice.stderr).toContain("new.yml:3:3: users.KNOT is listed twice");
    const sent = server.seen.length;
    write("users:\n  knot: {email: a@example.org}\n  tern: {email: b@example.org, password: x}\n");
    expect((await run(server, ["new.yml"], { cwd })).stderr).toContain("new.yml:2:3: users.knot has no password");
    expect([sent, server.made]).toEqual([0, []]);
    const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI";
    const own = (name: string) => `  ${name}: {email: ${name}@example.org, password: x, keys: [${key} of ${name}]}\n`;
    write(`users:\n${own("tern")}${own("skua")}`);
    const shared = await run(server, ["new.yml"], { cwd });
    expect(shared.stderr).toContain("users.skua.keys has a key twice: it is also one of tern");
    for (const text of ["", "users: 1", "- a", "users: {x: {email: &a}}\n: :", "\u0000"]) {
      write(text);
      expect(await run(server, ["new.yml"], { cwd }), text).toMatchObject({ code: 2, stdout: "" });
    }
    expect(await run(server, ["missing.yml"], { cwd })).toMatchObject({ code: 2 });
    expect(server.made).toEqual([]);
  });

  it("changes nothing for who equals the file, stops who differs, does the others, and writes no password anywhere", async () => {
    const server = await started();
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "one.json"), newcomers(1));
    writeFileSync(join(cwd, "three.json"), newcomers(3));
    expect(await run(server, ["one.json"], { cwd })).toMatchObject({ code: 0 });
    const own = server.accounts.get("new0");
    if (own === undefined) throw new Error("new0 was not made");
    server.accounts.set("new0", { ...own, email: "other@example.org" });
    const plan = await run(server, ["three.json", "--plan"], { cwd });
    expect(plan).toMatchObject({
      code: 11,
      stdout: expect.stringMatching(/^new0\tstop\t\tstopped\tuser already exists \(email: other@example.org → new0@/),
    });
    expect(server.made.length).toBe(1);
    const ran = await run(server, ["three.json", "--json"], { cwd });
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("user already exists") });
    server.accounts.set("new0", own);
    expectHere(server, 3);
    expect(ran.stdout + ran.stderr + plan.stdout).not.toContain("not-a-secret");
    const again = await run(server, ["three.json"], { cwd });
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing to do") });
    expect(server.repeats).toEqual([]);
  });

  it("names the user and the key of the only step that fails", async () => {
    const server = await started();
    const cwd = emptyFolder();
    const write = (more = {}) =>
      writeFileSync(join(cwd, "one.json"), JSON.stringify({ users: { knot: { email: "knot@example.org", ...more } } }));
    write({ password: "not-a-secret-k" });
    expect(await run(server, ["one.json"], { cwd })).toMatchObject({ code: 0 });
    write({ keys: [`${keyOf("knot")} laptop`] });
    const proxy = await droppingProxy(server.url, {
      drops: () => false,
      breaks: ({ method, url }) => method === "POST" && /keys/.test(url ?? ""),
    });
    const ran = await run(server, ["one.json"], { cwd, env: { TONGS_HOST: proxy.url } });
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringMatching(/^✗ knot key laptop: .* returned 500/m)]);
  });

  it("takes no step of somebody whose account could not be created", async () => {
    const server: JoiningServer = await started({
      onRequest: () => {
        // Somebody else takes the address between the plan and the write.
        const { method = "", url = "" } = server.seen.at(-1) ?? {};
        const gull = server.accounts.get("gull");
        if (method === "POST" && url.endsWith("/admin/users") && gull !== undefined)
          server.accounts.set("gull", { ...gull, email: "Same@example.org" });
      },
    });
    const cwd = emptyFolder();
    const same = (name: string) => ({
      email: "Same@example.org",
      password: "not-a-secret-x",
      organizations: { fleet: ["deck"] },
      keys: [keyOf(name)],
    });
    writeFileSync(join(cwd, "a.json"), JSON.stringify({ users: { gull: same("gull") } }));
    writeFileSync(join(cwd, "b.json"), JSON.stringify({ users: { knot: same("knot") } }));
    expect(await run(server, ["a.json"], { cwd })).toMatchObject({ code: 0 });
    const gull = server.accounts.get("gull");
    if (gull !== undefined) server.accounts.set("gull", { ...gull, email: "gull@example.org" });
    const ran = await run(server, ["b.json", "--json", "step,action"], { cwd });
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("knot account") });
    expect(ran.json()).toEqual([
      { step: "account", action: "failed" },
      { step: "team", action: "stopped" },
      { step: "key", action: "stopped" },
    ]);
    expect(server.members).toEqual(["gull"]);
    server.accounts.clear();
    expect(await run(server, ["b.json"], { cwd })).toMatchObject({ code: 0 });
    expect(server.members).toEqual(["gull", "knot"]);
  });

  it("names accounts that exist in one run with teams that do not", async () => {
    const server = await started();
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "one.json"), newcomers(1));
    expect(await run(server, ["one.json"], { cwd })).toMatchObject({ code: 0 });
    const write = (teams: string) =>
      writeFileSync(
        join(cwd, "more.yml"),
        `users:\n  gull: {email: gull@example.org, password: x-not-a-secret}\n  new0: {email: other@example.org, password: x-not-a-secret}\n  knot: {email: k@example.org, password: x-not-a-secret, organizations: {fleet: [${teams}]}}\n`,
      );
    write("bilge");
    const ran = await run(server, ["more.yml", "--plan"], { cwd });
    for (const fault of ["users.new0 user already exists", "has no team bilge"]) expect(ran.stderr).toContain(fault);
    expect(server.made.length).toBe(1);
  });

  it("says in the plan what is done with each account", async () => {
    const server = await started();
    const cwd = emptyFolder();
    const people = (name: string) => ({
      users: { new0: { email: "new0@example.org", full_name: name, password: "x-not-a-secret" } },
    });
    writeFileSync(join(cwd, "one.json"), JSON.stringify(people("One")));
    const plan = async (line: readonly string[]) =>
      (await run(server, ["one.json", "--plan", "--json", "step,reason", ...line], { cwd })).json();
    expect(await plan([])).toEqual([{ step: "account", reason: "create" }]);
    writeFileSync(join(cwd, "one.json"), JSON.stringify(people("One")));
    expect(await run(server, ["one.json"], { cwd })).toMatchObject({ code: 0 });
    writeFileSync(join(cwd, "one.json"), JSON.stringify(people("Two")));
    expect(await plan(["--on-existing", "skip"])).toEqual([]);
    expect(await plan(["--on-existing", "update"])).toEqual([
      { step: "account", reason: "update: full_name: One → Two" },
    ]);
    expect(await plan(["--on-existing", "update", "--reset-passwords"])).toEqual([
      { step: "account", reason: "update: full_name: One → Two, password: unknown → new password" },
    ]);
  });

  it("ends well through a proxy that drops every fifth answer", async () => {
    let count = 0;
    const server = await started({ loses: () => ++count % 5 === 0 });
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "new.json"), newcomers(20));
    let ran = await run(server, ["new.json"], { cwd });
    for (let runs = 0; ran.code !== 0 && runs < 30; runs += 1) {
      expect([6, 11], ran.stderr).toContain(ran.code);
      ran = await run(server, ["new.json"], { cwd });
    }
    expect(ran.code).toBe(0);
    expectHere(server, 20);
    // The HTTP layer repeats a PUT that got no answer, which changes nothing more.
    expect(server.repeats.filter((path) => !path.startsWith("/teams/"))).toEqual([]);
  });
});

it("is resumed by the same line wherever it was killed, and nothing is done twice or left out", async () => {
  const kills = await killedAtEachRequest(["user", "onboard", "new.json", "--yes"], async () => {
    const server = await started();
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "new.json"), newcomers(2));
    const holds = () => {
      expectHere(server, 2);
      expect(server.repeats).toEqual([]);
    };
    return { ...server, world: { cwd }, holds };
  });
  expect(kills).toBeGreaterThan(10);
});
