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

interface Compiled {
  readonly route: Route;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly literal: number;
}

/** Creates a router. If several routes match, the most specific one wins. */
export function createRouter(routes: readonly Route[]): Router {
  const compiled = routes.map(compile).sort((one, other) => other.literal - one.literal);
  return (method, path) => {
    const asked = method === "HEAD" ? "GET" : method;
    const fitting = compiled.filter(({ pattern }) => pattern.test(path));
    for (const { route, pattern, names } of fitting) {
      if (route.method !== asked) continue;
      const values = pattern.exec(path)?.slice(1) ?? [];
      return { route, params: Object.fromEntries(names.map((name, at) => [name, decodeSegment(values[at] ?? "")])) };
    }
    if (fitting.length === 0) return undefined;
    const allow = [...new Set(fitting.map(({ route }) => route.method))].sort();
    return { allow };
  };
}

function compile(route: Route): Compiled {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const segments = route.path.split("/").slice(1);
  let count = 0;
  const source = segments.map((segment) => {
    const escaped = segment.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
    return escaped.replace(/\{\w+\}/g, () => (route.slashes && ++count === names.length ? "(.*?)" : "([^/]+)"));
  });
  const literal = segments.reduce((sum, segment) => sum + weightOf(segment), route.slashes ? -1 : 0);
  return { route, pattern: new RegExp(`^/${source.join("/")}/?$`), names, literal };
}

/** How specific a segment is: literal, literal with a parameter, parameter. */
function weightOf(segment: string): number {
  if (!segment.includes("{")) return 10;
  return /^\{\w+\}$/.test(segment) ? 1 : 5;
}

/** Percent-decodes a segment; an invalid one is returned as is. */
export function decodeSegment(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
