import {
  contentsGet,
  contentsPost,
  mediaFileGet,
  rawFileGet,
  rootGet,
  severalContentsGet,
} from "../../forge/contents.ts";
import { gitOrUndefined } from "../git/git.ts";
import { commitOf } from "../git/refs.ts";
import { type Entry, entriesOf, entryAt, readBlob } from "../git/trees.ts";
import { found, json, notFound, refuse, text } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { contentsJson, type ResolvedRef } from "../serializers/commits.ts";
import type { RepoAt } from "../site.ts";

const read = { repo: "code" } as const;
/** The maximum number of files in a response of `file-contents`. */
const most = 30;

/** Contents of files and folders. */
export const contents: Area = [
  route(rootGet, read, (call) => show(call, "")),
  route(contentsGet, read, (call) => show(call, trimmed(call.param("filepath")))),
  route(severalContentsGet, read, (call) => several(call, filesOf(call.query.get("body") ?? ""))),
  route(contentsPost, read, (call) => several(call, call.body.files)),
  route(rawFileGet, read, raw),
  route(mediaFileGet, read, raw),
];

const trimmed = (path: string) => path.replace(/^\/+|\/+$/g, "").replace(/^\.$/, "");
const missing = (id: string, path: string) => `object does not exist [id: ${id}, rel_path: ${path}]`;

/** Resolves `ref` (default: the default branch). Throws 404 if it does not exist. */
async function resolveRef({ site, repo }: RepoAt, ref: string): Promise<ResolvedRef> {
  const name = ref === "" ? repo.default_branch : ref;
  const kinds = [
    ["branch", "refs/heads/"],
    ["tag", "refs/tags/"],
    ["commit", ""],
  ] as const;
  for (const [kind, prefix] of name.startsWith("refs/") ? [] : kinds) {
    const commit = await commitOf({ site, repo }, prefix + name);
    if (commit !== undefined) return { commit, kind, ref: name };
  }
  return notFound(missing(name, ""));
}

async function lookUp(call: Call<typeof read>, path: string): Promise<{ place: ResolvedRef; entry: Entry }> {
  const place = await resolveRef(call, call.query.get("ref") ?? "");
  const entry = found(await entryAt(call, place.commit, path), missing("", path));
  return { place, entry };
}

async function show(call: Call<typeof read>, path: string) {
  const { repo } = call;
  const { place, entry } = await lookUp(call, path);
  if (entry.type === "dir") {
    const entries = await entriesOf(call, place.commit, path);
    return contentsJson(call, repo, place, path, entries, "listed");
  }
  const [one] = await contentsJson(call, repo, place, path, [entry]);
  return one;
}

function filesOf(body: string): readonly string[] {
  try {
    const { files } = JSON.parse(body) as { files?: unknown };
    if (Array.isArray(files)) return files.map(String);
  } catch {
    // Handled below, like a body without files.
  }
  return refuse(400, "invalid body parameter");
}

/** Responds with files by path; `null` for a path that does not exist. */
async function several(call: Call<typeof read>, paths: readonly string[]) {
  const { repo } = call;
  const place = await resolveRef(call, call.query.get("ref") ?? "");
  const files: unknown[] = [];
  for (const path of paths.slice(0, most)) {
    const entry = await entryAt(call, place.commit, trimmed(path));
    const [one] = entry ? await contentsJson(call, repo, place, path, [entry]) : [null];
    files.push(one);
  }
  return json(200, files);
}

async function raw(call: Call<typeof read>) {
  const { place, entry } = await lookUp(call, trimmed(call.param("filepath")));
  if (entry.type === "dir" || entry.type === "submodule") notFound();
  const bytes = await readBlob(call, entry.sha);
  const date = await gitOrUndefined(call, ["log", "-1", "--format=%cI", place.commit, "--", entry.path]);
  const isText = !bytes.includes(0);
  return text(200, bytes, isText ? "text/plain; charset=utf-8" : "application/octet-stream", {
    "Access-Control-Expose-Headers": "Content-Disposition",
    "Content-Disposition": `${isText ? "inline" : "attachment"}; filename=${encodeURIComponent(entry.name)}`,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    Etag: `"${entry.sha}"`,
    "Last-Modified": new Date(date ?? 0).toUTCString(),
    "X-Gitea-Object-Type": entry.type,
  });
}
