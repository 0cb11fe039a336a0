import { closeSync, openSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { emptyFolder, tongs } from "../../../support/tongs.ts";
import { account } from "../forge.ts";
import { type AccountServer, accountServer } from "./forge.ts";

let server: AccountServer;
beforeEach(async () => {
  server = await accountServer();
});

/** Imports a file with this content and generates missing passwords. */
function run(content: string | Buffer, flags: readonly string[] = ["--plan"], name = "people.csv") {
  const folder = emptyFolder();
  const file = join(folder, name);
  writeFileSync(file, content);
  const made = ["--generate-passwords", join(folder, "passwords.csv")];
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
  return tongs(["user", "import", file, ...made, ...flags], { env });
}

const header = "username,email,full_name\n";

describe("user import, checking", () => {
  it.skipIf(process.platform === "win32")("takes at most 256 MiB, and no device that fails", async () => {
    const large = join(emptyFolder(), "people.csv");
    closeSync(openSync(large, "w"));
    truncateSync(large, 256 * 1024 ** 2 + 1);
    const socket = join(emptyFolder(), "socket");
    const listening = createServer().listen(socket);
    for (const [file, reason] of [
      [large, "it has more than 256 MiB"],
      ["/dev/zero", "it has more than 256 MiB"],
      [socket, "no such device or address (ENXIO)"],
    ] as const) {
      const line = ["user", "import", file, "--format", "csv", "--plan"];
      const ran = await tongs(line, { env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" } });
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(`could not read ${file}: ${reason}`) });
    }
    listening.close();
  });

  it("reports all errors at once, and sends nothing", async () => {
    const rows = [
      "mara,mara@example.org,Mara",
      "api,api@example.org,",
      "ma ra,x@example.org,",
      "MARA,other@example.org,",
      "jonas,MARA@example.org,",
      "priya,nowhere,",
      ",nobody@example.org,",
      `tomas,tomas@example.org,${"x".repeat(101)}`,
      "a,b",
      'noor,noor@example.org,"two\nlines"',
      "mara.keys,k@example.org,",
    ];
    for (const flags of [["--plan"], []]) {
      const ran = await run(header + rows.join("\n"), flags);
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      const lines = ran.stderr.split("\n");
      expect(lines.slice(0, 11)).toEqual([
        expect.stringMatching(/^✗ 10 errors in .*; nothing was sent$/),
        "  line 3 (api): column 1: username 'api' is reserved",
        "  line 4 (ma ra): column 1: username can only contain letters, digits, '-', '_' and '.'",
        "  line 5 (MARA): duplicate MARA (first on line 2)",
        "  line 6 (jonas): duplicate MARA@example.org (first on line 2)",
        "  line 7 (priya): column 2: 'nowhere' is not a valid email address",
        "  line 8: missing username",
        "  line 9 (tomas): column 3: full_name must be at most 100 characters, not 101",
        "  line 10 (a): expected 3 values, found 2",
        "  line 11 (noor): column 3: full_name cannot contain line breaks or NUL characters",
        "  line 13 (mara.keys): column 1: username cannot end with .keys",
      ]);
    }
    expect(server.seen).toEqual([]);
  });

  it.each([
    ["an unknown column", "username,email,colour\n", "line 1: unknown column 'colour' (column 3); available: username"],
    ["a duplicate column", "username,email,email\n", "line 1: duplicate column 'email'"],
    ["a missing column", "username\n", "line 1: missing column email"],
    ["an empty file", "", "line 1: the file is empty"],
    ["an unclosed quote", `${header}mara,mara@example.org,"Mara\njonas,j@example.org,J\n`, "invalid CSV"],
    ["a quote in an unquoted value", `${header}mara,mara@example.org,Ma"ra\n`, "a quote is found in column 3"],
    ["UTF-16", Buffer.from(`\ufeff${header}`, "utf16le"), "is not UTF-8 text"],
    ["Latin-1", Buffer.from(`${header}b,b@example.org,J\u00f6rg\n`, "latin1"), "is not UTF-8 text"],
    ["a NUL", `${header}mara,mara@example.org,a\u0000b\n`, "line 2 (mara): column 3"],
    [
      "an invalid boolean",
      "username,email,admin\na,a@example.org,maybe\n",
      "column 3: admin must be true or false, not 'maybe'",
    ],
    [
      "an invalid time",
      "username,email,created_at\na,a@example.org,2026\n",
      "column 3: created_at must be a time such as",
    ],
    ["an invalid integer", "username,email,source_id\na,a@example.org,x\n", "column 3: source_id must be an integer"],
    [
      "an invalid visibility",
      "username,email,visibility\na,a@example.org,secret\n",
      "visibility must be one of public, limited, private",
    ],
  ])("reports %s with its line, and sends nothing", async (_what, content, words) => {
    const ran = await run(content, []);
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(words) });
    expect(server.seen).toEqual([]);
  });

  it("reports the rows, too, below a header with unknown columns, without a repetition for each row", async () => {
    const ran = await run("username,colour,email,tide\nma ra,red,nowhere,low\njonas,red,j@example.org,low\n", []);
    expect(ran.stderr.split("\n").slice(0, 4)).toEqual([
      expect.stringContaining("3 errors in"),
      expect.stringContaining("line 1: unknown column 'colour' (column 2)"),
      expect.stringContaining("line 1: unknown column 'tide' (column 4)"),
      expect.stringMatching(/^ {2}line 2 \(ma ra\): column 1: .*; column 3: 'nowhere' is not a valid email address$/),
    ]);
    expect(server.seen).toEqual([]);
  });

  it("takes headings as people write them, and skips rows that a spreadsheet emptied", async () => {
    const ran = await run("Username;Full Name;E-Mail\n;;\n", []);
    expect(ran.stderr).toContain("unknown column 'e-mail' (column 3)");
    const rows = 'Username;Full Name;EMAIL\r\n;;;\r\n ;"";\r\nma ra;M;m@example.org\r\n';
    expect((await run(rows, [])).stderr.split("\n")[1]).toBe(
      "  line 4 (ma ra): column 1: username can only contain letters, digits, '-', '_' and '.'",
    );
  });

  it("reports the errors of JSON lines", async () => {
    const lines = [
      '{"username":"mara"',
      "[1]",
      '{"username":"jonas","email":7}',
      '{"username":"a","email":"a@b.c","x":1}',
    ];
    const ran = await run(lines.join("\n"), [], "people.jsonl");
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/line 1: invalid JSON/);
    expect(ran.stderr).toContain("line 2: expected a JSON object");
    expect(ran.stderr).toContain("line 3 (jonas): column 2: email must be a string");
    expect(ran.stderr).toContain("line 4 (a): column 3: unknown field 'x'");
    expect(server.seen).toEqual([]);
  });

  it("requires a password for each local user, unless passwords are generated", async () => {
    const folder = emptyFolder();
    const file = join(folder, "people.csv");
    writeFileSync(file, "username,email,source_id\nmara,m@example.org,\njonas,j@example.org,2\n");
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const ran = await tongs(["user", "import", file], { env });
    expect(ran.stderr).toContain("line 2 (mara): missing password");
    expect(ran.stderr).toContain("1 error in");
    expect(server.made).toEqual([]);
  });

  it("accepts a byte order mark, CRLF, blank lines and quoted commas", async () => {
    const ran = await run('\ufeffusername,email,full_name\r\n\r\nmara,m@example.org,"Lind, Mara"\r\n', ["--json"]);
    expect(ran.json()).toEqual([{ line: 3, username: "mara", action: "created" }]);
    expect(server.made).toMatchObject([{ username: "mara", full_name: "Lind, Mara" }]);
  });

  it("says where CSV is not valid, and prints nothing of the line", async () => {
    for (const line of ['mara,mara@example.org,hunt"er2', 'mara,mara@example.org,"x"y']) {
      const ran = await run(`${header}${line}\n`, []);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/line 2: invalid CSV: Invalid \w+ Quote/)]);
      expect(ran.stderr).not.toMatch(/hunt|"y"/);
    }
  });

  it("says where JSON is not valid, and prints nothing of the line, which can have a password", async () => {
    for (const [line, place] of [
      ['{"username":"mara","password":"hunter2" x}', "invalid JSON at column 41"],
      ['{"username":"mara","password":hunter2}', "invalid JSON"],
    ] as const) {
      const ran = await run(`${line}\n`, [], "people.jsonl");
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`line 1: ${place}`)]);
      expect(ran.stderr).not.toContain("hunter");
    }
  });

  it("says why the file cannot be read", async () => {
    const ran = await tongs(["user", "import", "absent.csv"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "x" } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^✗ FILE: could not read absent\.csv: no such file or directory \(ENOENT\)\n/);
  });

  it("requires --format for an unknown extension", async () => {
    expect((await run("x", [], "people.dat")).stderr).toContain("Cannot tell the format of");
  });
});

