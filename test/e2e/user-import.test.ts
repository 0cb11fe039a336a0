import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { account } from "../commands/user/forge.ts";
import { type AccountServer, accountServer, people } from "../commands/user/import/forge.ts";
import { emptyFolder, launcher, startBuilt } from "./built.ts";

let server: AccountServer;
afterEach(() => server.close());

/** A folder with `people.csv`, and the built program in it. */
function place(content: string) {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "people.csv"), content);
  const env = () => ({ TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" });
  const start = (typed: string) =>
    startBuilt(typed.startsWith("user ") ? typed.split(" ") : typed, { cwd, env: env() });
  const run = async (typed: string) => {
    const running = start(typed);
    return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
  };
  const text = (name: string) => readFileSync(join(cwd, name), "utf8");
  return { cwd, start, run, text, held: () => text("passwords.csv").trim().split("\n").slice(1).sort() };
}

const sent = () => server.made.map((one) => `${String(one["username"])},${String(one["password"])}`).sort();
const actions = (stdout: string) => (JSON.parse(stdout) as { action: string }[]).map(({ action }) => action);
const line = "user import people.csv --generate-passwords passwords.csv";
const plain = (count: number) => people(count).replaceAll(",true\n", ",false\n");

describe("one holder of an import's files", () => {
  it("refuses a second import while the first one runs, also when that is stopped, and loses no password", async () => {
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
    const { cwd, start, run, text, held } = place(people(150));
    const first = start(line);
    await many;
    first.kill("SIGSTOP");
    const before = [text("passwords.csv"), text("people.csv.journal")];
    const second = await run(`${line} --resume`);
    const other = await run(
      `user import ${cwd}/people.csv --generate-passwords passwords.csv --journal other --resume`,
    );
    expect([text("passwords.csv"), text("people.csv.journal")]).toEqual(before);
    first.kill("SIGCONT");
    expect([await first.ended, first.stderr()]).toEqual([0, expect.stringContaining("150 created")]);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("Another import is using people.csv.j") });
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("Another import is using passwords.csv") });
    expect(existsSync(join(cwd, "other"))).toBe(false);
    expect(held()).toEqual(sent());
    expect(server.made).toHaveLength(150);
  });

  it("frees them when the first one is killed", async () => {
    let posts = 0;
    server = await accountServer(({ method }) => {
      posts += method === "POST" ? 1 : 0;
      return posts === 12 ? new Promise(() => {}) : undefined;
    });
    const { start, run, held } = place(plain(40));
    const first = start(line);
    while (posts < 12) await new Promise((resolve) => setTimeout(resolve, 5));
    first.kill("SIGKILL");
    await first.ended;
    posts = 100;
    expect((await run(`${line} --resume`)).code).toBe(0);
    expect(held()).toEqual(sent());
  });
});

