import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { beforeEach, describe, expect, it } from "vitest";
import { waitForRedirect } from "../../../src/commands/auth/callback-server.ts";
import { openProfiles, type Profiles } from "../../../src/profiles/profiles.ts";
import type { Session } from "../../../src/profiles/session.ts";
import { type TestSandbox, testSandbox } from "../../sandbox/with-sandbox.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, quietSignal, tongs, type World } from "../../support/tongs.ts";
import { browser, type Deed } from "./browser.ts";

let box: TestSandbox;
let lines: string[];
let profiles: Profiles;
let clock: number;
beforeEach(async () => {
  lines = [];
  clock = Date.now();
  box = await testSandbox({
    log: (line) => void lines.push(line),
    now: () => new Date(clock),
    release: { product: "forgejo", version: "16.0" },
    people: ["mara", "jonas", "priya"].map((name) => ({
      name,
      password: `not-a-secret-${name}`,
      is_admin: name === "mara",
    })),
  });
  profiles = openProfiles({ env: { TONGS_CONFIG_DIR: join(emptyFolder(), "tongs") }, platform: process.platform });
});

const person = (login = "mara") => box.users.find((user) => user.login === login) ?? { login, password: "" };
const run = (argv: readonly string[], world: World = {}) =>
  tongs(argv, { ...world, now: new Date(clock), env: { TONGS_CONFIG_DIR: profiles.folder, ...world.env } });
const BROWSER = (deed: Deed = "grant", login = "mara") => browser(person(login), deed).command;
const login = (...more: string[]) => ["auth", "login", "--web", "--host", box.url, "--profile", "work", ...more];
const signIn = () => run(login(), { env: { BROWSER: BROWSER() } });
const session = async () => (await profiles.credentials.get("work")) as Session;
const tokenRequests = () => lines.filter((line) => line.includes("/login/oauth/access_token"));

