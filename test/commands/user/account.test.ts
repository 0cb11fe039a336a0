import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { unknownRoute } from "../run/forge.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("user avatar", () => {
  it("sends an image in base64, and deletes the avatar", async () => {
    const player = await cassette("account", ["set the own avatar: 204", "delete the own avatar: 204"]);
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "mara.png"), Buffer.from(png, "base64"));
    const set = await player.run(["user", "avatar", "set", "mara.png"], { cwd });
    expect([set.code, set.stdout]).toEqual([0, ""]);
    expect((await player.run(["user", "avatar", "delete", "--yes"])).code).toBe(0);
  });

  it.each([
    ["PNG", Buffer.from(png, "base64")],
    ["JPEG", Buffer.from("ffd8ffe000104a464946", "hex")],
    ["GIF", Buffer.from("GIF89a\u0001", "latin1")],
    ["WebP", Buffer.from("RIFF\u0010\u0000\u0000\u0000WEBPVP8 ", "latin1")],
  ])("accepts %s, whatever the file is called", async (_format, bytes) => {
    const bodies: unknown[] = [];
    const server = await serve((seen) => {
      bodies.push(JSON.parse(seen.body));
      return { status: 204 };
    });
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "picture.txt"), bytes);
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    expect((await tongs(["user", "avatar", "set", "picture.txt"], { cwd, env })).code).toBe(0);
    expect(bodies).toEqual([{ image: bytes.toString("base64") }]);
  });

  it.each([
    ["text", Buffer.from("hello"), "is not an image"],
    ["SVG", Buffer.from("<svg/>"), "is not an image"],
    ["WAV", Buffer.from("RIFF\u0010\u0000\u0000\u0000WAVEfmt ", "latin1"), "is not an image"],
    ["an empty file", Buffer.alloc(0), "is empty"],
  ])("refuses %s before anything is sent, even if it is called .png", async (_what, bytes, words) => {
    const player = await cassette("account", []);
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "x.png"), bytes);
    const ran = await player.run(["user", "avatar", "set", "x.png"], { cwd });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(player.lines()).toEqual([]);
  });

  it("names a file that does not exist", async () => {
    const player = await cassette("account", []);
    const ran = await player.run(["user", "avatar", "set", "absent.png"]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("could not read absent.png")]);
  });
});

describe("user settings", () => {
  it("views them", async () => {
    const player = await cassette("account", ["own settings"]);
    const ran = await player.run(["user", "settings", "view"]);
    expect(ran.stdout).toContain("full name\tMara L.\n");
    expect(ran.stdout).toContain("hide email\tno\n");
    expect(ran.stdout).not.toContain("pronouns");
  });

  it("edits all of them on Gitea", async () => {
    const player = await cassette("account", [
      "change own settings: all fields",
      "own settings: all fields were changed",
    ]);
    const ran = await player.run([
      ..."user settings edit --website https://mara.example.org --location Malmo --language de-DE".split(" "),
      ..."--theme gitea-dark --diff-view-style split --hide-email --hide-activity --json theme".split(" "),
      "--full-name=Mara Lind",
      "--description=Harbor keeper",
    ]);
    expect([ran.code, ran.json()]).toEqual([0, { theme: "gitea-dark" }]);
  });

  it("fails for settings that the server does not have", async () => {
    const server = await serve(() => ({ body: { theme: "gitea-auto", website: "" } }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["user", "settings", "edit", "--pronouns", "she/her", "--website", ""], { env });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("did not apply pronouns to your settings")]);
  });

  it("refuses an edit without a change", async () => {
    const player = await cassette("account", []);
    expect((await player.run(["user", "settings", "edit"])).code).toBe(2);
    expect(player.lines()).toEqual([]);
  });
});

/** The addresses after one was added, as the recorded answer to that has them. */
const twoAddresses = {
  made: {
    "GET /api/v1/user/emails": [
      { email: "mara.lind@example.org", verified: true, primary: true, user_id: 0, username: "" },
      { email: "mara@harbor.example.org", verified: true, primary: false, user_id: 0, username: "" },
    ],
  },
};

