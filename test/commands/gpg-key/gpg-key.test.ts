import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";

const mine = "gpg keys: list mine: 200";
const key = "6E60D493D5589E96";
const challenge = "b7a55b54303ebd5daec2240fb350ead95342362f5723d46547b50facf8818613";
const withSignature = "gpg keys: add with a signature over the text: verified: 201";
const foreign = "gpg keys: add one with a foreign address and no signature: 404, the message holds the text to sign";
const confirmed = "gpg keys: add one whose address is confirmed: needs no signature, verified stays false: 201";
const wrong = "gpg keys: verify with a wrong signature: 422";

interface Recorded {
  readonly label: string;
  readonly request: { readonly body: Readonly<Record<string, string>> };
}

/** The body that was recorded under a label. */
function bodyOf(label: string): Readonly<Record<string, string>> {
  const file = join(import.meta.dirname, "../../data/cassettes/keys-apps.ndjson");
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const found = lines.map((line) => JSON.parse(line) as Recorded).find((one) => one.label.startsWith(label));
  if (found === undefined) throw new Error(`no ${label}`);
  return found.request.body;
}

const armored = (label: string, field: string) => bodyOf(label)[field] ?? "";

describe("gpg-key", () => {
  it("adds a key, and says how to verify it", async () => {
    const player = await cassette("keys-apps", [confirmed]);
    const ran = await player.run(["gpg-key", "add", "-"], { stdin: armored(confirmed, "armored_public_key") });
    expect([ran.code, ran.stdout]).toEqual([0, "8\n"]);
    expect(ran.stderr).toContain(`tongs gpg-key verify ${key}`);
  });

  it("shows the text to sign and the command if no address of the key is the user's", async () => {
    const player = await cassette("keys-apps", [foreign]);
    const stdin = armored(foreign, "armored_public_key");
    const ran = await player.run(["gpg-key", "add", "-", "--json"], { stdin });
    expect(ran.code).toBe(13);
    const { error } = JSON.parse(ran.stderr) as { readonly error: { readonly code: string; readonly hint: string } };
    expect(error.code).toBe("signature_required");
    expect(error.hint).toContain(`echo ${challenge} | gpg --armor --detach-sign`);
  });

  it("adds such a key with a signature", async () => {
    const player = await cassette("keys-apps", [withSignature]);
    const folder = emptyFolder();
    writeFileSync(join(folder, "signature.asc"), armored(withSignature, "armored_signature"));
    const line = ["gpg-key", "add", "-", "--signature-file", "signature.asc", "--json", "id,verified"];
    const ran = await player.run(line, { cwd: folder, stdin: armored(withSignature, "armored_public_key") });
    expect(ran.json()).toMatchObject({ id: 9 });
  });

  it("prints the text to sign, and on stderr the exact command", async () => {
    const player = await cassette("keys-apps", [mine, "gpg keys: text to sign again: 200"]);
    const ran = await player.run(["gpg-key", "verify", "8"]);
    expect([ran.code, ran.stdout]).toEqual([0, `${challenge}\n`]);
    expect(ran.stderr).toContain(
      `echo ${challenge} | gpg --armor --detach-sign --local-user ${key} | tongs gpg-key verify ${key} --signature-file -`,
    );
  });

  it.each([key, key.toLowerCase(), `0x${key}`, `6DF479010A86E26D1802ED14${key}`, "8"])(
    "verifies the key %s with a signature on stdin",
    async (typed) => {
      const player = await cassette("keys-apps", [mine, "gpg keys: verify: 200"]);
      const stdin = armored("gpg keys: verify: 200", "armored_signature");
      const ran = await player.run(["gpg-key", "verify", typed, "--signature-file", "-", "--json", "verified"], {
        stdin,
      });
      expect([ran.code, ran.json()]).toEqual([0, { verified: true }]);
    },
  );

  it("says how to sign a new text if the signature does not match", async () => {
    const player = await cassette("keys-apps", [mine, wrong]);
    const stdin = armored(wrong, "armored_signature");
    const ran = await player.run(["gpg-key", "verify", key, "--signature-file", "-"], { stdin });
    expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining(`tongs gpg-key verify ${key}`)]);
  });

  it("names the defect of servers that cannot verify a key whose key ID begins with 0", async () => {
    const zero = "gpg keys: verify one whose id begins with 0";
    const stdin = armored(zero, "armored_signature");
    const server = await serve(({ method }) =>
      method === "GET"
        ? { body: [{ id: 9, key_id: "071881A147114143" }] }
        : { status: 500, body: '{"message":""}\nInternal Server Error' },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["gpg-key", "verify", "9", "--signature-file", "-"], { env, stdin });
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("whose key ID begins with 0")]);
  });

  it("refuses what is not armored, a private key, and two readers of stdin, before anything is sent", async () => {
    const player = await cassette("keys-apps", []);
    const add = (stdin: string, ...flags: string[]) => player.run(["gpg-key", "add", "-", ...flags], { stdin });
    const secret = await add("-----BEGIN PGP PRIVATE KEY BLOCK-----\n");
    expect([secret.code, secret.stderr]).toEqual([2, expect.stringContaining("private key; it was not sent")]);
    expect((await add("hello")).stderr).toContain("stdin has no armored public key");
    expect((await add("hello", "--signature-file", "-")).stderr).toContain("cannot both be read from stdin");
    const signed = await player.run(["gpg-key", "verify", key, "--signature-file", "-"], { stdin: "hello" });
    expect([signed.code, signed.stderr]).toEqual([2, expect.stringContaining("stdin has no armored signature")]);
    expect(player.lines()).toEqual([]);
  });

  it("deletes keys by key ID, and reports unknown ones, which servers do not", async () => {
    const player = await cassette("keys-apps", [mine, "gpg keys: delete: 204"]);
    const ran = await player.run(["gpg-key", "delete", key, "AAAABBBBCCCCDDDD", "--yes"]);
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain(`Deleted GPG key ${key}`);
    expect(ran.stderr).toContain("GPG key AAAABBBBCCCCDDDD not found in your account");
  });
});
