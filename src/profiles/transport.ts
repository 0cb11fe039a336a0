import { openTransport } from "../http/connect.ts";
import { readAuthorities, readIdentity } from "../http/pem.ts";
import { proxyFor } from "../http/proxy-for.ts";
import type { Transport, TransportSettings } from "../http/transport.ts";
import type { System } from "../system/system.ts";
import type { Connection } from "./connection.ts";
import type { Server } from "./server.ts";

/**
 * The settings of the transport for a server: its proxy, its certificate authorities and its client certificate. Throws a
 * `Failure` if one of the files cannot be used.
 */
export function transportSettings(server: Pick<Server, "base"> & Connection, env: System["env"]): TransportSettings {
  const { ca, clientCert, clientKey, proxy, base } = server;
  return {
    proxy: (url) => proxyFor(url, env, proxy),
    ca: ca === undefined ? undefined : readAuthorities(ca, env),
    identity:
      clientCert === undefined
        ? undefined
        : { ...readIdentity(clientCert, clientKey ?? clientCert), origin: base.origin },
  };
}

/** Opens the transport for a server. Throws a `Failure` as `transportSettings` does. */
export function transportFor(server: Pick<Server, "base"> & Connection, env: System["env"]): Transport {
  return openTransport(transportSettings(server, env));
}
