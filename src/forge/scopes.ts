/** The areas of token scopes (`read:issue`, `write:issue`) in Gitea's order. */
export const scopeAreas = [
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
export type ScopeArea = (typeof scopeAreas)[number];

/**
 * The areas that the scopes of a token must cover, by path. They are checked in order, a nested list as one group. The
 * first matching row applies (docs/server-differences.md, "Tokens and signing in").
 */
const needed: readonly (readonly [pattern: RegExp, ...areas: (ScopeArea | readonly ScopeArea[])[]])[] = [
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
  [/^\/activitypub(\/|$)/, "activitypub"],
];

/** The areas of the scopes that a request takes, by its path below /api/v1; none where any token will do. */
export function scopesOf(method: string, path: string): readonly (ScopeArea | readonly ScopeArea[])[] {
  const [, ...areas] = needed.find(([pattern]) => pattern.test(path)) ?? [/$/];
  return method === "POST" && path === "/orgs" ? [...areas, "organization"] : areas;
}

/** Paths that are not available to public-only tokens. */
const personal =
  /^\/user\/(settings|emails|keys|gpg_keys|hooks|actions|avatar|blocks|applications|gpg_key_token)(\/|$)|^\/notifications(\/|$)/;

/** Whether a request is refused to tokens that are limited to public users and repositories. */
export function isPersonal(method: string, path: string): boolean {
  return personal.test(path) || (method === "POST" && path === "/user/repos");
}
