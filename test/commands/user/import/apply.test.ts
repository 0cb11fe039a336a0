import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { emptyFolder, quietSignal, tongs, type World } from "../../../support/tongs.ts";
import { account } from "../forge.ts";
import { type AccountServer, accountServer, people } from "./forge.ts";

let server: AccountServer;
afterEach(() => server.close());

function setUp(content: string, name = "people.csv") {
  const folder = emptyFolder();
  const file = join(folder, name);
  writeFileSync(file, content);
  const text = (suffix: string) => readFileSync(`${file}${suffix}`, "utf8");
  const passwords = join(folder, "passwords.csv");
  const run = (flags: readonly string[] = [], world: World = {}) => {
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    return tongs(["user", "import", file, ...flags], { ...world, env });
  };
  return { file, passwords, text, run, made: ["--generate-passwords", passwords] };
}

/** Passwords by username, from a password file. */
const passwordsIn = (file: string) =>
  new Map(
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",") as [string, string]),
  );

describe("user import", () => {
  it("creates each user, sets other fields with a second request, and keeps the order of the file", async () => {
    server = await accountServer();
    const { run, made } = setUp(people(40));
    const ran = await run([...made, "--json"]);
    expect(ran.code).toBe(0);
    expect(ran.json()).toEqual(
      Array.from({ length: 40 }, (_, index) => ({ line: index + 2, username: `u${index}`, action: "created" })),
    );
    const admins = [...server.accounts.values()].filter((user) => user.is_admin).map(({ login }) => login);
    expect(admins.sort()).toEqual(["u0", "u10", "u20", "u30"]);
    expect(server.lines().filter((line) => line.startsWith("PATCH"))).toHaveLength(4);
  });

  it("sends up to --jobs requests at once", async () => {
    const slow = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 5));
    for (const [jobs, most] of [
      [1, 1],
      [3, 3],
    ] as const) {
      server = await accountServer(slow);
      const { run, made } = setUp(people(20));
      await run([...made, "--jobs", String(jobs)]);
      expect(server.widest()).toBe(most);
      if (jobs === 1) await server.close();
    }
  });

  it("saves the generated passwords with mode 0600, and writes none to the journal or the output", async () => {
    server = await accountServer();
    const { run, made, passwords, text } = setUp(people(5));
    const ran = await run(made);
    const sent = new Map(server.made.map((one) => [String(one["username"]), String(one["password"])]));
    expect(passwordsIn(passwords)).toEqual(sent);
    expect(statSync(passwords).mode & 0o777).toBe(0o600);
    for (const password of sent.values()) expect(text(".journal") + ran.stdout + ran.stderr).not.toContain(password);
  });

  it("saves no password of a user that existed or could not be created", async () => {
    server = await accountServer();
    server.accounts.set("u1", { ...account("u1"), password: "x" });
    server.accounts.set("other", { ...account("other", { email: "u2@example.org" }), password: "x" });
    const { run, made, passwords } = setUp(people(4));
    expect((await run([...made, "--on-existing", "skip"])).code).toBe(11);
    expect([...passwordsIn(passwords).keys()]).toEqual(["u0", "u3"]);
  });

  it("saves the password of a user that was created but not completed, and completes it with --resume", async () => {
    let refuse = true;
    server = await accountServer(({ method }) =>
      method === "PATCH" && refuse ? { status: 403, body: { message: "no" } } : undefined,
    );
    const { run, made, passwords, text } = setUp(people(2));
    const ran = await run(made);
    expect(ran).toMatchObject({
      code: 11,
      stderr: expect.stringContaining("user was created, but could not set admin"),
    });
    expect(passwordsIn(passwords).get("u0")).toBe(server.made.find((one) => one["username"] === "u0")?.["password"]);
    expect(text(".failed").split("\n")[1]).toContain("u0,u0@example.org");
    refuse = false;
    expect((await run([...made, "--resume"])).code).toBe(0);
    expect(server.made).toHaveLength(2);
    expect(server.accounts.get("u0")?.is_admin).toBe(true);
  });

  it.each(["POST", "PATCH"])("stops at the first 401 to a %s, and goes on with --resume", async (refused) => {
    let requests = 0;
    let refuse = true;
    server = await accountServer(({ method }) => {
      if (method !== refused || !refuse) return undefined;
      requests += 1;
      return { status: 401, body: { message: "token is revoked" } };
    });
    const { run, made } = setUp(people(100));
    const ran = await run(made);
    expect([ran.code, requests <= 16]).toEqual([4, true]);
    expect(ran.stderr).toContain("--resume");
    refuse = false;
    expect((await run([...made, "--resume"])).code).toBe(0);
    expect(server.made).toHaveLength(100);
  });

  it.each([
    ["skip", 0, [{ action: "skipped" }, { action: "created" }], "M."],
    ["update", 0, [{ action: "updated", changes: { full_name: ["M.", "Mara"] } }, { action: "created" }], "Mara"],
    ["fail", 11, [{ action: "failed", reason: "user already exists" }, { action: "created" }], "M."],
  ])("applies --on-existing %s to an existing user", async (word, code, outcomes, name) => {
    server = await accountServer();
    server.accounts.set("mara", { ...account("mara", { full_name: "M." }), password: "x" });
    const { run, made } = setUp("username,email,full_name\nmara,mara@example.org,Mara\njonas,jonas@example.org,J\n");
    const ran = await run([...made, "--on-existing", word, "--json"]);
    expect(ran.code).toBe(code);
    expect(ran.json()).toMatchObject(outcomes);
    expect(server.accounts.get("mara")?.full_name).toBe(name);
  });

  it("never edits an organization with the name of a row", async () => {
    server = await accountServer(({ url }) => (url === "/api/v1/orgs/pier" ? { body: {} } : undefined));
    server.accounts.set("pier", { ...account("pier"), password: "" });
    const { run, made } = setUp("username,email,full_name\npier,pier2@example.org,Pier\n");
    const ran = await run([...made, "--on-existing", "update"]);
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("name is taken by an organization") });
    expect(server.lines().some((line) => line.startsWith("PATCH"))).toBe(false);
  });

  it("continues after failures, exits 11, and writes the failed rows to a file that can be imported", async () => {
    server = await accountServer();
    server.accounts.set("other", { ...account("other", { email: "u1@example.org" }), password: "x" });
    const { run, made, text, file } = setUp(people(3));
    const ran = await run(made);
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("line 3 (u1): ");
    expect(ran.stderr).toContain(`Wrote 1 failed row to ${file}.failed`);
    expect(statSync(`${file}.failed`).mode & 0o777).toBe(0o600);
    server.accounts.delete("other");
    const again = setUp(text(".failed"), "people.csv.failed");
    expect((await again.run([...again.made, "--json"])).json()).toEqual([
      { line: 2, username: "u1", action: "created" },
    ]);
  });

  it("prints the first write with --dry-run, and creates no files", async () => {
    server = await accountServer();
    const { run, made, passwords, file } = setUp(people(3));
    const ran = await run([...made, "--dry-run"]);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("POST ") });
    expect(server.seen).toEqual([]);
    expect([passwords, `${file}.journal`, `${file}.failed`].filter((one) => existsSync(one))).toEqual([]);
  });

  it("reads stdin with --format", async () => {
    server = await accountServer();
    const { made } = setUp("");
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const line = ["user", "import", "-", "--format", "csv", ...made];
    expect((await tongs(line, { env, stdin: people(3) })).code).toBe(0);
    expect(server.made).toHaveLength(3);
    expect((await tongs([...line, "--resume"], { env, stdin: people(3) })).stderr).toContain(
      "--resume requires --journal",
    );
  });
});

