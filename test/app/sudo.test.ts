import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onSandbox } from "../commands/on-sandbox.ts";
import { serveProxy } from "../http/proxy-server.ts";
import { files, identity, serveTls } from "../http/tls-server.ts";
import { asAsked } from "../support/as-asked.ts";
import { type Handler, serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

const box = await onSandbox();

const issue = ["issue", "create", "-R", "mara/harbor", "--title", "Sounding", "--body", "x"];

const started = (handler: Handler) => serve(handler, { saysVersion: true });

describe("--sudo", () => {
  it("names the administrator whom the profile has", async () => {
    const home = emptyFolder();
    const env = { HOME: home, TONGS_CONFIG_DIR: home, TONGS_HOST: "", TONGS_TOKEN: "" };
    const login = ["auth", "login", "--host", box.url, "--with-token"];
    await tongs(login, { env: { ...env, TONGS_NO_KEYRING: "1" }, stdin: box.token("harbormaster"), cwd: home });
    const ran = await tongs(["star", "add", "mara/harbor", "--sudo", "priya"], { env, cwd: home });
    expect(ran.stderr).toContain(`as priya, by harbormaster on ${box.url}`);
  });

  it("reads as the user, and @me is the user", async () => {
    const seen = await box.run(["user", "view", "--json", "login", "--sudo", "priya"]);
    expect(seen.json()).toEqual({ login: "priya" });
    const mine = await box.run([
      "issue",
      "list",
      "--all-repos",
      "--author",
      "@me",
      "--sudo",
      "jonas",
      "--json",
      "user",
    ]);
    expect(mine).toMatchObject({ code: 0 });
    expect(JSON.stringify(mine.json())).not.toContain("harbormaster");
  });

  it.each(["", " ", "a b", "jonas\r\nX: y", "../jonas", "jonas\u001b[31m"])(
    "%j is no username, and nothing is sent",
    async (name) => {
      const before = box.requests();
      expect(await box.run([...issue, "--sudo", name])).toMatchObject({ code: 2 });
      expect(box.requests()).toBe(before);
    },
  );

  it("takes one request more, and no more", async () => {
    const count = async (line: readonly string[]) => {
      const before = box.requests();
      expect((await box.run(line)).code).toBe(0);
      return box.requests() - before;
    };
    const plain = await count(["label", "list", "-R", "mara/harbor"]);
    expect(await count(["label", "list", "-R", "mara/harbor", "--sudo", "mara"])).toBe(plain + 1);
  });

  it("is refused where the server answers as the administrator: a proxy may drop the header", async () => {
    const server = await started(() => ({ body: { id: 1, login: "harbormaster" } }));
    const ran = await tongs([...issue, "--sudo", "jonas"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "x" } });
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("answers as harbormaster") });
    expect(server.lines()).toEqual(["GET /api/v1/user"]);
  });

  it("shows hostile names of a server as text", async () => {
    const server = await started(() => ({ body: { id: 1, login: "evil\u001b[31m\u202e" } }));
    const world = { env: { TONGS_HOST: server.url, TONGS_TOKEN: "x" }, terminal: true };
    const ran = await tongs([...issue, "--sudo", "jonas"], world);
    expect(ran.stderr).not.toMatch(/evil\u001b|\u202e/);
  });
});

it("the value of --sudo is completed with users, and the flag is in the help and the schema", async () => {
  const completed = await box.run(["__complete", "issue", "list", "--sudo", "jo"]);
  expect(completed.stdout).toMatch(/^jonas\b/m);
  expect((await box.run(["help"])).stdout).toMatch(/--sudo USER\s+act as this user/);
  const schema = (await box.run(["schema", "star", "add"])).json() as { global_flags: { properties: object } };
  expect(schema.global_flags.properties).toHaveProperty("sudo");
});

