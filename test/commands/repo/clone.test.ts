import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { openHarbor } from "../pr/harbor.ts";

const harbor = await openHarbor();

describe("tongs repo clone", () => {
  it("clones a private repository and prints the directory", async () => {
    const cwd = emptyFolder();
    const ran = await harbor.tongs("mara", cwd, "repo", "clone", "mara/harbor");
    expect(ran).toMatchObject({ code: 0, stdout: `${join(cwd, "harbor")}\n` });
    expect(readFileSync(join(cwd, "harbor", "tides.txt"), "utf8")).toBe("low\nhigh\n");
    expect(await harbor.git(join(cwd, "harbor"), ["remote", "-v"])).toContain(
      `origin\t${harbor.sandbox.url}/mara/harbor.git`,
    );
  });

  it("does not clone through a link that nobody named", async () => {
    const [cwd, elsewhere] = [emptyFolder(), emptyFolder()];
    symlinkSync(elsewhere, join(cwd, "harbor"));
    const ran = await harbor.tongs("mara", cwd, "repo", "clone", "mara/harbor");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("'harbor' is a symbolic link")]);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("accepts the bare name of one's own repository, and adds the remote upstream to a fork", async () => {
    const cwd = emptyFolder();
    const ran = await harbor.tongs("priya", cwd, "repo", "clone", "harbor");
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("with mara/harbor as upstream");
    const refs = await harbor.git(join(cwd, "harbor"), [
      "for-each-ref",
      "--format=%(refname)",
      "refs/remotes/upstream",
    ]);
    expect(refs).toContain("refs/remotes/upstream/feature/buoys");
  });

  it("changes the clone, not the repository of a hook of git that runs it", async () => {
    const cwd = emptyFolder();
    await harbor.git(cwd, ["init", "-q", "host"]);
    const env = { TONGS_HOST: harbor.sandbox.url, TONGS_TOKEN: harbor.sandbox.token("priya"), HOME: cwd };
    const outside = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
    const hook = { GIT_DIR: join(cwd, "host", ".git"), GIT_INDEX_FILE: join(cwd, "host", ".git", "index") };
    const ran = await tongs(["repo", "clone", "harbor"], { cwd, env: { ...env, ...outside, ...hook } });
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(await harbor.git(join(cwd, "host"), ["remote"])).toBe("");
    expect(await harbor.git(join(cwd, "host"), ["config", "--local", "--list"])).not.toContain("credential");
    expect(await harbor.git(join(cwd, "harbor"), ["remote"])).toBe("origin\nupstream");
    expect(await harbor.git(join(cwd, "harbor"), ["status", "--porcelain"])).toBe("");
  });

  it("is of the account that made it, also where git asks tongs everywhere", async () => {
    const cwd = emptyFolder();
    const { url, token } = harbor.sandbox;
    const nowhere = { TONGS_HOST: "", TONGS_TOKEN: "", PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };
    const env = {
      ...nowhere,
      HOME: cwd,
      TONGS_CONFIG_DIR: join(cwd, "config"),
      GIT_CONFIG_GLOBAL: join(cwd, "global"),
    };
    const run = (line: string, stdin = "", folder = cwd) => tongs(line.split(" "), { cwd: folder, env, stdin });
    for (const name of ["mara", "priya"])
      await run(`auth login --host ${url} --profile ${name} --token-stdin`, token(name));
    await run("auth setup-git");
    expect(readFileSync(join(cwd, "global"), "utf8")).toContain("tongs auth git-credential");
    const ran = await run("repo clone mara/harbor --profile priya");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const inClone = join(cwd, "harbor");
    // Also after another profile has checked out something there.
    const checked = await run("pr checkout 1 --profile mara", "", inClone);
    expect(checked, checked.stderr).toMatchObject({ code: 0 });
    expect((await run("api /user --jq .login", "", inClone)).stdout).toBe("priya\n");
    await harbor.git(inClone, ["config", "--local", "--unset-all", `credential.${url}.username`]);
    await harbor.git(inClone, ["remote", "set-url", "origin", `${url.replace("//", "//priya:x@")}/mara/harbor.git`]);
    expect((await run("api /user --jq .login", "", inClone)).stdout).toBe("priya\n");
  });

  it("accepts the URL of the web page", async () => {
    const cwd = emptyFolder();
    const page = `${harbor.sandbox.url}/mara/harbor/pulls`;
    expect((await harbor.tongs("mara", cwd, "repo", "clone", page)).code).toBe(0);
    expect(existsSync(join(cwd, "harbor", "tides.txt"))).toBe(true);
  });

  it("reports a missing or inaccessible repository before it runs git", async () => {
    const before = harbor.calls();
    const ran = await harbor.tongs("jonas", emptyFolder(), "repo", "clone", "mara/harbor");
    expect(ran).toMatchObject({ code: 5, stdout: "" });
    expect(harbor.calls().slice(before.length)).not.toContain("clone");
  });

  it("leaves an existing directory unchanged", async () => {
    const cwd = emptyFolder();
    await harbor.tongs("mara", cwd, "repo", "clone", "mara/harbor");
    const ran = await harbor.tongs("mara", cwd, "repo", "clone", "mara/harbor");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("already exists");
  });

  it("clones nothing with --dry-run", async () => {
    const cwd = emptyFolder();
    const ran = await harbor.tongs("mara", cwd, "repo", "clone", "mara/harbor", "--dry-run");
    expect(ran).toMatchObject({ code: 0, stdout: `git clone ${harbor.sandbox.url}/mara/harbor.git harbor\n` });
    expect(existsSync(join(cwd, "harbor"))).toBe(false);
  });

  it.each([".GIT", ".git.", ".git..", ".Git ", "git~1", "GIT~1", ".g\u200cit", ".ssh", "...", "../../elsewhere"])(
    "never clones into %j because the server says so",
    async (name) => {
      const server = await serve(() => ({ body: { name, full_name: `mara/${name}`, owner: { login: "mara" } } }));
      const cwd = emptyFolder();
      const dry = { cwd, env: { TONGS_HOST: server.url } };
      const ran = await tongs(["repo", "clone", "mara/harbor", "--dry-run"], dry);
      const given = await tongs(["repo", "clone", "mara/harbor", "quay", "--dry-run"], dry);
      expect([ran.code, ran.stdout]).toEqual([1, ""]);
      expect(ran.stderr).toContain("Specify a directory: tongs repo clone REPO DIR");
      expect(given).toMatchObject({ code: 0, stdout: expect.stringContaining(" quay\n") });
    },
  );

  it("clones into a hidden directory only if its name was typed, and never into one of git", async () => {
    const { sandbox } = harbor;
    for (const name of ["dotfiles", ".github", ".git."]) {
      await sandbox.ask("POST", "/user/repos", "mara", { name, auto_init: true, default_branch: "main" });
    }
    const cwd = emptyFolder();
    const clone = (...words: string[]) => harbor.tongs("mara", cwd, "repo", "clone", ...words);
    expect(await clone("mara/.github")).toMatchObject({ code: 0, stdout: `${join(cwd, ".github")}\n` });
    expect(await clone("mara/.git.")).toMatchObject({ code: 1, stdout: "" });
    await sandbox.ask("PATCH", "/repos/mara/dotfiles", "mara", { name: ".ssh" });
    expect(await clone("mara/dotfiles")).toMatchObject({ code: 1, stdout: "" });
    expect(readdirSync(cwd).sort()).toEqual([".github"]);
    expect((await clone("mara/dotfiles", ".ssh")).code).toBe(0);
    expect(existsSync(join(cwd, ".ssh", "README.md"))).toBe(true);
  });

  it("never sends the token to another host, even if the server redirects git there", async () => {
    const other = await serve(() => ({ status: 404 }));
    const server = await serve(({ url }) =>
      url.startsWith("/api/")
        ? { body: { name: "harbor", full_name: "mara/harbor", owner: { login: "mara" } } }
        : { status: 301, headers: { location: `${other.url}${url}` } },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const ran = await tongs(["repo", "clone", "mara/harbor"], { env });
    await Promise.all([other.close(), server.close()]);
    expect(ran.code).toBe(1);
    expect(server.seen.at(-1)?.headers["authorization"]).toBe("token not-a-real-token");
    expect(other.seen).toEqual([]);
  });
});
