import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Interruption } from "../../../src/failure/interruption.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
/** A directory with clones of mara/lamp and mara/lens in mara, and of mara/harbor at its top. */
const cwd = emptyFolder();
const exec = (line: readonly string[], world: { cwd?: string; terminal?: boolean; signal?: AbortSignal } = {}) =>
  sandbox.run(["repo", "exec", ...line], { as: "mara", cwd, ...world });
const node = (code: string) => ["--", process.execPath, "-e", code];

for (const name of ["lamp", "lens"]) await sandbox.ask("POST", "/user/repos", "mara", { name, auto_init: true });
const cloned = await sandbox.run(["repo", "clone", "mara/l*"], { as: "mara", cwd });
expect(cloned, cloned.stderr).toMatchObject({ code: 0 });
expect((await sandbox.run(["repo", "clone", "mara/harbor"], { as: "mara", cwd })).code).toBe(0);

describe("tongs repo exec", () => {
  it("runs in each clone of a matching repository, in order, each line after its name, without a request", async () => {
    const before = sandbox.requests();
    const ran = await exec(["mara/*", ...node("console.log(process.cwd() + '\\n' + process.env.TONGS_REPO)")]);
    const git = await exec(["mara/lamp", "--", "git", "config", "safe.bareRepository"]);
    expect(git.stdout).toBe("mara/lamp\texplicit\n");
    const lines = ["harbor", "lamp", "lens"].flatMap((name) => [
      `mara/${name}\t${join(cwd, ...(name === "harbor" ? [] : ["mara"]), name)}`,
      `mara/${name}\tmara/${name}`,
    ]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: `${lines.join("\n")}\n` });
    expect(sandbox.requests()).toBe(before);
  });

  it("groups the output on a terminal, and starts no shell", async () => {
    const code = "console.log(process.argv[1]); console.error('\\u001b[31mwarned')";
    const ran = await exec(["mara/l*", "--", process.execPath, "-e", code, "$HOME; *"], { terminal: true });
    expect(ran.stdout.replace(/\u001b\[\d+m/g, "")).toBe("mara/lamp\n$HOME; *\nmara/lens\n$HOME; *\n");
    expect(ran.stderr).toContain("␛[31mwarned");
  });

  it("continues after a failure, names those that failed and exits with 11", async () => {
    const code =
      "if (process.env.TONGS_REPO === 'mara/lamp') { console.error('dark'); process.exit(3) } console.log('ok')";
    const ran = await exec(["mara/l*", ...node(code)]);
    expect(ran).toMatchObject({ code: 11, stdout: "mara/lens\tok\n" });
    expect(ran.stderr).toContain("mara/lamp\tdark\n");
    expect(ran.stderr).toMatch(/✗ mara\/lamp: \S+ exited with code 3\n1 of 2 failed\.\n$/);
    const records = await exec(["mara/l*", "--json", ...node(code)]);
    expect(records.json()).toEqual([
      { repository: "mara/lamp", path: join(cwd, "mara", "lamp"), exit_code: 3, stdout: "", stderr: "dark\n" },
      { repository: "mara/lens", path: join(cwd, "mara", "lens"), exit_code: 0, stdout: "ok\n", stderr: "" },
    ]);
    expect(await exec(["mara/lamp", ...node("process.exit(7)")])).toMatchObject({ code: 1 });
    expect((await exec(["mara/l*", "--", "no-such-program"])).stderr).toContain("Could not start no-such-program");
  });

  it("runs for each repository of the server with --remote, where tongs works on it", async () => {
    const here = emptyFolder();
    const ran = await exec(["l*", "--remote", ...node("console.log([process.cwd(), process.env.TONGS_HOST])")], {
      cwd: here,
    });
    expect(ran.stdout).toContain(`mara/lens\t[ '${here}', '${sandbox.url}' ]`.slice(0, 20));
    expect(ran.stdout).toContain(sandbox.url);
    expect(ran.code).toBe(0);
    const records = await exec(["lens", "--remote", "--json", ...node("console.log('lit')")], { cwd: here });
    expect(records.json()).toEqual([
      { repository: "mara/lens", path: here, exit_code: 0, stdout: "lit\n", stderr: "" },
    ]);
  });

  it("follows no symbolic link, and looks at no clone of another server or in another's working tree", async () => {
    const top = emptyFolder();
    symlinkSync(join(cwd, "mara"), join(top, "mara"));
    expect(await exec(["mara/*", "--dir", top, ...node("")])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Clone them: tongs repo clone"),
    });
    mkdirSync(join(top, "plain"));
    expect((await exec(["mara/plain", "--dir", top, ...node("")])).code).toBe(5);
    expect((await exec(["priya/*", ...node("")])).code).toBe(5);
  });

  it("names what has no clone, or is not on the server, and a clone whose remote is another", async () => {
    const code = node("console.log('x')");
    const ran = await exec(["mara/lamp", "mara/nosuch", "priya/*", ...code]);
    expect(ran).toMatchObject({ code: 11, stdout: "mara/lamp\tx\n" });
    expect(ran.stderr).toContain("No clones match 'priya/*'");
    expect(ran.stderr).toContain("✗ mara/nosuch: No clone of mara/nosuch found in .");
    const remote = await exec(["mara/lamp", "mara/nosuch", "--remote", ...code]);
    expect(remote).toMatchObject({ code: 11, stdout: "mara/lamp\tx\n" });
    expect(remote.stderr).toMatch(/✗ mara\/nosuch: .*not found/);
    const top = emptyFolder();
    expect((await sandbox.run(["repo", "clone", "mara/l*"], { as: "mara", cwd: top })).code).toBe(0);
    const other = ["-C", join(top, "mara", "lens"), "remote", "set-url", "origin", `${sandbox.url}/priya/other.git`];
    execFileSync("git", other);
    const changed = await exec(["mara/*", ...code], { cwd: top });
    expect(changed).toMatchObject({ code: 0, stdout: "mara/lamp\tx\n" });
    expect(changed.stderr).toMatch(/mara\/lens is left out: it has no remote of a matching repository/);
  });

  it("runs nothing with --dry-run, and refuses to run nothing", async () => {
    const ran = await exec(["mara/l*", "--dry-run", "--", "touch", "a b"]);
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Would run touch 'a b' in mara/lamp for mara/lamp"),
    });
    expect(ran.stderr).not.toContain("✓");
    expect(existsSync(join(cwd, "mara", "lamp", "a b"))).toBe(false);
    expect((await exec(["mara/l*"])).code).toBe(2);
    expect(await exec(["mara/l*", "git", "status"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("after --"),
    });
  });

  it("ends the commands and what they have started with Ctrl-C, and says which had ended", async () => {
    const stop = new AbortController();
    const mark = join(emptyFolder(), "started");
    const wait = `require('node:fs').appendFileSync(${JSON.stringify(mark)}, process.pid + ' '); setInterval(() => {}, 1000)`;
    const code = `if (process.env.TONGS_REPO === 'mara/harbor') process.exit(0);
      require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(wait)}])`;
    const ran = exec(["mara/*", "--jobs", "3", ...node(code)], { signal: stop.signal });
    const pids = () => (existsSync(mark) ? readFileSync(mark, "utf8").trim().split(" ") : []);
    while (pids().length < 2) await new Promise((done) => setTimeout(done, 20));
    await new Promise((done) => setTimeout(done, 200));
    stop.abort(new Interruption("SIGINT"));
    const { code: exit, stderr } = await ran;
    expect(exit).toBe(130);
    expect(stderr).toContain("The command ended by itself in 1 of 3: mara/harbor");
    const isAlive = (pid: string) => {
      try {
        return process.kill(Number(pid), 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => pids().filter(isAlive)).toEqual([]);
  });
});