describe("what --sudo is not for", () => {
  const clone = emptyFolder();
  it.each([
    ["repo clone mara/harbor", "git"],
    ["pr checkout 1 -R mara/harbor", "git"],
    ["pr create -R mara/harbor --title x", "git"],
    ["wiki clone -R mara/harbor", "git"],
    ["repo create quay --source . --push", "git"],
    ["repo fork mara/harbor --clone", "git"],
    ["repo fork mara/harbor --remote", "git"],
    ["file get README.md --lfs -R mara/harbor", "Git LFS"],
    ["package upload quay@1 a.txt", "the package registry"],
    ["package download quay@1", "the package registry"],
    ["release download v1 -R mara/harbor", "web pages"],
    ["issue attachment download 1 -R mara/harbor", "web pages"],
    ["token list", "a password"],
    ["token create x --scope all", "a password"],
    ["token delete 1", "a password"],
    ["issue list --everywhere", "the servers of all profiles"],
  ])("%s is refused, as it uses %s, and nothing is sent", async (line, uses) => {
    const before = box.requests();
    const ran = await box.run([...line.split(" "), "--sudo", "jonas"], { cwd: clone });
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`uses ${uses}`) });
    expect(box.requests()).toBe(before);
  });

  it.each([
    "profile list",
    "auth status",
    "status",
    "config list",
    "journal list",
    "journal undo 1",
    "mcp serve",
    "version",
    "issue list --web",
  ])("%s is refused, and nothing is sent", async (line) => {
    const before = box.requests();
    expect(await box.run([...line.split(" "), "--sudo", "jonas"])).toMatchObject({ code: 2, stdout: "" });
    expect(box.requests()).toBe(before);
  });

  it("a request beside the API is refused, and one that names the user itself", async () => {
    const lines = [
      ["api", "/api/packages/mara/generic/quay/1/a.txt"],
      ["api", "user", "-H", "Sudo: mara"],
      ["api", "user?sudo=mara"],
    ];
    for (const line of lines)
      expect(await box.run([...line, "--sudo", "jonas"])).toMatchObject({ code: 2, stdout: "" });
    expect((await box.run(["api", "user", "--sudo", "jonas", "--jq", ".login"])).stdout.trim()).toMatch(/jonas/);
  });

  it("an alias, a header of a profile and the environment do not set it", async () => {
    const home = emptyFolder();
    const env = { HOME: home, TONGS_CONFIG_DIR: home };
    const set = await box.run(["alias", "set", "mine", "issue list --sudo=jonas"], { env });
    expect(set).toMatchObject({ code: 2, stderr: expect.stringContaining("An alias cannot have --sudo") });
    writeFileSync(join(home, "aliases.json"), JSON.stringify({ mine: "user view --sudo jonas", seen: "user view" }));
    expect(await box.run(["mine"], { env })).toMatchObject({ code: 2, stdout: "" });
    expect((await box.run(["seen", "--json", "login", "--sudo", "jonas"], { env })).json()).toEqual({ login: "jonas" });
    const named = await box.run(["user", "view", "--json", "login"], { env: { TONGS_SUDO: "jonas", SUDO: "jonas" } });
    expect(named.json()).toEqual({ login: "harbormaster" });
    const login = ["auth", "login", "--host", box.url, "--with-token"];
    await tongs(login, { env, stdin: box.token("harbormaster") });
    const header = await tongs(["profile", "set", new URL(box.url).host, "headers", "Sudo=WHO"], { env });
    expect(header).toMatchObject({ code: 2, stderr: expect.stringContaining("headers cannot set Sudo") });
  });

  it("no MCP tool sets it", async () => {
    const { table } = await import("../../src/commands/index.ts");
    const { commandTools, declared } = await import("../../src/commands/mcp/tools.ts");
    const tools = await commandTools(table, { only: [], allowed: "destroy", hasFiles: true });
    expect(tools.length).toBeGreaterThan(100);
    for (const tool of tools) expect(Object.keys(declared(tool).inputSchema.properties)).not.toContain("sudo");
  });
});

