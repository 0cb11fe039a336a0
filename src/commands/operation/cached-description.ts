import { cacheName, openCache } from "../../app/cache.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { operationWords } from "../../app/operation-words.ts";
import { Failure } from "../../failure/failure.ts";
import { readDescription } from "../../forge/description.ts";
import { type DescribedOperation, operationsOf } from "../../forge/openapi/operations.ts";
import { addressText } from "../../profiles/server.ts";
import { jsonText, parseJson } from "../../text/json.ts";
import { nearest } from "../../text/nearest.ts";
import { typedName } from "./build-request.ts";

const day = 86_400_000;

type Context = BaseContext & ServerContext;

/** The operations of the selected server, from the description that it publishes; read once a day. */
export async function describedOperations(context: Context): Promise<readonly DescribedOperation[]> {
  const cache = openCache(context.system, "operations", day);
  const name = cacheName(addressText(context.server.base));
  const kept = await keptDescription(cache.read(name));
  const prefix = context.server.base.pathname.replace(/\/+$/, "");
  const known = kept === undefined ? undefined : operationsOf(kept, prefix);
  if (known !== undefined) return known;
  const document = await readDescription(context.http);
  const operations = operationsOf(document, prefix) ?? [];
  cache.write(name, jsonText(document));
  operationWords(context.system).write(name, completionWords(operations));
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

/** A description that is kept. Anything else is read again from the server. */
async function keptDescription(text: string | undefined): Promise<unknown> {
  try {
    return text === undefined ? undefined : await parseJson(text);
  } catch {
    // Cut off.
    return undefined;
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
