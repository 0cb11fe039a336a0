import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

let sandbox: OnSandbox;
beforeAll(async () => {
  sandbox = await onSandbox();
});
afterAll(() => sandbox.close());

const run = (line: readonly string[], world: { readonly stdin?: string } = {}) =>
  sandbox.run(["ssh-key", ...line], { as: "mara", ...world });

/** Files of a new key pair. */
function keyPair(comment: string): { readonly folder: string; readonly file: string; readonly key: string } {
  const folder = emptyFolder();
  const file = join(folder, "key.pub");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", join(folder, "key")]);
  return { folder, file, key: readFileSync(file, "utf8").trim() };
}

describe("ssh-key", () => {
  it("adds a key from a file, lists it and deletes it", async () => {
    const { file, key } = keyPair("mara@desk");
    const added = await run(["add", file, "--title", "desk"]);
    expect(added.code).toBe(0);
    const id = added.stdout.trim();
    expect((await run(["list", "--json", "id,title,key"])).json()).toEqual([{ id: Number(id), title: "desk", key }]);
    const deleted = await run(["delete", id, "--yes"]);
    expect([deleted.code, deleted.stderr]).toEqual([
      0,
      expect.stringContaining(`Deleted SSH key ${id} (desk) from your account`),
    ]);
    expect((await run(["list", "--json"])).json()).toEqual([]);
  });

  it("reads a key from stdin and takes its comment as the title", async () => {
    const added = await run(["add", "-", "--json", "title"], { stdin: keyPair("mara@laptop").key });
    expect(added.json()).toEqual({ title: "mara@laptop" });
  });

  it("filters by user and by fingerprint", async () => {
    const { key } = keyPair("mara@pier");
    const added = (await run(["add", "-", "--json"], { stdin: key })).json() as { readonly fingerprint: string };
    const listed = await run(["list", "--fingerprint", added.fingerprint, "--json", "title"]);
    expect(listed.json()).toEqual([{ title: "mara@pier" }]);
    const other = await sandbox.run(["ssh-key", "list", "--user", "mara", "--json", "title"]);
    expect(other.json()).toContainEqual({ title: "mara@pier" });
    const none = await sandbox.run(["ssh-key", "list", "--json"]);
    expect(none.json()).toEqual([]);
  });

  it("refuses a private key and a key without a title, before anything is sent", async () => {
    const { folder, key } = keyPair("x");
    sandbox.writes();
    const secret = await run(["add", join(folder, "key"), "--title", "x"]);
    expect([secret.code, secret.stderr]).toEqual([2, expect.stringContaining("private key; it was not sent")]);
    const untitled = await run(["add", "-"], { stdin: key.split(" ").slice(0, 2).join(" ") });
    expect([untitled.code, untitled.stderr]).toEqual([2, expect.stringContaining("--title is required")]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("deletes the other keys if one is unknown, and exits 11", async () => {
    const id = (await run(["add", "-"], { stdin: keyPair("one").key })).stdout.trim();
    const deleted = await run(["delete", "999", id, "--yes"]);
    expect([deleted.code, deleted.stderr]).toEqual([11, expect.stringContaining(`Deleted SSH key ${id} (one)`)]);
  });

  it("does not delete the key of somebody else", async () => {
    const id = (await run(["add", "-"], { stdin: keyPair("mine").key })).stdout.trim();
    const deleted = await sandbox.run(["ssh-key", "delete", id, "--yes"]);
    expect(deleted.code).toBe(4);
    expect((await run(["list", "--json", "title"])).json()).toContainEqual({ title: "mine" });
  });

  it("sends nothing with --dry-run", async () => {
    sandbox.writes();
    const ran = await run(["add", "-", "--dry-run"], { stdin: keyPair("dry").key });
    expect([ran.code, ran.stdout + ran.stderr]).toEqual([0, expect.stringContaining("POST")]);
    expect(sandbox.writes()).toEqual([]);
  });
});
