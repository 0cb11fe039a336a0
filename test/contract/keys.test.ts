import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let jonas: Person;
beforeAll(async () => {
  mara = await target.person("keymara");
  jonas = await target.person("keyjonas");
});

const onSandboxOnly = "the sandbox does not have this operation";
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Runs tongs, which must succeed. */
async function ok(person: Person, line: readonly string[], stdin = "") {
  const ran = await person.tongs(line, { stdin });
  expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
  return ran;
}

/** Runs gpg with a home folder of its own, which is short, because sockets are made in it. */
async function withGpg(work: (gpg: (line: readonly string[], input?: string) => string) => Promise<void>) {
  const home = mkdtempSync(join(tmpdir(), "g-"));
  const gpg = (line: readonly string[], input = "") =>
    execFileSync("gpg", ["--homedir", home, "--batch", "--quiet", "--passphrase", "", ...line], {
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    });
  try {
    await work(gpg);
  } finally {
    execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]);
    rmSync(home, { recursive: true, force: true });
  }
}

describe("account", () => {
  it("adds, finds and deletes an SSH key", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tongs-"));
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "mara@desk", "-f", join(folder, "key")]);
    const added = await ok(mara, ["ssh-key", "add", join(folder, "key.pub")]);
    const id = added.stdout.trim();
    const listed = (await ok(mara, ["ssh-key", "list", "--json", "id,title,fingerprint"])).json();
    expect(listed).toMatchObject([{ id: Number(id), title: "mara@desk" }]);
    const [{ fingerprint = "" } = {}] = listed as readonly { readonly fingerprint?: string }[];
    const found = await ok(jonas, [
      "ssh-key",
      "list",
      "--user",
      mara.login,
      "--fingerprint",
      fingerprint,
      "--json",
      "id",
    ]);
    expect(found.json()).toEqual([{ id: Number(id) }]);
    const again = await mara.tongs(["ssh-key", "add", join(folder, "key.pub"), "--title", "again"]);
    expect(again.code).toBe(9);
    expect((await jonas.tongs(["ssh-key", "delete", id, "--yes"])).code).toBe(4);
    await ok(mara, ["ssh-key", "delete", id, "--yes"]);
    expect((await ok(mara, ["ssh-key", "list", "--json"])).json()).toEqual([]);
  });

  it("adds, verifies and deletes a GPG key, and one whose address is not the user's", async ({ skip }) => {
    if (target.kind === "sandbox") skip(onSandboxOnly);
    await withGpg(async (gpg) => {
      const uid = `Mara <${mara.login}@example.org>`;
      gpg(["--quick-generate-key", uid, "ed25519", "sign", "never"]);
      const armored = gpg(["--armor", "--export", uid]);
      const added = (await ok(mara, ["gpg-key", "add", "-", "--json"], armored)).json();
      const { key_id } = added as { readonly key_id: string };
      const challenge = (await ok(mara, ["gpg-key", "verify", key_id])).stdout;
      // The pipe that the example shows: the newline is signed, too.
      const signature = gpg(["--armor", "--detach-sign", "--local-user", uid], challenge);
      const verified = await mara.tongs(["gpg-key", "verify", key_id, "--signature-file", "-", "--json"], {
        stdin: signature,
      });
      // Servers cannot verify a key whose key ID begins with 0.
      if (key_id.startsWith("0")) expect(verified.code).toBe(7);
      else expect(verified.json()).toMatchObject({ key_id, verified: true });
      const wrong = gpg(["--armor", "--detach-sign", "--local-user", uid], "another text\n");
      const refused = await mara.tongs(["gpg-key", "verify", key_id, "--signature-file", "-"], { stdin: wrong });
      expect(refused.code).toBe(key_id.startsWith("0") ? 7 : 13);
      expect((await ok(jonas, ["gpg-key", "list", "--user", mara.login, "--json", "key_id"])).json()).toEqual([
        { key_id },
      ]);
      expect((await jonas.tongs(["gpg-key", "delete", key_id, "--yes"])).code).toBe(5);
      await ok(mara, ["gpg-key", "delete", key_id, "--yes"]);
      expect((await ok(mara, ["gpg-key", "list", "--json"])).json()).toEqual([]);

      const foreign = `Elsewhere <${target.unique("elsewhere")}@example.net>`;
      gpg(["--quick-generate-key", foreign, "ed25519", "sign", "never"]);
      const key = gpg(["--armor", "--export", foreign]);
      const needs = await mara.tongs(["gpg-key", "add", "-"], { stdin: key });
      expect([needs.code, needs.stderr]).toEqual([13, expect.stringContaining("gpg --armor --detach-sign")]);
      const text = /echo ([0-9a-f]{64})/.exec(needs.stderr)?.[1] ?? "";
      const proof = gpg(["--armor", "--detach-sign", "--local-user", foreign], `${text}\n`);
      const folder = mkdtempSync(join(tmpdir(), "tongs-"));
      const file = join(folder, "key.asc");
      writeFileSync(file, key);
      await ok(mara, ["gpg-key", "add", file, "--signature-file", "-"], proof);
    });
  });

  it("creates a token that works, and deletes it", async () => {
    const flags = ["--scope", "read:user", "--password-stdin"];
    const created = await ok(mara, ["token", "create", "journey", ...flags], mara.password);
    const env = { TONGS_TOKEN: created.stdout.trim() };
    expect((await mara.tongs(["user", "view", "--json", "login"], { env })).json()).toEqual({ login: mara.login });
    const write = await mara.tongs(["follow", "add", jonas.login], { env });
    expect(write.code).toBe(4);
    const listed = await ok(mara, ["token", "list", "--password-stdin", "--json", "name,scopes"], mara.password);
    expect(listed.json()).toContainEqual({ name: "journey", scopes: ["read:user"] });
    const taken = await mara.tongs(["token", "create", "journey", ...flags], { stdin: mara.password });
    expect(taken.code).toBe(9);
    expect((await mara.tongs(["token", "list", "--password-stdin"], { stdin: "wrong" })).code).toBe(4);
    await ok(mara, ["token", "delete", "journey", "--password-stdin", "--yes"], mara.password);
    expect((await mara.tongs(["user", "view"], { env })).code).toBe(4);
  });

  it("creates, edits and deletes an application; each edit makes a new secret", async ({ skip }) => {
    if (target.kind === "sandbox") skip(onSandboxOnly);
    const uri = "https://board.example.org/callback";
    const created = await ok(mara, ["oauth-app", "create", "board", "--redirect-uri", uri]);
    const [client, secret] = created.stdout.split("\n");
    const listed = (await ok(mara, ["oauth-app", "list", "--json", "id,client_id,confidential_client"])).json();
    expect(listed).toMatchObject([{ client_id: client, confidential_client: true }]);
    const id = String((listed as readonly { readonly id: number }[])[0]?.id);
    const other = "https://board.example.org/other";
    const edited = await ok(mara, ["oauth-app", "edit", id, "--add-redirect-uri", other, "--yes"]);
    expect(edited.stdout.split("\n")[0]).toBe(client);
    expect(edited.stdout.split("\n")[1]).not.toBe(secret);
    const viewed = await ok(mara, ["oauth-app", "view", id, "--json", "name,redirect_uris,client_secret"]);
    expect(viewed.json()).toEqual({ name: "board", redirect_uris: [uri, other], client_secret: "" });
    await ok(mara, ["oauth-app", "delete", id, "--yes"]);
    expect((await mara.tongs(["oauth-app", "view", id])).code).toBe(5);
  });

  it("blocks and unblocks a user", async ({ skip }) => {
    if (target.kind === "sandbox") skip(onSandboxOnly);
    await ok(mara, ["user", "block", "add", jonas.login]);
    expect((await ok(mara, ["user", "block", "list", "--json", "login"])).json()).toEqual([{ login: jonas.login }]);
    const some = await mara.tongs(["user", "block", "add", target.unique("absent")]);
    expect(some.code).toBe(5);
    await ok(mara, ["user", "block", "remove", jonas.login]);
    expect((await ok(mara, ["user", "block", "list", "--json"])).json()).toEqual([]);
  });

  it("edits settings, addresses and the avatar", async ({ skip }) => {
    if (target.kind === "sandbox") skip(onSandboxOnly);
    await ok(mara, ["user", "settings", "edit", "--full-name", "Mara Lind", "--hide-email", "--location", "Malmo"]);
    const settings = await ok(mara, ["user", "settings", "view", "--json", "full_name,hide_email,location"]);
    expect(settings.json()).toEqual({ full_name: "Mara Lind", hide_email: true, location: "Malmo" });
    const address = `${target.unique("second")}@example.org`;
    await ok(mara, ["user", "email", "add", address]);
    const primary = `${mara.login}@example.org`;
    const deleted = await mara.tongs(["user", "email", "delete", primary, address, "--yes"]);
    expect([deleted.code, deleted.stderr]).toEqual([11, expect.stringContaining("is your primary email address")]);
    const own = await ok(mara, ["user", "email", "list", "--own", "--json", "email"]);
    expect(own.json()).toEqual([{ email: primary }]);
    const folder = mkdtempSync(join(tmpdir(), "tongs-"));
    const file = join(folder, "mara.png");
    writeFileSync(file, Buffer.from(png, "base64"));
    const before = (await ok(mara, ["user", "view", "--json", "avatar_url"])).stdout;
    await ok(mara, ["user", "avatar", "set", file]);
    expect((await ok(mara, ["user", "view", "--json", "avatar_url"])).stdout).not.toBe(before);
    await ok(mara, ["user", "avatar", "delete", "--yes"]);
  });

  it("shows the server, and what it does not have", async () => {
    const ran = await ok(mara, ["server", "--json"]);
    const { missing, nodeinfo, settings } = ran.json() as {
      readonly missing: readonly string[];
      readonly nodeinfo: unknown;
      readonly settings: unknown;
    };
    expect(settings).toMatchObject({ api: { max_response_items: expect.any(Number) } });
    expect(missing.includes("org rename")).toBe(!target.has("POST", "/orgs/{org}/rename"));
    const actor = await mara.tongs(["user", "actor", mara.login, "--json", "type"]);
    if (nodeinfo === null) expect(actor.code).toBe(5);
    else expect(actor.json()).toEqual({ type: "Person" });
  });
});