describe("the header of --sudo", () => {
  it("is sent to the server's own origin only, across redirects", async () => {
    const elsewhere = await started(() => ({ body: [] }));
    const server = await started(({ url }) => {
      if (url === "/api/v1/user") return { body: { id: 1, login: "jonas" } };
      if (url.includes("/old/")) return { status: 307, headers: { location: url.replace("old", "new") } };
      return { status: 307, headers: { location: `${elsewhere.url}/labels` } };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "x" };
    await tongs(["label", "list", "-R", "mara/old", "--sudo", "jonas"], { env });
    expect(server.seen.map(({ headers }) => headers["sudo"])).toEqual(["jonas", "jonas", "jonas"]);
    const write = await tongs(["label", "create", "x", "--color", "ff0000", "-R", "mara/new", "--sudo", "jonas"], {
      env,
    });
    expect(write.code).not.toBe(0);
    expect(elsewhere.seen.length).toBeGreaterThan(0);
    for (const { method, headers } of elsewhere.seen) {
      expect(method).toBe("GET");
      expect(headers).not.toHaveProperty("sudo");
    }
  });

  it("is not told to a proxy that tunnels", async () => {
    const sudo: unknown[] = [];
    const server = await serveTls(identity, (request, response) => {
      sudo.push(request.headers["sudo"]);
      response.setHeader("content-type", "application/json").end(JSON.stringify({ id: 1, login: "jonas" }));
    });
    const proxy = await serveProxy();
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "x", HTTPS_PROXY: proxy.url, TONGS_CA: files.ca };
    const ran = await tongs(["api", "user", "--sudo", "jonas"], { env });
    expect(ran).toMatchObject({ code: 0 });
    expect(sudo).toEqual(["jonas", "jonas"]);
    expect(new Set(proxy.lines)).toEqual(new Set([`CONNECT 127.0.0.1:${server.port}`]));
    expect(proxy.headers).toEqual([]);
  });

  it("is shown by --debug and --dry-run", async () => {
    const line = [...issue, "--sudo", "jonas", "--dry-run"];
    const shown = await box.run([...line, "--debug"]);
    expect(shown.stderr).toContain("> sudo: jonas\n");
    expect(shown.stderr).toContain("the request as jonas, by an administrator was not sent.");
    expect((await box.run([...line, "--json"])).json()).toMatchObject({ dry_run: { method: "POST", sudo: "jonas" } });
  });
});

describe("the journal of --sudo", () => {
  it("has both names, and its undo acts as the same user", async () => {
    const env = { XDG_STATE_HOME: emptyFolder() };
    expect((await box.run(["star", "add", "mara/harbor", "--sudo", "Jonas"], { env })).code).toBe(0);
    const [entry] = (await box.run(["journal", "list", "--json"], { env })).json() as [{ readonly number: number }];
    expect(entry).toMatchObject({ user: "jonas", administrator: null });
    const view = await box.run(["journal", "view", `${entry.number}`], { env });
    expect(view.stdout).toContain("jonas, by an administrator");
    const undone = await box.run(["journal", "undo", `${entry.number}`, "--yes"], { env });
    expect(undone).toMatchObject({ code: 0, stderr: expect.stringContaining("as jonas, by an administrator") });
    const stars = await box.run(["star", "list", "--json", "full_name", "--sudo", "jonas"]);
    expect(JSON.stringify(stars.json())).not.toContain("mara/harbor");
  });

  it("is undone only by an administrator", async () => {
    const env = { XDG_STATE_HOME: emptyFolder() };
    await box.run(["star", "add", "mara/harbor", "--sudo", "jonas"], { env });
    const ran = await box.run(["journal", "undo", "1", "--yes"], { env, as: "priya" });
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("Cannot act as jonas") });
  });
});

it("renaming oneself as somebody else does not rename the profile's user", async () => {
  const home = emptyFolder();
  const env = { HOME: home, TONGS_CONFIG_DIR: home };
  const server = await started((seen) => {
    if (seen.url === "/api/v1/version") return { body: { version: "1.26.0" } };
    if (seen.url === "/api/v1/user") return { body: { id: 1, login: seen.headers["sudo"] ?? "warden" } };
    return seen.method === "GET" ? { body: { id: 2, login: "tern" } } : asAsked({})(seen);
  });
  const login = ["auth", "login", "--host", server.url, "--with-token"];
  expect(await tongs(login, { env, stdin: "not-a-real-token" })).toMatchObject({ code: 0 });
  await tongs(["user", "rename", "jonas", "tern", "--sudo", "jonas"], { env });
  const shown = await tongs(["profile", "list", "--json", "user"], { env });
  expect(shown.json()).toEqual([{ user: "warden" }]);
});
