import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { emptyFolder, quietSignal, tongs, type World } from "../../../support/tongs.ts";
import { account } from "../forge.ts";
import { type AccountServer, accountServer, people } from "./forge.ts";

let server: AccountServer;
afterEach(() => server.close());

function place(content: string, name = "people.csv") {
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

/** `username -> password` of the file of passwords. */
const held = (file: string) =>
  new Map(
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",") as [string, string]),
  );

describe("user import, applying", () => {
  it("creates each account, sets what creating lacks by a second request, and keeps the order of the file", async () => {
    server = await accountServer();
    const { run, made } = place(people(40));
    const ran = await run([...made, "--json"]);
    expect(ran.code).toBe(0);
    expect(ran.json()).toEqual(
      Array.from({ length: 40 }, (_, index) => ({ line: index + 2, username: `u${index}`, action: "created" })),
    );
    const admins = [...server.accounts.values()].filter((user) => user.is_admin).map(({ login }) => login);
    expect(admins.sort()).toEqual(["u0", "u10", "u20", "u30"]);
    expect(server.lines().filter((line) => line.startsWith("PATCH"))).toHaveLength(4);
  });

  it("runs as many requests side by side as --jobs says, and no more", async () => {
    const slow = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 5));
    for (const [jobs, most] of [
      [1, 1],
      [3, 3],
    ] as const) {
      server = await accountServer(slow);
      const { run, made } = place(people(20));
      await run([...made, "--jobs", String(jobs)]);
      expect(server.widest()).toBe(most);
      if (jobs === 1) await server.close();
    }
  });

  it("writes made passwords into a 0600 file, the very ones that were sent, and none into the journal or the output", async () => {
    server = await accountServer();
    const { run, made, passwords, text } = place(people(5));
    const ran = await run(made);
    const sent = new Map(server.made.map((one) => [String(one["username"]), String(one["password"])]));
    expect(held(passwords)).toEqual(sent);
    expect(statSync(passwords).mode & 0o777).toBe(0o600);
    for (const password of sent.values()) expect(text(".journal") + ran.stdout + ran.stderr).not.toContain(password);
  });

  it("keeps no password for an account that was there before or could not be made", async () => {
    server = await accountServer();
    server.accounts.set("u1", { ...account("u1"), password: "x" });
    server.accounts.set("other", { ...account("other", { email: "u2@example.org" }), password: "x" });
    const { run, made, passwords } = place(people(4));
    expect((await run([...made, "--on-existing", "skip"])).code).toBe(11);
    expect([...held(passwords).keys()]).toEqual(["u0", "u3"]);
  });

  it("keeps the password of an account that was made and could not be completed, and completes it with --resume", async () => {
    let refuse = true;
    server = await accountServer(({ method }) =>
      method === "PATCH" && refuse ? { status: 403, body: { message: "no" } } : undefined,
    );
    const { run, made, passwords, text } = place(people(2));
    const ran = await run(made);
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("was created, but admin could not be set") });
    expect(held(passwords).get("u0")).toBe(server.made.find((one) => one["username"] === "u0")?.["password"]);
    expect(text(".failed").split("\n")[1]).toContain("u0,u0@example.org");
    refuse = false;
    expect((await run([...made, "--resume"])).code).toBe(0);
    expect(server.made).toHaveLength(2);
    expect(server.accounts.get("u0")?.is_admin).toBe(true);
  });

  it.each([
    ["skip", 0, [{ action: "skipped" }, { action: "created" }], "M."],
    ["update", 0, [{ action: "updated", changes: { full_name: ["M.", "Mara"] } }, { action: "created" }], "Mara"],
    ["fail", 11, [{ action: "failed", reason: "the account exists already" }, { action: "created" }], "M."],
  ])("deals with an existing account as --on-existing %s says", async (word, code, outcomes, name) => {
    server = await accountServer();
    server.accounts.set("mara", { ...account("mara", { full_name: "M." }), password: "x" });
    const { run, made } = place("username,email,full_name\nmara,mara@example.org,Mara\njonas,jonas@example.org,J\n");
    const ran = await run([...made, "--on-existing", word, "--json"]);
    expect(ran.code).toBe(code);
    expect(ran.json()).toMatchObject(outcomes);
    expect(server.accounts.get("mara")?.full_name).toBe(name);
  });

  it("never edits an organization that has the name of a row", async () => {
    server = await accountServer(({ url }) => (url === "/api/v1/orgs/pier" ? { body: {} } : undefined));
    server.accounts.set("pier", { ...account("pier"), password: "" });
    const { run, made } = place("username,email,full_name\npier,pier2@example.org,Pier\n");
    const ran = await run([...made, "--on-existing", "update"]);
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("the name belongs to an organization") });
    expect(server.lines().some((line) => line.startsWith("PATCH"))).toBe(false);
  });

  it("goes on after failures, exits 11, and writes the failed rows so that they can be imported", async () => {
    server = await accountServer();
    server.accounts.set("other", { ...account("other", { email: "u1@example.org" }), password: "x" });
    const { run, made, text, file } = place(people(3));
    const ran = await run(made);
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("line 3 (u1): ");
    expect(ran.stderr).toContain(`The 1 that failed are in ${file}.failed`);
    expect(statSync(`${file}.failed`).mode & 0o777).toBe(0o600);
    server.accounts.delete("other");
    const again = place(text(".failed"), "people.csv.failed");
    expect((await again.run([...again.made, "--json"])).json()).toEqual([
      { line: 2, username: "u1", action: "created" },
    ]);
  });

  it("sends the first write only to the person under --dry-run, and leaves no file behind", async () => {
    server = await accountServer();
    const { run, made, passwords, file } = place(people(3));
    const ran = await run([...made, "--dry-run"]);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("POST ") });
    expect(server.seen).toEqual([]);
    expect([passwords, `${file}.journal`, `${file}.failed`].filter((one) => existsSync(one))).toEqual([]);
  });

  it("reads stdin, with its format named", async () => {
    server = await accountServer();
    const { made } = place("");
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const line = ["user", "import", "-", "--format", "csv", ...made];
    expect((await tongs(line, { env, stdin: people(3) })).code).toBe(0);
    expect(server.made).toHaveLength(3);
    expect((await tongs([...line, "--resume"], { env, stdin: people(3) })).stderr).toContain("--resume of stdin needs");
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
    const files = place(people(30));
    const signal = AbortSignal.any([stop.signal, quietSignal()]);
    const ran = await files.run(files.made, { signal });
    expect(ran.code).not.toBe(0);
    return { ...files, ran };
  };

  it("is continued by --resume after an interruption, with nothing done twice or lost", async () => {
    const { run, made, passwords, ran } = await interrupted(10);
    expect(ran.stderr).toContain("go on with --resume");
    expect((await run([...made, "--resume"])).code).toBe(0);
    expect(server.made.map((one) => one["username"]).sort()).toEqual(
      Array.from({ length: 30 }, (_, index) => `u${index}`).sort(),
    );
    expect(held(passwords)).toEqual(new Map(server.made.map((one) => [one["username"], one["password"]])));
    expect((await run([...made, "--resume"])).stderr).toContain("Nothing to do");
  });

  it("of an import that has not ended is not begun anew without a word", async () => {
    const { run, file } = await interrupted(5);
    const ran = await run(["--generate-passwords", `${file}.other`]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("has not ended") });
  });

  it("refuses another file and another server", async () => {
    const { run, made, file } = await interrupted(5);
    const content = readFileSync(file, "utf8");
    writeFileSync(file, `${content}more,more@example.org,false\n`);
    expect((await run([...made, "--resume"])).stderr).toContain("The file has changed since");
    writeFileSync(file, content);
    const other = await accountServer();
    const env = { TONGS_HOST: other.url, TONGS_TOKEN: "not-a-real-token" };
    const ran = await tongs(["user", "import", file, ...made, "--resume"], { env });
    await other.close();
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("is of an import into") });
    expect(other.seen).toEqual([]);
  });

  it("and the file of passwords are never written over something else", async () => {
    server = await accountServer();
    const { run, file, passwords } = place(people(2));
    const notes = `${file}.notes`;
    writeFileSync(notes, "what I wanted to say");
    const line = ["--generate-passwords", passwords];
    expect((await run([...line, "--journal", notes])).stderr).toContain("is no journal of an import");
    expect((await run(["--generate-passwords", notes])).stderr).toContain("exists already");
    expect((await run(["--generate-passwords", notes, "--resume"])).stderr).toContain("holds no passwords");
    expect(readFileSync(notes, "utf8")).toBe("what I wanted to say");
    expect(server.seen).toEqual([]);
  });

  it("leaves a row open whose answer was lost, so that --resume finds the account instead of failing on it", async () => {
    let lose = true;
    // The account is made, but the answer says that the server fell over.
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
    const { run, made, file } = place(people(3));
    expect((await run(made)).code).toBe(11);
    const again = await run([...made, "--resume", "--json"]);
    expect(again.json()).toEqual([{ line: 3, username: "u1", action: "created" }]);
    expect(existsSync(`${file}.failed`)).toBe(false);
  });
});
