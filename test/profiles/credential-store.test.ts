import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Interruption } from "../../src/failure/interruption.ts";
import { openProfiles } from "../../src/profiles/profiles.ts";
import type { Keyring } from "../../src/system/keyring.ts";
import { emptyFolder } from "../support/tongs.ts";

/** A keyring in memory, which can be locked. */
function memoryKeyring() {
  const entries = new Map<string, string>();
  const state = { locked: false, opened: 0 };
  const unlocked = () => {
    if (state.locked) throw new Error("Couldn't access platform storage: Secret Service: unlock prompt was dismissed");
  };
  const keyring: Keyring = {
    async get(account) {
      unlocked();
      return entries.get(account);
    },
    async set(account, secret) {
      unlocked();
      entries.set(account, secret);
    },
    async delete(account) {
      unlocked();
      entries.delete(account);
    },
  };
  const open = async () => {
    state.opened += 1;
    return keyring;
  };
  return { entries, state, open };
}

const bus = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };

function world(env: Readonly<Record<string, string>> = bus, folder = emptyFolder(), keyring = memoryKeyring()) {
  const notes: string[] = [];
  const warnings: string[] = [];
  const platform: NodeJS.Platform = "linux";
  const system = { env: { TONGS_CONFIG_DIR: folder, ...env }, platform, keyring: keyring.open };
  const say = { note: (text: string) => void notes.push(text), warn: (text: string) => void warnings.push(text) };
  const file = join(folder, "credentials.json");
  const stored = () => JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  return { ...openProfiles(system, say), notes, warnings, keyring, file, stored, folder };
}

const session = { access_token: "not-a-secret-access", refresh_token: "not-a-secret-refresh", client_id: "app" };

