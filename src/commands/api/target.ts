import type { BaseContext, ServerContext } from "../../app/context.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Path, type Query, typedPath } from "../../http/path.ts";

/** The path of a request below the server's address, and the query parameters that were part of it. */
export interface Target {
  readonly path: Path;
  readonly query: Query;
}

/**
 * Parses the argument: a path with or without `/api/v1`, or a full URL on the selected server. Throws a usage error for
 * a URL on another server and for a path that leaves the API.
 */
export function parseTarget(typed: string, base: URL): Target {
  const [beforeQuery = "", query = ""] = split(relativePath(typed, base), "?");
  const path = typedPath(beforeQuery.split("#", 1)[0] ?? "");
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) {
    throw new UsageError(`Invalid path '${typed}': it must not contain '.' or '..' as a segment`);
  }
  // In a URL a backslash is a slash, and tabs and line ends are dropped.
  if (/[\\\p{Cc}]/u.test(path)) {
    throw new UsageError(
      `Invalid path '${typed}': it must not contain backslashes or control characters`,
      "Percent-encode them: %5C is a backslash.",
    );
  }
  const parameters: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) parameters[name] = [...(parameters[name] ?? []), value];
  return { path, query: parameters };
}

/** The path below the server's address; the path of a full URL, or the text as it is. */
function relativePath(typed: string, base: URL): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return typed;
  if (!URL.canParse(typed)) throw new UsageError(`'${typed}' is not a valid URL`);
  const url = new URL(typed);
  const prefix = base.pathname.replace(/\/+$/, "");
  const isApi = url.pathname.startsWith(`${prefix}/api/`);
  if (url.origin !== base.origin || !isApi) {
    const hint = "The token is only sent to its own server. Select another server with --host or --profile.";
    throw new UsageError(`'${url.origin}${url.pathname}' is not an API address of ${base.href}`, hint);
  }
  return url.pathname.slice(prefix.length) + url.search;
}

function split(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

/**
 * Replaces `{owner}`, `{repo}` and `{branch}` with the current repository and branch; other braces are kept. The
 * repository is only looked up when needed. Throws a usage error when no branch is checked out.
 */
export async function fillPlaceholders(
  text: string,
  { locate, git }: Pick<BaseContext & ServerContext, "locate" | "git">,
  encode: (name: string) => string,
): Promise<string> {
  const names = new Set([...text.matchAll(/\{(owner|repo|branch)\}/g)].map((match) => match[1]));
  let filled = text;
  if (names.has("owner") || names.has("repo")) {
    const repo = await locate();
    filled = filled.replaceAll("{owner}", encode(repo.owner)).replaceAll("{repo}", encode(repo.name));
  }
  if (!names.has("branch")) return filled;
  const branch = await git.currentBranch();
  if (branch === undefined) throw new UsageError("Could not replace {branch}: no branch is checked out");
  return filled.replaceAll("{branch}", encode(branch));
}
