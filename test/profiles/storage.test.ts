import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../src/failure/failure.ts";
import { lockFolder, readFile } from "../../src/profiles/files.ts";
import type { Config } from "../../src/profiles/profile.ts";
import { openProfiles } from "../../src/profiles/profiles.ts";
import { runBuilt } from "../support/built.ts";
import { emptyFolder } from "../support/tongs.ts";
import { bundledWriter, startWriter } from "./processes.ts";

const opened = (folder: string) => openProfiles({ env: { TONGS_CONFIG_DIR: folder }, platform: process.platform });
const withProfile = (name: string) => (config: Config) => ({
  ...config,
  profiles: { ...config.profiles, [name]: { host: `https://${name}.example.org` } },
});
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("configuration files", () => {
  it("are not created by reading", async () => {
    const folder = join(emptyFolder(), "deep", "tongs");
    expect(opened(folder).read()).toEqual({ profiles: {} });
    expect(await opened(folder).credentials.get("work")).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  });

  it("keep unknown fields", async () => {
    const folder = emptyFolder();
    writeFileSync(
      join(folder, "config.json"),
      '{"later":{"a":1},"profiles":{"old":{"host":"https://old.example.org","colour":"green"}}}',
    );
    await opened(folder).update(withProfile("new"));
    const stored = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
    expect(stored).toEqual({
      later: { a: 1 },
      profiles: {
        old: { host: "https://old.example.org", colour: "green" },
        new: { host: "https://new.example.org" },
      },
    });
  });

  it("can begin with a byte order mark", () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "config.json"), '\ufeff{"profiles":{"old":{"host":"https://old.example.org"}}}');
    expect(Object.keys(opened(folder).read().profiles)).toEqual(["old"]);
  });

  it("keep tokens separate from profiles", async () => {
    const profiles = opened(emptyFolder());
    await profiles.update(withProfile("work"));
    await profiles.credentials.set("work", "not-a-secret");
    expect(readFileSync(join(profiles.folder, "config.json"), "utf8")).not.toContain("not-a-secret");
    expect(await profiles.credentials.get("work")).toBe("not-a-secret");
    expect(await profiles.credentials.get("constructor")).toBeUndefined();
  });

  it("never use a leftover token for a profile renamed to its name", async () => {
    const { credentials } = opened(emptyFolder());
    await credentials.set("left-over", "not-a-secret");
    await credentials.rename("unsigned", "left-over");
    expect(await credentials.get("left-over")).toBeUndefined();
  });

  it.each([
    ["config.json", '{"profiles":'],
    ["config.json", "[]"],
    ["config.json", '{"profiles":[]}'],
    ["config.json", '{"profiles":{"work":{}}}'],
    ["config.json", '{"profiles":{"work":{"host":7}}}'],
    ["config.json", '{"profiles":{"work":{"host":"https://example.org","rules":"x"}}}'],
    ["credentials.json", '{"tokens":{"work":'],
    ["credentials.json", '{"tokens":{"work":1}}'],
  ])("are reported and not changed if %s is not valid: %s", async (name, content) => {
    const profiles = opened(emptyFolder());
    const file = join(profiles.folder, name);
    writeFileSync(file, content);
    const act =
      name === "config.json" ? profiles.update(withProfile("new")) : profiles.credentials.set("new", "not-a-secret");
    const error = await act.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).message).toContain(`${file} is not valid`);
    expect(readFileSync(file, "utf8")).toBe(content);
    const read = async () => (name === "config.json" ? profiles.read() : profiles.credentials.get("work"));
    await expect(read()).rejects.toThrow(/is not valid/);
  });

  it("keep symbolic links, also if the target does not exist", async () => {
    const folder = emptyFolder();
    const elsewhere = emptyFolder();
    writeFileSync(join(elsewhere, "tongs-config"), '{"profiles":{}}');
    symlinkSync(join(elsewhere, "tongs-config"), join(folder, "config.json"));
    symlinkSync("../not-there-yet.json", join(folder, "credentials.json"));
    const profiles = opened(folder);
    await profiles.update(withProfile("work"));
    await profiles.credentials.set("work", "not-a-secret");
    expect(lstatSync(join(folder, "config.json")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, "credentials.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(elsewhere, "tongs-config"), "utf8")).toContain("work.example.org");
    expect(mode(join(folder, "..", "not-there-yet.json"))).toBe("600");
    expect(await profiles.credentials.get("work")).toBe("not-a-secret");
  });

  it("are readable only for the owner, also if they were not before", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "credentials.json"), "{}", { mode: 0o644 });
    chmodSync(join(folder, "credentials.json"), 0o644);
    chmodSync(folder, 0o755);
    await opened(folder).credentials.set("work", "not-a-secret");
    expect([mode(folder), mode(join(folder, "credentials.json"))]).toEqual(["700", "600"]);
  });

  it("do not change the mode of a shared folder", async () => {
    const folder = emptyFolder();
    chmodSync(folder, 0o1777);
    await opened(folder).credentials.set("work", "not-a-secret");
    expect(mode(folder)).toBe("777");
    expect(mode(join(folder, "credentials.json"))).toBe("600");
  });

  it("are written after removing temporary files of killed processes", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "credentials.json.tmp-1234567890abcdef"), '{"tokens":{"work":"not-a');
    writeFileSync(join(folder, "credentials.json.tmp-of-mine"), "");
    await opened(folder).credentials.set("work", "not-a-secret");
    expect(readdirSync(folder).toSorted()).toEqual(["credentials.json", "credentials.json.tmp-of-mine"]);
  });

  it("report why they cannot be written", async () => {
    const folder = join(emptyFolder(), "a-file");
    writeFileSync(folder, "");
    const error = await opened(folder)
      .update(withProfile("work"))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      exit: "failure",
      code: "config",
      message: expect.stringMatching(/^Cannot write .*a-file/),
    });
  });

  it("are not changed if the edit fails", async () => {
    const profiles = opened(emptyFolder());
    await profiles.update(withProfile("work"));
    const refuse = () => {
      throw new Failure("usage", "usage");
    };
    await expect(profiles.update(refuse)).rejects.toThrow("usage");
    await profiles.update(withProfile("play"));
    expect(Object.keys(profiles.read().profiles)).toEqual(["work", "play"]);
  });
});

