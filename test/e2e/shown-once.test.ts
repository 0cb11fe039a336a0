import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { accountServer, people } from "../commands/user/import/forge.ts";
import { serve, type TestServer } from "../support/server.ts";
import { emptyFolder, startBuilt } from "./built.ts";

let server: TestServer;

async function run(typed: string, cwd = emptyFolder()) {
  rmSync(closed, { force: true });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", CLOSED: closed };
  const running = startBuilt(typed, { cwd, env });
  return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
}

/** A file that a reader makes when it has closed the pipe. */
const closed = join(emptyFolder(), "closed");
const close = 'exec <&-; : > "$CLOSED"';

/** Resolves when nobody reads the output: at once, unless it goes to such a reader. */
async function unread(to: string): Promise<undefined> {
  while (to.includes(close) && !existsSync(closed)) await new Promise((resolve) => setTimeout(resolve, 5));
}

const outputs = [
  ["a closed pipe", `| { ${close}; }`, "the reader closed the pipe (EPIPE)"],
  ...(existsSync("/dev/full") ? [["a full disk", "> /dev/full", "no space left on device (ENOSPC)"] as const] : []),
] as const;

describe.each(outputs)("a secret that is printed once to %s", (_what, to, reason) => {
  it("reports the user of a lost password, and how to set another one", async () => {
    for (const form of ["", "--json", "--jq .generated_password"]) {
      server = await accountServer(() => unread(to));
      const made = await run(`tongs user create mara --email mara@example.org --generate-password ${form} ${to}`);
      expect(made.code, form).toBe(1);
      expect(made.stderr).toContain(`Created user mara, but could not print the generated password: `);
      expect(made.stderr).toContain(reason);
      expect(made.stderr).toContain("tongs user edit mara --password-file FILE");
      await server.close();
    }
  });

  it("reports a lost runner token", async () => {
    server = await serve(async () => (await unread(to)) ?? { body: { token: "not-a-real-token" } });
    for (const form of ["", "--json"]) {
      const made = await run(`tongs runner token --admin ${form} ${to}`);
      expect(made.code, form).toBe(1);
      expect(made.stderr).toContain(`The token could not be printed: ${reason}`);
    }
  });

  it("reports a lost runner, with the command that deletes it where it is", async () => {
    server = await serve(async ({ url }) =>
      url.endsWith("/orgs/acme")
        ? { body: { id: 4, name: "acme", username: "acme" } }
        : ((await unread(to)) ?? { status: 201, body: { id: 4, uuid: "u", token: "not-a-real-token" } }),
    );
    const made = await run(`tongs runner register --org acme --name x --host ${server.url} ${to}`);
    expect(made.stderr).toContain(`run: tongs runner delete 4 --org acme --host ${server.url}\n`);
  });

  it("reports a lost access token, and a lost client secret", async () => {
    const token = { id: 7, name: "ci", sha1: "not-a-real-token", token_last_eight: "al-token", scopes: ["all"] };
    const app = { name: "board", client_id: "c", client_secret: "not-a-real-secret", redirect_uris: [] };
    server = await serve(async ({ url }) => {
      if (url.endsWith("/user")) return { body: { login: "mara" } };
      return (await unread(to)) ?? { status: 201, body: { ...app, ...token } };
    });
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "password.txt"), "not-a-secret");
    for (const form of ["", "--json"]) {
      const made = await run(
        `tongs token create ci --scope all --password-file password.txt --host ${server.url} ${form} ${to}`,
        cwd,
      );
      expect(made.code, form).toBe(1);
      expect(made.stderr).toContain(`The token could not be printed: ${reason}`);
      expect(made.stderr).toContain(`tongs token delete 7 --host ${server.url}`);
      const other = await run(`tongs oauth-app create board --redirect-uri http://127.0.0.1/ ${form} ${to}`);
      expect(other.code, form).toBe(1);
      expect(other.stderr).toContain(`The client secret could not be printed: ${reason}`);
    }
  });
});

describe("a secret that is printed once", () => {
  it.each([">&-", "> /dev/null"])("is not made if stdout is closed or /dev/null: %s", async (to) => {
    const seen: string[] = [];
    server = await serve(({ method, url }) => {
      seen.push(`${method} ${url}`);
      return { body: { login: "mara" } };
    });
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "pw"), "not-a-secret");
    for (const [line, what] of [
      ["token create t --scope read:user --password-file pw", "token"],
      ["runner register --name edge --admin", "token"],
      ["oauth-app create board --redirect-uri http://127.0.0.1/", "client secret"],
      ["oauth-app edit 3 --name board --yes", "client secret"],
      ["user create mara --email mara@example.org --generate-password", "generated password"],
    ] as const) {
      const ran = await run(`tongs ${line} ${to}`, cwd);
      expect([ran.code, ran.stderr], line).toEqual([
        2,
        expect.stringContaining(`stdout is closed or /dev/null: the ${what} would be lost`),
      ]);
    }
    expect(seen).toEqual([]);
    expect((await run(`tongs token create t --scope read:user --password-file pw --dry-run ${to}`, cwd)).code).toBe(0);
  });
});

describe("user import whose output is not read", () => {
  it.each([
    [`--jsonl | { ${close}; }`, 0],
    [`--jsonl 2>&1 | { ${close}; }`, 0],
    ...(existsSync("/dev/full") ? [["--json > /dev/full", 1] as const] : []),
  ] as const)("runs to the end: %s", async (to, code) => {
    const made = await accountServer(() => unread(to));
    server = made;
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "people.csv"), people(200));
    const line = "tongs user import people.csv --jobs 16 --generate-passwords passwords.csv";
    const { code: ended } = await run(`${line} ${to}`, cwd);
    expect(ended).toBe(code);
    expect(made.made).toHaveLength(200);
    expect(readFileSync(join(cwd, "passwords.csv"), "utf8").trim().split("\n")).toHaveLength(201);
  });
});