describe("tongs repo sync --all", () => {
  it("syncs all forks of the account that are not archived, and goes on after a conflict", async () => {
    const { ask } = sandbox;
    const write = (repo: string, file: string, content: string, as: string) =>
      ask("POST", `/repos/${repo}/contents/${file}`, as, {
        content: Buffer.from(content).toString("base64"),
        message: file,
      });
    for (const name of ["lamp", "lens"]) await ask("POST", `/repos/mara/${name}/forks`, "priya", {});
    await write("mara/lamp", "oil.txt", "one", "mara");
    await write("mara/lens", "glass.txt", "one", "mara");
    await write("priya/lens", "glass.txt", "two", "priya");
    const run = (...line: string[]) => sandbox.run(["repo", "sync", "--all", ...line], { as: "priya" });
    const ran = await run();
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("Synced main of priya/lamp with mara/lamp (fast-forward)");
    expect(ran.stderr).toContain("priya/lens: main of priya/lens conflicts with main of mara/lens");
    await ask("PATCH", "/repos/priya/lens", "priya", { archived: true });
    const again = await run("--json");
    expect(again.code).toBe(0);
    expect(again.json()).toContainEqual({ repository: "priya/lamp", merge_type: "up-to-date" });
    expect(JSON.stringify(again.json())).not.toContain("priya/lens");
    expect((await run("priya/lamp")).code).toBe(2);
    const none = await sandbox.run(["repo", "sync", "--all", "--json"], { as: "mara" });
    expect(none.json()).toEqual([]);
  });
});

describe("tongs repo list", () => {
  it("filters by kind, visibility, language and topic, and counts what matches", async () => {
    const { ask } = sandbox;
    await ask("POST", "/user/repos", "mara", { name: "keel", private: true });
    await ask("PUT", "/repos/mara/keel/topics/boats", "mara");
    await ask("PATCH", "/repos/mara/lens", "mara", { archived: true });
    const names = async (...flags: string[]) => {
      const ran = await sandbox.run(["repo", "list", "--all", "--json", "name", ...flags], { as: "mara" });
      return (ran.json() as { name: string }[]).map(({ name }) => name).sort();
    };
    expect(await names("--archived")).toEqual(["lens"]);
    expect(await names("--no-archived")).not.toContain("lens");
    expect(await names("--topic", "Boats")).toEqual(["keel"]);
    expect(await names("--visibility", "private", "--source")).toContain("keel");
    expect(await names("--visibility", "public")).not.toContain("keel");
    expect(await names("--fork")).toEqual([]);
    expect(await names("--language", "Fortran")).toEqual([]);
    expect((await sandbox.run(["repo", "list", "--fork", "--source"], { as: "mara" })).code).toBe(2);
    const limited = await sandbox.run(["repo", "list", "--source", "--limit", "1"], { as: "mara" });
    expect(limited.stdout.split("\n")).toHaveLength(2);
  });

  it("asks servers that list no topics for those of each repository", async () => {
    const old = await onSandbox({ release: { product: "gitea", version: "1.22" } });
    await old.ask("PUT", "/repos/mara/harbor/topics/boats", "mara");
    const ran = await old.run(["repo", "list", "--topic", "boats", "--json", "name"], { as: "mara" });
    expect(ran.json()).toEqual([{ name: "harbor" }]);
  });
});
