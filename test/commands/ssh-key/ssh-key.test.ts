import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();

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
  it("reads a key from stdin and takes its comment as the title", async () => {
    const added = await run(["add", "-", "--json", "title"], { stdin: keyPair("mara@laptop").key });
    expect(added.json()).toEqual({ title: "mara@laptop" });
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
});
