import type { Http } from "../http/client.ts";
import { type Since, undescribed } from "./generated/since.ts";
import type { Operation } from "./operation.ts";
import {
  availableSince,
  countedAs,
  hasOperation,
  isKnown,
  needsText,
  releaseOf,
  shapeOf,
  sinceOf,
  type Word,
} from "./support.ts";

/** What not all servers have: an operation, a field of its query or body, or, without an operation, a way to behave. */
export interface Asked {
  readonly since: Since;
  /** `GET /repos/{owner}/{repo}/labels`. */
  readonly operation?: string | undefined;
  readonly field?: string | undefined;
}

/**
 * Whether the server has something. Of a known release, the table of releases says so. Of any other one, and of what came with
 * the release that the server is built before, its own description does; without one, the newest known release does, and what
 * that lacks is `unknown`.
 */
export async function serverHas(http: Http, asked: Asked, version?: string): Promise<Word> {
  const said = version ?? (await http.version());
  const release = releaseOf(said ?? "");
  const word = release === undefined ? "unknown" : hasOperation(release, asked.since);
  const isSettled = release !== undefined && isKnown(release) && word !== "unknown";
  const { operation, field = "" } = asked;
  if (said === undefined || isSettled || operation === undefined) return word;
  const shape = shapeOf(operation);
  const described = undescribed.includes(shape) ? undefined : await http.described(said);
  if (described === undefined) return word;
  const fields = described[shape];
  return fields !== undefined && (field === "" || fields.includes(field.toLowerCase())) ? "yes" : "no";
}

/** What a server lacks, and how it is refused. */
export interface Lacking {
  readonly product: "gitea" | "forgejo" | undefined;
  /** `This needs Forgejo 16.0; git.example.org is 11.0`. */
  readonly message: string;
  readonly hint: string;
}

/** Why the server does not have `what`; undefined if it has it, or may have it. Before it lacks something, its version is asked for again. */
export async function lacks(
  http: Http,
  asked: Asked,
  { server, what = "This" }: { readonly server: string; readonly what?: string },
): Promise<Lacking | undefined> {
  if ((await serverHas(http, asked)) !== "no") return undefined;
  const version = await http.version({ fresh: true });
  if (version === undefined || (await serverHas(http, asked, version)) !== "no") return undefined;
  const release = releaseOf(version);
  const isOther = release !== undefined && asked.since[release.product] === "-";
  const isTold = release !== undefined && isKnown(release) && hasOperation(release, asked.since) === "no";
  const message =
    isTold || isOther
      ? needsText(release, asked.since, server, what)
      : `${what} is not available: ${server} (${version}) does not describe it`;
  return { product: release?.product, message, hint: availableSince(asked.since) };
}

/** Where it is known from what a server of a version has: `Gitea 1.26`; `its own description`. */
export async function knownFrom(http: Http, version: string): Promise<string | undefined> {
  const release = releaseOf(version);
  const counted = countedAs(version);
  if (release !== undefined && isKnown(release) && !release.isBefore) return counted;
  const isDescribed = (await http.described(version)) !== undefined;
  if (release === undefined || !isKnown(release)) return isDescribed ? "its own description" : counted;
  return isDescribed ? `${counted}, and its own description` : counted;
}

/**
 * Whether the server is known to read a parameter of an operation, which others ignore. A server that does not say its
 * version is not known to.
 */
export async function readsParameter(
  http: Http,
  { method, path }: Pick<Operation, "method" | "path">,
  name: string,
): Promise<boolean> {
  // Most lists are asked for without such a parameter.
  const { factsAt } = await import("./facts.ts");
  const parameter = factsAt(method, path)?.query[name];
  if (typeof parameter !== "object") return parameter !== undefined;
  return (await serverHas(http, { since: parameter, operation: `${method} ${path}`, field: name })) === "yes";
}

/** Whether the server is known to have an operation. */
export async function isKnownToHaveOperation(
  http: Http,
  { method, path }: Pick<Operation, "method" | "path">,
): Promise<boolean> {
  const operation = `${method} ${path}`;
  return (await serverHas(http, { since: sinceOf(operation) ?? {}, operation })) === "yes";
}

/** Whether the release of the server is known to have what came with `since`. */
export async function isKnownToHave(http: Http, since: Since): Promise<boolean> {
  return (await serverHas(http, { since })) === "yes";
}