describe("user import --plan", () => {
  const known = (login: string, more = {}) =>
    server.accounts.set(login, { ...account(login, more), password: "not-a-secret" });
  const file =
    "username,email,full_name,password\nmara,mara@example.org,Mara,not-a-secret\njonas,jonas@example.org,Jonas,\nnew,new@example.org,,\n";

  it("counts no change of a row that cannot be imported", async () => {
    for (const login of ["mara", "jonas"]) known(login, { full_name: "Other" });
    const ran = await run(file.replace(/new,.*\n/, ""));
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("Plan: 0 changes, 2 stopped; nothing")]);
  });

  it("prints users to update with old and new values, and users to create", async () => {
    known("mara", { full_name: "M." });
    known("jonas", { full_name: "Jonas" });
    const ran = await run(file, ["--plan", "--on-existing", "update"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe("2\tmara\tupdate\tfull_name: M. → Mara\n4\tnew\tcreate\t\n");
    expect(ran.stderr).toContain("Plan: 2 changes; nothing was changed");
    const reset = await run(file, ["--plan", "--on-existing", "update", "--reset-passwords"]);
    expect(reset.stdout).toContain("mara\tupdate\tfull_name: M. → Mara, password: unknown → new password\n");
    expect(server.lines().every((line) => line.startsWith("GET "))).toBe(true);
  });

  it("does not list an email address that differs in case only, which servers do not change", async () => {
    known("mara", { email: "mara@example.org" });
    const content = "username,email\nmara,Mara@Example.org\n";
    const ran = await run(content, ["--plan", "--on-existing", "update", "--json"]);
    expect(ran.json()).toEqual([]);
  });

  it("sends what the server does not show, which can differ", async () => {
    known("mara", { full_name: "Mara" });
    const content =
      "username;email;full_name;must_change_password;max_repo_creation\nmara;mara@example.org;Mara;true;5\n";
    const update = ["--on-existing", "update", "--json"];
    const reason = "sets max_repo_creation, which the server does not show";
    expect((await run(content, [...update, "--plan"])).json()).toMatchObject([{ action: "update", reason }]);
    expect(server.lines().every((line) => line.startsWith("GET "))).toBe(true);
    expect((await run(content, update)).json()).toMatchObject([{ action: "updated", reason }]);
    const edits = server.seen.filter(({ method }) => method === "PATCH");
    // Who has changed the password since need not do it again.
    expect(edits.map(({ body }) => JSON.parse(body))).toEqual([expect.objectContaining({ max_repo_creation: 5 })]);
    expect(edits[0]?.body).not.toContain("must_change_password");
  });

  it("takes a description of several lines, and nothing else", async () => {
    const content = (name: string) => `username,email,${name}\nmara,mara@example.org,"high\nlow"\n`;
    expect((await run(content("description"), ["--plan"])).code).toBe(0);
    const ran = await run(content("location"), ["--plan"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("location cannot contain line breaks") });
  });

  it("skips or rejects existing users who differ, as --on-existing says, and exits 11 for rejected ones", async () => {
    known("mara");
    const skip = await run(file, ["--plan", "--on-existing", "skip", "--json"]);
    expect(skip.json()).toMatchObject([{ action: "create" }, { action: "create" }]);
    const fail = await run(file, ["--plan"]);
    expect(fail).toMatchObject({ code: 11, stdout: expect.stringContaining("invalid\tuser already exists") });
  });

  it("does not mistake a renamed user or an organization for an existing user", async () => {
    const renamed = account("tomas.lund");
    await server.close();
    server = await accountServer(({ url }) => {
      if (url === "/api/v1/users/tomas") return { body: renamed };
      return /\/(users|orgs)\/pier$/.test(url) ? { body: account("pier") } : undefined;
    });
    const content = "username,email\ntomas,tomas@example.org\npier,pier2@example.org\n";
    const ran = await run(content, ["--plan", "--on-existing", "update", "--json"]);
    expect(ran.json()).toMatchObject([
      { username: "tomas", action: "create" },
      { username: "pier", action: "invalid", reason: "name is taken by an organization" },
    ]);
  });
});
