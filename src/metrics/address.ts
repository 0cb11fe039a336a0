import type { AddressInfo, Server } from "node:net";
import { Failure, UsageError } from "../failure/failure.ts";

/** A host and a port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** `127.0.0.1:50051`, `[::1]:50051`. */
export function addressText({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Parses `HOST:PORT`, with IPv6 addresses in brackets. Throws a usage error. */
export function readAddress(typed: string): Address {
  const parsed = partsOf(typed);
  if (parsed?.host === undefined || parsed.port === undefined) throw invalid(typed, "HOST:PORT");
  return { host: parsed.host, port: parsed.port };
}

/**
 * Parses an address to listen on. What is missing is taken from `standard`: `28829` and `:28829` are its host with another
 * port, `0.0.0.0` is another host with its port. Throws a usage error.
 */
export function readListenAddress(typed: string, standard: Address): Address {
  const parsed = partsOf(typed);
  if (parsed === undefined || (parsed.host === undefined && parsed.port === undefined))
    throw invalid(typed, "HOST:PORT, HOST or PORT");
  return { host: parsed.host ?? standard.host, port: parsed.port ?? standard.port };
}

function invalid(typed: string, expected: string): UsageError {
  return new UsageError(`Invalid address '${typed}': expected ${expected}`, "Example: 127.0.0.1:50051");
}

function partsOf(typed: string): { readonly host?: string; readonly port?: number } | undefined {
  const alone = /^:?(\d+)$/.exec(typed)?.[1];
  if (alone !== undefined) return Number(alone) > 65_535 ? undefined : { port: Number(alone) };
  const [, bracketed, name, port] = /^(?:\[([\da-fA-F:.%\w]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(typed) ?? [];
  const host = bracketed ?? name;
  if (host === undefined || Number(port ?? 0) > 65_535) return undefined;
  return port === undefined ? { host } : { host, port: Number(port) };
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "permission denied",
  EADDRNOTAVAIL: "not an address of this machine",
  EINVAL: "not an address of this machine",
  ENODEV: "no network interface for it",
  ENOTFOUND: "no such host",
};

/** The failure of a server that cannot listen. */
export function cannotListen(address: Address, error: NodeJS.ErrnoException): Failure {
  const { code = "unknown error" } = error;
  return new Failure("cannot_listen", `Cannot listen on ${addressText(address)}: ${reasons[code] ?? code}`);
}

/** Lets a server listen, and returns its port. Throws a `Failure` if it cannot. */
export async function listenOn(server: Server, address: Address): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(address, error)));
    server.listen(address.port, address.host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
