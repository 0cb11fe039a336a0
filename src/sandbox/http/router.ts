import type { Route } from "./route.ts";

/** A matching route with its path parameters. */
export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the route for a method and a path. Returns the allowed methods if only the method differs, and undefined if
 * nothing matches.
 */
export type Router = (method: string, path: string) => Match | { readonly allow: readonly string[] } | undefined;

/** Creates a router. If several routes match, the most specific one wins. */
export function createRouter(routes: readonly Route[]): Router {
  const compiled = routes.map(compile).sort((one, other) => other.literal - one.literal);
  return (method, path) => {
    const asked = method === "HEAD" ? "GET" : method;
    const fitting = compiled.filter(({ pattern }) => pattern.test(path));
    const match = fitting.find(({ route }) => route.method === asked);
    if (match !== undefined) {
      const values = match.pattern.exec(path)?.slice(1) ?? [];
      const params = match.names.map((name, at) => [name, decodeSegment(values[at] ?? "")]);
      return { route: match.route, params: Object.fromEntries(params) };
    }
    const allow = [...new Set(fitting.map(({ route }) => route.method))].sort();
    return fitting.length === 0 ? undefined : { allow };
  };
}

function compile(route: Route) {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  let count = 0;
  const source = route.path
    .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace(/\{\w+\}/g, () => (route.slashes && ++count === names.length ? "(.*?)" : "([^/]+)"));
  // How specific a segment is: literal, literal with a parameter, parameter.
  const weight = (segment: string) => (!segment.includes("{") ? 10 : /^\{\w+\}$/.test(segment) ? 1 : 5);
  const segments = route.path.split("/").slice(1);
  const literal = segments.reduce((sum, segment) => sum + weight(segment), route.slashes ? -1 : 0);
  return { route, pattern: new RegExp(`^${source}/?$`), names, literal };
}

/** Percent-decodes a segment; an invalid one is returned as is. */
export function decodeSegment(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
