import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lock } from "../../../../src/system/lock.ts";
import { killedAtEachRequest } from "../../../support/killed.ts";
import { emptyFolder, tongs, type World } from "../../../support/tongs.ts";
import { account } from "../forge.ts";
import { type AccountServer, accountServer, people } from "./forge.ts";

let server: AccountServer;

function setUp(content: string, name = "people.csv") {
  const folder = emptyFolder();
  const file = join(folder, name);
  writeFileSync(file, content);
  const passwords = join(folder, "passwords.csv");
  const run = (flags: readonly string[] = [], world: World = {}) => {
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    return tongs(["user", "import", file, ...flags], { ...world, env });
  };
  return { folder, file, passwords, run, made: ["--generate-passwords", passwords] };
}

/** Passwords by username, from a password file; of several, the last one. */
const passwordsIn = (file: string) =>
  new Map(
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",") as [string, string]),
  );

const sent = (to: AccountServer) => new Map(to.made.map((one) => [one["username"], one["password"]]));

describe("user import", () => {
  it("says why it cannot write the passwords, and creates nobody", async () => {
    server = await accountServer();
    const { run, folder } = setUp(people(1));
    const ran = await run(["--generate-passwords", join(folder, "gone", "passwords.csv")]);
    expect([ran.stderr, server.made]).toEqual([expect.stringContaining("no such file or directory (ENOENT)"), []]);
    expect(ran.stderr).not.toContain("Free up");
  });

  it("creates each user, sets other fields with a second request, and keeps the order of the file", async () => {
    server = await accountServer();
    const { run, made } = setUp(people(40));
    const ran = await run([...made, "--json"]);
    expect(ran.code).toBe(0);
    expect(ran.json()).toMatchObject(
      Array.from({ length: 40 }, (_, index) => ({ line: index + 2, username: `u${index}`, action: "created" })),
    );
    const admins = [...server.accounts.values()].filter((user) => user.is_admin).map(({ login }) => login);
    expect(admins.sort()).toEqual(["u0", "u10", "u20", "u30"]);
    // Two requests for each account, one for each administrator, and who is signed in.
    expect(server.seen).toHaveLength(2 * 40 + 4 + 1);
  });

  it("sends up to --jobs requests at once", async () => {
    const slow = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 5));
    for (const [jobs, most] of [
      [1, 1],
      [3, 3],
    ] as const) {
      server = await accountServer((seen) => (seen.method === "POST" ? slow() : undefined));
      const { run, made } = setUp(people(20));
      await run([...made, "--jobs", String(jobs)]);
      expect(server.widest()).toBe(most);
      if (jobs === 1) await server.close();
    }
  });

  it("changes nothing where all accounts equal their rows, and sets no password of an account that exists", async () => {
    server = await accountServer();
    const { run, made, passwords, file } = setUp(people(12));
    expect((await run(made)).code).toBe(0);
    const before = [readFileSync(passwords, "utf8"), server.made.length];
    const again = await run(made);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("No changes (12 unchanged)") });
    writeFileSync(file, "username,email,full_name,password\nu1,u1@example.org,One,not-a-secret\n");
    const updated = await run([...made, "--on-existing", "update", "--json"]);
    expect(updated.json()).toMatchObject([{ action: "updated", changes: { full_name: ["", "One"] } }]);
    expect([readFileSync(passwords, "utf8"), server.made.length]).toEqual(before);
    expect(server.seen.some(({ method, body }) => method === "PATCH" && body.includes("password"))).toBe(false);
  });

  it("leaves in each of two files the passwords of the accounts that its own run created", async () => {
    const waiting: (() => void)[] = [];
    // Both have looked before either creates.
    server = await accountServer(async ({ method }) => {
      if (method !== "POST" || server.made.length > 0) return undefined;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 4) for (const go of waiting.splice(0)) go();
      });
      return undefined;
    });
    const { folder, run } = setUp(people(9));
    const files = ["one.csv", "two.csv"].map((name) => join(folder, name));
    writeFileSync(files[0] ?? "", "username,password\nu0x,not-a-secret-x\nu1,not-a-secret-1\n");
    await Promise.all(files.map((file) => run(["--generate-passwords", file, "--jobs", "2"])));
    const all = files.flatMap((file) => [...passwordsIn(file)]).filter(([name]) => name !== "u0x");
    const known = all.filter(([name, password]) => name !== "u1" || password === sent(server).get("u1"));
    expect(known.sort()).toEqual([...sent(server)].sort());
    expect(passwordsIn(files[0] ?? "").get("u0x")).toBe("not-a-secret-x");
    expect(passwordsIn(files[0] ?? "").get("u1")).toBe("not-a-secret-1");
    expect(statSync(files[1] ?? "").mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
    expect(readdirSync(folder).sort()).toEqual(["one.csv", "people.csv", "two.csv"]);
  });

  it("resets to a new password, not to the one that the file has, and keeps the file until it is confirmed", async () => {
    server = await accountServer();
    server.accounts.set("mara", { ...account("mara"), password: "x" });
    const { run, made, passwords } = setUp("username,email\nmara,mara@example.org\n");
    const earlier = "username,password\nmara,not-a-secret-x\nother,not-a-secret\n";
    writeFileSync(passwords, earlier);
    expect(await run([...made, "--reset-passwords"])).toMatchObject({ code: 2 });
    const line = [...made, "--reset-passwords", "--on-existing", "update"];
    expect(await run(line, { terminal: true, answers: [false] })).toMatchObject({ code: 3 });
    expect(await run(line)).toMatchObject({ code: 2 });
    expect(readFileSync(passwords, "utf8")).toBe(earlier);
    expect(await run([...line, "--yes"])).toMatchObject({ code: 0 });
    const password = server.accounts.get("mara")?.password;
    expect(password).not.toBe("not-a-secret-x");
    expect(readFileSync(passwords, "utf8")).toBe(`username,password\nother,not-a-secret\nmara,${password}\n`);
  });

  it("saves the generated passwords with mode 0600 before anything is created, and prints none", async () => {
    const files: string[] = [];
    server = await accountServer(({ method }) => {
      if (method === "POST") files.push(readFileSync(passwords, "utf8"));
      return undefined;
    });
    const { run, made, passwords } = setUp(people(5));
    const ran = await run(made);
    expect(passwordsIn(passwords)).toEqual(sent(server));
    expect(new Set(files).size).toBe(1);
    expect(statSync(passwords).mode & 0o777).toBe(0o600);
    for (const password of sent(server).values()) expect(ran.stdout + ran.stderr).not.toContain(password);
  });

  it("appends to the file of passwords, one command at a time, and never replaces another file", async () => {
    server = await accountServer();
    const { run, passwords, file } = setUp(people(2));
    const notes = `${file}.notes`;
    writeFileSync(notes, "my notes");
    const refused = await run(["--generate-passwords", notes]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a file of passwords") });
    expect(readFileSync(notes, "utf8")).toBe("my notes");
    // The last line is cut, as by a kill.
    const earlier = "username,password\nother,not-a-secret\nu0,not-a-secret-0\nu1,not";
    writeFileSync(passwords, earlier);
    const held = await lock(`passwords ${passwords}`);
    expect(await run(["--generate-passwords", passwords])).toMatchObject({ code: 9 });
    held?.release();
    expect(server.made).toEqual([]);
    expect(await run(["--generate-passwords", passwords])).toMatchObject({ code: 0 });
    const saved = ["other,not-a-secret", "u0,not-a-secret-0", `u1,${sent(server).get("u1")}`];
    expect(readFileSync(passwords, "utf8")).toBe(["username,password", ...saved, ""].join("\n"));
    expect(sent(server).get("u0")).toBe("not-a-secret-0");
  });

  it.skipIf(process.getuid?.() !== 0)("saves no passwords in a file of another user", async () => {
    server = await accountServer();
    const { run, made, passwords } = setUp(people(1));
    writeFileSync(passwords, "username,password\n");
    chownSync(passwords, 65534, 65534);
    expect(await run(made)).toMatchObject({ code: 2, stderr: expect.stringContaining("belongs to another user") });
    expect(server.made).toEqual([]);
  });

  it("stops at the first 401, and says that nobody is signed in", async () => {
    server = await accountServer(() => ({ status: 401, body: { message: "invalid token" } }));
    const { run, made } = setUp(people(100));
    expect(await run(made)).toMatchObject({ code: 4 });
    expect(server.seen).toHaveLength(1);
  });

  it("completes an account that was created but not completed, if nobody signed in", async () => {
    let refuse = true;
    server = await accountServer(({ method }) =>
      method === "PATCH" && refuse ? { status: 403, body: { message: "no" } } : undefined,
    );
    const { run, made } = setUp(people(2));
    const ran = await run(made);
    expect(ran).toMatchObject({
      code: 11,
      stderr: expect.stringContaining("the account was created, but could not set admin"),
    });
    refuse = false;
    const made0 = server.accounts.get("u0");
    if (made0 === undefined) throw new Error("u0 was not made");
    server.accounts.set("u0", { ...made0, last_login: "2026-03-01T08:00:00Z" });
    expect((await run(made)).stderr).toContain("user already exists (admin: false → true)");
    const day = new Date(Date.now() - 25 * 3_600_000).toISOString();
    server.accounts.set("u0", { ...made0, created: day });
    expect((await run(made)).stderr).toContain("user already exists (admin: false → true)");
    server.accounts.set("u0", made0);
    expect((await run([...made, "--on-existing", "skip"])).stderr).toContain("1 skipped");
    expect(server.accounts.get("u0")?.is_admin).toBe(false);
    expect((await run(made)).code).toBe(0);
    expect([server.made.length, server.accounts.get("u0")?.is_admin]).toEqual([2, true]);
  });

  it("reports an account whose creation got no answer as unknown, and the next run finds out", async () => {
    let lose = true;
    server = await accountServer(undefined, {
      loses: ({ method, body }) => lose && method === "POST" && body.includes('"u1"'),
    });
    const { run, made, passwords } = setUp(people(3));
    const ran = await run([...made, "--json"]);
    expect(ran.code).toBe(11);
    expect(ran.json()).toMatchObject([
      { action: "created" },
      { action: "unknown", reason: expect.stringContaining("may have been created: run the same command again") },
      { action: "created" },
    ]);
    lose = false;
    expect(await run(made)).toMatchObject({ code: 0, stderr: expect.stringContaining("3 unchanged") });
    expect(passwordsIn(passwords)).toEqual(sent(server));
  });

  it.each(["POST", "PATCH"])("stops at the first 401 to a %s, and resumes when it is run again", async (refused) => {
    let requests = 0;
    let refuse = true;
    server = await accountServer(({ method }) => {
      if (method !== refused || !refuse) return undefined;
      requests += 1;
      return { status: 401, body: { message: "token is revoked" } };
    });
    const { run, made } = setUp(people(100));
    const ran = await run(made);
    expect([ran.code, requests <= 16, server.made.length < 100]).toEqual([refused === "POST" ? 4 : 11, true, true]);
    expect(ran.stderr).toContain("Nothing was sent for the other");
    refuse = false;
    expect((await run(made)).code).toBe(0);
    expect(server.made).toHaveLength(100);
  });

  it.each([
    ["skip", 0, [{ username: "jonas", action: "created" }], "M."],
    ["update", 0, [{ action: "updated", changes: { full_name: ["M.", "Mara"] } }, { action: "created" }], "Mara"],
    [
      "fail",
      11,
      [{ action: "invalid", reason: "user already exists (full_name: M. → Mara)" }, { action: "created" }],
      "M.",
    ],
  ])("applies --on-existing %s to an account that differs", async (word, code, outcomes, name) => {
    server = await accountServer();
    server.accounts.set("mara", { ...account("mara", { full_name: "M." }), password: "x" });
    const { run, made } = setUp("username,email,full_name\nmara,mara@example.org,Mara\njonas,jonas@example.org,J\n");
    const ran = await run([...made, "--on-existing", word, "--json"]);
    expect(ran.code).toBe(code);
    expect(ran.json()).toMatchObject(outcomes);
    expect(server.accounts.get("mara")?.full_name).toBe(name);
  });

  it("takes nobody's own access away", async () => {
    server = await accountServer(({ url }) =>
      url.endsWith("/api/v1/user") ? { body: account("Warden", { is_admin: true }) } : undefined,
    );
    server.accounts.set("warden", { ...account("warden", { is_admin: true }), password: "not-a-secret" });
    const { run } = setUp("username,email,admin\nwarden,warden@example.org,false\n");
    const ran = await run(["--on-existing", "update", "--json"]);
    expect([ran.code, ran.json()]).toMatchObject([9, [{ action: "invalid" }]]);
    expect([ran.stderr, server.accounts.get("warden")?.is_admin]).toEqual([
      expect.stringContaining("admin takes away your own access: use tongs user edit warden"),
      true,
    ]);
  });

  it("never edits an organization with the name of a row", async () => {
    server = await accountServer(({ url }) => {
      if (url.includes("/admin/users?")) return { status: 403, body: { message: "no" } };
      return url === "/api/v1/orgs/pier" ? { body: {} } : undefined;
    });
    server.accounts.set("pier", { ...account("pier"), password: "" });
    const { run, made } = setUp("username,email,full_name\npier,pier2@example.org,Pier\n");
    const ran = await run([...made, "--on-existing", "update"]);
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("name is taken by an organization") });
    expect(server.lines().every((line) => line.startsWith("GET"))).toBe(true);
  });

  it("prints the first write with --dry-run, and creates no files", async () => {
    server = await accountServer();
    const { run, made, passwords } = setUp(people(3));
    const ran = await run([...made, "--dry-run"]);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("POST ") });
    expect(server.made).toEqual([]);
    expect(existsSync(passwords)).toBe(false);
  });

  it("reads stdin with --format", async () => {
    server = await accountServer();
    const { made } = setUp("");
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const line = ["user", "import", "-", "--format", "csv", ...made];
    for (let runs = 0; runs < 2; runs += 1) expect((await tongs(line, { env, stdin: people(3) })).code).toBe(0);
    expect(server.made).toHaveLength(3);
  });

  it("is resumed by the same line wherever it was killed, and every account has its password", async () => {
    const line = ["user", "import", "people.csv", "--generate-passwords", "passwords.csv", "--jobs", "1", "--yes"];
    const open = async () => {
      const made = await accountServer();
      const cwd = emptyFolder();
      writeFileSync(join(cwd, "people.csv"), people(2));
      server = made;
      const holds = () => {
        expect(made.made.map((one) => one["username"])).toEqual(["u0", "u1"]);
        expect(passwordsIn(join(cwd, "passwords.csv"))).toEqual(sent(made));
        expect([...made.accounts.values()].map(({ is_admin }) => is_admin)).toEqual([true, false]);
      };
      return { ...made, world: { cwd }, holds };
    };
    expect(await killedAtEachRequest(line, open, { spawns: true })).toBeGreaterThan(3);
  });
});

it("names the first 50 mistakes of a file", async () => {
  server = await accountServer();
  const rows = Array.from({ length: 300 }, (_, index) => `u${index},bad`);
  const { run } = setUp(`username,email\n${rows.join("\n")}\n`);
  const { code, stderr } = await run();
  expect([code, stderr.trimEnd().split("\n").slice(-2)]).toEqual([
    2,
    ["  line 51 (u49): column 2: 'bad' is not a valid email address", "  and 250 more"],
  ]);
});
