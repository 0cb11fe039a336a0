import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshPublicKey } from "../support/ssh-key.ts";
import { emptyFolder, type World } from "../support/tongs.ts";
import { openTarget, type Target } from "./support.ts";

let target: Target;
const made: string[] = [];
const run = (line: readonly string[], world?: World) => target.admin.tongs(line, world);

beforeAll(async () => {
  target = await openTarget();
});
afterAll(async () => {
  for (const name of made) await run(["user", "delete", name, "--purge", "--yes"]);
});

/** Creates a user with tongs, and deletes it at the end. */
async function create(name: string, ...flags: string[]) {
  const login = target.unique(name);
  made.push(login);
  const line = ["user", "create", login, "--email", `${login}@example.org`, "--generate-password", ...flags];
  return { login, ran: await run([...line, "--json"]) };
}

describe("users", () => {
  it("are created with all fields, and viewed", async () => {
    const { login, ran } = await create("skua", "--full-name", "Skua", "--visibility", "limited", "--admin");
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.json()).toMatchObject({
      login,
      is_admin: true,
      visibility: "limited",
      generated_password: expect.any(String),
    });
    const seen = await run(["user", "view", login, "--json", "full_name,email,active"]);
    expect(seen.json()).toEqual({ full_name: "Skua", email: `${login}@example.org`, active: true });
    expect((await run(["user", "create", login, "--email", "x@example.org", "--generate-password"])).code).toBe(9);
  });

  it("are edited only in the given fields", async () => {
    const { login } = await create("petrel", "--full-name", "Petrel", "--restricted");
    const ran = await run(["user", "edit", login, "--location", "Malmo", "--prohibit-login", "--json"]);
    const kept = { full_name: "Petrel", restricted: true, is_admin: false, active: true };
    expect(ran.json()).toMatchObject([{ ...kept, location: "Malmo", prohibit_login: true }]);
    const undone = await run(["user", "edit", login, "--no-prohibit-login", "--location", "", "--json"]);
    expect(undone.json()).toMatchObject([{ ...kept, location: "", prohibit_login: false }]);
    expect((await run(["user", "edit", login, "--website", "nowhere"])).code).toBe(13);
    expect((await run(["user", "edit", target.unique("nobody"), "--admin"])).code).toBe(5);
  });

  it("are found by filters, and their email addresses by a query", async () => {
    const { login } = await create("dunlin", "--restricted");
    const list = await run(["user", "list", "--query", login, "--restricted", "--json", "login"]);
    expect(list.json()).toEqual([{ login }]);
    expect((await run(["user", "list", "--query", login, "--admin", "--json", "login"])).json()).toEqual([]);
    const newest = await run(["user", "list", "--sort", "id", "--order", "desc", "--limit", "1", "--json", "login"]);
    expect(newest.json()).toEqual([{ login }]);
    const mails = await run(["user", "email", "list", "--query", login, "--json", "email,username,primary"]);
    expect(mails.json()).toEqual([{ email: `${login}@example.org`, username: login, primary: true }]);
  });

  it("are renamed, and found by the old name", async () => {
    const { login } = await create("tern");
    const name = target.unique("arctic.tern");
    made.push(name);
    expect((await run(["user", "rename", login, name])).code).toBe(0);
    expect((await run(["user", "view", login, "--json", "login"])).json()).toEqual({ login: name });
    expect((await run(["user", "rename", name, target.admin.login])).code).toBe(9);
  });

  it("are deleted, and with --purge if they own something", async () => {
    const owner = await target.person("owner");
    await target.ask("POST", "/user/repos", { name: "raft" }, owner);
    const refused = await run(["user", "delete", owner.login, "--yes"]);
    expect(refused).toMatchObject({
      code: 13,
      stderr: expect.stringContaining(`still owns 1 repository: ${owner.login}/raft`),
    });
    const shown = await run(["user", "delete", owner.login], { terminal: true, answers: [] });
    expect(shown).toMatchObject({ code: 13, asked: [], stderr: expect.stringContaining("--purge") });
    const asked = await run(["user", "delete", owner.login, "--purge"], { terminal: true, answers: [] });
    expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining("1 repository") });
    expect((await run(["user", "delete", owner.login, "--purge", "--yes"])).code).toBe(0);
    expect((await run(["user", "view", owner.login])).code).toBe(5);
    const self = await run(["user", "delete", target.admin.login, "--yes"]);
    expect(self).toMatchObject({ code: 13, stderr: expect.stringContaining("your own account") });
  });

  it("are deleted with the packages of their organizations", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox has no packages");
    const owner = await target.person("keeper");
    const org = target.unique("kept");
    await target.ask("POST", "/orgs", { username: org }, owner);
    for (const version of ["1", "2"]) {
      const url = `${target.url}/api/packages/${org}/generic/lamp/${version}/f.txt`;
      const authorization = `Basic ${Buffer.from(`${owner.login}:${owner.token}`).toString("base64")}`;
      expect((await fetch(url, { method: "PUT", body: "f", headers: { authorization } })).status).toBe(201);
    }
    const ran = await run(["user", "delete", owner.login, "--purge", "--yes"]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining(`2 packages of ${org}`) });
    expect((await run(["org", "view", org])).code).toBe(5);
  });

  it("have public keys added and deleted", async () => {
    const { login } = await create("keyholder");
    const stdin = `${freshPublicKey()} quay laptop\n`;
    const added = await run(["user", "key", "add", login, "--key-file", "-"], { stdin });
    expect(added.code).toBe(0);
    expect((await run(["user", "key", "add", login, "--key-file", "-"], { stdin })).code).toBe(9);
    const id = added.stdout.trim();
    const listed = await run(["user", "key", "list", login, "--json", "id,title"]);
    expect(listed.json()).toEqual([{ id: Number(id), title: "quay laptop" }]);
    expect((await run(["user", "key", "delete", login, id, "--yes"])).code).toBe(0);
    expect((await run(["user", "key", "list", login, "--json"])).json()).toEqual([]);
  });

  it("have no badges at first, and get no unknown ones", async ({ skip }) => {
    if (target.kind === "sandbox") skip("the sandbox has no badges");
    const { login } = await create("badger");
    if (!target.has("GET", "/admin/users/{username}/badges")) {
      const none = await run(["user", "badge", "list", login]);
      expect(none).toMatchObject({ code: 5, stderr: expect.stringContaining("Available since Gitea 1.22. Forgejo") });
      return;
    }
    expect((await run(["user", "badge", "list", login, "--json"])).json()).toEqual([]);
    expect((await run(["user", "badge", "add", login, target.unique("no-badge")])).code).toBe(7);
    expect((await run(["user", "badge", "remove", login, "no-badge"])).code).toBe(5);
  });

  it("are imported and updated from a file, and the same line again changes nothing", async () => {
    const folder = emptyFolder();
    const file = join(folder, "people.csv");
    const names = ["import1", "import2", "import3"].map((name) => target.unique(name));
    made.push(...names);
    const rows = (fullName: string) =>
      names.map((name, index) => `${name},${name}@example.org,${fullName},${index === 0}`);
    writeFileSync(file, `username,email,full_name,admin\n${rows("Gull").join("\n")}\n`);
    const line = ["user", "import", file, "--generate-passwords", join(folder, "passwords.csv"), "--json"];
    const created = (await run(line)).json() as { action: string }[];
    expect(created.map(({ action }) => action)).toEqual(["created", "created", "created"]);
    expect((await run(["user", "view", names[0] ?? "", "--json", "is_admin"])).json()).toEqual({ is_admin: true });
    expect((await run(line)).json()).toEqual([]);
    writeFileSync(file, `username,email,full_name,admin\n${rows("Herring Gull").join("\n")}\n`);
    const update = ["user", "import", file, "--on-existing", "update", "--json"];
    const planned = (await run([...update, "--plan"])).json();
    expect(planned).toMatchObject([{ action: "update", changes: { full_name: ["Gull", "Herring Gull"] } }, {}, {}]);
    expect((await run(update)).json()).toMatchObject([
      { action: "updated" },
      { action: "updated" },
      { action: "updated" },
    ]);
    expect((await run([...update, "--plan"])).json()).toEqual([]);
  });
});
