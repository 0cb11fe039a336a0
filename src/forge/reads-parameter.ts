import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import type { Operation } from "./operation.ts";
import { aboutServer } from "./server.ts";
import { hasOperation, releaseOf } from "./support.ts";

/**
 * Whether the release of the server is known to read a parameter of an operation, which others ignore. Asks for the version;
 * a server that does not say it is not known to.
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
  const about = await aboutServer(http).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  const release = releaseOf(about?.version ?? "");
  return release !== undefined && hasOperation(release, parameter) === "yes";
}
