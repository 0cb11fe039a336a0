import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { maskHeaders } from "../../src/http/mask.ts";
import { pull } from "../commands/pr/pulls.ts";
import { type Handler, type Reply, type Seen, serve, type TestServer } from "../support/server.ts";
import { emptyFolder, type Ran, tongs, type World } from "../support/tongs.ts";

let server: TestServer;

async function run(words: readonly string[], handler: Handler, world: World = {}): Promise<Ran> {
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret-0", TONGS_REPO: "mara/harbor", ...world.env };
  return tongs(words, { ...world, env });
}

const secrets = [
  ...[
    "-f",
    "password=not-a-secret-1",
    "-f",
    "auth[auth_token]=not-a-secret-2",
    "-f",
    "config[][secret]=not-a-secret-3",
  ],
  ...["-f", "title=Tide", "-H", "X-Gitea-OTP: not-a-secret-4", "-H", "PRIVATE-TOKEN: not-a-secret-5"],
];

/** The words of a text that are secret, each in Base64 after a name. */
function base64(text: string, user: string): string {
  const found = text.match(/not-a-secret(?:-\d|\b)/g) ?? [];
  return `refused: ${found.map((word) => Buffer.from(user + word).toString("base64")).join(" ")}`;
}

describe("a server that repeats the request's secrets", () => {
  it.each<[string, number, (secret: string) => unknown]>([
    ["as JSON", 422, (secret) => ({ message: `refused: ${secret}` })],
    ["as text", 500, (secret) => `refused: ${secret}`],
    ["in Base64", 403, (secret) => ({ message: base64(secret, "") })],
    ["in Base64 after a name", 403, (secret) => ({ message: base64(secret, "mara:") + base64(secret, "token:") })],
  ])("does not have them printed: %s", async (_, status, body) => {
    const words = ["api", "/x", "-X", "PUT", "-H", "PRIVATE-TOKEN: not-a-secret-5", "-f", 'password=not-a-secret-1"\\'];
    for (const more of [[], ["--json"], ["--include"], ["--debug"]]) {
      const ran = await run([...words, ...more], ({ headers, body: sent }) => ({
        status,
        headers: { "x-gitea-warning": `${headers["authorization"]}` },
        body: body(`${headers["authorization"]} ${headers["private-token"]} ${sent}`),
      }));
      expect(ran.stdout + ran.stderr).toContain("***");
      expect(ran.stdout + ran.stderr).not.toMatch(/not-a-secr/);
      // Any part of it, wherever it begins: of Base64 six bits are a letter.
      for (const letters of [/bm90LWEtc/, /5vdC1hLXN/, /ub3QtYS1z/])
        expect(ran.stdout + ran.stderr).not.toMatch(letters);
      await server.close();
    }
  });
});

it("that git passes on a server's words, too, without the token", async () => {
  const ran = await run(["repo", "clone", "mara/harbor", join(emptyFolder(), "c")], ({ url, headers }) =>
    url.startsWith("/api/")
      ? { body: { id: 1, full_name: "mara/harbor", clone_url: `${server.url}/mara/harbor.git` } }
      : { status: 403, headers: { "content-type": "text/plain" }, body: `auth was ${headers["authorization"]}` },
  );
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("auth was token ***") });
  expect(ran.stderr).not.toContain("not-a-secret");
});

