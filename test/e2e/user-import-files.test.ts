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
import { type AccountServer, accountServer } from "../commands/user/import/forge.ts";
import { emptyFolder, shellProgram } from "./built.ts";
import { importFolder, line, plain, sentTo } from "./import-folder.ts";

let server: AccountServer;
afterEach(() => server.close());
const setUp = (content: string) => importFolder(content, () => server);
const sent = () => sentTo(server);

describe("user import from stdin or a pipe", () => {
  const rows = 5_100;

  it.each([
    ["a process substitution", "tongs user import <(cat people.csv) --format csv --journal j"],
    ["/dev/stdin", "cat people.csv | tongs user import /dev/stdin --format csv --journal j"],
    ["a FIFO", "mkfifo pipe.csv && (cat people.csv > pipe.csv &) && tongs user import pipe.csv --journal j"],
  ])("imports all rows from %s", async (_what, typed) => {
    server = await accountServer();
    const { cwd, run, text, passwordLines } = setUp(plain(rows));
    const { code, stderr } = await run(`${typed} --generate-passwords passwords.csv --jobs 32`);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${rows} created`)]);
    expect(server.made).toHaveLength(rows);
    expect(passwordLines()).toEqual(sent());
    expect(text("j")).toContain('{"finished":');
    expect(readdirSync(cwd).filter((name) => /row|journal|stdin/.test(name))).toEqual([]);
  });

  it("keeps its input next to the journal after a kill, with mode 0600, and nothing in the temporary folder", async () => {
    let posts = 0;
    server = await accountServer(({ method }) => {
      posts += method === "POST" ? 1 : 0;
      return posts === 30 ? new Promise(() => {}) : undefined;
    });
    const { cwd, start, run, passwordLines } = setUp(plain(100));
    const temporary = emptyFolder();
    const line = "user import - --format csv --generate-passwords passwords.csv --journal j";
    const first = start(`TMPDIR=${temporary} ${shellProgram} ${line} < <(cat people.csv) & echo $!; wait`);
    while (posts < 30) await new Promise((resolve) => setTimeout(resolve, 5));
    process.kill(Number(first.stdout()), "SIGKILL");
    await first.ended;
    expect(statSync(join(cwd, "j.rows")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, "j.rows"), "utf8")).toBe(plain(100));
    expect(readdirSync(temporary)).toEqual([]);
    posts = 100;
    expect((await run(`cat people.csv | tongs ${line} --resume`)).code).toBe(0);
    expect(passwordLines()).toEqual(sent());
    expect(existsSync(join(cwd, "j.rows"))).toBe(false);
  });

  it("is not finished when checked rows are missing", async () => {
    const { cwd, run, text } = setUp(plain(rows));
    server = await accountServer(() => {
      writeFileSync(join(cwd, "people.csv"), "username,email\nu0,u0@example.org\n");
      return undefined;
    });
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([1, expect.stringContaining("people.csv changed after it was checked")]);
    expect(text("people.csv.journal")).not.toContain("finished");
  });
});

describe("the files of user import", () => {
  it("contain the failed rows with mode 0600, and none whose outcome is unknown", async () => {
    server = await accountServer(undefined, {
      loses: ({ method, body }) => method === "POST" && body.includes('"u2"'),
    });
    server.accounts.set("other", { ...account("other", { email: "u1@example.org" }), password: "x" });
    const { cwd, run, text } = setUp("username,email,password\nu1,u1@example.org,s-1\nu2,u2@example.org,s-2\n");
    writeFileSync(join(cwd, "people.csv.failed"), "of an earlier import", { mode: 0o644 });
    const watching = openSync(join(cwd, "people.csv.failed"), "r");
    const { code, stderr } = await run("user import people.csv");
    expect(code).toBe(11);
    expect(stderr).toContain("line 3 (u2): user may have been created; use --resume to find out");
    expect(stderr).toContain("Wrote 1 failed row to people.csv.failed");
    expect(stderr).toContain("1 user may have been created. To find out, run: tongs user import people.csv --resume");
    expect(statSync(join(cwd, "people.csv.failed")).mode & 0o777).toBe(0o600);
    expect(text("people.csv.failed")).toContain("u1,u1@example.org");
    expect(text("people.csv.failed")).not.toContain("u2");
    expect(readFileSync(watching, "utf8")).toBe("of an earlier import");
    closeSync(watching);
  });

  const mounts = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
  it.skipIf(!mounts)(
    "are named and left unchanged when the disk is full (skipped if a small file system cannot be mounted)",
    async () => {
      server = await accountServer();
      server.accounts.set("other", { ...account("other", { email: "u1@example.org" }), password: "x" });
      const { cwd, run } = setUp(plain(2));
      mkdirSync(join(cwd, "small"));
      const typed = [
        "mount -t tmpfs -o size=8k none small",
        "head -c 4096 /dev/zero > small/filler",
        `${shellProgram} user import people.csv --generate-passwords small/passwords.csv`,
      ];
      const look = 'code=$?; ls -x small; grep -c "^u0," small/passwords.csv; exit $code';
      const { code, stdout, stderr } = await run(`unshare -rm bash -c '${typed.join(" && ")}; ${look}'`);
      expect(stderr).toContain("✗ Cannot write small/passwords.csv: no space left on device (ENOSPC)");
      expect([code, stdout.split(/\s+/).filter(Boolean)]).toEqual([1, ["filler", "passwords.csv", "1"]]);
    },
  );
});