describe("several processes", () => {
  let script = "";
  beforeAll(async () => {
    script = await bundledWriter();
  });

  it.each(["", "sessions"] as const)("are not waited for after Ctrl-C (lock '%s')", async (what) => {
    const folder = emptyFolder();
    const stop = new AbortController();
    const unlock = await lockFolder({ folder }, what);
    const waiting = lockFolder({ folder, signal: stop.signal }, what);
    setTimeout(() => stop.abort(new Error("Interrupted")), 50);
    await expect(waiting).rejects.toThrow("Interrupted");
    await unlock();
  });

  it("can write at the same time without losing a profile or token", async () => {
    const folder = join(emptyFolder(), "tongs");
    const names = Array.from({ length: 8 }, (_item, index) => `p${index}`);
    const writers = names.map((name) => startWriter(script, [folder, name, "4"]));
    for (const writer of writers) expect([await writer.ended, writer.errors()]).toEqual([0, ""]);
    const profiles = opened(folder);
    const wanted = names.flatMap((name) => [0, 1, 2, 3].map((number) => `${name}-${number}`));
    expect(Object.keys(profiles.read().profiles).sort()).toEqual(wanted);
    expect(await Promise.all(wanted.map((name) => profiles.credentials.get(name)))).toEqual(
      wanted.map((name) => `not-a-secret-${name}`),
    );
    expect(readdirSync(folder).sort()).toEqual(["config.json", "credentials.json"]);
  });

  it.each(["000", "077", "777"])("create the folder as 0700 and the files as 0600 with umask %s", async (umask) => {
    const parent = emptyFolder();
    const folder = join(parent, "tongs");
    const writer = startWriter(script, [folder, "work", "1", umask]);
    expect([await writer.ended, writer.errors()]).toEqual([0, ""]);
    expect(mode(folder)).toBe("700");
    expect(readdirSync(folder).map((name) => mode(join(folder, name)))).toEqual(["600", "600"]);
  });

  it("that are killed while writing leave valid files with everything reported as stored", async () => {
    const folder = join(emptyFolder(), "tongs");
    mkdirSync(folder);
    const wanted: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const name = `round-${round}`;
      const writer = startWriter(script, [folder, name, "1000"]);
      while (writer.done() < 2) await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise((resolve) => setTimeout(resolve, round * 3));
      writer.child.kill("SIGKILL");
      expect(await writer.ended).toBe("SIGKILL");
      for (let number = 0; number < writer.done(); number += 1) wanted.push(`${name}-${number}`);
      const profiles = opened(folder);
      expect(Object.keys(profiles.read().profiles)).toEqual(expect.arrayContaining(wanted));
      expect(wanted.filter((each) => !profiles.credentials.has(each))).toEqual([]);
      // Make the lock old enough to expire.
      const lock = join(folder, ".lock");
      const old = new Date(Date.now() - 60_000);
      if (existsSync(lock)) utimesSync(lock, old, old);
    }
    const last = startWriter(script, [folder, "last", "1"]);
    expect([await last.ended, last.errors()]).toEqual([0, ""]);
    expect(readdirSync(folder).sort()).toEqual(["config.json", "credentials.json"]);
  });
});