describe("--debug", () => {
  it("prints every request and response on stderr, with secrets masked", async () => {
    const link = '<http://x/api?token=not-a-secret-6&page=2>; rel="next"';
    const ran = await run(["api", "/x?token=not-a-secret-7&q=1", "-X", "POST", ...secrets, "--debug"], (seen) =>
      seen.url.includes("/new")
        ? { headers: { link, "set-cookie": "s=not-a-secret-8", "x-odd": "\u009b31m" }, body: { ok: true } }
        : { status: 307, headers: { location: "/api/v1/new?access_token=not-a-secret-9" } },
    );
    expect(ran).toMatchObject({ code: 0, stdout: '{"ok":true}' });
    expect(ran.stderr).not.toContain("not-a-secret");
    expect(ran.stderr).not.toContain("\u009b");
    const lines = ran.stderr.split("\n");
    expect(lines.filter((line) => /^[<>] (POST|\d)/.test(line))).toEqual([
      `> POST ${server.url}/api/v1/x?token=***&q=1`,
      `< 307 POST ${server.url}/api/v1/x?token=***&q=1`,
      `> POST ${server.url}/api/v1/new?access_token=***`,
      `< 200 POST ${server.url}/api/v1/new?access_token=***`,
    ]);
    expect(lines).toContain("> authorization: ***");
    expect(lines).toContain("> x-gitea-otp: ***");
    expect(lines).toContain("> private-token: ***");
    expect(lines).toContain("< location: /api/v1/new?access_token=***");
    expect(lines).toContain('< link: <http://x/api?token=***&page=2>; rel="next"');
    expect(lines).toContain(
      '> {"password":"***","auth":{"auth_token":"***"},"config":[{"secret":"***"}],"title":"Tide"}',
    );
  });

  it("masks addresses inside body fields, and other names of secrets, as --dry-run does", async () => {
    const fields = [
      "clone_addr=https://u:not-a-secret-1@h/?token=not-a-secret-2&x=1",
      "text=git clone https://u:not-a-secret@3@h/a b@c",
      ...["pwd", "pass", "passphrase", "passcode", "smtp_pass", "config[pwd]"].map((name) => `${name}=not-a-secret-4`),
    ];
    const words = ["api", "/x", ...fields.flatMap((field) => ["-f", field]), "-H", "X-Auth: not-a-secret-5"];
    for (const flag of ["--debug", "--dry-run"]) {
      const ran = await run([...words, flag], () => ({ body: { ok: true } }));
      expect(ran.code).toBe(0);
      expect(ran.stdout + ran.stderr).not.toContain("not-a-secret");
      expect(ran.stdout + ran.stderr).toMatch(/"clone_addr": ?"https:\/\/\*\*\*@h\/\?token=\*\*\*&x=1"/);
      expect(ran.stdout + ran.stderr).toMatch(/"text": ?"git clone https:\/\/\*\*\*@h\/a b@c"/);
      await server.close();
    }
  });

  it("takes linear time for a long header of ? or &", () => {
    // In quadratic time, it would take hours.
    for (const text of ["?", "&", "?a", "?a=", "://", "&token"]) {
      const value = text.repeat(4_000_000 / text.length);
      expect(maskHeaders({ "x-odd": value })).toEqual([`x-odd: ${value}`]);
    }
  });

  it("masks secrets after any question mark", () => {
    expect(maskHeaders({ link: "</a?x=1?token=not-a-secret?>; <?q&sig=not-a-secret>" })).toEqual([
      "link: </a?x=1?token=***>; <?q&sig=***>",
    ]);
  });

  it("prints each attempt", async () => {
    const ran = await run(["api", "/x", "--debug"], () =>
      server.seen.length < 3 ? { status: 503 } : { body: { ok: true } },
    );
    expect(ran.stderr.match(/^> GET/gm)).toHaveLength(3);
    expect(ran.stderr).toContain("returned 503; retrying in");
  });
});

describe("--timeout", () => {
  it.each(["3000000", "0"])("can be %s seconds", async (seconds) => {
    const ran = await run(["api", "/x", "--timeout", seconds], async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { body: { ok: true } };
    });
    expect(ran).toMatchObject({ code: 0, stdout: '{"ok":true}', stderr: "" });
  });
});

describe("--dry-run", () => {
  const held = ["api", "/x?token=not-a-secret-7&q=1", "-X", "PUT", ...secrets, "--dry-run"];

  it("prints the first write with its secrets masked and does not send it", async () => {
    const ran = await run(held, () => ({ body: {} }));
    expect(ran).toMatchObject({ code: 0, stderr: "Dry run: the request was not sent.\n" });
    expect(ran.stdout).toBe(`PUT ${server.url}/api/v1/x?token=***&q=1
{
  "password": "***",
  "auth": {
    "auth_token": "***"
  },
  "config": [
    {
      "secret": "***"
    }
  ],
  "title": "Tide"
}
`);
    expect(server.seen).toEqual([]);
  });

  it("prints it as JSON with --json", async () => {
    const ran = await run([...held, "--json"], () => ({ body: {} }));
    expect(ran.code).toBe(0);
    expect(ran.json()).toEqual({
      dry_run: {
        method: "PUT",
        url: `${server.url}/api/v1/x?token=***&q=1`,
        body: { password: "***", auth: { auth_token: "***" }, config: [{ secret: "***" }], title: "Tide" },
      },
    });
  });

  it("prints a body from stdin as JSON, or its size", async () => {
    const words = ["api", "/x", "--input", "-", "--dry-run"];
    const json = await run(words, () => undefined, { stdin: '{"token":"not-a-secret-1","n":12345678901234567890}' });
    expect(json.stdout).toContain('{\n  "token": "***",\n  "n": 12345678901234567890\n}');
    await server.close();
    const other = await run(words, () => undefined, { stdin: "password=not-a-secret-1" });
    expect(other.stdout).toContain("(23 bytes of application/json)");
    expect(other.stdout).not.toContain("not-a-secret");
  });

  it("sends reads", async () => {
    const ran = await run(["pr", "view", "12", "--json", "number", "--dry-run"], () => ({ body: pull(12) }));
    expect(ran).toMatchObject({ code: 0, stdout: '{"number":12}\n' });
    expect(server.seen).toHaveLength(1);
  });
});

