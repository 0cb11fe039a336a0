import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { openProfiles } from "../../../src/profiles/profiles.ts";
import { serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";

/** An exchange with the OAuth provider of a live server. */
interface Recorded {
  readonly label: string;
  readonly request: { readonly path: string; readonly body: unknown };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Readonly<Record<string, string>>;
  };
}

const file = join(import.meta.dirname, "..", "..", "data", "cassettes", "oauth.ndjson");
const all = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);
const kind = (one: Recorded) =>
  one.request.path === "/login/oauth/access_token"
    ? /grant_type=(\w+)/.exec(String(one.request.body))?.[1]
    : one.response.headers["Location"]?.includes("error=")
      ? "error redirect"
      : undefined;
const of = (wanted: string, status?: number) =>
  all
    .filter((one) => kind(one) === wanted && (status === undefined || one.response.status === status))
    .map((one) => [one.label, one] as const);

let server: TestServer | undefined;
afterEach(() => server?.close());

/** A server that answers the token endpoint with a recorded answer, and a folder for profiles. */
async function world(recorded?: Recorded) {
  const folder = join(emptyFolder(), "tongs");
  const profiles = openProfiles({ env: { TONGS_CONFIG_DIR: folder }, platform: process.platform });
  const started = await serve((seen) => {
    if (seen.url === "/api/v1/user") return { body: { id: 2, login: "mara", is_admin: false } };
    if (recorded === undefined) return { status: 404 };
    const { status, headers, body } = recorded.response;
    return { status, headers: { "content-type": headers["Content-Type"] ?? "" }, body: JSON.stringify(body) };
  });
  server = started;
  const run = (argv: readonly string[], stdin: string | PassThrough = "", onStderr = (_text: string) => {}) =>
    tongs(argv, { stdin, onStderr, env: { TONGS_CONFIG_DIR: folder } });
  const login = ["auth", "login", "--web", "--no-browser", "--host", started.url, "--profile", "work"];
  return { profiles, run, login, url: started.url, seen: started.seen };
}

const old = {
  access_token: "not-a-secret-old",
  refresh_token: "not-a-secret-refresh",
  client_id: "app",
  expires: "2020-01-01T00:00:00Z",
};

describe("answers that live servers gave", () => {
  it("are of both servers, and of each kind", () => {
    for (const [wanted, status, least] of [
      ["authorization_code", 200, 8],
      ["authorization_code", 400, 15],
      ["refresh_token", 200, 6],
      ["refresh_token", 400, 10],
      ["error redirect", 303, 8],
    ] as const) {
      const labels = of(wanted, status).map(([label]) => label);
      expect(labels.length).toBeGreaterThanOrEqual(least);
      expect(new Set(labels.map((label) => label.split(":")[0]))).toEqual(new Set(["gitea", "forgejo"]));
    }
  });

  it.each(of("authorization_code", 200))("to a code are a session: %s", async (_label, recorded) => {
    const { run, login, profiles, seen } = await world(recorded);
    const ran = await run(login, "gta_code\n");
    expect(ran).toMatchObject({ code: 0 });
    expect(await profiles.credentials.get("work")).toMatchObject({
      access_token: "<secret>",
      refresh_token: "<secret>",
    });
    const sent = new URLSearchParams(seen[0]?.body);
    expect([...sent.keys()].sort()).toEqual(["client_id", "code", "code_verifier", "grant_type", "redirect_uri"]);
  });

  it.each(of("authorization_code", 400))("that refuse a code are exit 4: %s", async (_label, recorded) => {
    const { run, login, profiles } = await world(recorded);
    const ran = await run(login, "gta_code\n");
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining(words(recorded)) });
    expect(ran.stderr).toMatch(/run the\s+command again/i);
    const isConfidential = words(recorded) === "invalid empty client secret";
    expect(ran.stderr.includes("--no-confidential-client")).toBe(isConfidential);
    expect(profiles.read().profiles).toEqual({});
  });

  it.each(of("refresh_token", 200))("to a refresh token renew the session: %s", async (_label, recorded) => {
    const { run, profiles, url } = await world(recorded);
    await profiles.update(() => ({ profiles: { work: { host: url, user: "mara" } } }));
    await profiles.credentials.set("work", old);
    const ran = await run(["api", "/user"]);
    expect(ran).toMatchObject({ code: 0 });
    expect(await profiles.credentials.get("work")).toMatchObject({ access_token: "<secret>" });
  });

  it.each(of("refresh_token", 400))("that refuse a refresh token are exit 4: %s", async (_label, recorded) => {
    const { run, profiles, url, seen } = await world(recorded);
    await profiles.update(() => ({ profiles: { work: { host: url, user: "mara" } } }));
    await profiles.credentials.set("work", old);
    const ran = await run(["api", "/user"]);
    expect(ran).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining(words(recorded)) });
    const isConfidential = words(recorded) === "invalid empty client secret";
    const next = isConfidential ? "--no-confidential-client" : `tongs auth login --web --host ${url} --profile work`;
    expect(ran.stderr).toContain(next);
    expect(seen.map((one) => one.url)).toEqual(["/login/oauth/access_token"]);
    expect(await profiles.credentials.get("work")).toEqual(old);
  });

  it.each(of("error redirect"))("that redirect with an error are exit 4: %s", async (_label, recorded) => {
    const { run, login, seen } = await world();
    const end = new URL(recorded.response.headers["Location"] ?? "");
    const stdin = new PassThrough();
    const onStderr = (text: string) => {
      const [, state] = /authorize\?\S*state=([\w-]+)/.exec(text) ?? [];
      if (state === undefined) return;
      end.searchParams.set("state", state);
      stdin.end(`${end.href}\n`);
    };
    const ran = await run(login, stdin, onStderr);
    const said = end.searchParams.get("error_description") ?? "";
    expect(ran).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringContaining(`denied the sign-in: ${said}`),
    });
    expect(seen).toEqual([]);
  });
});

/** The server's words. */
function words({ response }: Recorded): string {
  return response.body["error_description"] ?? "";
}