describe("auth login --web", () => {
  it("signs in on the page of the server, and stores a session that can do everything", async () => {
    const ran = await signIn();
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`Signed in as mara on ${box.url}`) });
    expect(ran.stderr).toContain("The page shows the name git-credential-oauth");
    expect(profiles.read().profiles["work"]).toMatchObject({ host: box.url, user: "mara", scopes: ["all"] });
    const { access_token, refresh_token, expires, client_id } = await session();
    expect([access_token, refresh_token].every((token) => (token ?? "").length > 20)).toBe(true);
    expect(Date.parse(expires ?? "") - clock).toBe(3600_000);
    expect(client_id).toBe("a4792ccc-144e-407e-86c9-5e7d8d9c3269");
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(access_token);
    expect((await run(["api", "/user", "--jq", ".login"])).stdout).toBe("mara\n");
    const secret = await run(["repo", "create", "by-web", "--json", "full_name"]);
    expect(secret.json()).toEqual({ full_name: "mara/by-web" });
  });

  it("asks for the loopback address without a path, with a challenge and a state, and no scope", async () => {
    await run(login(), { env: { BROWSER: BROWSER("deny") } });
    const opened = await run(login(), { env: { BROWSER: BROWSER("deny") } });
    const [, page = ""] = /Opening (\S+) in your browser/.exec(opened.stderr) ?? [];
    const query = Object.fromEntries(new URL(page).searchParams);
    expect(query).toEqual({
      client_id: "a4792ccc-144e-407e-86c9-5e7d8d9c3269",
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{20,}$/),
    });
  });

  it("is exit 4 if the user denies it; nothing is stored", async () => {
    const ran = await run(login(), { env: { BROWSER: BROWSER("deny") } });
    const words = "denied the sign-in: the request is denied";
    expect(ran).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining(words) });
    expect(ran.stderr).toContain("Run the command again");
    expect(profiles.read().profiles).toEqual({});
    expect(tokenRequests()).toEqual([]);
  });

  it.each<Deed>(["icon first", "other state first"])("ignores other requests: %s", async (deed) => {
    expect(await run(login(), { env: { BROWSER: BROWSER(deed) } })).toMatchObject({ code: 0 });
    expect(tokenRequests()).toHaveLength(1);
  });

  it("is exit 1 with a hint if no browser can be opened", async () => {
    for (const missing of ["no-such-browser-at-all", "false"]) {
      const ran = await run(login(), { env: { BROWSER: missing } });
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`Could not start a browser (${missing})`) });
      expect(ran.stderr).toContain("--no-browser");
    }
    expect(profiles.read().profiles).toEqual({});
  });

  it("names the flags to pass if the browser was chosen at the prompt", async () => {
    const argv = ["auth", "login", "--host", box.url];
    const ran = await run(argv, {
      terminal: true,
      answers: ["Web browser"],
      env: { BROWSER: "no-such-browser-at-all" },
    });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("pass --web --no-browser.") });
  });

  it("ends with the reason of the signal on Ctrl-C while it waits", async () => {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, quietSignal()]);
    const { Interruption } = await import("../../../src/failure/interruption.ts");
    setTimeout(() => stop.abort(new Interruption("SIGINT")), 600);
    expect(await run(login(), { signal, env: { BROWSER: BROWSER("nothing") } })).toMatchObject({ code: 130 });
  });

  it("says that a server does not offer it, or fails", async () => {
    for (const [status, code, words] of [
      [404, 5, "does not offer sign-in with the browser"],
      [502, 7, "failed during the sign-in (502)"],
    ] as const) {
      const server = await serve(() => ({ status, body: "no" }));
      const pasted = ["auth", "login", "--web", "--no-browser", "--host", server.url];
      const ran = await run(pasted, { stdin: "a-code\n" });
      expect(ran).toMatchObject({ code, stderr: expect.stringContaining(words) });
      await server.close();
    }
  });

  it("with --no-browser prints the page, and takes the address that the browser ends at, its query, or the code", async () => {
    const forms: ((url: URL) => string)[] = [
      (url) => url.href,
      (url) => url.search,
      (url) => url.searchParams.get("code") ?? "",
    ];
    for (const form of forms) {
      // The user copies the page from stderr while tongs waits for stdin.
      const { ran, end } = await pasting((url) => form(url));
      expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Signed in as mara") });
      expect(end.pathname).toBe("/");
    }
  });

  it("with --no-browser refuses an address of another sign-in, an error, and nothing", async () => {
    const other = await pasting((url) => url.href.replace(/state=[^&]*/, "state=x"));
    expect(other.ran).toMatchObject({ code: 4, stderr: expect.stringContaining("state mismatch") });
    const twice = await pasting((url) => `${url.href}&code=b`);
    expect(twice.ran).toMatchObject({ code: 4, stderr: expect.stringContaining("more than one code") });
    const empty = await pasting((url) => url.href.replace(/code=[^&]*/, "code="));
    expect(empty.ran).toMatchObject({ code: 4, stderr: expect.stringContaining("it has no code") });
    const error = await pasting((url) => `${url.origin}/?error=access_denied&state=${url.searchParams.get("state")}`);
    expect(error.ran).toMatchObject({ code: 4, stderr: expect.stringContaining("access_denied") });
    const nothing = await run(login("--no-browser"), { stdin: "" });
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining("No address was pasted") });
    const code = await run(login("--no-browser"), { stdin: "gta_unknown\n" });
    expect(code).toMatchObject({ code: 4, stderr: expect.stringContaining("client is not authorized") });
    expect(profiles.read().profiles).toEqual({});
  });

  it("is a choice at the prompt", async () => {
    const ran = await run(["auth", "login", "--host", box.url], {
      terminal: true,
      answers: ["Web browser", false],
      env: { BROWSER: BROWSER() },
    });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Signed in as mara") });
  });

  it("keeps the code, the tokens and the verifier out of --debug", async () => {
    const ran = await run([...login(), "--debug"], { env: { BROWSER: BROWSER() } });
    const { access_token, refresh_token = "" } = await session();
    expect(ran.stderr).toContain(`> POST ${box.url}/login/oauth/access_token`);
    expect(ran.stderr).not.toContain(access_token);
    expect(ran.stderr).not.toContain(refresh_token);
    expect(ran.stderr).not.toMatch(/code_verifier|gta_/);
  });

  it("needs --web for its flags, and excludes a token", async () => {
    for (const flags of [["--no-browser"], ["--client-id", "x"]]) {
      expect(await run(["auth", "login", "--host", box.url, ...flags])).toMatchObject({ code: 2 });
    }
    expect(await run(login("--token-stdin"), { stdin: "x" })).toMatchObject({ code: 2 });
    // As of an unset variable: the page would be an error that never answers.
    expect(await run(login("--client-id", ""))).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining("Opening"),
    });
  });
});