describe("other output from a server", () => {
  it("prints a warning once, without control characters, also with --quiet", async () => {
    const headers = { "x-gitea-warning": "mail domain \u009b31m conflicts", "x-total-count": "150" };
    const ran = await run(["pr", "list", "--all", "--json", "number", "--quiet"], (seen) => {
      const page = Number(/page=(\d+)/.exec(seen.url)?.[1]);
      return { headers, body: Array.from({ length: 50 }, (_, index) => pull(page * 100 + index)) };
    });
    expect(ran.code).toBe(0);
    expect(server.seen.length).toBe(3);
    expect(ran.stderr).toBe(`! ${new URL(server.url).host} warns: mail domain \ufffd31m conflicts\n`);
  });

  it("prints the Warning header of Forgejo", async () => {
    const ran = await run(["api", "/x"], () => ({
      headers: { warning: "token in the query is deprecated" },
      body: {},
    }));
    expect(ran.stderr).toContain("warns: token in the query is deprecated");
  });

  it("never prints escape sequences in titles and messages", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eTide\r\n\tx";
    const hostile = pull(12, { title: evil, body: evil, head: { ...pull(12).head, label: evil } });
    const clean = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]/;
    for (const words of [
      ["pr", "view", "12"],
      ["pr", "list"],
    ]) {
      for (const terminal of [true, false]) {
        const answer = ({ url }: Seen): Reply => {
          if (url.includes("pulls?")) return { body: [hostile] };
          return { body: /\/(reviews|statuses)/.test(url) ? [] : hostile };
        };
        const ran = await run(words, answer, { terminal, env: { NO_COLOR: "1" } });
        expect(ran.code, ran.stderr).toBe(0);
        expect(ran.stderr).not.toMatch(clean);
        expect(ran.stdout).toContain("Tide");
        expect(ran.stdout).not.toMatch(clean);
        await server.close();
      }
    }
    const refused = await run(["pr", "view", "12"], () => ({ status: 403, body: { message: evil } }));
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain("owned");
    expect(refused.stderr).not.toMatch(clean);
  });

  it("says of a refused token of the environment to change it there, as a sign-in would not be used", async () => {
    const refused = await run(["pr", "view", "12"], () => ({ status: 401, body: { message: "invalid token" } }));
    expect(refused.stderr).toContain(
      "TONGS_TOKEN was not accepted: set another token, or unset TONGS_HOST and TONGS_TOKEN.",
    );
    expect([refused.code, refused.stderr.includes("auth login")]).toEqual([4, false]);
    await server.close();
    const message = "token does not have at least one of required scope(s): [read:repository]";
    const narrow = await run(["pr", "view", "12"], () => ({ status: 403, body: { message } }));
    expect(narrow.stderr).toContain("Create a token with that scope, then set TONGS_TOKEN to it.");
    await server.close();
    const none = await run(["pr", "view", "12"], () => ({ status: 401 }), { env: { TONGS_TOKEN: "" } });
    expect(none.stderr).toContain("Run tongs auth login --host");
  });

  it("prints no retry notes with JSON errors on stderr", async () => {
    const ran = await run(["pr", "view", "12", "--json"], () => ({ status: 502 }));
    expect(ran.code).toBe(7);
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { status: 502 } });
    expect(server.seen).toHaveLength(4);
  });
});

describe("a 404", () => {
  const missing = { status: 404, body: { message: "not found", url: "" } };
  const onlyRepo: Handler = (seen) => (seen.url.endsWith("/repos/mara/harbor") ? { body: {} } : missing);

  it("can be a missing pull request in an existing repository", async () => {
    const ran = await run(["pr", "view", "99"], onlyRepo);
    expect(ran).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Pull request #99 not found in mara/harbor"),
    });
    expect(server.lines()).toEqual(["GET /api/v1/repos/mara/harbor/pulls/99", "GET /api/v1/repos/mara/harbor"]);
  });

  it("can be a missing or hidden repository", async () => {
    const ran = await run(["pr", "view", "99"], () => missing);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Repository mara/harbor not found") });
    expect(ran.stderr).toContain("you do not have access");
    await server.close();
    const anonymous = await run(["pr", "view", "99"], () => missing, { env: { TONGS_TOKEN: "" } });
    expect(anonymous.stderr).toContain("you are not signed in");
  });

  it("can be an unsupported operation, without further requests", async () => {
    const ran = await run(["api", "/repos/mara/harbor/actions/runs"], () => ({
      status: 404,
      headers: { "content-type": "text/plain" },
      body: "404 page not found\n",
    }));
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("does not support GET") });
    expect(server.seen).toHaveLength(1);
  });

  it("can be a web page, without further requests", async () => {
    const ran = await run(["pr", "view", "1"], () => ({
      status: 404,
      headers: { "content-type": "text/html" },
      body: "<p>",
    }));
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("path prefix") });
    expect(server.seen).toHaveLength(1);
  });

  it("can be a missing user or organization", async () => {
    const missingUser = { status: 404, body: { message: "user redirect does not exist [name: nobody]" } };
    expect((await run(["api", "/users/nobody"], () => missingUser)).stderr).toContain("User nobody not found on");
    await server.close();
    expect((await run(["api", "/orgs/none"], () => missing)).stderr).toContain("Organization none not found on");
  });

  it("is reported as is if the repository cannot be checked", async () => {
    const ran = await run(["pr", "view", "99"], (seen) =>
      seen.url.endsWith("/pulls/99") ? missing : { status: 403, body: { message: "token scope" } },
    );
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Not found on") });
  });

  it("can have a path with invalid percent-encoding", async () => {
    const ran = await run(["api", "/repos/a%zz/b/pulls/1"], () => missing);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("a%zz/b") });
  });
});
