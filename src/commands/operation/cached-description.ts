import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { readDescription } from "../../forge/description.ts";
import { type DescribedOperation, operationsOf } from "../../forge/openapi/operations.ts";
import { cacheFolder } from "../../profiles/files.ts";
import { addressText } from "../../profiles/server.ts";
import { createFolders } from "../../system/files.ts";
import type { System } from "../../system/system.ts";
import { jsonText, parseJson } from "../../text/json.ts";
import { nearest } from "../../text/nearest.ts";
import { typedName } from "./build-request.ts";

const day = 86_400_000;

type Context = BaseContext & ServerContext;

/** The operations of the selected server, from the description that it publishes; read once a day. */
export async function describedOperations(context: Context): Promise<readonly DescribedOperation[]> {
  const cache = cacheOf(context);
  const kept = await readCache(cache, context.system);
  const prefix = context.server.base.pathname.replace(/\/+$/, "");
  const known = kept === undefined ? undefined : operationsOf(kept, prefix);
  if (known !== undefined) return known;
  const document = await readDescription(context.http);
  const operations = operationsOf(document, prefix) ?? [];
  writeCache(cache, { document, operations });
  return operations;
}

/** The operation with an ID. Throws a failure that names similar IDs. */
export async function describedOperation(id: string, context: Context): Promise<DescribedOperation> {
  const all = await describedOperations(context);
  const found = all.find((one) => one.id === id) ?? onlyOne(all, id);
  if (found !== undefined) return found;
  const ids = all.map((one) => one.id);
  const near = nearest(id, ids);
  throw new Failure("not_found", `Operation '${id}' not found on ${context.server.base.host}`, {
    hint: near.length > 0 ? `Did you mean: ${near.join(", ")}?` : "Run tongs operation list WORD to search.",
  });
}

/** IDs may be typed in any case, if that is not ambiguous. */
function onlyOne(all: readonly DescribedOperation[], id: string): DescribedOperation | undefined {
  const fitting = all.filter((one) => one.id.toLowerCase() === id.toLowerCase());
  return fitting.length === 1 ? fitting[0] : undefined;
}

interface Cache {
  readonly folder: string;
  /** The path of the files of a server, without the extension. */
  readonly file: string;
}

function operationsFolder({ env }: System): string {
  return join(cacheFolder(env), "operations");
}

/** The operations of all servers whose descriptions are in the cache, for completion; parameters are `NAME=`. */
export function keptOperations(system: System): { readonly id: string; readonly parameters: readonly string[] }[] {
  const folder = operationsFolder(system);
  if (!isPrivate(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".words"));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return lines.flatMap((line) => {
    const [id = "", ...parameters] = line.split(" ");
    return id === "" ? [] : [{ id, parameters }];
  });
}

function cacheOf({ system, server }: Context): Cache {
  const folder = operationsFolder(system);
  const key = createHash("sha256").update(addressText(server.base)).digest("hex").slice(0, 32);
  return { folder, file: join(folder, key) };
}

/** A description that is not older than a day. Anything else is read again from the server. */
async function readCache(cache: Cache, { now }: System): Promise<unknown> {
  try {
    if (!isPrivate(cache.folder)) return undefined;
    const age = now().getTime() - statSync(`${cache.file}.json`).mtimeMs;
    if (age > day || age < -day) return undefined;
    return await parseJson(readFileSync(`${cache.file}.json`, "utf8"));
  } catch {
    // Missing, unreadable or cut off.
    return undefined;
  }
}

/** Whether only the user can write to a folder. */
function isPrivate(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  const { uid } = userInfo();
  // On Windows there are no user IDs, and the folder is in the user's own.
  return uid < 0 || (found.uid === uid && (found.mode & 0o022) === 0);
}

/** Keeps a description. Without a place for it, the next command reads it again. */
function writeCache(
  { folder, file }: Cache,
  { document, operations }: { readonly document: unknown; readonly operations: readonly DescribedOperation[] },
): void {
  try {
    createFolders(join(folder, ".."), 0o700);
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
    if (!isPrivate(folder)) return;
    replaceFile(`${file}.json`, jsonText(document));
    replaceFile(`${file}.words`, completionWords(operations));
  } catch {
    // A cache that cannot be written is no reason to fail.
  }
}

function replaceFile(file: string, content: string): void {
  const part = `${file}.${randomBytes(8).toString("hex")}.part`;
  try {
    writeFileSync(part, content, { mode: 0o600, flag: "wx" });
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * What completion scripts read: for each operation a line with its ID and its parameters. Shells expand words before
 * they offer them, so that names with other characters are left out.
 */
function completionWords(operations: readonly DescribedOperation[]): string {
  const plain = (name: string) => /^[A-Za-z0-9_.-]{1,100}$/.test(name);
  const lines = operations.flatMap((operation) => {
    const { id, parameters, body } = operation;
    const fields = [...(body?.schema.fields.keys() ?? [])].map((field) => typedName(operation, field));
    const names = [...parameters.map((parameter) => parameter.name), ...fields].filter(plain);
    return plain(id) ? [`${[id, ...new Set(names.map((name) => `${name}=`))].join(" ")}\n`] : [];
  });
  return lines.join("");
}
