import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asAsked } from "../../support/as-asked.ts";
import { type Reply, type Seen, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { account, answers, bodies } from "./forge.ts";

let server: TestServer;
const run = (line: readonly string[], world: World = {}) =>
  tongs(["user", "create", ...line], {
    ...world,
    env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", ...world.env },
  });

const created = (seen: Seen): Reply => {
  const { username, created_at } = JSON.parse(seen.body) as { username: string; created_at?: string };
  return asAsked(account(username, created_at === undefined ? {} : { created: created_at }))(seen);
};
const start = async (more: Record<string, Reply | ((seen: Seen) => Reply)> = {}) => {
  server = await serve(answers({ "POST /admin/users": created, ...more }));
};
const password = "not-a-secret-1";

describe("user create in a script", () => {
  it("names all missing values at once, does not prompt and sends nothing", async () => {
    await start();
    const ran = await run([]);
    expect(ran).toMatchObject({ code: 2, stdout: "", asked: [] });
    expect(ran.stderr).toContain("NAME, --email and a password (--password-stdin");
    expect((await run(["mara"])).stderr).toContain("--email and a password");
    expect((await run(["mara", "--email", "mara@example.org"])).stderr).toContain("a password (--password-stdin");
    expect(server.seen).toEqual([]);
  });

  it("does not prompt on a terminal with --no-input, in CI or with JSON", async () => {
    await start();
    for (const [line, env] of [
      [["--no-input"], {}],
      [[], { CI: "true" }],
      [["--json"], {}],
    ] as const) {
      expect(await run(line, { terminal: true, env })).toMatchObject({ code: 2, asked: [] });
    }
    expect(server.seen).toEqual([]);
  });

  it("sends the flags and the first line of the password, and prints the user's URL", async () => {
    await start();
    const flags = ["--email", "mara@example.org", "--password-stdin", "--full-name", "Mara Lind", "--restricted"];
    const more = "--visibility limited --notify --created-at 2026-03-01T00:00:00Z --no-must-change-password";
    const ran = await run(["mara", ...flags, ...more.split(" ")], { stdin: `${password}\nsecond line\n` });
    expect(ran).toMatchObject({ code: 0, stdout: "http://forge.example/mara\n" });
    expect(ran.stderr).toContain("Created user mara");
    expect(bodies(server.seen)).toEqual([
      {
        username: "mara",
        email: "mara@example.org",
        full_name: "Mara Lind",
        password,
        must_change_password: false,
        restricted: true,
        visibility: "limited",
        send_notify: true,
        created_at: "2026-03-01T00:00:00Z",
      },
    ]);
  });

  it("reads the password from stdin with --password-file -", async () => {
    await start();
    const line = ["mara", "--email", "mara@example.org", "--password-file", "-"];
    expect((await run(line, { stdin: `${password}\n` })).code).toBe(0);
    expect(bodies(server.seen)).toMatchObject([{ username: "mara", password }]);
  });

  it("does not require a password for a user of an authentication source", async () => {
    await start();
    const line = ["mara", "--email", "mara@example.org", "--source-id", "3", "--login-name", "uid=mara"];
    expect((await run(line)).code).toBe(0);
    const body = { username: "mara", email: "mara@example.org", source_id: 3, login_name: "uid=mara" };
    expect(bodies(server.seen)).toEqual([body]);
  });

  it("prints only the generated password on stdout, or as generated_password in JSON, and sends the same one", async () => {
    await start();
    const line = ["mara", "--email", "mara@example.org", "--generate-password"];
    const text = await run(line);
    const json = await run([...line, "--json"]);
    const sent = bodies(server.seen) as { password: string; must_change_password: boolean }[];
    expect(text.stdout).toBe(`${sent[0]?.password}\n`);
    expect(text.stderr).not.toContain(sent[0]?.password);
    expect(json.json()).toEqual({ ...account("mara"), generated_password: sent[1]?.password });
    expect(sent[0]?.password).toMatch(/^[!-~]{20}$/);
    expect(sent[0]?.password).not.toBe(sent[1]?.password);
    expect(sent[0]?.must_change_password).toBe(true);
  });

  it("says that the generated password is lost with an answer that may have come", async () => {
    await start({ "POST /admin/users": { status: 502 } });
    const ran = await run(["mara", "--email", "mara@example.org", "--generate-password"]);
    expect([ran.code, ran.stdout]).toEqual([7, ""]);
    expect(ran.stderr).toContain("the generated password is lost. To set another password, run: tongs user edit mara");
  });

  it("makes an administrator with a second request that includes login name and source", async () => {
    await start({ "PATCH /admin/users/mara": { body: account("mara", { is_admin: true, login_name: "mara" }) } });
    const ran = await run(["mara", "--email", "m@example.org", "--password-stdin", "--admin", "--json"], {
      stdin: password,
    });
    expect(ran.json()).toMatchObject({ is_admin: true });
    expect(server.lines()).toEqual(["POST /api/v1/admin/users", "PATCH /api/v1/admin/users/mara"]);
    expect(bodies(server.seen)[1]).toEqual({ source_id: 0, login_name: "mara", admin: true });
  });

  it("reports the created user and how to finish with exit 11 when the second request fails, and still prints the password", async () => {
    await start({ "PATCH /admin/users/mara": { status: 403, body: { message: "user should be the site admin" } } });
    const line = ["mara", "--email", "m@example.org", "--generate-password", "--admin"];
    const ran = await run(line);
    expect(ran.code).toBe(11);
    const [{ password: sent }] = bodies(server.seen) as [{ password: string }];
    expect(ran.stdout).toBe(`${sent}\n`);
    expect(ran.stderr).toContain("Created user mara, but could not make it an administrator");
    expect(ran.stderr).toContain("tongs user edit mara --admin");
    expect(ran.stderr).toContain("tongs user delete mara");
    const json = await run([...line, "--json"]);
    expect(json.json()).toMatchObject({ login: "mara", generated_password: expect.any(String) });
    expect(JSON.parse(json.stderr.slice(json.stderr.indexOf("{")))).toMatchObject({
      error: { code: "partly_done", status: 403, method: "PATCH" },
    });
  });

  it.each([
    [["api", "--email", "a@example.org"], "reserved"],
    [["mara--lind", "--email", "a@example.org"], "in a row"],
    [["mara.keys", "--email", "a@example.org"], "cannot end with .keys"],
    [["a".repeat(41), "--email", "a@example.org"], "at most 40"],
    [["mara", "--email", "nowhere"], "not a valid email address"],
    [
      ["mara", "--email", "a@example.org", "--created-at", "yesterday"],
      "Invalid value 'yesterday' for --created-at: must be a date",
    ],
  ])("rejects %j before anything is sent", async (line, words) => {
    await start();
    const ran = await run([...line, "--password-stdin"], { stdin: password });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(server.seen).toEqual([]);
  });

  it("rejects an empty password, a missing file, and two ways to pass it", async () => {
    await start();
    const file = join(emptyFolder(), "password.txt");
    writeFileSync(file, "\n");
    const line = ["mara", "--email", "a@example.org"];
    expect((await run([...line, "--password-file", file])).stderr).toContain("No password found in");
    expect((await run([...line, "--password-file", `${file}.not`])).code).toBe(2);
    expect((await run([...line, "--password-file", file, "--generate-password"])).code).toBe(2);
    expect(server.seen).toEqual([]);
  });

  it("sends nothing with --dry-run and masks the password", async () => {
    await start();
    const ran = await run(["mara", "--email", "a@example.org", "--password-stdin", "--dry-run"], { stdin: password });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("POST ") });
    expect(ran.stdout + ran.stderr).not.toContain(password);
    expect(server.seen).toEqual([]);
  });
});

