import type { System } from "../system/system.ts";
import { headerValues } from "./headers.ts";
import type { Profile } from "./profile.ts";
import type { Server } from "./server.ts";

/** How to connect to a server. */
export type Connection = Pick<Server, "ca" | "clientCert" | "clientKey" | "headers" | "proxy">;

/** How to connect to the server of a profile. */
export function connectionOf(
  { system }: { readonly system: Pick<System, "env"> },
  name: string,
  profile: Profile,
): Connection {
  return {
    ca: profile.ca,
    clientCert: profile.client_cert,
    clientKey: profile.client_key,
    headers: () => headerValues(profile.headers ?? {}, system.env, name),
    proxy: profile.proxy,
  };
}