describe("whose an account is", () => {
  it.each([
    ["behind", -10],
    ["ahead of", 10],
  ])("is decided by the server's clock, here %s ours by minutes: %i", async (_word, minutes) => {
    let posts = 0;
    let losing = true;
    const loses = ({ method }: { method: string }) => {
      posts += method === "POST" ? 1 : 0;
      return losing && method === "POST" && posts % 3 === 0;
    };
    server = await accountServer(undefined, { loses, ahead: minutes * 60_000 });
    const { run, held } = place(people(30));
    const first = await run(`${line} --json`);
    expect(first.code).toBe(11);
    expect(actions(first.stdout).filter((action) => action === "unknown")).toHaveLength(10);
    expect(first.stderr).toContain("may have been created; --resume settles it");
    losing = false;
    const second = await run(`${line} --resume --json`);
    expect([second.code, new Set(actions(second.stdout))]).toEqual([0, new Set(["created"])]);
    expect(held()).toEqual(sent());
    expect(server.made).toHaveLength(30);
    expect([...server.accounts.values()].filter((user) => user.is_admin)).toHaveLength(3);
  });

  it("is right after any number of answers lost, before or after they had an effect, and kills", async () => {
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
      const { start, held, text } = place(people(many));
      let ended: number | null = null;
      for (let runs = 0; ended !== 0 && runs < 60; runs += 1) {
        child = start(runs === 0 ? line : `${line} --resume`);
        ended = await child.ended;
        expect([null, 0, 11], child.stderr()).toContain(ended);
      }
      expect(ended).toBe(0);
      expect(held()).toEqual(sent());
      expect(server.made).toHaveLength(many);
      expect([...server.accounts.values()].filter((user) => user.is_admin)).toHaveLength(many / 10);
      expect(text("people.csv.journal")).toContain('{"finished":');
      await server.close();
    }
  });

  it("is known after a 201 that was noted, whatever happens to the account until the import goes on", async () => {
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
    const { start, run, held } = place(people(1));
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
    expect(held()).toEqual(sent());
  });

  it("is never taken for ours when it was there before, although the answer to our POST was lost", async () => {
    let losing = true;
    server = await accountServer(undefined, { loses: ({ method }) => losing && method === "POST" });
    for (const [id, name] of ["u0", "u1", "u2"].entries()) {
      const record = account(name, { id, email: `${name}@example.org`, created: new Date().toISOString() });
      server.accounts.set(name, { ...record, password: "theirs" });
    }
    const { run, held } = place(plain(5));
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
    expect(held()).toEqual(sent());
  });

  it("is called unknown where nothing proves it, and its password stays in the file", async () => {
    let losing = true;
    const hidden = ({ method, url }: { method: string; url: string }) =>
      losing && method === "GET" && /users/.test(url);
    server = await accountServer((seen) => (hidden(seen) ? { status: 403, body: { message: "no" } } : undefined), {
      loses: ({ method }) => losing && method === "POST",
    });
    const { run, held, text } = place(plain(2));
    expect((await run(line)).code).toBe(11);
    losing = false;
    const { code, stdout } = await run(`${line} --resume --json`);
    expect([code, actions(stdout)]).toEqual([11, ["unknown", "unknown"]]);
    expect(held()).toEqual(sent());
    expect(text("people.csv.journal")).not.toContain("finished");
  });

  it("keeps no password of a row that the server refused in this run, and all that an earlier run made", async () => {
    let refuses = false;
    let losing = true;
    server = await accountServer(
      ({ method }) => (refuses && method === "POST" ? { status: 422, body: { message: "no" } } : undefined),
      { loses: ({ method, body }) => losing && method === "POST" && body.includes('"u0"') },
    );
    const { run, held } = place(plain(2));
    await run(line);
    server.accounts.delete("u0");
    [losing, refuses] = [false, true];
    expect((await run(`${line} --resume`)).code).toBe(11);
    expect(held().map((one) => one.split(",")[0])).toEqual(["u0", "u1"]);
    const other = place(plain(2));
    expect((await other.run(line)).code).toBe(11);
    expect(other.held()).toEqual([]);
  });
});

