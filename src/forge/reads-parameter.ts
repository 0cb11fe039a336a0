import type { Http } from "../http/client.ts";
import type { Since } from "./generated/since.ts";
import type { Operation } from "./operation.ts";
import { hasOperation, releaseOf, sinceOf } from "./support.ts";

/**
 * Whether the release of the server is known to read a parameter of an operation, which others ignore. A server that does not
 * say its version is not known to.
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
  return isKnownToHave(http, parameter);
}

/** Whether the release of the server is known to have an operation. */
export const isKnownToHaveOperation = (http: Http, { method, path }: Pick<Operation, "method" | "path">) =>
  isKnownToHave(http, sinceOf(`${method} ${path}`) ?? {});

/** Whether the release of the server is known to have what came with `since`. */
export async function isKnownToHave(http: Http, since: Since): Promise<boolean> {
  const release = releaseOf((await http.version()) ?? "");
  return release !== undefined && hasOperation(release, since) === "yes";
}
