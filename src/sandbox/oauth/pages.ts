import { randomBytes } from "node:crypto";
import { loginPage, loginSend, oauthAuthorize, oauthGrant } from "../http/other-operations.ts";
import { empty, type Reply, text } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { userNamed } from "../state/accounts.ts";
import type { AskedRecord, GrantRecord, WebSessionRecord } from "../state/records/accounts.ts";
import { applicationOf, isOwnRedirect } from "./tokens.ts";

const cookieName = "i_like_gitea";

/** The pages of a browser sign-in: sign in, ask for the permission, redirect with a code. */
export const oauthPages: Area = {
  routes: [
    route(loginPage, {}, (call) => html(200, signInPage(call.query.get("redirect_to") ?? "/"))),
    route(loginSend, {}, signIn),
    route(oauthAuthorize, { writes: true }, authorize),
    route(oauthGrant, {}, grant),
  ],
};

function signIn(call: Call): Reply {
  const form = formOf(call);
  const user = userNamed(call.site.store, form.get("user_name") ?? "");
  const target = form.get("redirect_to") ?? "/";
  if (user === undefined || user.kind !== "person" || user.password !== form.get("password") || user.prohibit_login) {
    return html(200, signInPage(target, "Username or password is incorrect."));
  }
  const id = randomBytes(16).toString("hex");
  call.table("webSessions").put({ id, userId: user.id });
  // Only to pages of this server.
  const location = /^\/(?![/\\])/.test(target) ? target : "/";
  return empty(303, { Location: location, "Set-Cookie": `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Lax` });
}

/** Checks the request in Gitea's order. Errors that concern the redirect are pages, the others are redirects. */
function authorize(call: Call): Reply {
  const { query, site, requestPath } = call;
  const session = sessionOf(call);
  if (session === undefined) {
    const target = encodeURIComponent(`${requestPath}?${query}`);
    return html(303, "See Other", { Location: `/user/login?redirect_to=${target}` });
  }
  const asked: AskedRecord = {
    clientId: query.get("client_id") ?? "",
    redirectUri: query.get("redirect_uri") ?? "",
    state: query.get("state") ?? "",
    scope: query.get("scope") ?? "",
    challenge: query.get("code_challenge") ?? "",
    method: query.get("code_challenge_method") ?? "",
  };
  const app = applicationOf(asked.clientId);
  if (app === undefined) return html(400, page("Client ID not registered"));
  if (!isOwnRedirect(asked.redirectUri)) return html(400, page("Unregistered Redirect URI"));
  if (query.get("response_type") !== "code") {
    return redirect(asked, {
      error: "unsupported_response_type",
      error_description: "Only code response type is supported.",
    });
  }
  if (!["", "S256", "plain"].includes(asked.method)) {
    return redirect(asked, { error: "invalid_request", error_description: "unsupported code challenge method" });
  }
  if (asked.method === "" || asked.challenge === "") {
    return redirect(asked, { error: "invalid_request", error_description: "PKCE is required for public clients" });
  }
  site.table("webSessions").put({ ...session, asked });
  return html(200, permissionPage(app.name, asked));
}

function grant(call: Call): Reply {
  const form = formOf(call);
  const session = sessionOf(call);
  const asked = session?.asked;
  const isSame =
    asked !== undefined &&
    form.get("client_id") === asked.clientId &&
    form.get("redirect_uri") === asked.redirectUri &&
    (form.get("state") ?? "") === asked.state;
  if (session === undefined || !isSame) return text(400, "Bad Request\n", "text/plain; charset=utf-8");
  if (form.get("granted") !== "true") {
    return redirect(asked, { error: "access_denied", error_description: "the request is denied" });
  }
  const { store } = call.site;
  const known = store
    .table("oauthGrants")
    .find((one) => one.userId === session.userId && one.clientId === asked.clientId);
  if (known !== undefined && known.scope !== asked.scope) {
    return redirect(asked, { error: "server_error", error_description: "a grant exists with different scope" });
  }
  const { id: grantId } = known ?? newGrant(call, session, asked);
  const code = `gta_${randomBytes(20).toString("hex")}`;
  const { redirectUri, challenge, method } = asked;
  store.table("oauthCodes").put({ code, grantId, redirectUri, challenge, method });
  return redirect(asked, { code });
}

function newGrant({ site }: Call, { userId }: WebSessionRecord, { clientId, scope }: AskedRecord): GrantRecord {
  return site.table("oauthGrants").add({ userId, clientId, scope, counter: 1 });
}

function sessionOf({ site, headers }: Call): WebSessionRecord | undefined {
  const [, id] = new RegExp(`(?:^|;\\s*)${cookieName}=([0-9a-f]+)`).exec(headers.cookie ?? "") ?? [];
  return id === undefined ? undefined : site.table("webSessions").get(id);
}

function formOf({ rawBody }: Call): URLSearchParams {
  return new URLSearchParams(rawBody.toString("utf8"));
}

function redirect({ redirectUri, state }: AskedRecord, parameters: Readonly<Record<string, string>>): Reply {
  const query = new URLSearchParams({ ...parameters, state });
  return html(303, "See Other", { Location: `${redirectUri}?${query}` });
}

function html(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return text(status, body, "text/html; charset=utf-8", headers);
}

function page(content: string): string {
  return `<!doctype html><meta charset="utf-8"><title>tongs sandbox</title>${content}\n`;
}

function signInPage(target: string, problem = ""): string {
  return page(
    `<p>${problem}</p><form method="post" action="/user/login">` +
      `<input name="user_name" placeholder="Username"><input name="password" type="password" placeholder="Password">` +
      `${hidden("redirect_to", target)}<button>Sign in</button></form><p>tongs sandbox printed users and passwords.</p>`,
  );
}

function permissionPage(name: string, { clientId, redirectUri, state, scope }: AskedRecord): string {
  const fields = hidden("client_id", clientId) + hidden("redirect_uri", redirectUri) + hidden("state", state);
  return page(
    `<p>Let ${escaped(name)} access your account${scope === "" ? "" : ` (${escaped(scope)})`}?</p>` +
      `<form method="post" action="/login/oauth/grant">${fields}${hidden("scope", scope)}` +
      `<button name="granted" value="true">Authorize</button><button name="granted" value="false">Cancel</button></form>`,
  );
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escaped(value)}">`;
}

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