describe("administration", () => {
  it("runs a cron task, and names an unknown one", async ({ skip }) => {
    if (target.kind === "sandbox") skip(onSandboxOnly);
    const listed = await ok(target.admin, ["admin", "cron", "list", "--all", "--json", "name"]);
    expect(listed.json()).toContainEqual({ name: "check_repo_stats" });
    const ran = await target.admin.tongs(["admin", "cron", "run", "check_repo_stats", "no_such_task"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("Started cron task check_repo_stats")]);
    expect((await mara.tongs(["admin", "cron", "list"])).code).toBe(4);
  });

  it("creates an organization for a user", async ({ skip }) => {
    if (target.kind === "sandbox") skip(onSandboxOnly);
    const name = target.unique("keyorg");
    const flags = ["--owner", mara.login, "--visibility", "limited", "--description", "boats"];
    await ok(target.admin, ["admin", "org", "create", name, ...flags]);
    const listed = await ok(target.admin, [
      "admin",
      "org",
      "list",
      "--query",
      name,
      "--all",
      "--json",
      "name,visibility",
    ]);
    expect(listed.json()).toEqual([{ name, visibility: "limited" }]);
    await target.ask("DELETE", `/orgs/${name}`, undefined, mara);
  });

  it("lists unadopted repositories and e-mail addresses, and reports what cannot be adopted", async ({ skip }) => {
    const emails = await ok(target.admin, ["admin", "email", "list", "--query", mara.login, "--json", "username"]);
    expect(emails.json()).toContainEqual({ username: mara.login });
    if (target.kind === "sandbox") skip(onSandboxOnly);
    expect((await ok(target.admin, ["admin", "unadopted", "list", "--json"])).json()).toEqual(expect.any(Array));
    const absent = `${mara.login}/absent`;
    expect((await target.admin.tongs(["admin", "unadopted", "adopt", absent])).code).toBe(5);
    expect((await target.admin.tongs(["admin", "unadopted", "delete", absent, "--yes"])).code).toBe(5);
  });

  it("passes on whether git hooks can be edited", async ({ skip }) => {
    if (target.kind === "sandbox") skip(onSandboxOnly);
    await target.ask("POST", "/user/repos", { name: "hooked", auto_init: true, default_branch: "main" }, mara);
    const env = { TONGS_REPO: `${mara.login}/hooked` };
    const listed = await target.admin.tongs(["hook", "git", "list", "--json", "name"], { env });
    // Servers forbid it unless their configuration allows it.
    if (listed.code === 4) {
      expect(listed.stderr).toContain("Git hooks");
      return;
    }
    expect(listed.json()).toContainEqual({ name: "post-receive" });
    const script = "#!/bin/sh\nexit 0\n";
    const line = ["hook", "git", "edit", "post-receive", "--content-file", "-", "--json", "is_active"];
    expect((await target.admin.tongs(line, { env, stdin: script })).json()).toEqual({ is_active: true });
    const view = await target.admin.tongs(["hook", "git", "view", "post-receive", "--jq", ".content"], { env });
    expect(view.stdout.trim()).toBe(script.trim());
    expect((await target.admin.tongs(["hook", "git", "delete", "post-receive", "--yes"], { env })).code).toBe(0);
  });
});
