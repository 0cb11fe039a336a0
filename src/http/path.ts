import { UsageError } from "../failure/failure.ts";
import { encodedName } from "../text/percent.ts";

/** An escaped path below the API root of the server. Created by the `path` tag. */
export type Path = string & { readonly escaped: unique symbol };

/**
 * Builds a path: each value is one percent-encoded segment, slashes included. Throws a usage error for an empty value,
 * `.` and `..`, which would change the path.
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): Path {
  let built = parts[0] ?? "";
  values.forEach((value, index) => {
    built += pathSegment(String(value)) + (parts[index + 1] ?? "");
  });
  return built as Path;
}

/** Begins a path outside the API: the second slash is that of the path. */
const webMark = "//";

/**
 * Appends a path of several segments, for wildcard operations (`contents/*`, `branches/*`): slashes are kept. Throws a usage
 * error as `path` does, but segments may be empty.
 */
export function wildcard(before: Path, rest: string): Path {
  return `${before}/${wildcardSegments(rest)}` as Path;
}

/** A value as one percent-encoded segment of a path. Throws a usage error for an empty value, `.` and `..`. */
export function pathSegment(value: string): string {
  return segment(requireName(value));
}

/** A value as several segments: its slashes are kept. Throws a usage error as `path` does. */
export function wildcardSegments(value: string): string {
  return requireName(value).split("/").map(segment).join("/");
}

function requireName(name: string): string {
  if (name === "") throw new UsageError("Name must not be empty");
  return name;
}

function segment(name: string): string {
  if (name === "." || name === "..") throw new UsageError(`'${name}' is not a valid name`);
  // A plus is a plus in a path, and servers find no wiki page by one that is escaped (docs/server-differences.md, "Wiki").
  return encodedName(name).replaceAll("%2B", "+");
}

/** A path given to `tongs api`, unchanged except for the leading slashes: one. */
export function typedPath(typed: string): Path {
  return `/${typed.replace(/^\/+/, "")}` as Path;
}

/** A path below the server's address that a description names in full, without adding `/api/v1`. */
export function describedPath(path: Path): Path {
  return path.startsWith("/api/") ? path : (`/${path}` as Path);
}

/** The path below the server's address: `/api/v1` is added unless the path begins with `/api/` or is a web page's. */
export function apiPath(path: Path): string {
  if (path.startsWith(webMark)) return path.slice(1);
  return path.startsWith("/api/") ? path : `/api/v1${path}`;
}

/** Query parameters. Undefined ones are omitted, arrays repeat the parameter. */
export type Query = Readonly<Record<string, QueryValue>>;
type QueryValue = string | number | boolean | undefined | readonly (string | number)[];

/** `?a=1&b=x`, or an empty string. */
export function queryString(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(name, String(item));
  }
  const built = parameters.toString();
  return built === "" ? "" : `?${built}`;
}