describe("user create on a terminal", () => {
  const answersOf = (...given: (string | boolean)[]) => ({ terminal: true, answers: given });

  it("prompts for missing values, shows a summary, and creates the user after confirmation", async () => {
    await start({ "PATCH /admin/users/mara": { body: account("mara", { is_admin: true, login_name: "mara" }) } });
    const world = answersOf("mara", "mara@example.org", "Enter a password", password, password, false, true, true);
    const ran = await run([], world);
    expect(ran.code).toBe(0);
    expect(ran.asked).toEqual([
      "Username",
      "Email address",
      "How do you want to set the password?",
      "Password",
      "Confirm password",
      "Require a password change at the first sign-in?",
      "Make the user an administrator?",
      "Create this user?",
    ]);
    expect(ran.stderr).toMatch(
      /name {6}mara\n {2}email {5}mara@example.org\n {2}password {2}as entered\n {2}role {6}admin/,
    );
    expect(ran.stdout + ran.stderr).not.toContain(password);
    expect(bodies(server.seen)).toEqual([
      { username: "mara", email: "mara@example.org", password, must_change_password: false },
      { source_id: 0, login_name: "mara", admin: true },
    ]);
  });

  it("does not prompt for values of flags", async () => {
    await start();
    const line = ["mara", "--email", "mara@example.org", "--generate-password"];
    expect(await run(line, answersOf())).toMatchObject({ code: 0, asked: [] });
    const one = await run(["mara", "--generate-password"], answersOf("mara@example.org", false, true));
    expect(one).toMatchObject({
      code: 0,
      asked: ["Email address", "Make the user an administrator?", "Create this user?"],
    });
  });

  it("checks a password before asking to confirm it, and asks again until the two match", async () => {
    await start();
    const typed = ["Enter a password", "short", password, "another one", password];
    const ran = await run(["mara", "--email", "mara@example.org"], answersOf(...typed, true));
    expect(ran.asked.slice(1, 5)).toEqual(["Password", "Password", "Confirm password", "Confirm password"]);
    expect(bodies(server.seen)).toEqual([expect.objectContaining({ password })]);
  });

  it("asks again for a name or an email address that the server would reject", async () => {
    await start();
    const world = answersOf(
      "api",
      "mara",
      "nowhere",
      "mara@example.org",
      "Generate a password and print it once",
      true,
      false,
      true,
    );
    const ran = await run([], world);
    expect(ran.asked.slice(0, 4)).toEqual(["Username", "Username", "Email address", "Email address"]);
    const [sent] = bodies(server.seen) as [{ password: string }];
    expect(ran.stdout.trim()).toBe(sent.password);
  });

  it("sends nothing before Ctrl-C at any prompt, or before a no", async () => {
    await start();
    const all = ["mara", "mara@example.org", "Enter a password", password, password, true, false] as const;
    for (let count = 0; count <= all.length; count += 1) {
      expect((await run([], answersOf(...all.slice(0, count)))).code).toBe(3);
    }
    expect((await run([], answersOf(...all, false))).code).toBe(3);
    expect(server.seen).toEqual([]);
  });
});
