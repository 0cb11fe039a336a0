import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { account } from "../commands/user/forge.ts";
import { type AccountServer, accountServer, people } from "../commands/user/import/forge.ts";
import type { startBuilt } from "./built.ts";
import { actions, importFolder, line, plain, sentTo } from "./import-folder.ts";

let server: AccountServer;
afterEach(() => server.close());
const setUp = (content: string) => importFolder(content, () => server);
const sent = () => sentTo(server);

describe("the locks of user import", () => {
  it("reject a second import while the first one runs or is suspended, and lose no password", async () => {
    let requests = 0;
    let reached = () => {};
    const many = new Promise<void>((resolve) => {
      reached = resolve;
    });
    server = await accountServer(async () => {
      requests += 1;
      if (requests === 60) reached();
      await new Promise((resolve) => setTimeout(resolve, 10));
      return undefined;
    });
    const { cwd, start, run, text, passwordLines } = setUp(people(150));
    const first = start(line);
    await many;
    first.kill("SIGSTOP");
    const before = [text("passwords.csv"), text("people.csv.journal")];
    const second = await run(`${line} --resume`);
    const other = await run(`user import ${cwd}/people.csv --generate-passwords passwords.csv --journal other`);
    expect([text("passwords.csv"), text("people.csv.journal")]).toEqual(before);
    first.kill("SIGCONT");
    expect([await first.ended, first.stderr()]).toEqual([0, expect.stringContaining("150 created")]);
    expect(second).toMatchObject({ code: 9, stderr: expect.stringContaining("Another import is using people.csv.j") });
    expect(other).toMatchObject({ code: 9, stderr: expect.stringContaining("Another import is using passwords.csv") });
    expect(existsSync(join(cwd, "other"))).toBe(false);
    expect(passwordLines()).toEqual(sent());
    expect(server.made).toHaveLength(150);
  });

  it("are released when the import is killed", async () => {
    let posts = 0;
    server = await accountServer(({ method }) => {
      posts += method === "POST" ? 1 : 0;
      return posts === 12 ? new Promise(() => {}) : undefined;
    });
    const { start, run, passwordLines } = setUp(plain(40));
    const first = start(line);
    while (posts < 12) await new Promise((resolve) => setTimeout(resolve, 5));
    first.kill("SIGKILL");
    await first.ended;
    posts = 100;
    expect((await run(`${line} --resume`)).code).toBe(0);
    expect(passwordLines()).toEqual(sent());
  });
});