describe("user import, the journal", () => {
  const interrupted = async (after: number) => {
    const stop = new AbortController();
    let posts = 0;
    server = await accountServer(({ method }) => {
      posts += method === "POST" ? 1 : 0;
      if (posts === after) stop.abort(new Error("stopped"));
      return undefined;
    });
    const files = setUp(people(30));
    const signal = AbortSignal.any([stop.signal, quietSignal()]);
    const ran = await files.run(files.made, { signal });
    expect(ran.code).not.toBe(0);
    return { ...files, ran };
  };

  it("resumes an interrupted import without repeating or losing anything", async () => {
    const { run, made, passwords, ran } = await interrupted(10);
    expect(ran.stderr).toContain("To continue, run: tongs user import ");
    const resumed = await run([...made, "--resume"]);
    expect(resumed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(", with earlier runs 30 of 30 rows on "),
    });
    expect(server.made.map((one) => one["username"]).sort()).toEqual(
      Array.from({ length: 30 }, (_, index) => `u${index}`).sort(),
    );
    expect(passwordsIn(passwords)).toEqual(new Map(server.made.map((one) => [one["username"], one["password"]])));
    expect((await run([...made, "--resume"])).stderr).toContain("Nothing to do");
  });

  it("is not overwritten while the import is unfinished", async () => {
    const { run, file } = await interrupted(5);
    const ran = await run(["--generate-passwords", `${file}.other`]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("is the journal of an unfinished import") });
  });

  it("rejects another file and another server", async () => {
    const { run, made, file } = await interrupted(5);
    const content = readFileSync(file, "utf8");
    writeFileSync(file, `${content}more,more@example.org,false\n`);
    expect((await run([...made, "--resume"])).stderr).toContain("The file has changed since");
    writeFileSync(file, content);
    const other = await accountServer();
    const env = { TONGS_HOST: other.url, TONGS_TOKEN: "not-a-real-token" };
    const ran = await tongs(["user", "import", file, ...made, "--resume"], { env });
    await other.close();
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("belongs to an import on") });
    expect(other.seen).toEqual([]);
  });

  it("and the password file never overwrite other files", async () => {
    server = await accountServer();
    const { run, file, passwords } = setUp(people(2));
    const notes = `${file}.notes`;
    writeFileSync(notes, "my notes");
    const line = ["--generate-passwords", passwords];
    expect((await run([...line, "--journal", notes])).stderr).toContain("is not an import journal");
    expect((await run(["--generate-passwords", notes])).stderr).toContain("already exists");
    writeFileSync(`${file}.journal`, "");
    expect((await run(["--generate-passwords", notes, "--resume"])).stderr).toContain("is not a password file");
    expect(readFileSync(notes, "utf8")).toBe("my notes");
    expect(server.seen).toEqual([]);
  });

  it("keeps a row without a response unfinished, so --resume finds the user instead of failing", async () => {
    let lose = true;
    // The user is created, but the response is a 500.
    server = await accountServer(({ method, body }) => {
      if (method !== "POST" || !lose || !body.includes('"u1"')) return undefined;
      lose = false;
      const { username, email } = JSON.parse(body) as { username: string; email: string };
      server.accounts.set(username, {
        ...account(username, { email, created: new Date().toISOString() }),
        password: "",
      });
      return { status: 500, body: { message: "" } };
    });
    const { run, made, file } = setUp(people(3));
    expect((await run(made)).code).toBe(11);
    const again = await run([...made, "--resume", "--json"]);
    expect(again.json()).toEqual([{ line: 3, username: "u1", action: "created" }]);
    expect(existsSync(`${file}.failed`)).toBe(false);
  });
});
