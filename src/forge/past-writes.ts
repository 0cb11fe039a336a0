import { json, nothing } from "../http/answers.ts";
import type { Http, SentWrite } from "../http/client.ts";
import { typedPath } from "../http/path.ts";
import { type MatchedOperation, operationAt, pathOf } from "./all-operations.ts";
import { factsAt } from "./facts.ts";
import { recordFacts } from "./generated/facts.ts";
import { collect } from "./listings.ts";
import { asAnswer, isPages } from "./operation.ts";
import { currentUserPath } from "./read-paths.ts";
import type { PastRequest, Reader, Undo, Write } from "./undo.ts";

/** Where the paths of the API are. */
export const api = "/api/v1";

/** The write that a request is, with its operation and how it is undone; undefined if no operation of tongs sends it. */
export function writeOf(
  { method, target, body }: SentWrite,
  user: string | null = null,
): { readonly write: Write; readonly sent: MatchedOperation; readonly undo: Undo } | undefined {
  const [path = "", query] = target.split("?", 2);
  const sent = operationAt(method, path.replace(api, ""));
  const undo = sent?.operation.undo;
  if (sent === undefined || undo === undefined) return undefined;
  const fields = Object.keys(recordFacts[factsAt(method, sent.path)?.body ?? ""]?.fields ?? {});
  const write: Write = {
    method,
    path,
    query: new URLSearchParams(query),
    body,
    user,
    parameters: sent.parameters,
    fields,
    names: sent.operation.applied?.names ?? {},
    at: (template, changes = {}) =>
      template === undefined && Object.keys(changes).length === 0 ? path : api + pathOf(sent, changes, template),
  };
  return { write, sent, undo };
}

/** Reads from the server, except what `known` has by its path, and who `user` is. */
export function readerOf(http: Http, user: string | null, known: ReadonlyMap<string, unknown> = new Map()): Reader {
  return {
    async record(path) {
      if (known.has(path)) return known.get(path);
      if (path === currentUserPath && user !== null) return { login: user };
      return (await http.send("GET", typedPath(path), { answers: { ...json(), optional: true } })).value;
    },
    async list(path) {
      const answers = operationAt("GET", path.replace(api, ""))?.operation.answers;
      const { envelope, unpaged = false } = answers !== undefined && isPages(answers) ? answers : {};
      return collect(http.list(typedPath(path), envelope === undefined ? { unpaged } : { unpaged, envelope }));
    },
  };
}

/** Sends the request that undoes a write. A record in its answer is kept in the journal: such an undo can be undone. */
export async function undoPast(http: Http, { method, path, body }: PastRequest): Promise<unknown> {
  const operation = operationAt(method, path.replace(/^\/api\/v1|\?.*$/g, ""))?.operation;
  const hasRecord = method !== "DELETE" && operation !== undefined && asAnswer(operation.answers).kind === "json";
  return (await http.send(method, typedPath(path), { body, answers: hasRecord ? json() : nothing })).value;
}