describe("settings", () => {
  const stored = (parent: string) => {
    const folder = join(parent, "tongs");
    mkdirSync(folder, { mode: 0o700 });
    const config = { default: "a", profiles: { a: { host: "http://127.0.0.1:9" } } };
    writeFileSync(join(folder, "config.json"), JSON.stringify(config), { mode: 0o600 });
    writeFileSync(join(folder, "credentials.json"), '{"tokens":{"a":"not-a-secret"}}', { mode: 0o600 });
    return folder;
  };
  const view = (cwd: string, folder: string, ...words: string[]) =>
    runBuilt(["profile", "list", ...words], { cwd, env: { TONGS_CONFIG_DIR: folder } });

  it.each([
    ["config.json", 0o620],
    ["config.json", 0o602],
    ["", 0o730],
    ["", 0o702],
  ])(
    "that other users can change ('%s' with mode %o) are refused with the command that mends it",
    async (name, bits) => {
      const cwd = emptyFolder();
      const folder = stored(cwd);
      const at = name === "" ? folder : join(folder, name);
      chmodSync(at, bits);
      const ran = await view(cwd, folder);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain(`Other users can change ${at}`);
      execFileSync("sh", ["-c", /chmod go-w \S+/.exec(ran.stderr)?.[0] ?? "false"]);
      expect(await view(cwd, folder)).toMatchObject({ code: 0 });
    },
  );

  it("in a sticky folder are not refused", async () => {
    const folder = stored(emptyFolder());
    chmodSync(folder, 0o1777);
    expect(opened(folder).read().default).toBe("a");
    chmodSync(join(folder, "credentials.json"), 0o606);
    await expect(opened(folder).credentials.get("a")).rejects.toThrow("Other users can change");
  });

  it("that belong to another user are refused, unless to root; to root, too, unless their directory was named", () => {
    const path = join(stored(emptyFolder()), "config.json");
    const nobody = 65_534;
    if (process.geteuid?.() === 0) chownSync(path, nobody, nobody);
    const { uid } = statSync(path);
    expect(() => readFile(path, { platform: "linux" }, uid + 1)).toThrow(`${path} belongs to another user`);
    expect(() => readFile(path, { platform: "linux" }, uid === 0 ? uid + 1 : 0)).toThrow("belongs to another user");
    for (const user of [uid, 0])
      expect(readFile(path, { platform: "linux", isNamed: user === 0 }, user).stored).toMatchObject({ default: "a" });
  });

  it("with tokens that other users can read are warned of once", async () => {
    const folder = stored(emptyFolder());
    const warnings: string[] = [];
    const { credentials } = openProfiles(
      { env: { TONGS_CONFIG_DIR: folder }, platform: process.platform },
      {
        warn: (warning) => void warnings.push(warning),
        note: () => undefined,
      },
    );
    expect(await credentials.get("a")).toBe("not-a-secret");
    expect(warnings).toEqual([]);
    const path = join(folder, "credentials.json");
    chmodSync(path, 0o644);
    expect([await credentials.get("a"), await credentials.get("a")]).toEqual(["not-a-secret", "not-a-secret"]);
    expect(warnings).toEqual([`Other users can read ${path}. Run: chmod 600 ${path}`]);
  });

  it("with tokens that other users can read are warned of on stderr", async () => {
    const cwd = emptyFolder();
    const folder = stored(cwd);
    chmodSync(join(folder, "credentials.json"), 0o644);
    const ran = await runBuilt(["api", "version"], { cwd, env: { TONGS_CONFIG_DIR: folder } });
    expect(ran.code).toBe(6);
    expect(ran.stderr.match(/Other users can read .*credentials\.json/g)).toHaveLength(1);
  });
});
