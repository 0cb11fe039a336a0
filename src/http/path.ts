import { UsageError } from "../failure/failure.ts";

/** A path below the server's API root, its parts escaped. Made by the `path` tag only. */
export type Path = string & { readonly escaped: unique symbol };

/**
 * Builds a path: each value is one segment and is percent-encoded, slashes included. Throws a usage error for what no
 * address can carry as a name (nothing, `.`, `..`): the request would mean something else.
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): Path {
  let built = parts[0] ?? "";
  values.forEach((value, index) => {
    const name = String(value);
    if (name === "") throw new UsageError("A name is empty");
    built += segment(name) + (parts[index + 1] ?? "");
  });
  return built as Path;
}

/** A path of several segments for the wildcard operations (`contents/*`, `branches/*`): slashes stay. */
export function wildcard(before: Path, rest: string): Path {
  return `${before}/${rest.split("/").map(segment).join("/")}` as Path;
}

function segment(name: string): string {
  if (name === "." || name === "..") throw new UsageError(`'${name}' is no name`);
  return encodeURIComponent(name);
}

/** A path that somebody typed for `tongs api`, taken as it is. */
export function typedPath(typed: string): Path {
  return (typed.startsWith("/") ? typed : `/${typed}`) as Path;
}

/** The path below the server's address. What begins with `/api/` (no operation does) stands beside `/api/v1` already. */
export function apiPath(path: Path): string {
  return path.startsWith("/api/") ? path : `/api/v1${path}`;
}

/** Query parameters; undefined ones are left out, arrays repeat the parameter. */
export type Query = Readonly<Record<string, QueryValue>>;
type QueryValue = string | number | boolean | undefined | readonly (string | number)[];

/** `?a=1&b=x`, or nothing. */
export function queryString(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(name, String(item));
  }
  const built = parameters.toString();
  return built === "" ? "" : `?${built}`;
}
