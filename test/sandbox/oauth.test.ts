import { beforeAll, describe, expect, it } from "vitest";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

const client = "a4792ccc-144e-407e-86c9-5e7d8d9c3269";
const verifier = "not-a-secret-verifier-0123456789-0123456789-abcdef";
const home = "http://127.0.0.1:18085/";

let box: TestSandbox;
const people = [{ name: "mara", password: "not-a-secret-mara" }];
beforeAll(async () => {
  box = await testSandbox({ people });
});

async function send(method: string, path: string, body?: string) {
  const type = "application/x-www-form-urlencoded";
  const authorization = `Basic ${btoa("mara:not-a-secret-mara")}`;
  const headers = body === undefined ? { authorization } : { authorization, "content-type": type };
  return fetch(box.url + path, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) });
}

const page = (more: Readonly<Record<string, string>> = {}) =>
  `/login/oauth/authorize?${new URLSearchParams({
    client_id: client,
    redirect_uri: home,
    response_type: "code",
    state: "st4te",
    code_challenge_method: "S256",
    code_challenge: "RjCQ_pkBHYr4XTLv9HY70hCdcbnpYwfBI46XWvWT7zE",
    ...more,
  })}`;
const grant = (more: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({ ...Object.fromEntries(new URL(page(more), home).searchParams), granted: "true" }).toString();

async function newCode(): Promise<string> {
  expect((await send("GET", page())).status).toBe(200);
  const answered = await send("POST", "/login/oauth/grant", grant());
  return new URL(answered.headers.get("location") ?? "").searchParams.get("code") ?? "";
}

async function tokens(form: Readonly<Record<string, string>>) {
  const response = await send("POST", "/login/oauth/access_token", new URLSearchParams(form).toString());
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}
const exchange = (code: string) =>
  tokens({ grant_type: "authorization_code", client_id: client, redirect_uri: home, code, code_verifier: verifier });

describe("the OAuth provider of the sandbox", () => {
  it("asks for a password, and redirects nowhere but to this machine", async () => {
    const anonymous = await fetch(box.url + page());
    expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Basic /),
    ]);
    for (const more of [{ client_id: "unknown" }, { redirect_uri: "https://evil.example/" }]) {
      expect((await send("GET", page(more))).status).toBe(400);
      expect((await send("POST", "/login/oauth/grant", grant(more))).status).toBe(400);
    }
    const other = { origin: "https://evil.example", authorization: `Basic ${btoa("mara:not-a-secret-mara")}` };
    const forged = { method: "POST", headers: other, body: grant() };
    expect((await fetch(`${box.url}/login/oauth/grant`, forged)).status).toBe(403);
  });

  it("gives tokens as the live server did, and the API takes the access token only", async () => {
    const code = await newCode();
    const wrong = await tokens({
      grant_type: "authorization_code",
      client_id: client,
      redirect_uri: home,
      code,
      code_verifier: "x",
    });
    // A wrong verifier does not use the code up.
    expect(wrong.status).toBe(400);
    const { status, body } = await exchange(code);
    expect([status, body["token_type"], body["expires_in"]]).toEqual([200, "bearer", 3600]);
    const user = async (token = "") =>
      (await fetch(`${box.url}/api/v1/user`, { headers: { authorization: `token ${token}` } })).status;
    expect([await user(body["access_token"]), await user(body["refresh_token"])]).toEqual([200, 401]);
    const renew = { grant_type: "refresh_token", client_id: client, refresh_token: body["refresh_token"] ?? "" };
    expect((await tokens(renew)).status).toBe(200);
    // As Gitea does it unless it is told otherwise.
    expect((await tokens(renew)).status).toBe(200);
    expect((await send("GET", "/login/oauth/access_token")).status).toBe(405);
  });

  it("limits a token to the scopes of the API that were granted", async () => {
    const tea = "d57cb8c4-630c-4168-8324-ec79935e18d4";
    const answered = await send("POST", "/login/oauth/grant", grant({ client_id: tea, scope: "openid read:user" }));
    const code = new URL(answered.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const { body } = await tokens({
      grant_type: "authorization_code",
      client_id: tea,
      redirect_uri: home,
      code,
      code_verifier: verifier,
    });
    const ask = async (method: string, path: string) =>
      (await fetch(`${box.url}/api/v1${path}`, { method, headers: { authorization: `token ${body["access_token"]}` } }))
        .status;
    expect([await ask("GET", "/user"), await ask("GET", "/user/repos")]).toEqual([200, 403]);
    const other = await send("POST", "/login/oauth/grant", grant({ client_id: tea, scope: "read:repository" }));
    expect(other.headers.get("location")).toContain(
      "error=server_error&error_description=a+grant+exists+with+different+scope",
    );
  });

  it("accepts a refresh token once as Forgejo, and ends tokens after their time", async () => {
    let now = Date.now();
    const other = await testSandbox({
      people,
      release: { product: "forgejo", version: "16.0" },
      now: () => new Date(now),
    });
    const before = box;
    try {
      box = other;
      const { body } = await exchange(await newCode());
      const renew = () =>
        tokens({ grant_type: "refresh_token", client_id: client, refresh_token: body["refresh_token"] ?? "" });
      expect((await renew()).status).toBe(200);
      expect((await renew()).body).toEqual({
        error: "unauthorized_client",
        error_description: "token was already used",
      });
      now += 3601_000;
      const late = await fetch(`${box.url}/api/v1/user`, {
        headers: { authorization: `token ${body["access_token"]}` },
      });
      expect(late.status).toBe(401);
    } finally {
      await other.close();
      box = before;
    }
  });
});
