import type { IncomingMessage } from "node:http";
import type { Reply } from "./reply.ts";
import { text } from "./reply.ts";

const reads = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The response to a request that a web page of another site can make a browser send, if it is one: to a name that is not
 * the sandbox's own (DNS rebinding lets a page read the responses), or a write from another origin. Tokens and passwords
 * of the sandbox are public, so they do not keep such a page out. `root` is the sandbox's URL.
 */
export function refuseForeign({ method = "GET", headers }: IncomingMessage, root: string): Reply | undefined {
  const own = ownHosts(root);
  const host = headers.host?.toLowerCase() ?? "";
  if (!own.has(host)) return text(403, `The sandbox answers at ${root} only\n`);
  const { origin } = headers;
  if (origin === undefined || reads.has(method) || origin.toLowerCase() === `http://${host}`) return undefined;
  return text(403, "The sandbox takes no writes from web pages of other origins\n");
}

/** The values of `Host` for the address that the sandbox listens on, which is reached as `localhost`, too. */
function ownHosts(root: string): Set<string> {
  const { hostname, port } = new URL(root);
  const names = [hostname, "localhost", "127.0.0.1", "[::1]"];
  const withPort = names.map((name) => `${name}:${port || "80"}`);
  return new Set(port === "" ? [...names, ...withPort] : withPort);
}
