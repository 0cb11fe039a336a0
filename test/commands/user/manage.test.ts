import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";
import { unknownRoute } from "../run/forge.ts";
import { account, answers } from "./forge.ts";

const sandbox = await onSandbox();

const make = async (name: string) => {
  const body = { username: name, email: `${name}@example.org`, password: "not-a-secret", must_change_password: false };
  expect((await sandbox.ask("POST", "/admin/users", "harbormaster", body)).status).toBe(201);
};
const exists = async (name: string) => (await sandbox.ask("GET", `/users/${name}`)).status === 200;

/** What a server has where somebody owns a package; the sandbox has none. */
const person = { id: 2, login: "priya" };
const owned = [
  {
    id: 1,
    type: "generic",
    name: "tide-tables",
    version: "1.0.0",
    html_url: "",
    created_at: "2026-01-01T00:00:00Z",
    owner: person,
    creator: person,
    repository: null,
  },
];

describe("user list", () => {
  it("says above the table that filters narrow the list, whatever the help calls them", async () => {
    const heading = async (...flags: string[]) =>
      (await sandbox.run(["user", "list", "--all", ...flags], { terminal: true })).stderr;
    expect(await heading()).toMatch(/^Showing (\d+) of \1 users\n/);
    expect(await heading("--active")).toMatch(/^Showing \d+( of \d+)? users that match your filters\n/);
  });
});

