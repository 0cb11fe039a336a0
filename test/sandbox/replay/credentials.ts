import type { Exchange } from "./exchange.ts";

/** The tokens of a replay, by `user` or `user, scopes`, and a function to create another one. */
export interface Keys {
  readonly tokens: Map<string, string>;
  readonly passwords: Map<string, string>;
  make(user: string, scopes: readonly string[]): Promise<string>;
}

const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
const wrongToken = "0".repeat(40);
/** Short names of some tokens. */
const shortNames: Readonly<Record<string, string>> = {
  "public-only": "public-only write:repository write:user",
};
/** Recorded user names that stand for a token with fewer scopes. */
const readers: Readonly<Record<string, string>> = { "mara-reader": "mara, read:repository" };

/** The token named by an exchange: `token of mara, read:user`. */
async function tokenFor(keys: Keys, auth: string): Promise<string> {
  const said = auth.replace(
    / \((?:scope )?([\w:-]+)(?: token)?\)$/,
    (_all, scopes: string) => `, ${shortNames[scopes] ?? scopes}`,
  );
  const [, who = "", rest = ""] = /\bof (?:admin )?([\w.-]+)((?:,? ?[\w:-]+)*)$/.exec(said) ?? [];
  const deleted = keys.tokens.get(`${who}, deleted`);
  if (/, deleted$/.test(auth) && deleted !== undefined) return deleted;
  const scopes = rest.split(/[ ,]+/).filter((word) => /^(all|public-only|(read|write):\w+)$/.test(word));
  const key = readers[who] ?? keyOf(who, scopes);
  const known = keys.tokens.get(key);
  if (known !== undefined) return known;
  const [user = "", wanted = "all"] = key.split(", ");
  const made = await keys.make(user, wanted.split(" "));
  keys.tokens.set(key, made);
  return made;
}

export function keyOf(user: string, scopes: readonly string[]): string {
  const some = scopes.filter((scope) => scope !== "all");
  return some.length === 0 ? user : `${user}, ${some.join(" ")}`;
}

/** The `Authorization` header of an exchange, derived from `auth` and, in special cases, from its label. */
export async function authorization({ auth, label }: Exchange, keys: Keys): Promise<string | undefined> {
  const password = (name: string) => keys.passwords.get(name.toLowerCase()) ?? "not-a-secret";
  if (auth === "none" || auth.startsWith("wrong token in the query")) return undefined;
  if (auth === "wrong token" || auth.endsWith("(wrong token)"))
    return `token ${label.includes("short") ? "abc" : label.includes("JWT") ? "a.b.c" : wrongToken}`;
  if (auth === "token without a value") return "token";
  if (auth === "header that is no scheme") return "Harbour x";
  if (auth === "basic with broken base64") return "Basic %%%";
  if (auth.startsWith("the bare token")) return tokenFor(keys, auth);
  const both = /^token in the query of \w+, header token (of .*)$/.exec(auth);
  if (both) return `token ${await tokenFor(keys, both[1] ?? "")}`;
  if (auth.startsWith("token in the query")) return undefined;
  if (auth.startsWith("basic")) return basicFor(auth, label, keys, password);
  const word = /header word (token|bearer)/i.exec(label)?.[1] ?? (auth.startsWith("bearer") ? "Bearer" : "token");
  return `${word} ${label.includes("three spaces") ? "  " : ""}${await tokenFor(keys, auth)}`;
}

async function basicFor(auth: string, label: string, keys: Keys, password: (name: string) => string): Promise<string> {
  if (auth.startsWith("basic, token as user name")) {
    return basic(await tokenFor(keys, auth), label.includes("x-oauth-basic") ? "x-oauth-basic" : "");
  }
  const other = /^basic (\w+), token (of \w+) as password$/.exec(auth);
  if (other) return basic(other[1] ?? "", await tokenFor(keys, other[2] ?? ""));
  const scoped = /^basic, token ?(.*) as password, of (\w+)$/.exec(auth);
  const scopes = scoped?.[1];
  if (scoped)
    return basic(
      scoped[2] ?? "",
      await tokenFor(keys, `of ${scoped[2]}${scopes ? `, ${shortNames[scopes] ?? scopes}` : ""}`),
    );
  const [name = ""] = auth.slice("basic ".length).split(" ");
  if (/^the old password no longer works/.test(label)) return basic(name, password(`${name}, before`));
  return basic(name, label.includes("wrong password") ? "wrong" : password(name));
}
