import type { TokenRecord } from "../state/records/accounts.ts";
import { Refusal } from "./reply.ts";

/** Scope categories in Gitea's order. */
export const categories = [
  "activitypub",
  "admin",
  "misc",
  "notification",
  "organization",
  "package",
  "issue",
  "repository",
  "user",
] as const;
export type Category = (typeof categories)[number];

/**
 * The scope categories a path requires. They are checked in order, a nested list as one group. The first matching row
 * applies (docs/server-differences.md, "Tokens and signing in").
 */
const needed: readonly (readonly [pattern: RegExp, ...categories: (Category | readonly Category[])[]])[] = [
  [/^\/admin(\/|$)/, "admin"],
  [/^\/user\/(starred|repos)(\/|$)/, "user", "repository"],
  [/^\/users\/[^/]+\/repos$/, "user", "repository"],
  [/^\/user\/orgs$|^\/users\/[^/]+\/orgs(\/|$)/, ["user", "organization"]],
  [/^\/users?(\/|$)/, "user"],
  [/^\/repos\/issues\/search$/, "issue"],
  [/^\/repos\/[^/]+\/[^/]+\/(issues|labels|milestones)(\/|$)/, "issue"],
  [/^\/repos\/[^/]+\/[^/]+\/notifications$|^\/notifications(\/|$)/, "notification"],
  [/^\/(repos|repositories|topics)(\/|$)/, "repository"],
  [/^\/orgs?\/[^/]+\/repos$/, "organization"],
  [/^\/orgs\/.|^\/teams(\/|$)/, "organization"],
  [/^\/packages(\/|$)/, "package"],
];

/** Paths not available to public-only tokens. */
const personal =
  /^\/user\/(settings|emails|keys|gpg_keys|hooks|actions|avatar|blocks|applications|gpg_key_token)(\/|$)|^\/notifications(\/|$)/;

/** Throws 403 if the scopes of a token do not cover a request. */
export function checkScopes(token: TokenRecord | undefined, method: string, path: string): void {
  if (token === undefined || token.scopes.includes("all")) return;
  const row = needed.find(([pattern]) => pattern.test(path));
  const [, ...required] = row ?? [/$/];
  if (method === "POST" && path === "/orgs") required.push("organization");
  for (const group of required) {
    requireScopes(
      token,
      [group].flat().map((category) => `${isRead(method) ? "read" : "write"}:${category}`),
    );
  }
  if (isPublicOnly(token) && (personal.test(path) || (method === "POST" && path === "/user/repos"))) {
    throw new Refusal(403, "this endpoint is not available for public-only tokens");
  }
}

function requireScopes(token: TokenRecord, scopes: readonly string[]): void {
  if (scopes.every((scope) => includesScope(token.scopes, scope))) return;
  const has = token.scopes.join(",");
  throw new Refusal(
    403,
    `token does not have at least one of required scope(s), required=[${scopes.join(" ")}], token scope=${has}`,
  );
}

/** Whether scopes include a scope: `all` includes everything, write includes read. */
export function includesScope(scopes: readonly string[], scope: string): boolean {
  return scopes.includes("all") || scopes.includes(scope) || scopes.includes(scope.replace(/^read:/, "write:"));
}

/** Whether a token is limited to public users and repositories. */
export function isPublicOnly(token: TokenRecord | undefined): boolean {
  return token?.scopes.includes("public-only") ?? false;
}

const isRead = (method: string) => method === "GET" || method === "HEAD";

/**
 * Normalizes scopes for storage: `write` replaces `read`, in the order of the categories. Returns the first unknown
 * scope instead, if any.
 */
export function normalizeScopes(
  scopes: readonly string[],
): { readonly scopes: string[] } | { readonly unknown: string } {
  const known = new Set(["all", "public-only", ...categories.flatMap((c) => [`read:${c}`, `write:${c}`])]);
  const unknownScope = scopes.find((scope) => !known.has(scope));
  if (unknownScope !== undefined) return { unknown: unknownScope };
  const limit = scopes.includes("public-only") ? ["public-only"] : [];
  if (scopes.includes("all")) return { scopes: [...limit, "all"] };
  const levels = categories.flatMap((category) => {
    const level = ["write", "read"].find((word) => scopes.includes(`${word}:${category}`));
    return level === undefined ? [] : [`${level}:${category}`];
  });
  return { scopes: [...limit, ...levels] };
}