describe("whether user import created a user", () => {
  it.each([
    ["behind", -10],
    ["ahead of", 10],
  ])("is decided by the server's clock, which is %s the local one by minutes: %i", async (_word, minutes) => {
    let posts = 0;
    let losing = true;
    const loses = ({ method }: { method: string }) => {
      posts += method === "POST" ? 1 : 0;
      return losing && method === "POST" && posts % 3 === 0;
    };
    server = await accountServer(undefined, { loses, ahead: minutes * 60_000 });
    const { run, passwordLines } = setUp(people(30));
    const first = await run(`${line} --json`);
    expect(first.code).toBe(11);
    expect(actions(first.stdout).filter((action) => action === "unknown")).toHaveLength(10);
    expect(first.stderr).toContain("user may have been created; use --resume to find out");
    losing = false;
    const second = await run(`${line} --resume --json`);
    expect([second.code, new Set(actions(second.stdout))]).toEqual([0, new Set(["created"])]);
    expect(passwordLines()).toEqual(sent());
    expect(server.made).toHaveLength(30);
    expect([...server.accounts.values()].filter((user) => user.is_admin)).toHaveLength(3);
  });

  it("is decided correctly after lost requests, lost responses and kills", async () => {
    const many = 120;
    for (const minutes of [0, -30, 30]) {
      let child: ReturnType<typeof startBuilt> | undefined;
      let kills = 4;
      const isWrite = (method: string) => method === "POST" || method === "PATCH";
      server = await accountServer(
        ({ method }) => {
          if (isWrite(method) && kills > 0 && Math.random() < 0.02) {
            kills -= 1;
            child?.kill("SIGKILL");
          }
          return isWrite(method) && Math.random() < 0.1 ? { status: 502, body: "" } : undefined;
        },
        { loses: ({ method }) => isWrite(method) && Math.random() < 0.2, ahead: minutes * 60_000 },
      );
      const { start, passwordLines, text } = setUp(people(many));
      let ended: number | null = null;
      for (let runs = 0; ended !== 0 && runs < 60; runs += 1) {
        child = start(runs === 0 ? line : `${line} --resume`);
        ended = await child.ended;
        expect([null, 0, 11], child.stderr()).toContain(ended);
      }
      expect(ended).toBe(0);
      expect(passwordLines()).toEqual(sent());
      expect(server.made).toHaveLength(many);
      expect([...server.accounts.values()].filter((user) => user.is_admin)).toHaveLength(many / 10);
      expect(text("people.csv.journal")).toContain('{"finished":');
      await server.close();
    }
  });

  it("is known from a 201 in the journal, even if the user was changed since", async () => {
    let hangs = true;
    let reached = () => {};
    const patched = new Promise<void>((resolve) => {
      reached = resolve;
    });
    server = await accountServer(({ method }) => {
      if (method !== "PATCH" || !hangs) return undefined;
      reached();
      return new Promise(() => {});
    });
    const { start, run, passwordLines } = setUp(people(1));
    const first = start(line);
    await patched;
    first.kill("SIGKILL");
    await first.ended;
    hangs = false;
    const made = server.accounts.get("u0");
    if (made !== undefined) server.accounts.set("u0", { ...made, email: "moved@example.org" });
    const second = await run(`${line} --resume --json`);
    expect([second.code, actions(second.stdout)]).toEqual([0, ["created"]]);
    expect(server.accounts.get("u0")?.is_admin).toBe(true);
    expect(passwordLines()).toEqual(sent());
  });

  it("is never assumed for a user that existed before, even if the response was lost", async () => {
    let losing = true;
    server = await accountServer(undefined, { loses: ({ method }) => losing && method === "POST" });
    for (const [id, name] of ["u0", "u1", "u2"].entries()) {
      const record = account(name, { id, email: `${name}@example.org`, created: new Date().toISOString() });
      server.accounts.set(name, { ...record, password: "theirs" });
    }
    const { run, passwordLines } = setUp(plain(5));
    await run(line);
    losing = false;
    const { code, stdout } = await run(`${line} --resume --json`);
    expect(code).toBe(11);
    expect(
      (JSON.parse(stdout) as { username: string; action: string }[]).map((one) => [one.username, one.action]),
    ).toEqual([
      ["u0", "failed"],
      ["u1", "failed"],
      ["u2", "failed"],
      ["u3", "created"],
      ["u4", "created"],
    ]);
    expect(passwordLines()).toEqual(sent());
  });

  it("is unknown without proof, and the password stays in the file", async () => {
    let losing = true;
    const hidden = ({ method, url }: { method: string; url: string }) =>
      losing && method === "GET" && /users/.test(url);
    server = await accountServer((seen) => (hidden(seen) ? { status: 403, body: { message: "no" } } : undefined), {
      loses: ({ method }) => losing && method === "POST",
    });
    const { run, passwordLines, text } = setUp(plain(2));
    expect((await run(line)).code).toBe(11);
    losing = false;
    const { code, stdout } = await run(`${line} --resume --json`);
    expect([code, actions(stdout)]).toEqual([11, ["unknown", "unknown"]]);
    expect(passwordLines()).toEqual(sent());
    expect(text("people.csv.journal")).not.toContain("finished");
  });

  it("removes the password of a row that the server rejected in this run, and none of an earlier run", async () => {
    let refuses = false;
    let losing = true;
    server = await accountServer(
      ({ method }) => (refuses && method === "POST" ? { status: 422, body: { message: "no" } } : undefined),
      { loses: ({ method, body }) => losing && method === "POST" && body.includes('"u0"') },
    );
    const { run, passwordLines } = setUp(plain(2));
    await run(line);
    server.accounts.delete("u0");
    [losing, refuses] = [false, true];
    expect((await run(`${line} --resume`)).code).toBe(11);
    expect(passwordLines().map((one) => one.split(",")[0])).toEqual(["u0", "u1"]);
    const other = setUp(plain(2));
    expect((await other.run(line)).code).toBe(11);
    expect(other.passwordLines()).toEqual([]);
  });
});
