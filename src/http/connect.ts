import type { Route, Transport } from "./transport.ts";

/** The transport for a route: Node's own client, or undici where a proxy stands between. */
export async function openTransport(route: Route): Promise<Transport> {
  const { proxy } = route;
  if (proxy === undefined) return (await import("./direct.ts")).directTransport(route);
  return (await import("./proxied.ts")).proxiedTransport({ ...route, proxy });
}