/** Signs in with --no-browser: a browser elsewhere opens the page, and ends at an address, of which `copy` is pasted. */
async function pasting(copy: (end: URL) => string) {
  const stdin = new PassThrough();
  const { command, end } = browser(person());
  let opened = false;
  const ran = await run(login("--no-browser"), {
    stdin,
    onStderr(text) {
      const [page] = /http:\S+\/login\/oauth\/authorize\S+/.exec(text) ?? [];
      if (page === undefined || opened) return;
      opened = true;
      const [program = "", ...args] = command.split(" ");
      execFile(program, [...args, page], () => stdin.end(`${copy(new URL(readFileSync(end, "utf8")))}\n`));
    },
  });
  return { ran, end: new URL(readFileSync(end, "utf8")) };
}

describe("a session of a web sign-in", () => {
  const expire = () => {
    clock += 3600_000 - 30_000;
  };

  it("is renewed before the access token expires, once, and stored before it is used", async () => {
    await signIn();
    const before = await session();
    lines.length = 0;
    expect(await run(["api", "/user"])).toMatchObject({ code: 0 });
    expect(tokenRequests()).toEqual([]);
    expire();
    lines.length = 0;
    // Several requests at once.
    await run(["status"]);
    expect(lines.length).toBeGreaterThan(2);
    expect(tokenRequests()).toEqual(["200 POST /login/oauth/access_token"]);
    const after = await session();
    expect(after.access_token).not.toBe(before.access_token);
    expect(after.refresh_token).not.toBe(before.refresh_token);
    expect(lines[0]).toBe("200 POST /login/oauth/access_token");
    expect(lines.filter((line) => line.startsWith("401"))).toEqual([]);
  });

  it("is renewed after the clock was set back, since nobody knows then when the access token expires", async () => {
    clock += 86_400_000;
    await signIn();
    const { access_token } = await session();
    clock -= 86_400_000;
    lines.length = 0;
    expect(await run(["api", "/user"])).toMatchObject({ code: 0 });
    expect(await run(["api", "/user"])).toMatchObject({ code: 0 });
    expect(tokenRequests()).toEqual(["200 POST /login/oauth/access_token"]);
    expect((await session()).access_token).not.toBe(access_token);
  });

  it("is not used if it cannot be stored", async () => {
    await signIn();
    expire();
    const file = join(profiles.folder, "credentials.json");
    const content = readFileSync(file, "utf8");
    lines.length = 0;
    // A folder in the way of the temporary file cannot be made portably; an invalid file is refused before the request.
    writeFileSync(file, "not JSON");
    expect(await run(["api", "/user"])).toMatchObject({ code: 1 });
    expect(lines).toEqual([]);
    writeFileSync(file, content);
    expect(await run(["api", "/user"])).toMatchObject({ code: 0 });
  });

  it("whose refresh token was used elsewhere is exit 4 with the way to sign in again", async () => {
    await signIn();
    const { refresh_token = "", client_id } = await session();
    const body = new URLSearchParams({ grant_type: "refresh_token", client_id, refresh_token });
    expect((await fetch(`${box.url}/login/oauth/access_token`, { method: "POST", body })).status).toBe(200);
    expire();
    for (const line of [
      ["api", "/user"],
      ["auth", "status"],
      ["auth", "token"],
      ["auth", "refresh"],
    ]) {
      const ran = await run(line);
      expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("token was already used") });
      expect(ran.stderr).toContain(`tongs auth login --web --host ${box.url} --profile work`);
      expect(ran.stderr).not.toContain(refresh_token);
    }
    expect(await signIn()).toMatchObject({ code: 0 });
    expect(await run(["api", "/user"])).toMatchObject({ code: 0 });
  });

  it("is kept if the server cannot be reached or fails", async () => {
    await signIn();
    const before = await session();
    expire();
    await box.close();
    expect(await run(["api", "/user"])).toMatchObject({ code: 6 });
    expect(await session()).toEqual(before);
    box = await testSandbox();
  });

  it("works for auth status, auth token and git", async () => {
    await signIn();
    expire();
    const stdin = `protocol=http\nhost=${new URL(box.url).host}\n\n`;
    const git = await run(["auth", "git-credential", "get"], { stdin });
    const { access_token } = await session();
    expect(git.stdout).toContain(`username=mara\npassword=${access_token}\n`);
    expect((await run(["auth", "token"])).stdout).toBe(`${access_token}\n`);
    const status = await run(["auth", "status", "--json", "accepted,user,scopes"]);
    expect(status.json()).toEqual({ accepted: true, user: "mara", scopes: ["all"] });
    await run(["repo", "create", "quay", "--private", "--init"]);
    expire();
    expect(await run(["repo", "clone", "mara/quay"], { cwd: emptyFolder() })).toMatchObject({ code: 0 });
  });

  it("survives a new name of its profile, and ends with auth logout", async () => {
    await signIn();
    await run(["profile", "rename", "work", "job"]);
    expect((await run(["api", "/user", "--jq", ".login"])).stdout).toBe("mara\n");
    expect(await run(["auth", "logout", "--profile", "job"])).toMatchObject({ code: 0 });
    expect(profiles.credentials.has("job")).toBe(false);
    expect(readFileSync(join(profiles.folder, "credentials.json"), "utf8")).not.toContain("refresh_token");
  });

  it("is replaced by a token that is given, and the reverse", async () => {
    await signIn();
    const given = ["auth", "login", "--host", box.url, "--profile", "work", "--token-stdin"];
    expect(await run(given, { stdin: box.token("mara") })).toMatchObject({ code: 0 });
    expect(await profiles.credentials.get("work")).toBe(box.token("mara"));
    await signIn();
    expect(await profiles.credentials.get("work")).toMatchObject({ refresh_token: expect.any(String) });
  });
});

