import { UsageError } from "../failure/failure.ts";

/**
 * The address of a path on the server of another address. A path such as `//example.org`, which a URL takes for another
 * host, stays there. Throws a usage error if the result is on another server, which would get the token.
 */
export function addressAt({ origin }: URL, path: string): URL {
  const address = new URL(`${origin}${path.startsWith("/") ? path : `/${path}`}`);
  if (address.origin === origin) return address;
  throw new UsageError(`'${path}' is not a path on ${origin}`);
}
