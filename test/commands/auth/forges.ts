import { type Reply, type Seen, serve, type TestServer } from "../../support/server.ts";

/** The accounts of a test server that responds like Gitea 1.27 or like Forgejo. */
export interface Accounts {
  /** Login name by token. */
  readonly tokens?: Readonly<Record<string, string>>;
  /** Scopes by token; `all` for a token not listed. */
  readonly scopes?: Readonly<Record<string, readonly string[]>>;
  readonly passwords?: Readonly<Record<string, string>>;
  /** The two-factor code that accounts require. */
  readonly otp?: string;
  /** The path prefix of the server. */
  readonly prefix?: string;
  readonly date?: string;
}

const rejected = {
  status: 401,
  body: { message: "invalid username, password or token", url: "https://x/api/swagger" },
};

/** A server that responds like Gitea 1.27. */
export function gitea(accounts: Accounts): Promise<TestServer> {
  return serve((seen) => answer(seen, accounts, "1.27.1"), { saysVersion: true });
}

/** A server that responds like Forgejo: without GET /token, and with a different message for a wrong token. */
export function forgejo(accounts: Accounts): Promise<TestServer> {
  return serve(
    (seen) => {
      const path = seen.url.slice((accounts.prefix ?? "").length);
      const token = presented(seen);
      if (token !== undefined && accounts.tokens?.[token] === undefined) {
        return { status: 401, body: { message: "user does not exist [uid: 0, name: ]", url: "https://x/api/swagger" } };
      }
      return path.startsWith("/api/v1/token") || path.includes("/-/")
        ? noRoute
        : answer(seen, accounts, "10.0.0+gitea-1.22.0");
    },
    { saysVersion: true },
  );
}

const noRoute = { status: 404, headers: { "content-type": "text/plain; charset=utf-8" }, body: "404 page not found\n" };

function presented(seen: Seen): string | undefined {
  return /^token (.+)$/.exec(String(seen.headers["authorization"] ?? ""))?.[1];
}

function answer(seen: Seen, accounts: Accounts, version: string): Reply {
  const { prefix = "", scopes = {} } = accounts;
  if (!seen.url.startsWith(`${prefix}/api/v1/`)) return noRoute;
  const path = seen.url.slice(`${prefix}/api/v1`.length);
  const headers = accounts.date === undefined ? {} : { date: accounts.date };
  if (seen.method === "POST") return createToken(seen, accounts);
  const token = presented(seen);
  const login = token === undefined ? undefined : accounts.tokens?.[token];
  if (token !== undefined && login === undefined) return rejected;
  const tokenScopes = token === undefined ? [] : (scopes[token] ?? ["all"]);
  if (path === "/version") return { headers, body: { version } };
  if (login === undefined) return { status: 401, body: { message: "token is required", url: "https://x/api/swagger" } };
  if (path === "/token") return { body: { id: 1, name: "laptop", scopes: tokenScopes, user: { id: 2, login } } };
  if (path === "/user") {
    if (tokenScopes.some((scope) => scope === "all" || scope.endsWith(":user")))
      return { body: { id: 2, login, is_admin: false } };
    const message = `token does not have at least one of required scope(s), required=[read:user], token scope=${tokenScopes}`;
    return { status: 403, body: { message, url: "https://x/api/swagger" } };
  }
  return { status: 404, body: { message: "not found", url: "https://x/api/swagger" } };
}

function createToken(seen: Seen, accounts: Accounts): Reply {
  const basic = /^Basic (.+)$/.exec(String(seen.headers["authorization"] ?? ""))?.[1] ?? "";
  const [name = "", password] = Buffer.from(basic, "base64").toString("utf8").split(":");
  const code = seen.headers["x-gitea-otp"];
  const valid = accounts.passwords?.[name] === password && (accounts.otp === undefined || code === accounts.otp);
  if (!valid) return rejected;
  const { scopes, name: title } = JSON.parse(seen.body) as { scopes: string[]; name: string };
  const sha1 = Object.entries(accounts.tokens ?? {}).find(([, login]) => login === name)?.[0] ?? "";
  return { status: 201, body: { id: 3, name: title, sha1, token_last_eight: sha1.slice(-8), scopes } };
}