describe("user email", () => {
  it("lists the own addresses, adds one and deletes it", async () => {
    const add = "add a mail address: 201 with all of them; verified, because the server asks for no confirmation";
    const player = await cassette("account", ["own mail addresses", add]);
    const listed = await player.run(["user", "email", "list", "--own", "--json", "email,primary"]);
    expect(listed.json()).toEqual([{ email: "mara.lind@example.org", primary: true }]);
    const added = await player.run(["user", "email", "add", "mara@harbor.example.org", "--json", "email"]);
    expect(added.json()).toEqual([{ email: "mara@harbor.example.org" }]);
    await player.close();
    const later = await cassette("account", ["delete a mail address: 204"], twoAddresses);
    expect((await later.run(["user", "email", "delete", "mara@harbor.example.org", "--yes"])).code).toBe(0);
  });

  it("does not send the deletion of the primary address, which servers answer with 500, and goes on", async () => {
    const player = await cassette("account", ["delete a mail address: 204"], twoAddresses);
    const line = ["user", "email", "delete", "Mara.Lind@example.org", "mara@harbor.example.org", "--yes"];
    const ran = await player.run(line);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("is your primary email address")]);
  });

  it("does not send the deletion of an address that the account does not have, which Forgejo answers with 204", async () => {
    const player = await cassette("account", ["own mail addresses"]);
    const ran = await player.run(["user", "email", "delete", "other@example.org", "--yes"]);
    expect(ran).toMatchObject({ code: 5, stdout: "" });
    expect(ran.stderr).toContain("other@example.org is not an email address of your account");
    expect(player.lines()).toEqual(["GET /api/v1/user/emails"]);
  });

  it("refuses what is not an address before anything is sent", async () => {
    const player = await cassette("account", []);
    const ran = await player.run(["user", "email", "add", "mara@example.org", "nobody"]);
    expect([ran.code, player.lines()]).toEqual([2, []]);
  });
});

/** A block of oneself is refused, so the login is asked for. */
const me = { made: { "GET /api/v1/user": { id: 1, login: "mara" } } };

describe("user block", () => {
  it("does not block yourself, of which Forgejo says that it did", async () => {
    const player = await cassette("forgejo-account", [], me);
    const ran = await player.run(["user", "block", "add", "Mara"]);
    expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining("You cannot block yourself")]);
  });

  it("blocks, lists and unblocks users on Gitea", async () => {
    const labels = ["blocks: block: 204", "blocks: list: 200", "blocks: unblock: 204"];
    const player = await cassette("keys-apps", labels, me);
    const added = await player.run(["user", "block", "add", "priya", "--note", "noise"]);
    expect([added.code, added.stderr]).toEqual([0, expect.stringContaining("Blocked priya")]);
    const listed = await player.run(["user", "block", "list", "--json", "login"]);
    expect(listed.json()).toContainEqual({ login: "root1" });
    expect((await player.run(["user", "block", "remove", "priya"])).code).toBe(0);
  });

  it("continues after an unknown user, and exits 11", async () => {
    const labels = ["blocks: block an unknown person: 404", "blocks: block a collaborator: 204"];
    const player = await cassette("keys-apps", labels, me);
    const ran = await player.run(["user", "block", "add", "nobody-here", "jonas"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("Blocked jonas")]);
  });

  it("uses the paths of Forgejo there", async () => {
    const player = await cassette("forgejo-account", ["blocks: Gitea's address, block", "blocks: block a user"], me);
    expect((await player.run(["user", "block", "add", "opriya"])).code).toBe(0);
    expect(player.lines()).toEqual([
      "GET /api/v1/user",
      "PUT /api/v1/user/blocks/opriya",
      "PUT /api/v1/user/block/opriya",
    ]);
  });

  it("finds the names of the users that Forgejo lists by ID", async () => {
    const server = await serve(({ url }) => {
      if (url.startsWith("/api/v1/user/list_blocked")) {
        return { body: [71, 1].map((block_id) => ({ block_id, created_at: "2026-11-22T01:32:14Z" })) };
      }
      if (url.includes("uid=71")) return { body: { ok: true, data: [{ id: 71, login: "opriya" }] } };
      if (url.includes("uid=1")) return { body: { ok: true, data: [] } };
      return unknownRoute;
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["user", "block", "list"], { env });
    expect([ran.code, ran.stdout]).toEqual([0, "71\topriya\t\n1\t\t\n"]);
  });

  it("exits 5 and names the operation on a server without blocks", async () => {
    const server = await serve(() => unknownRoute);
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    for (const line of ["add mara", "remove mara", "list"]) {
      const ran = await tongs(["user", "block", ...line.split(" "), "--json"], { env });
      expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("unknown_operation")]);
      expect(ran.stderr).toContain("/api/v1/user/blocks");
    }
  });
});

describe("user actor", () => {
  it("prints the ActivityPub description of a user", async () => {
    const player = await cassette("forgejo-account", [
      "a user as seen by no one: placeholder mail",
      "activitypub: actor of a user by id",
    ]);
    const ran = await player.run(["user", "actor", "omara", "--json", "type,preferredUsername"]);
    expect(ran.json()).toEqual({ type: "Person", preferredUsername: "omara" });
  });

  it("says that the server has no federation", async () => {
    const server = await serve(({ url }) =>
      url.startsWith("/api/v1/users/")
        ? { body: { id: 2, login: "mara" } }
        : { status: 501, headers: { "content-type": "text/plain; charset=utf-8" }, body: "Not implemented\n" },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["user", "actor", "mara"], { env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Federation may be off on this server")]);
  });
});

it("has no recorded secret in the cassettes of accounts", () => {
  const folder = join(import.meta.dirname, "../../data/cassettes");
  const files = readdirSync(folder).filter((name) => /account|keys-apps/.test(name));
  const text = files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  expect(text).not.toMatch(/"(sha1|client_secret)": ?"[^"<]/);
});
