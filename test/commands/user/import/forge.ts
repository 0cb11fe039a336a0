import { type Reply, type Seen, serve, type TestServer } from "../../../support/server.ts";
import { account } from "../forge.ts";

type Account = ReturnType<typeof account>;

/** A server with the part of Gitea's users API that an import needs. */
export interface AccountServer extends TestServer {
  readonly accounts: Map<string, Account & { readonly password: string }>;
  /** The bodies of successful `POST /admin/users` requests, in order. */
  readonly made: Record<string, unknown>[];
  /** The largest number of concurrent requests. */
  widest(): number;
}

/** Faults of a server. */
interface Faults {
  /** Whether to close the connection instead of responding, after processing the request. */
  readonly loses?: (seen: Seen) => boolean;
  /** How far the server's clock is ahead of the local one, in milliseconds. */
  readonly ahead?: number;
}

/** Starts the server. `before` is called for each request: it may wait, or return another response. */
export async function accountServer(
  before: (seen: Seen) => Promise<Reply | undefined> | Reply | undefined = () => undefined,
  { loses = () => false, ahead = 0 }: Faults = {},
): Promise<AccountServer> {
  const accounts: AccountServer["accounts"] = new Map();
  const made: Record<string, unknown>[] = [];
  let [underWay, widest] = [0, 0];
  const refusal = (status: number, message: string): Reply => ({ status, body: { message } });
  const shown = ({ password: _password, ...rest }: Account & { password: string }) => rest;
  const now = () => new Date(Date.now() + ahead);
  let id = 100;

  const create = (body: string): Reply => {
    const asked = JSON.parse(body) as Partial<Account> & { username: string; email: string; password?: string };
    const all = [...accounts.values()];
    if (accounts.has(asked.username.toLowerCase()))
      return refusal(422, `user already exists [name: ${asked.username}]`);
    if (all.some(({ email }) => email === asked.email))
      return refusal(422, `e-mail already in use [email: ${asked.email}]`);
    id += 1;
    const { password = "", ...fields } = asked;
    const user = { ...account(asked.username, { ...fields, id, created: now().toISOString() }), password };
    accounts.set(asked.username.toLowerCase(), user);
    made.push(asked);
    return { status: 201, body: shown(user) };
  };
  /** A page of a list, with its total. */
  const page = (items: readonly unknown[], url: string): Reply => {
    const query = new URL(url, "http://server").searchParams;
    const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("limit") ?? 30)];
    const shown = items.slice((number - 1) * size, number * size);
    return { body: shown, headers: { "x-total-count": String(items.length) } };
  };
  const mails = (q: string) =>
    [...accounts.values()]
      .filter(({ email }) => email.toLowerCase().includes(q.toLowerCase()))
      .map(({ email, login, id: user_id }) => ({ email, username: login, user_id, verified: true, primary: true }));

  const answer = ({ method, url, body }: Seen): Reply => {
    if (/\/admin\/emails/.test(url)) {
      return page(mails(new URL(url, "http://server").searchParams.get("q") ?? ""), url);
    }
    if (method === "GET" && /\/admin\/users\?/.test(url)) return page([...accounts.values()].map(shown), url);
    const [, area = "", name = ""] = /^\/api\/v1\/(admin\/users|users)\/?([^/?]*)/.exec(url) ?? [];
    if (method === "POST" && url === "/api/v1/admin/users") return create(body);
    const found = accounts.get(name.toLowerCase());
    if (found === undefined || area === "") return refusal(404, "not found");
    if (method === "PATCH") {
      const { admin = found.is_admin, ...asked } = JSON.parse(body) as Partial<Account> & { admin?: boolean };
      accounts.set(name.toLowerCase(), { ...found, ...asked, is_admin: admin });
    }
    return { body: shown(accounts.get(name.toLowerCase()) ?? found) };
  };

  const server = await serve(async (seen, request) => {
    underWay += 1;
    widest = Math.max(widest, underWay);
    const reply = await before(seen);
    underWay -= 1;
    const found = reply ?? answer(seen);
    if (!loses(seen)) return { ...found, headers: { date: now().toUTCString(), ...found.headers } };
    request.socket.destroy();
    return undefined;
  });
  return { ...server, accounts, made, widest: () => widest };
}

/** A CSV of `count` users; every tenth is an administrator. */
export function people(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `u${index},u${index}@example.org,${index % 10 === 0}`);
  return `username,email,admin\n${rows.join("\n")}\n`;
}