describe("auth refresh", () => {
  it("renews the session now", async () => {
    await signIn();
    const before = await session();
    expect(await run(["auth", "refresh"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Renewed the session of profile work"),
    });
    expect((await session()).refresh_token).not.toBe(before.refresh_token);
  });

  it("with --scopes signs in again, and stores the scopes", async () => {
    await run(login(), { env: { BROWSER: BROWSER() } });
    const scopes = ["auth", "refresh", "--scopes", "read:user,read:repository"];
    const refused = await run(scopes, { env: { BROWSER: BROWSER() } });
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("a grant exists with different scope") });
    expect(refused.stderr).toContain(`${box.url}/user/settings/applications`);
    const other = [...scopes, "--client-id", "d57cb8c4-630c-4168-8324-ec79935e18d4"];
    expect(await run(other, { env: { BROWSER: BROWSER() } })).toMatchObject({ code: 0 });
    expect(profiles.read().profiles["work"]?.scopes).toEqual(["read:user", "read:repository"]);
    expect((await session()).client_id).toBe("d57cb8c4-630c-4168-8324-ec79935e18d4");
    expect(await run(["api", "/user"])).toMatchObject({ code: 0 });
    expect(await run(["repo", "create", "not-allowed"])).toMatchObject({ code: 4 });
  });

  it("with --scopes does not store the session of another user", async () => {
    await signIn();
    const before = await session();
    const other = ["auth", "refresh", "--scopes", "all"];
    const ran = await run(other, { env: { BROWSER: BROWSER("grant", "jonas") } });
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("signed in as jonas, not as mara") });
    expect(await session()).toEqual(before);
  });

  it("is refused for other tokens, with what to do", async () => {
    const given = ["auth", "login", "--host", box.url, "--profile", "work", "--token-stdin"];
    await run(given, { stdin: box.token("mara") });
    const ran = await run(["auth", "refresh", "--scopes", "read:user"]);
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("uses an access token") });
    await run(["auth", "logout"]);
    expect(await run(["auth", "refresh"])).toMatchObject({ code: 4 });
  });
});

