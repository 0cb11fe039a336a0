import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

const client = "a4792ccc-144e-407e-86c9-5e7d8d9c3269";
const verifier = "not-a-secret-verifier-0123456789-0123456789-abcdef";
const home = "http://127.0.0.1:18085/";

let box: TestSandbox;
let cookie: string;
beforeAll(async () => {
  box = await testSandbox({ people: [{ name: "mara", password: "not-a-secret-mara" }] });
  const signedIn = await send("POST", "/user/login", "user_name=mara&password=not-a-secret-mara");
  expect(signedIn.status).toBe(303);
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
});
afterAll(() => box.close());

async function send(method: string, path: string, body?: string) {
  const type = "application/x-www-form-urlencoded";
  const headers = {
    ...(cookie === undefined ? {} : { cookie }),
    ...(body === undefined ? {} : { "content-type": type }),
  };
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
  new URLSearchParams({ client_id: client, redirect_uri: home, state: "st4te", granted: "true", ...more }).toString();

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
  it("sends someone who is not signed in to the sign-in page, and back", async () => {
    const anonymous = await fetch(box.url + page(), { redirect: "manual" });
    expect(anonymous.status).toBe(303);
    const target = new URL(anonymous.headers.get("location") ?? "", box.url);
    expect([target.pathname, target.searchParams.get("redirect_to")]).toEqual(["/user/login", page()]);
    const wrong = await send("POST", "/user/login", "user_name=mara&password=wrong");
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([200, null]);
    const elsewhere = await send(
      "POST",
      "/user/login",
      "user_name=mara&password=not-a-secret-mara&redirect_to=//evil.example",
    );
    expect(elsewhere.headers.get("location")).toBe("/");
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
    await send("GET", page({ client_id: tea, scope: "openid read:user" }));
    const answered = await send("POST", "/login/oauth/grant", grant({ client_id: tea }));
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
    await send("GET", page({ client_id: tea, scope: "read:repository" }));
    const other = await send("POST", "/login/oauth/grant", grant({ client_id: tea }));
    expect(other.headers.get("location")).toContain(
      "error=server_error&error_description=a+grant+exists+with+different+scope",
    );
    const changed = await send("POST", "/login/oauth/grant", grant({ client_id: tea, state: "changed" }));
    expect(changed.status).toBe(400);
  });

  it("accepts a refresh token once as Forgejo, and ends tokens after their time", async () => {
    let now = Date.now();
    const other = await testSandbox({
      people: [{ name: "mara", password: "pw" }],
      release: { product: "forgejo", version: "16.0" },
      now: () => new Date(now),
    });
    const [before, wasCookie] = [box, cookie];
    try {
      box = other;
      cookie =
        (await send("POST", "/user/login", "user_name=mara&password=pw")).headers.get("set-cookie")?.split(";")[0] ??
        "";
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
      [box, cookie] = [before, wasCookie];
    }
  });
});
