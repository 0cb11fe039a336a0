import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
await sandbox.ask("POST", "/orgs", "mara", { username: "tidewater" });
await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
beforeEach(() => {
  sandbox.writes();
});

const repo = ["-R", "mara/buoy"];
const run = (line: readonly string[], world: World = {}) =>
  sandbox.run(["variable", ...line], { as: "mara", ...world });

/** A folder with a .env file. */
function envFolder(content: string): { readonly cwd: string } {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "harbor.env"), content);
  return { cwd };
}

describe("variable", () => {
  it("keeps its value when only the description is set, and reads no stdin", async () => {
    const describing = (name: string, more: readonly string[] = []) =>
      run(["set", name, "--description", "month", ...more, ...repo], { stdin: "from a loop\n" });
    await run(["set", "KEPT", "--body", "june", ...repo]);
    const kept = await describing("KEPT");
    expect([kept.code, kept.stderr]).toEqual([
      0,
      expect.stringContaining("KEPT keeps its value; to read it from stdin"),
    ]);
    expect((await run(["get", "KEPT", ...repo])).stdout).toBe("june\n");
    expect((await describing("OTHER")).code).toBe(0);
    expect((await run(["get", "OTHER", ...repo])).stdout, "a new one has none to keep").toBe("from a loop\n");
    await run(["delete", "OTHER", ...repo, "--yes"]);
    expect((await describing("KEPT", ["--body-file", "-"])).code).toBe(0);
    expect((await run(["get", "KEPT", ...repo])).stdout).toBe("from a loop\n");
    await run(["delete", "KEPT", ...repo, "--yes"]);
  });

  it.each([["list"], ["get", "TIDE"], ["set", "TIDE"], ["delete", "TIDE"]])(
    "%s --admin says that no server has that level, before it asks or sends anything",
    async (...line) => {
      const before = sandbox.requests();
      const ran = await run([...line, "--admin"], { terminal: true });
      expect([ran.code, ran.asked, sandbox.requests()]).toEqual([5, [], before]);
      expect(ran.stderr).toContain("No server has an API for variables of the whole server");
    },
  );

  it("prints nothing of a file that is a private key", async () => {
    const lines = ["-----BEGIN KEY-----", "bm90LWEtc2VjcmV0LW5vdC1hLXNlY3JldA==", "bm90==", "-----END KEY-----"];
    const ran = await run(["set", "-f", "harbor.env", ...repo], envFolder(lines.join("\n")));
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("harbor.env: line 1 is not NAME=VALUE")]);
    expect(ran.stderr).not.toContain("bm90");
    const long = await run(["set", "-f", "harbor.env", ...repo], envFolder(`${"bm90-".repeat(12)}==`));
    expect([long.code, long.stderr.includes("bm90-".repeat(12))]).toEqual([2, false]);
  });

  it("sends nothing if the value is the same, whatever its line breaks", async () => {
    await run(["set", "LINES", ...repo], { stdin: "one\r\ntwo\n" });
    sandbox.writes();
    const again = await run(["set", "LINES", ...repo, "--json", "name,action"], { stdin: "one\ntwo\n" });
    expect(again.json()).toEqual([{ name: "LINES", action: "unchanged" }]);
    expect(sandbox.writes()).toEqual([]);
    expect((await run(["get", "LINES", ...repo])).stdout).toBe("one\ntwo\n");
    await run(["delete", "LINES", ...repo, "--yes"]);
  });

  it("reads the value from a file, or asks for it on a terminal", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "value.txt"), "from a file\n");
    await run(["set", "FILED", ...repo, "--body-file", "value.txt"], { cwd });
    expect((await run(["get", "FILED", ...repo])).stdout).toBe("from a file\n");
    const asked = await run(["set", "FILED", ...repo], { terminal: true, answers: ["", "typed"] });
    expect([asked.code, asked.asked]).toEqual([0, ["Value of FILED", "Value of FILED"]]);
    expect((await run(["get", "FILED", ...repo])).stdout).toBe("typed\n");
    const cancelled = await run(["set", "FILED", ...repo], { terminal: true, answers: [] });
    expect(cancelled.code).toBe(3);
    await run(["delete", "FILED", ...repo, "--yes"]);
  });

  it("renames a variable and keeps its value and description, but not onto another", async () => {
    await run(["set", "OLD", "--body", "kept", "--description", "why", ...repo]);
    await run(["set", "TAKEN", "--body", "x", ...repo]);
    const onto = await run(["set", "old", "--name", "taken", ...repo]);
    expect([onto.code, onto.stderr]).toEqual([9, expect.stringContaining("A variable named TAKEN already exists")]);
    sandbox.writes();
    const missing = await run(["set", "NOWHERE", "--name", "new", "--body", "x", ...repo]);
    expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining("Variable NOWHERE not found")]);
    expect(sandbox.writes()).toEqual([]);
    expect((await run(["set", "old", "--name", "new", ...repo])).code).toBe(0);
    const listed = await run(["list", ...repo, "--jq", 'map("\\(.name) \\(.data) \\(.description)") | join(", ")']);
    expect(listed.stdout).toBe("NEW kept why, TAKEN x \n");
    await run(["delete", "NEW", "TAKEN", ...repo, "--yes"]);
  });

  it.each([
    ["a-b", "must consist of letters"],
    ["1ST", "must not begin with a digit"],
    ["gitea_x", "must not begin with GITEA_ or GITHUB_"],
    ["GITHUB_X", "must not begin with GITEA_ or GITHUB_"],
    ["Ci", "'Ci' is reserved"],
    ["a/../../hooks", "must consist of letters"],
    ["\u001b[31mred", "must consist of letters"],
  ])("refuses the name %j before sending anything", async (name, words) => {
    const ran = await run(["set", ...repo, "--body", "x", "--", name]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(ran.stderr).not.toContain("\u001b");
    expect(sandbox.writes()).toEqual([]);
  });

  it("accepts names that begin with CI where the server does", async () => {
    expect((await run(["set", "CITY", "--body", "x", ...repo])).code).toBe(0);
    await run(["delete", "CITY", ...repo, "--yes"]);
  });

  it("refuses an empty value and a missing one", async () => {
    for (const world of [{ stdin: "" }, { stdin: "\n" }]) {
      const ran = await run(["set", "EMPTY", ...repo], world);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("The value of EMPTY is empty")]);
    }
    expect((await run(["set", ...repo])).stderr).toContain("NAME or --env-file is required");
    const both = await run(["set", "A", "-f", "harbor.env", ...repo], envFolder("A=1"));
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("either NAME or --env-file")]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("says what was set if its record cannot be read afterwards", async () => {
    const server = await serve(({ method, url }) => {
      if (method === "POST") return { status: 201 };
      return url.includes("/variables?") ? { body: [] } : { status: 500, body: { message: "" } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["variable", "set", "LAMP", "--body", "on", "-R", "mara/harbor", "--json"], { env });
    expect([ran.code, ran.stdout]).toEqual([7, ""]);
    expect(ran.stderr).toMatch(/^✓ Created variable LAMP of mara\/harbor .*\n\{"error":/);
  });
});

describe("variable set --env-file", () => {
  const content = [
    "# settings",
    "export BERTH=12",
    'QUOTED="with # no comment"',
    "SINGLE='a \"b\"'",
    'LONG="first',
    'second"',
    "SAME=1",
    "",
  ].join("\n");

  it("shows a plan, sets what changed and leaves the rest", async () => {
    await run(["set", "SAME", "--body", "1", ...repo]);
    await run(["set", "BERTH", "--body", "11", ...repo]);
    sandbox.writes();
    const world = envFolder(`\ufeff${content}`);
    const plan = await run(["set", "-f", "harbor.env", ...repo, "--plan"], world);
    expect(plan.stdout.split("\n").sort()).toEqual([
      "",
      "BERTH\tupdate",
      "LONG\tcreate",
      "QUOTED\tcreate",
      "SAME\tunchanged",
      "SINGLE\tcreate",
    ]);
    expect(sandbox.writes()).toEqual([]);
    const done = await run(["set", "-f", "harbor.env", ...repo], world);
    expect([done.code, done.stdout]).toEqual([0, ""]);
    expect(done.stderr).toContain("5 variables of mara/buoy: 3 to create, 1 to update, 1 unchanged");
    expect(sandbox.writes()).toHaveLength(4);
    const values = await run(["list", ...repo, "--jq", "map({(.name): .data}) | add"]);
    expect(values.json()).toEqual({
      BERTH: "12",
      QUOTED: "with # no comment",
      SINGLE: 'a "b"',
      LONG: "first\nsecond",
      SAME: "1",
    });
    await run(["delete", "BERTH", "QUOTED", "SINGLE", "LONG", "SAME", ...repo, "--yes"]);
  });

  it("names all invalid names at once and sends nothing", async () => {
    const ran = await run(["set", "-f", "harbor.env", ...repo], envFolder("GOOD=1\nbad-name=2\nGITEA_X=3\n"));
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("Invalid variable names: 'GITEA_X' must not begin");
    expect(ran.stderr).toContain("'bad-name' must consist");
    expect(sandbox.writes()).toEqual([]);
  });

  it.each([
    ["TIDE=1\ntide=2\n", "TIDE and tide are the same name"],
    ["TIDE=\n", "TIDE is empty"],
    ["# nothing\n", "No assignments (NAME=VALUE) in harbor.env"],
    ["A=1\nLAMP\n\n# B\nKEY: on\n", "line 2 is not NAME=VALUE; line 5 is not NAME=VALUE"],
    ['A=1\nB="open\n', 'line 2 has no closing "'],
    ["A=1 # one\nB=abc#def\n", "line 2 has a # in its value; quote the value"],
  ])("refuses %j", async (text, words) => {
    const ran = await run(["set", "-f", "harbor.env", ...repo], envFolder(text));
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sandbox.writes()).toEqual([]);
  });
});

describe("a server that differs", () => {
  it("gets the values that Forgejo leaves out of the list", async () => {
    const server = await serve(({ url }) => {
      const name = /variables\/(\w+)/.exec(url)?.[1];
      const record = (of: string, data: string) => ({ owner_id: 0, repo_id: 1, name: of, data });
      return { body: name === undefined ? [record("ONE", ""), record("TWO", "")] : record(name, `value of ${name}`) };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["variable", "list", ...repo], { env });
    expect(ran.stdout).toBe("ONE\tvalue of ONE\t\nTWO\tvalue of TWO\t\n");
  });

  it.each(["9.0.0+gitea-1.22.0", "1.24.0"])(
    "refuses names that begin with CI before sending them to a server of version %s",
    async (version) => {
      const server = await serve(({ url }) => ({ body: url.endsWith("/version") ? { version } : [] }), {
        saysVersion: true,
      });
      const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
      const ran = await tongs(["variable", "set", "CITY", "--body", "x", "--user"], { env });
      expect([ran.code, ran.stderr]).toEqual([
        2,
        expect.stringContaining("'CITY' must not begin with CI on this server"),
      ]);
      expect(server.lines()).toEqual(["GET /api/v1/version"]);
    },
  );
});
