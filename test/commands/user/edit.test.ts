import { describe, expect, it } from "vitest";
import { type Handler, type Seen, serve, type TestServer } from "../../support/server.ts";
import { tongs, type World } from "../../support/tongs.ts";
import { account, bodies } from "./forge.ts";

let server: TestServer;
const run = (line: readonly string[], world: World = {}) =>
  tongs(["user", "edit", ...line], { ...world, env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" } });

type User = ReturnType<typeof account> & { pronouns?: string };

/** A server with one user and the rules of `kind` for edits, as recorded from real servers. */
function forgeWith(kind: "Gitea" | "Forgejo", user: User): Handler {
  let current = user;
  const edit = ({ body }: Seen) => {
    const asked = JSON.parse(body) as Partial<User>;
    const [login, source] = [asked.login_name, asked.source_id];
    if (kind === "Gitea" && !login) return { status: 422, body: { message: "[LoginName]: Required" } };
    if (kind === "Forgejo" && (login === undefined) !== (source === undefined)) {
      return { status: 422, body: { message: "source_id and login_name must be specified together" } };
    }
    const visibility = kind === "Forgejo" && asked.visibility === "public" ? current.visibility : asked.visibility;
    const { admin = current.is_admin, ...fields } = asked as Partial<User> & { readonly admin?: boolean };
    current = { ...current, ...fields, is_admin: admin, visibility: visibility ?? current.visibility };
    return { body: current };
  };
  return (seen) => {
    if (seen.method === "PATCH") return edit(seen);
    if (seen.url === `/api/v1/users/${user.login}`) return { body: current };
    if (seen.url === "/api/v1/user") return { body: account("warden", {}) };
    return { status: 404, body: { message: "not found" } };
  };
}

const start = async (kind: "Gitea" | "Forgejo", more: Partial<User> = {}) => {
  const user = account("mara", kind === "Forgejo" ? { pronouns: "", ...more } : more);
  server = await serve(forgeWith(kind, user));
};

describe("user edit", () => {
  it.each([
    ["an authentication source that no user has is refused as invalid", [], 13, "authentication source 99"],
    ["one that a user has is the server's failure", [account("jonas", { source_id: 99 })], 7, "returned 500"],
  ])("%s", async (_what, users, code, words) => {
    server = await serve(({ method, url }) => {
      if (method === "PATCH") return { status: 500, body: { message: "" } };
      if (url.startsWith("/api/v1/admin/users?")) return { body: users };
      if (url === "/api/v1/users/mara") return { body: account("mara", {}) };
      return { status: 404, body: { message: "not found" } };
    });
    const ran = await run(["mara", "--source-id", "99"]);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(words)]);
  });

  it.each([
    ["Gitea", "", { source_id: 0, login_name: "mara", location: "Malmo" }],
    ["Gitea", "uid=mara", { source_id: 0, login_name: "uid=mara", location: "Malmo" }],
    ["Forgejo", "", { location: "Malmo" }],
    ["Forgejo", "uid=mara", { source_id: 0, login_name: "uid=mara", location: "Malmo" }],
  ] as const)("changes only the given fields on %s with login name '%s'", async (kind, login_name, body) => {
    await start(kind, { login_name });
    const ran = await run(["mara", "--location", "Malmo", "--json", "login,location"]);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.json()).toEqual([{ login: "mara", location: "Malmo" }]);
    expect(bodies(server.seen)).toEqual([body]);
  });

  it.each(["Gitea", "Forgejo"] as const)("sets login name and source together on %s", async (kind) => {
    await start(kind, { source_id: 2, login_name: "old" });
    await run(["mara", "--login-name", "uid=mara"]);
    await run(["mara", "--source-id", "0"]);
    expect(bodies(server.seen)).toEqual([
      { source_id: 2, login_name: "uid=mara" },
      { source_id: 0, login_name: "uid=mara" },
    ]);
  });

  it("retries with a login name when the server requires one", async () => {
    server = await serve(({ method, url, body }) => {
      if (method === "PATCH") {
        const named = "login_name" in (JSON.parse(body) as object);
        return named
          ? { body: account("mara", { is_admin: true, login_name: "mara" }) }
          : { status: 422, body: { message: "[LoginName]: Required" } };
      }
      return url.endsWith("/users/mara") ? { body: account("mara", { pronouns: "" }) } : { status: 404 };
    });
    expect((await run(["mara", "--admin"])).code).toBe(0);
    expect(bodies(server.seen)).toEqual([{ admin: true }, { admin: true, source_id: 0, login_name: "mara" }]);
  });

  it("sends every field of the operation, and clears a field with an empty value", async () => {
    await start("Gitea");
    const flags =
      "--email m@example.org --full-name Mara --password-stdin --must-change-password --admin --no-active --restricted " +
      "--prohibit-login --visibility limited --website https://mara.example --location Malmo --max-repo-creation 5 " +
      "--allow-git-hook --no-allow-import-local --allow-create-organization --source-id 1 --login-name uid=m";
    const ran = await run(["mara", ...flags.split(" "), "--description", ""], { stdin: "not-a-secret-2\n" });
    expect(ran.code).toBe(0);
    expect(bodies(server.seen)).toEqual([
      {
        email: "m@example.org",
        full_name: "Mara",
        password: "not-a-secret-2",
        must_change_password: true,
        admin: true,
        active: false,
        restricted: true,
        prohibit_login: true,
        visibility: "limited",
        website: "https://mara.example",
        location: "Malmo",
        description: "",
        max_repo_creation: 5,
        allow_git_hook: true,
        allow_import_local: false,
        allow_create_organization: true,
        source_id: 1,
        login_name: "uid=m",
      },
    ]);
    expect(ran.stdout + ran.stderr).not.toContain("not-a-secret-2");
  });

  it("fails when Forgejo does not change the visibility", async () => {
    await start("Forgejo", { visibility: "private" });
    const ran = await run(["mara", "--visibility", "public"]);
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("did not apply visibility to user mara"),
    });
  });

  it("rejects an edit without changes, and of an organization, before a write", async () => {
    server = await serve(({ url }) =>
      /\/(users|orgs)\/pier$/.test(url) ? { body: account("pier") } : { status: 404, body: { message: "not found" } },
    );
    expect(await run(["pier"])).toMatchObject({ code: 2, stderr: expect.stringContaining("Nothing to change") });
    const ran = await run(["pier", "--full-name", "Pier"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("pier is an organization") });
    expect(bodies(server.seen)).toEqual([]);
  });

  it("sends no write with --dry-run", async () => {
    await start("Gitea");
    expect((await run(["mara", "--admin", "--dry-run"])).stdout).toContain("PATCH ");
    expect(bodies(server.seen)).toEqual([]);
  });
});