describe("user delete", () => {
  it("shows with --dry-run the first request, whoever else does not exist", async () => {
    await make("plover");
    const ran = await sandbox.run(["user", "delete", "plover", "nobody-here", "--dry-run"]);
    expect([ran.code, ran.stdout], ran.stderr).toEqual([
      0,
      expect.stringMatching(/^DELETE .*\/admin\/users\/plover\n$/),
    ]);
  });

  it("exits with --dry-run as the run would for your own account, and for a user who owns something", async () => {
    await sandbox.ask("POST", "/user/repos", "mara", { name: "own-raft" });
    for (const [name, words] of [
      ["harbormaster", "You cannot delete your own account"],
      ["mara", "mara still owns"],
    ] as const) {
      const ran = await sandbox.run(["user", "delete", name, "--dry-run"]);
      expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining(words)]);
    }
    await sandbox.ask("DELETE", "/repos/mara/own-raft", "mara");
  });

  async function withPackage(line: readonly string[], world: World) {
    const proxy = await droppingProxy(sandbox.url, {
      drops: () => false,
      answers: (url) => (url.includes("/packages/priya") ? owned : undefined),
    });
    const ran = await sandbox.run(line, { ...world, env: { TONGS_HOST: proxy.url } });
    await proxy.close();
    return ran;
  }

  it("lists what the user owns, asks to type the name, and deletes nothing otherwise", async () => {
    const world = { terminal: true, answers: ["nobody"] };
    const ran = await withPackage(["user", "delete", "priya", "--purge"], world);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(
      /priya \(Priya Raman\), priya@example\.org\n +1 repository: priya\/harbor\n +1 package: tide-tables 1\.0\.0/,
    );
    expect(ran.stderr).toContain("--purge deletes all of these");
    const question = "Delete priya and everything they own (cannot be undone). Type priya to confirm";
    expect(ran.asked).toEqual([question, question]);
    expect(await exists("priya")).toBe(true);
  });

  it("shows a name with line breaks on one line", async () => {
    await make("forger");
    await sandbox.ask("PATCH", "/admin/users/forger", "harbormaster", {
      full_name: "X)\n  owns nothing",
      source_id: 0,
      login_name: "forger",
    });
    const ran = await sandbox.run(["user", "delete", "forger", "--dry-run"]);
    expect(ran.stderr).toContain("forger (X)   owns nothing), forger@example.org\n");
  });

  it("asks nothing if the user owns something, and says which flag deletes it, too", async () => {
    sandbox.writes();
    const ran = await withPackage(["user", "delete", "priya"], { terminal: true, answers: ["priya"] });
    expect(ran).toMatchObject({ code: 13, asked: [] });
    expect(ran.stderr).toContain(
      "priya still owns 1 repository: priya/harbor; still owns 1 package: tide-tables 1.0.0\n",
    );
    expect(ran.stderr).toContain("transfer them: tongs repo transfer NEW-OWNER -R priya/harbor");
    expect(ran.stderr).toContain("To delete everything, run: tongs user delete priya --purge");
    expect(sandbox.writes()).toEqual([]);
    expect(await exists("priya")).toBe(true);
  });

  it("requires --yes when it cannot prompt", async () => {
    expect(await sandbox.run(["user", "delete", "jonas"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes is required"),
    });
    expect(await exists("jonas")).toBe(true);
  });

  it("deletes several users who own nothing after their names were typed", async () => {
    await make("idle-1");
    await make("idle-2");
    sandbox.writes();
    const ran = await sandbox.run(["user", "delete", "idle-1", "idle-2"], {
      terminal: true,
      answers: ["idle-1", "idle-2"],
    });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("owns no repositories, organizations or packages");
    expect(sandbox.writes().sort()).toEqual(["DELETE /admin/users/idle-1", "DELETE /admin/users/idle-2"]);
  });

  it("explains each refusal with the command that helps", async () => {
    await make("owner");
    await sandbox.ask("POST", "/admin/users/owner/repos", "harbormaster", { name: "raft" });
    const line = (name: string) => ["user", "delete", name, "--yes"];
    const owner = await sandbox.run(line("owner"));
    expect(owner.code).toBe(13);
    expect(owner.stderr).toContain("owner still owns 1 repository: owner/raft");
    expect(owner.stderr).toContain(
      "To delete one, run: tongs repo delete owner/raft\n  To delete everything, run: tongs user delete owner --purge",
    );
    await make("member");
    await sandbox.ask("POST", "/admin/users/member/orgs", "harbormaster", { username: "guild" });
    const member = await sandbox.run(line("member"));
    expect(member.stderr).toContain("member is still a member of 1 organization: guild");
    const server = await serve(
      ({ method, url }) => {
        if (method === "DELETE")
          return { status: 422, body: { message: "user still has ownership of packages [uid: 2]" } };
        if (url.endsWith("/orgs/keeper")) return { status: 404, body: { message: "not found" } };
        if (/\/(repos|orgs|teams)\b/.test(url)) return { body: [] };
        if (url.endsWith("/user")) return { body: { id: 1, login: "warden" } };
        return { body: url.includes("/packages/") ? owned : { id: 2, login: "keeper" } };
      },
      { saysVersion: true },
    );
    const keeper = await tongs(line("keeper"), { env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" } });
    await server.close();
    expect(keeper.stderr).toContain("keeper still owns 1 package: tide-tables 1.0.0");
    const guild = await sandbox.run(line("guild"));
    expect(guild).toMatchObject({ code: 2, stderr: expect.stringContaining("guild is an organization, not a user") });
    expect(guild.stderr).toContain("tongs org delete guild");
    const asked = await sandbox.run(["user", "delete", "guild"], { terminal: true });
    expect(asked).toMatchObject({ code: 2, asked: [], stderr: expect.stringContaining("is an organization") });
    const self = await sandbox.run(line("harbormaster"));
    expect(self.stderr).toContain("You cannot delete your own account");
    expect((await sandbox.run(line("nobody-here"))).code).toBe(5);
  });

  it("suggests another administrator before the last one is deleted", async () => {
    const server = await serve(
      answers({
        "DELETE /admin/users/mara": { status: 422, body: { message: "can not delete the last admin user [uid: 7]" } },
        "GET /orgs/mara": { status: 404, body: { message: "not found" } },
        "GET /user": { body: account("root1", { id: 1 }) },
        "GET /users/mara": { body: account("mara", { is_admin: true }) },
        "GET /users/mara/repos": { body: [] },
        "GET /users/mara/orgs": { body: [] },
        "GET /packages/mara": unknownRoute,
      }),
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const ran = await tongs(["user", "delete", "mara", "--yes"], { env });
    expect(ran).toMatchObject({ code: 13, stderr: expect.stringContaining("may be the last administrator") });
    expect(ran.stderr).toContain("tongs user edit NAME --admin");
  });

  it("says what --purge deletes, and deletes it", async () => {
    const ran = await sandbox.run(["user", "delete", "owner", "--purge"], { terminal: true, answers: ["owner"] });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("--purge deletes all of these");
    expect(ran.asked).toEqual(["Delete owner and everything they own (cannot be undone). Type owner to confirm"]);
    expect(await exists("owner")).toBe(false);
    expect((await sandbox.ask("GET", "/repos/owner/raft")).status).toBe(404);
  });

  it("lists with --yes, too, which organizations --purge deletes, with what is in them, and which it leaves", async () => {
    await make("founder");
    for (const name of ["shared", "sole"]) {
      await sandbox.ask("POST", "/admin/users/founder/orgs", "harbormaster", { username: name });
      await sandbox.ask("POST", `/orgs/${name}/repos`, "harbormaster", { name: "pier" });
    }
    expect((await sandbox.run("team member add shared/Owners mara".split(" "))).code).toBe(0);
    const ran = await sandbox.run(["user", "delete", "founder", "--purge", "--yes"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(
      /1 organization: sole\n +1 repository of sole: sole\/pier\n +--purge deletes all of these/,
    );
    expect(ran.stderr).toContain("leaves, and does not delete: shared\n");
    expect((await sandbox.ask("GET", "/orgs/sole")).status).toBe(404);
    expect((await sandbox.ask("GET", "/repos/shared/pier")).status).toBe(200);
  });

  it("deletes no packages of an account that cannot be deleted, and says so if the server refuses it later", async () => {
    await make("baker");
    for (const [owner, org] of [
      ["harbormaster", "sealed"],
      ["baker", "bread"],
    ])
      await sandbox.ask("POST", `/admin/users/${owner}/orgs`, "harbormaster", { username: org });
    const proxy = await droppingProxy(sandbox.url, {
      drops: ({ method, url }) => (method === "DELETE" && url?.includes("/admin/users/") ? 422 : false),
      answers: (url) => (/\/packages\/(sealed|bread)\?/.test(url) ? owned : undefined),
      misses: ({ method, url }) => method === "DELETE" && url?.includes("/packages/") === true,
    });
    const purge = (name: string) =>
      sandbox.run(["user", "delete", name, "--purge", "--yes"], { env: { TONGS_HOST: proxy.url } });
    sandbox.writes();
    expect(await purge("harbormaster")).toMatchObject({
      code: 13,
      stderr: expect.stringContaining("your own account"),
    });
    expect(sandbox.writes()).toEqual([]);
    const refused = await purge("baker");
    await proxy.close();
    expect([refused.code, refused.stderr]).toEqual([
      11,
      expect.stringContaining("Deleted the packages of bread, but not baker: "),
    ]);
  });

  it("judges who is left as an owner over all users of the command", async () => {
    await make("first");
    await make("second");
    await sandbox.ask("POST", "/admin/users/first/orgs", "harbormaster", { username: "joint" });
    await sandbox.ask("POST", "/orgs/joint/repos", "harbormaster", { name: "pier" });
    expect((await sandbox.run("team member add joint/Owners second".split(" "))).code).toBe(0);
    const ran = await sandbox.run(["user", "delete", "first", "Second", "--purge", "--dry-run"]);
    expect(ran.stderr).toMatch(/1 organization: joint\n +1 repository of joint: joint\/pier\n/);
    expect(ran.stderr).not.toContain("does not delete");
  });

  it("continues after a failure and exits 11; prints the deleted users as JSON", async () => {
    await make("gone");
    const ran = await sandbox.run(["user", "delete", "gone", "nobody-here", "--yes", "--json", "login"]);
    expect(ran.code).toBe(11);
    expect(ran.json()).toEqual([{ login: "gone" }]);
    expect(await exists("gone")).toBe(false);
  });
});

describe("user rename", () => {
  it("renames a user, whose old name redirects", async () => {
    await make("tern");
    const ran = await sandbox.run(["user", "rename", "tern", "arctic.tern"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("the old name redirects")]);
    const old = await sandbox.run(["user", "view", "tern", "--json", "login"]);
    expect(old.json()).toEqual({ login: "arctic.tern" });
  });

  it("rejects an invalid name before sending it, and reports a name that is taken", async () => {
    sandbox.writes();
    expect((await sandbox.run(["user", "rename", "jonas", "jo nas"])).code).toBe(2);
    expect(sandbox.writes()).toEqual([]);
    const ran = await sandbox.run(["user", "rename", "jonas", "mara"]);
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("user already exists") });
  });
});

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHM2nKve4IQ7qf0XUWmvoGYst7326zkdXaqJr6tjbpJQ mara@harbor";

describe("user key", () => {
  it("adds a key from stdin with its comment as the title, lists and deletes it", async () => {
    const added = await sandbox.run(["user", "key", "add", "mara", "--key-file", "-"], { stdin: `${publicKey}\n` });
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("Added key mara@harbor to mara") });
    const id = added.stdout.trim();
    const listed = await sandbox.run(["user", "key", "list", "mara"]);
    expect(listed.stdout.split("\t").slice(0, 3)).toEqual([
      id,
      "mara@harbor",
      "SHA256:OA7nPAt+NSk+uznu4M1sNDsf6Nxl38zEL6HVe1rb6vA",
    ]);
    const ran = await sandbox.run(["user", "key", "delete", "mara", id, "999", "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("SSH key 999 of mara not found")]);
    expect((await sandbox.run(["user", "key", "list", "mara", "--json"])).json()).toEqual([]);
  });

  it("does not send a private key, and requires a file and a title", async () => {
    const file = join(emptyFolder(), "key");
    writeFileSync(file, "-----BEGIN OPENSSH PRIVATE KEY-----\nnot a key\n-----END OPENSSH PRIVATE KEY-----\n");
    sandbox.writes();
    const line = ["user", "key", "add", "mara"];
    const ran = await sandbox.run([...line, "--key-file", file, "--title", "x"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("private key; it was not sent") });
    expect((await sandbox.run(line)).stderr).toContain("--key-file is required");
    const untitled = publicKey.split(" ").slice(0, 2).join(" ");
    expect((await sandbox.run([...line, "--key-file", "-"], { stdin: untitled })).stderr).toContain(
      "--title is required",
    );
    expect(sandbox.writes()).toEqual([]);
  });
});

/** Runs tongs on a server where mara has badges; a badge that does not exist is 500. */
async function onBadges() {
  const texts: Record<string, string> = { "early-bird": "Was here before the tide", pilot: "Brings ships in" };
  let held: string[] = [];
  const server = await serve(
    ({ method, url, body }) => {
      if (!url.includes("/badges")) return { body: { id: 2, login: "mara" } };
      if (method === "GET")
        return { body: held.map((Slug, ID) => ({ ID, Slug, Description: texts[Slug], ImageURL: "" })) };
      const { badge_slugs: slugs } = JSON.parse(body) as { readonly badge_slugs: readonly string[] };
      if (method === "POST" && slugs.some((slug) => texts[slug] === undefined))
        return { status: 500, body: { message: "" } };
      held = method === "POST" ? [...held, ...slugs] : held.filter((slug) => !slugs.includes(slug));
      return { status: 204 };
    },
    { saysVersion: true },
  );
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_JOURNAL: "" };
  const run = (verb: string, ...words: string[]) => tongs(["user", "badge", verb, "mara", ...words], { env });
  return { run };
}

describe("user badge", () => {
  it("adds, lists and removes badges, and names the ones that a user does not have", async () => {
    const { run } = await onBadges();
    expect((await run("add", "pilot", "early-bird")).code).toBe(0);
    const listed = await run("list");
    expect(listed.stdout).toBe("pilot\tBrings ships in\nearly-bird\tWas here before the tide\n");
    expect((await run("remove", "pilot", "--json")).json()).toMatchObject([{ Slug: "early-bird" }]);
    const ran = await run("remove", "pilot");
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Badges of mara: early-bird") });
  });

  it("explains the server's 500", async () => {
    const { run } = await onBadges();
    const ran = await run("add", "no-such-badge");
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining("does not exist, or mara already has it") });
  });

  it("names the version that introduced badges on a server without them", async () => {
    const server = await serve(() => unknownRoute);
    const ran = await tongs(["user", "badge", "list", "mara"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "t" } });
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("1.22") });
  });
});