describe("an input that can be read only once", () => {
  const rows = 5_100;

  it.each([
    ["a process substitution", "tongs user import <(cat people.csv) --format csv --journal j"],
    ["/dev/stdin", "cat people.csv | tongs user import /dev/stdin --format csv --journal j"],
    ["a FIFO", "mkfifo pipe.csv && (cat people.csv > pipe.csv &) && tongs user import pipe.csv --journal j"],
  ])("is imported whole, however long it is: %s", async (_what, typed) => {
    server = await accountServer();
    const { cwd, run, text, held } = place(plain(rows));
    const { code, stderr } = await run(`${typed} --generate-passwords passwords.csv --jobs 32`);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${rows} created`)]);
    expect(server.made).toHaveLength(rows);
    expect(held()).toEqual(sent());
    expect(text("j")).toContain('{"finished":');
    expect(readdirSync(cwd).filter((name) => /row|journal|stdin/.test(name))).toEqual([]);
  });

  it("has its rows beside the journal after a kill, for nobody else to read, and none in the temporary folder", async () => {
    let posts = 0;
    server = await accountServer(({ method }) => {
      posts += method === "POST" ? 1 : 0;
      return posts === 30 ? new Promise(() => {}) : undefined;
    });
    const { cwd, start, run, held } = place(plain(100));
    const temporary = emptyFolder();
    const line = "user import - --format csv --generate-passwords passwords.csv --journal j";
    const first = start(
      `TMPDIR=${temporary} "${process.execPath}" "${launcher}" ${line} < <(cat people.csv) & echo $!; wait`,
    );
    while (posts < 30) await new Promise((resolve) => setTimeout(resolve, 5));
    process.kill(Number(first.stdout()), "SIGKILL");
    await first.ended;
    expect(statSync(join(cwd, "j.rows")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, "j.rows"), "utf8")).toBe(plain(100));
    expect(readdirSync(temporary)).toEqual([]);
    posts = 100;
    expect((await run(`cat people.csv | tongs ${line} --resume`)).code).toBe(0);
    expect(held()).toEqual(sent());
    expect(existsSync(join(cwd, "j.rows"))).toBe(false);
  });

  it("is not called finished when rows are missing that were checked", async () => {
    const { cwd, run, text } = place(plain(rows));
    server = await accountServer(() => {
      writeFileSync(join(cwd, "people.csv"), "username,email\nu0,u0@example.org\n");
      return undefined;
    });
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([1, expect.stringContaining("people.csv changed after it was checked")]);
    expect(text("people.csv.journal")).not.toContain("finished");
  });
});

describe("the files that an import leaves", () => {
  it("have the failed rows for nobody else to read, whatever was there, and none of unknown outcome", async () => {
    server = await accountServer(undefined, {
      loses: ({ method, body }) => method === "POST" && body.includes('"u2"'),
    });
    server.accounts.set("other", { ...account("other", { email: "u1@example.org" }), password: "x" });
    const { cwd, run, text } = place("username,email,password\nu1,u1@example.org,s-1\nu2,u2@example.org,s-2\n");
    writeFileSync(join(cwd, "people.csv.failed"), "of an earlier import", { mode: 0o644 });
    const watching = openSync(join(cwd, "people.csv.failed"), "r");
    const { code, stderr } = await run("user import people.csv");
    expect(code).toBe(11);
    expect(stderr).toContain("line 3 (u2): may have been created; --resume settles it");
    expect(stderr).toContain("The 1 that failed are in people.csv.failed");
    expect(stderr).toContain("1 may have been created; import again with --resume to find out.");
    expect(statSync(join(cwd, "people.csv.failed")).mode & 0o777).toBe(0o600);
    expect(text("people.csv.failed")).toContain("u1,u1@example.org");
    expect(text("people.csv.failed")).not.toContain("u2");
    expect(readFileSync(watching, "utf8")).toBe("of an earlier import");
    closeSync(watching);
  });

  const mounts = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
  it.skipIf(!mounts)(
    "are named when the disk is full, and stay as they were (skipped where no small disk can be made)",
    async () => {
      server = await accountServer();
      server.accounts.set("other", { ...account("other", { email: "u1@example.org" }), password: "x" });
      const { cwd, run } = place(plain(2));
      mkdirSync(join(cwd, "small"));
      const typed = [
        "mount -t tmpfs -o size=8k none small",
        "head -c 4096 /dev/zero > small/filler",
        `"${process.execPath}" "${launcher}" user import people.csv --generate-passwords small/passwords.csv`,
      ];
      const look = 'code=$?; ls -x small; grep -c "^u0," small/passwords.csv; exit $code';
      const { code, stdout, stderr } = await run(`unshare -rm bash -c '${typed.join(" && ")}; ${look}'`);
      expect(stderr).toContain("✗ Cannot write small/passwords.csv: the disk is full (ENOSPC)");
      expect([code, stdout.split(/\s+/).filter(Boolean)]).toEqual([1, ["filler", "passwords.csv", "1"]]);
    },
  );
});
