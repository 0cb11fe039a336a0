import * as oauth from "oauth4webapi";
import { Failure } from "../failure/failure.ts";
import { outcomeOfStatus } from "../failure/statuses.ts";
import { readBody, readErrorBody } from "../http/body.ts";
import { type DebugLog, debugRequest, debugResponse } from "../http/debug.ts";
import type { Transport, WireRequest } from "../http/transport.ts";
import { version } from "../system/files.ts";
import { utf8Text } from "../text/utf8.ts";
import { addressText } from "./server.ts";
import type { Session } from "./session.ts";

/** What the requests to the OAuth provider of a server need. */
export interface Provider {
  /** The server's address. Its own endpoints are used, not those that it names, which may be on another host. */
  readonly base: URL;
  readonly transport: Transport;
  /** The application to sign in with. */
  readonly clientId: string;
  /** Additional headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly now: () => Date;
  /** How long to wait for a response, in milliseconds; 0 is no limit. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly debug?: DebugLog | undefined;
}

/** What a request is for, in messages. */
const signIn = "the sign-in";
const renewal = "the renewal of the session";
type Step = typeof signIn | typeof renewal;

/** A request for authorization, and what is needed to understand the answer to it. */
export interface Authorization {
  /** The page to open in a browser. */
  readonly page: string;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/**
 * The page on which a user lets the application sign in: authorization code with PKCE (RFC 6749, RFC 7636). Without scopes
 * the server grants everything that the account can do.
 */
export async function authorization(
  { base, clientId }: Pick<Provider, "base" | "clientId">,
  redirectUri: string,
  scopes: readonly string[],
): Promise<Authorization> {
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const page = new URL(`${addressText(base)}/login/oauth/authorize`);
  const query = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
  };
  page.search = new URLSearchParams(query).toString();
  return { page: page.href, state, verifier, redirectUri };
}

/**
 * Exchanges the parameters of a redirect for a session. Throws a `Failure` with exit 4 if they are those of another
 * request, or an error, or if the server refuses the code.
 */
export async function sessionOf(
  parameters: URLSearchParams,
  asked: Authorization,
  provider: Provider,
): Promise<Session> {
  const [server, client] = parties(provider);
  const host = addressText(provider.base);
  const again = "Run the command again, and allow the sign-in on the page that it opens.";
  let checked: URLSearchParams;
  try {
    checked = oauth.validateAuthResponse(server, client, parameters, asked.state);
    if (parameters.getAll("code").length !== 1 || parameters.get("code") === "") throw new Error("not one code");
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      const { error: code, error_description: text } = error;
      throw new Failure("oauth", `${host} denied the sign-in: ${text ?? code}`, {
        hint: hintFor(text ?? code, provider) ?? again,
      });
    }
    const twice = ["code", "state"].find((name) => parameters.getAll(name).length > 1);
    const reason =
      twice !== undefined
        ? `it has more than one ${twice}`
        : parameters.get("state") === asked.state
          ? "it has no code"
          : "it belongs to another sign-in (state mismatch)";
    throw new Failure("oauth", `The response of the browser was not accepted: ${reason}`, { hint: again });
  }
  const { redirectUri, verifier } = asked;
  const response = await oauth.authorizationCodeGrantRequest(
    ...[server, client, oauth.None(), checked, redirectUri, verifier, options(provider, signIn)],
  );
  const granted = await granting(provider, signIn, again, () =>
    oauth.processAuthorizationCodeResponse(server, client, response),
  );
  return toSession(granted, provider, undefined);
}

/**
 * Obtains the next access token of a session. Throws a `Failure` with exit 4 if the server no longer accepts the refresh
 * token; `hint` says how to sign in again.
 */
export async function renewed(
  session: Session,
  refreshToken: string,
  provider: Provider,
  hint: string,
): Promise<Session> {
  const [server, client] = parties(provider);
  const response = await oauth.refreshTokenGrantRequest(
    ...[server, client, oauth.None(), refreshToken, options(provider, renewal)],
  );
  const granted = await granting(provider, renewal, hint, () =>
    oauth.processRefreshTokenResponse(server, client, response),
  );
  return toSession(granted, provider, session.refresh_token);
}

function parties({ base, clientId }: Provider): [oauth.AuthorizationServer, oauth.Client] {
  const issuer = addressText(base);
  return [{ issuer, token_endpoint: `${issuer}/login/oauth/access_token` }, { client_id: clientId }];
}

/** The longest time that an access token is taken to last, in seconds: ten years. */
const longest = 10 * 365 * 24 * 60 * 60;