describe("user list, view and email list", () => {
  it("lists email addresses, and searches them", async () => {
    const ran = await sandbox.run(["user", "email", "list", "--query", "jonas"]);
    expect(ran.stdout).toBe("jonas@example.org\tjonas\tprimary\tverified\n");
    const all = (await sandbox.run(["user", "email", "list", "--all", "--json"])).json() as unknown[];
    expect(all.length).toBeGreaterThan(4);
  });

  it("filters and sorts on the server", async () => {
    await sandbox.run(["user", "edit", "jonas", "--prohibit-login"]);
    await sandbox.run(["user", "edit", "tomas", "--restricted", "--visibility", "private"]);
    const names = async (...flags: string[]) => {
      const ran = await sandbox.run(["user", "list", ...flags, "--all", "--jq", ".[].login"]);
      return ran.stdout.trim().split("\n");
    };
    expect(await names("--admin")).toEqual(["harbormaster"]);
    expect(await names("--prohibit-login")).toEqual(["jonas"]);
    expect(await names("--restricted")).toEqual(["tomas"]);
    expect(await names("--visibility", "private")).toEqual(["tomas"]);
    expect((await names("--sort", "id", "--order", "desc")).at(-1)).toBe("harbormaster");
    expect((await names("--sort", "created", "--no-2fa"))[0]).toBe("harbormaster");
    expect(await names("--query", "RAMAN")).toEqual(["priya"]);
  });

  it("shows roles, states and the last sign-in", async () => {
    const ran = await sandbox.run(["user", "list", "--all", "--color", "never"], { terminal: true, columns: 140 });
    expect(ran.stdout).toMatch(/harbormaster .* admin +active/);
    expect(ran.stdout).toMatch(/jonas .* user +sign-in prohibited/);
    expect(ran.stdout).toMatch(/tomas .* restricted +active, private +never/);
    const narrow = await sandbox.run(["user", "list", "--all", "--color", "never"], { terminal: true, columns: 60 });
    expect(narrow.stdout).toMatch(/^\d+ +harbormaster .* admin +active$/m);
    expect(narrow.stdout).toMatch(/^\d+ +jonas .* user +sign-in prohibited$/m);
    const view = await sandbox.run(["user", "view", "jonas", "--color", "never"], { terminal: true });
    expect(view.stdout).toMatch(/state +sign-in prohibited/);
    expect((await sandbox.run(["user", "view", "--json", "login"])).json()).toEqual({ login: "harbormaster" });
  });

  it("filters and sorts locally when the server ignores the parameters", async () => {
    const people = [
      account("zoe", { id: 1, is_admin: true }),
      account("adam", { id: 2, restricted: true }),
      account("mara", { id: 3, visibility: "private", created: "2026-01-01T00:00:00Z" }),
    ];
    const server = await serve(() => ({ body: people, headers: { "x-total-count": "3" } }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const names = async (...flags: string[]) =>
      (await tongs(["user", "list", ...flags, "--jq", ".[].login"], { env })).stdout.trim().split("\n");
    expect(await names("--admin")).toEqual(["zoe"]);
    expect(await names("--no-admin")).toEqual(["adam", "mara"]);
    expect(await names("--visibility", "private")).toEqual(["mara"]);
    expect(await names("--query", "ADAM")).toEqual(["adam"]);
    expect(await names("--sort", "name", "--order", "desc")).toEqual(["zoe", "mara", "adam"]);
    expect(await names("--sort", "created", "--limit", "1")).toEqual(["mara"]);
    const ran = await tongs(["user", "list", "--2fa"], { env });
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("cannot filter users by two-factor authentication"),
    });
  });

  it("reads no more pages than the limit requires", async () => {
    const people = Array.from({ length: 300 }, (_, index) => account(`u${index}`, { id: index + 1 }));
    const server = await serve(({ url }) => {
      const query = new URL(url, "http://x").searchParams;
      const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
      return { body: people.slice((page - 1) * limit, page * limit), headers: { "x-total-count": "300" } };
    });
    await tongs(["user", "list", "--limit", "20"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "t" } });
    expect(server.seen).toHaveLength(1);
  });
});