describe("a credential store", () => {
  it.each([
    ["auto", bus],
    ["keyring", { ...bus, TONGS_CREDENTIAL_STORE: "keyring" }],
  ])("that is %s keeps tokens and sessions in the keyring, and only their names in the file", async (_mode, env) => {
    const { credentials, keyring, stored, file, notes } = world(env);
    await credentials.set("work", "not-a-secret");
    await credentials.set("web", session);
    expect(await credentials.get("work")).toBe("not-a-secret");
    expect(await credentials.get("web")).toEqual(session);
    expect(stored()).toEqual({ tokens: {}, keyring: ["work", "web"] });
    expect(readFileSync(file, "utf8")).not.toContain("not-a-secret");
    expect(keyring.entries.size).toBe(2);
    expect([credentials.has("work"), credentials.location("work")]).toEqual([true, "the keyring"]);
    await credentials.rename("work", "job");
    expect([credentials.has("work"), await credentials.get("job")]).toEqual([false, "not-a-secret"]);
    await credentials.delete("job");
    await credentials.delete("web");
    expect([credentials.has("job"), keyring.entries.size, notes]).toEqual([false, 0, []]);
  });

  it("warns if the keyring keeps the entry of the old name of a profile", async () => {
    const memory = memoryKeyring();
    const stuck = async () => ({ ...(await memory.open()), delete: () => Promise.reject(new Error("locked")) });
    const { credentials, warnings } = world(bus, emptyFolder(), { ...memory, open: stuck });
    await credentials.set("work", "not-a-secret");
    await credentials.rename("work", "job");
    expect([credentials.has("work"), await credentials.get("job")]).toEqual([false, "not-a-secret"]);
    expect(warnings).toEqual(["The keyring still has the former token of profile 'work'"]);
  });

  it("that is file does not open the keyring", async () => {
    const { credentials, keyring, file, notes } = world({ ...bus, TONGS_CREDENTIAL_STORE: "file" });
    await credentials.set("work", session);
    expect(await credentials.get("work")).toEqual(session);
    expect([credentials.location("work"), keyring.state.opened, notes]).toEqual([file, 0, []]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("still finds the tokens in the file, without opening the keyring, whatever is set", async () => {
    for (const mode of ["auto", "keyring", "file"]) {
      const folder = emptyFolder();
      writeFileSync(join(folder, "credentials.json"), JSON.stringify({ tokens: { work: "not-a-secret" } }), {
        mode: 0o600,
      });
      const { credentials, keyring } = world({ ...bus, TONGS_CREDENTIAL_STORE: mode }, folder);
      expect([await credentials.get("work"), credentials.has("other")]).toEqual(["not-a-secret", false]);
      expect(await credentials.get("other")).toBeUndefined();
      expect(keyring.state.opened).toBe(0);
    }
  });

  it("that is auto falls back to the file without a session bus, without touching the keyring, and says so once", async () => {
    const { credentials, keyring, notes, file, stored } = world({});
    await credentials.set("work", "not-a-secret");
    expect(keyring.state.opened).toBe(0);
    expect(notes).toEqual([
      expect.stringContaining(`The token is stored in ${file}, because the keyring cannot be used`),
    ]);
    expect(notes[0]).toContain("DBUS_SESSION_BUS_ADDRESS is not set");
    expect(stored()).toEqual({ tokens: { work: "not-a-secret" } });
    await credentials.get("work");
    expect(await credentials.replace("work", session, () => true)).toBe(true);
    expect(notes).toHaveLength(1);
  });

  it("that is auto falls back to the file if the keyring is locked or its library is missing, and says why", async () => {
    const locked = world();
    locked.keyring.state.locked = true;
    await locked.credentials.set("work", "not-a-secret");
    expect(locked.notes).toEqual([expect.stringContaining("unlock prompt was dismissed")]);
    expect(await locked.credentials.get("work")).toBe("not-a-secret");

    const folder = emptyFolder();
    const notes: string[] = [];
    const system = {
      env: { ...bus, TONGS_CONFIG_DIR: folder },
      platform: "linux" as const,
      keyring: () => Promise.reject(new Error("Cannot find module")),
    };
    const { credentials } = openProfiles(system, { note: (text) => void notes.push(text), warn() {} });
    await credentials.set("work", "not-a-secret");
    expect(notes).toEqual([expect.stringContaining("its library is not installed")]);
    expect(await credentials.get("work")).toBe("not-a-secret");
  });

  it("stores nothing when Ctrl-C ends the wait for the keyring", async () => {
    const folder = emptyFolder();
    const stop = new AbortController();
    const system = {
      env: { ...bus, TONGS_CONFIG_DIR: folder },
      platform: "linux" as const,
      signal: stop.signal,
      keyring: async () => {
        stop.abort(new Interruption("SIGINT"));
        throw stop.signal.reason;
      },
    };
    const { credentials } = openProfiles(system, { note() {}, warn() {} });
    await expect(credentials.set("work", "not-a-secret")).rejects.toMatchObject({ exit: "interrupted" });
    expect(existsSync(join(folder, "credentials.json"))).toBe(false);
  });

  it("that is keyring fails with exit 4 and a hint if the keyring cannot be used, and stores nothing", async () => {
    const without = world({ TONGS_CREDENTIAL_STORE: "keyring" });
    const locked = world({ ...bus, TONGS_CREDENTIAL_STORE: "keyring" });
    locked.keyring.state.locked = true;
    for (const { credentials, file } of [without, locked]) {
      await expect(credentials.set("work", "not-a-secret")).rejects.toMatchObject({
        code: "keyring",
        exit: "denied",
        message: expect.not.stringContaining("not-a-secret"),
        hint: expect.stringContaining("TONGS_CREDENTIAL_STORE=file"),
      });
      expect(existsSync(file)).toBe(false);
    }
  });

  it("says that a keyring is locked, lacks the token, or is not used, with exit 4", async () => {
    const { credentials, keyring, folder } = world();
    await credentials.set("work", "not-a-secret");
    keyring.state.locked = true;
    await expect(credentials.get("work")).rejects.toMatchObject({
      exit: "denied",
      message: expect.stringContaining("unlock prompt was dismissed"),
      hint: expect.stringContaining("Unlock the keyring"),
    });
    // Nothing is half deleted.
    await expect(credentials.delete("work")).rejects.toMatchObject({ exit: "denied" });
    expect(credentials.has("work")).toBe(true);
    const file = world({ ...bus, TONGS_CREDENTIAL_STORE: "file" }, folder, keyring);
    await expect(file.credentials.get("work")).rejects.toMatchObject({
      exit: "denied",
      hint: expect.stringContaining("TONGS_CREDENTIAL_STORE is file"),
    });
    keyring.state.locked = false;
    keyring.entries.clear();
    await expect(credentials.get("work")).rejects.toMatchObject({
      exit: "denied",
      message: expect.stringContaining("no longer has the token of profile 'work'"),
    });
  });

  it("has a credential in one place: a new one removes the old one from elsewhere", async () => {
    const { credentials, keyring, folder, stored } = world({ ...bus, TONGS_CREDENTIAL_STORE: "file" });
    await credentials.set("work", "not-a-secret-old");
    const later = world(bus, folder, keyring);
    await later.credentials.set("work", "not-a-secret-new");
    expect(stored()).toEqual({ tokens: {}, keyring: ["work"] });
    await credentials.set("work", session);
    expect([stored(), keyring.entries.size]).toEqual([{ tokens: {}, sessions: { work: session } }, 0]);
  });

  it("keeps the tokens of two configuration folders apart", async () => {
    const keyring = memoryKeyring();
    const [one, other] = [world(bus, emptyFolder(), keyring), world(bus, emptyFolder(), keyring)];
    await one.credentials.set("work", "not-a-secret-one");
    await other.credentials.set("work", "not-a-secret-other");
    expect(await one.credentials.get("work")).toBe("not-a-secret-one");
  });

  it("replaces a session in its place, unless another one was stored meanwhile", async () => {
    for (const env of [bus, { TONGS_CREDENTIAL_STORE: "file" }]) {
      const { credentials } = world(env);
      await credentials.set("work", session);
      const next = { ...session, access_token: "not-a-secret-next" };
      expect(await credentials.replace("work", next, (stored) => stored === "other")).toBe(false);
      expect(await credentials.get("work")).toEqual(session);
      expect(await credentials.replace("work", next, () => true)).toBe(true);
      expect(await credentials.get("work")).toEqual(next);
    }
  });

  it("refuses another TONGS_CREDENTIAL_STORE, and a file that is not valid", async () => {
    const { credentials } = world({ TONGS_CREDENTIAL_STORE: "vault" });
    await expect(credentials.set("work", "x")).rejects.toMatchObject({ exit: "usage" });
    for (const content of [{ sessions: { work: { access_token: 1 } } }, { sessions: [1] }, { keyring: "work" }]) {
      const folder = emptyFolder();
      writeFileSync(join(folder, "credentials.json"), JSON.stringify(content), { mode: 0o600 });
      await expect(world(bus, folder).credentials.get("work")).rejects.toThrow(/is not valid/);
    }
  });
});