/** Throws a `Failure` if a token cannot be sent in a header. */
function toSession(
  granted: oauth.TokenEndpointResponse,
  { now, clientId, base }: Provider,
  refreshToken: string | undefined,
): Session {
  const { access_token, expires_in: seconds, refresh_token = refreshToken } = granted;
  if (![access_token, refresh_token ?? "-"].every((token) => /^[\x21-\x7e]+$/.test(token))) {
    throw new Failure("broken_answer", `${addressText(base)} answered with a token that cannot be sent`);
  }
  const obtained = now();
  const after = (lasts: number) => new Date(obtained.getTime() + Math.min(lasts, longest) * 1000).toISOString();
  return {
    access_token,
    ...(seconds === undefined ? {} : { expires: after(seconds), obtained: obtained.toISOString() }),
    ...(refresh_token === undefined ? {} : { refresh_token }),
    client_id: clientId,
  };
}

/** Runs the check of a token response, and replaces its errors, which can contain tokens. */
async function granting<T>({ base }: Provider, what: Step, hint: string, check: () => Promise<T>): Promise<T> {
  const host = addressText(base);
  try {
    return await check();
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof oauth.ResponseBodyError) {
      const reason = error.error_description ?? error.error;
      throw new Failure("oauth", `${host} refused ${what}: ${reason}`, {
        hint: refusalHint(reason) ?? hint,
        status: error.status,
      });
    }
    throw new Failure("broken_answer", `The response of ${host} to ${what} is not valid OAuth`);
  }
}

/** What to do about a refused authorization, where the server's words do not say it. */
function hintFor(text: string, { base }: Provider): string | undefined {
  if (!/grant exists with different scope/.test(text)) return undefined;
  return `Revoke the access of the application at ${addressText(base)}/user/settings/applications, then run the command again.`;
}

/** What to do about a refused code or refresh token, where signing in again would not help. */
function refusalHint(reason: string): string | undefined {
  if (reason !== "invalid empty client secret") return undefined;
  return (
    "The application is confidential, and tongs has no secret of it. Create a public one, then run the command again with " +
    "its --client-id: tongs oauth-app create NAME --redirect-uri http://127.0.0.1/ --no-confidential-client"
  );
}

/** Options of the library: requests go through the transport of the server, and plain HTTP was allowed before. */
function options(provider: Provider, what: Step): oauth.TokenEndpointRequestOptions {
  return { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: fetchBy(provider, what) };
}

function fetchBy({ base, transport, timeout, signal, debug, headers: own }: Provider, what: Step) {
  return async (
    url: string,
    {
      method,
      headers,
      body,
    }: { readonly method: string; readonly headers: Record<string, string>; readonly body: URLSearchParams },
  ): Promise<Response> => {
    const request: WireRequest = {
      method,
      url: new URL(url),
      body: body.toString(),
      timeout,
      signal,
      headers: { ...own, ...headers, "user-agent": `tongs/${version}` },
    };
    if (debug) debugRequest(debug, request, undefined, Object.keys(own));
    const received = await transport.send(request);
    if (debug) debugResponse(debug, request, received);
    const { status } = received;
    const bytes = await (status >= 300 ? readErrorBody(received, request) : readBody(received, request, 1024 * 1024));
    const isOAuth = status === 200 || status === 400 || status === 401;
    if (!isOAuth) throw unexpectedStatus(status, base, what);
    const type = received.headers["content-type"] ?? "";
    const content = utf8Text(bytes);
    return new Response(status === 200 ? withoutIdentity(content) : content, {
      status,
      headers: { "content-type": type },
    });
  };
}

/**
 * A token response without the identity token, which is not used. It names the root URL that the server is configured with,
 * and would be refused if that is not the address of the profile.
 */
function withoutIdentity(body: string): string {
  try {
    const { id_token: _unused, ...rest } = JSON.parse(body) as Record<string, unknown>;
    return JSON.stringify(rest);
  } catch {
    // Reported by the library, like other answers that are not JSON.
    return body;
  }
}

function unexpectedStatus(status: number, base: URL, what: Step): Failure {
  const host = addressText(base);
  if (status !== 404)
    return new Failure(outcomeOfStatus(status), `${host} failed during ${what} (${status})`, { status });
  const offers = what === signIn ? "does not offer" : "no longer offers";
  const hint = `OAuth may be switched off there. Sign in with a token: tongs auth login --host ${host}`;
  return new Failure("unknown_operation", `${host} ${offers} sign-in with the browser`, { status, hint });
}