describe("auth switch", () => {
  const accounts = async (...logins: string[]) => {
    for (const name of logins) {
      const line = ["auth", "login", "--host", box.url, "--profile", name, "--token-stdin"];
      expect(await run(line, { stdin: box.token(name) })).toMatchObject({ code: 0 });
    }
  };

  it("switches between two accounts, and to one by name", async () => {
    await accounts("mara", "jonas");
    expect(profiles.read().default).toBe("mara");
    expect(await run(["auth", "switch"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Switched to jonas"),
    });
    expect(profiles.read().default).toBe("jonas");
    expect((await run(["auth", "switch", "MARA", "--json", "name,default"])).json()).toEqual({
      name: "mara",
      default: true,
    });
    expect((await run(["api", "/user", "--jq", ".login"])).stdout).toBe("mara\n");
    expect(await run(["auth", "switch", "jonas", "--dry-run"])).toMatchObject({ code: 0 });
    expect(profiles.read().default).toBe("mara");
  });

  it("prompts among several, and without a terminal names them", async () => {
    await accounts("mara", "jonas", "priya");
    const silent = await run(["auth", "switch"]);
    expect(silent).toMatchObject({ code: 2, stderr: expect.stringContaining("mara, jonas, priya") });
    expect(await run(["auth", "switch"], { terminal: true, answers: ["priya"] })).toMatchObject({ code: 0 });
    expect(profiles.read().default).toBe("priya");
  });

  it("is exit 4 with the accounts for a user who is not signed in, or if there is no other", async () => {
    await accounts("mara");
    expect(await run(["auth", "switch"])).toMatchObject({ code: 4, stderr: expect.stringContaining("auth login") });
    expect(await run(["auth", "switch", "nobody"])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("Accounts: mara"),
    });
  });
});

describe("the server that waits for the browser", () => {
  const ask = (redirectUri: string, target: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(redirectUri);
      const request = http.request({ hostname, port, path: target, method, headers }, (response) => {
        let text = "";
        response.on("data", (piece) => {
          text += String(piece);
        });
        response.on("end", () => resolve({ status: response.statusCode, text }));
      });
      request.on("error", reject).end();
    });

  it("gives up after a time, with what to do about an error page of the server", async () => {
    const waiting = await waitForRedirect(quietSignal(), 30);
    await expect(waiting.answerTo("s")).rejects.toMatchObject({
      exit: "noAnswer",
      hint: expect.stringContaining("--client-id"),
    });
    waiting.close();
  });

  it("takes one answer, at its own address and name and with its own state only", async () => {
    const waiting = await waitForRedirect(quietSignal());
    const { redirectUri } = waiting;
    const answer = waiting.answerTo("s-1");
    expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const refused = [
      await ask(redirectUri, "/?code=x", { host: "evil.example" }),
      await ask(redirectUri, "/other?code=x"),
      await ask(redirectUri, "/"),
      await ask(redirectUri, "/?code=x", {}, "POST"),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const queries = [
      "code=x",
      "code=x&state=s-2",
      "error=access_denied",
      "code=x&state=s-1&state=s-2",
      "code=x&state=",
    ];
    for (const query of queries) {
      const other = await ask(redirectUri, `/?${query}<script>`);
      expect(other).toMatchObject({ status: 400, text: expect.stringContaining("not the sign-in") });
      expect(other.text).not.toMatch(/close this page|denied|script/);
    }
    const answered = await ask(redirectUri, "/?code=not-a-secret-code&state=s-1");
    expect(answered).toMatchObject({ status: 200, text: expect.stringContaining("return to the terminal") });
    expect(answered.text).not.toMatch(/not-a-secret|script/);
    expect((await answer).get("code")).toBe("not-a-secret-code");
    waiting.close();
  });
});
