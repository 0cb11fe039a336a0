import type { BaseContext, ServerContext } from "../../app/context.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Path, type Query, typedPath } from "../../http/path.ts";

/** Where a request goes: the path below the server's address, and the query that was typed with it. */
export interface Target {
  readonly path: Path;
  readonly query: Query;
}

/** Reads what was typed: a path, with or without `/api/v1` before it, or a full address on the server in force. */
export function readTarget(typed: string, base: URL): Target {
  const [place = "", query = ""] = split(relative(typed, base), "?");
  const path = typedPath(place.split("#", 1)[0] ?? "");
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) throw new UsageError(`'${typed}' climbs out of the API`);
  const parameters: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) parameters[name] = [...(parameters[name] ?? []), value];
  return { path, query: parameters };
}

function relative(typed: string, base: URL): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return typed;
  if (!URL.canParse(typed)) throw new UsageError(`'${typed}' is not an address`);
  const url = new URL(typed);
  const folder = base.pathname.replace(/\/+$/, "");
  const inside = url.pathname.startsWith(`${folder}/api/`);
  if (url.origin !== base.origin || !inside) {
    const hint = "The token goes to no other host. Choose another server with --host or --profile.";
    throw new UsageError(`'${url.origin}${url.pathname}' is not an API address of ${base.href}`, hint);
  }
  return url.pathname.slice(folder.length) + url.search;
}

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

/** Fills in `{owner}`, `{repo}` and `{branch}`; other braces stay. Nothing is asked when there are none. */
export async function fillIn(
  text: string,
  { locate, git }: Pick<BaseContext & ServerContext, "locate" | "git">,
  encode: (name: string) => string,
): Promise<string> {
  const names = new Set([...text.matchAll(/\{(owner|repo|branch)\}/g)].map((found) => found[1]));
  let filled = text;
  if (names.has("owner") || names.has("repo")) {
    const repo = await locate();
    filled = filled.replaceAll("{owner}", encode(repo.owner)).replaceAll("{repo}", encode(repo.name));
  }
  if (!names.has("branch")) return filled;
  const branch = await git.currentBranch();
  if (branch === undefined) throw new UsageError("No branch is checked out here to fill {branch} with");
  return filled.replaceAll("{branch}", encode(branch));
}
