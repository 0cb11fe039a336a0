import { isPersonal, scopeAreas, scopesOf } from "../../forge/scopes.ts";
import type { TokenRecord } from "../state/records/accounts.ts";
import { refuse } from "./reply.ts";

/** Throws 403 if the scopes of a token do not cover a request. */
export function checkScopes(token: TokenRecord | undefined, method: string, path: string): void {
  if (token === undefined || token.scopes.includes("all")) return;
  const access = method === "GET" || method === "HEAD" ? "read" : "write";
  for (const group of scopesOf(method, path)) {
    const scopes = [group].flat().map((area) => `${access}:${area}`);
    if (scopes.every((scope) => includesScope(token.scopes, scope))) continue;
    const words = `required=[${scopes.join(" ")}], token scope=${token.scopes.join(",")}`;
    refuse(403, `token does not have at least one of required scope(s), ${words}`);
  }
  if (isPublicOnly(token) && isPersonal(method, path))
    refuse(403, "this endpoint is not available for public-only tokens");
}

/** Whether scopes include a scope: `all` includes everything, write includes read. */
export function includesScope(scopes: readonly string[], scope: string): boolean {
  return scopes.includes("all") || scopes.includes(scope) || scopes.includes(scope.replace(/^read:/, "write:"));
}

/** Whether a token is limited to public users and repositories. */
export function isPublicOnly(token: TokenRecord | undefined): boolean {
  return token?.scopes.includes("public-only") ?? false;
}

/**
 * Normalizes scopes for storage: `write` replaces `read`, in the order of the areas. Returns the first unknown
 * scope instead, if any.
 */
export function normalizeScopes(
  scopes: readonly string[],
): { readonly scopes: string[] } | { readonly unknown: string } {
  const known = new Set(["all", "public-only", ...scopeAreas.flatMap((area) => [`read:${area}`, `write:${area}`])]);
  const unknownScope = scopes.find((scope) => !known.has(scope));
  if (unknownScope !== undefined) return { unknown: unknownScope };
  const limit = scopes.includes("public-only") ? ["public-only"] : [];
  if (scopes.includes("all")) return { scopes: [...limit, "all"] };
  const levels = scopeAreas.flatMap((area) => {
    const level = ["write", "read"].find((word) => scopes.includes(`${word}:${area}`));
    return level === undefined ? [] : [`${level}:${area}`];
  });
  return { scopes: [...limit, ...levels] };
}
