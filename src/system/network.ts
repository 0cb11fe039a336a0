import type { SecureContext } from "node:tls";

/** A certificate with its key, PEM, which shows a server who the client is. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * TLS settings that trust Node's certificate authorities and one more (PEM), and show a certificate to servers that ask for
 * one; empty without either.
 */
export function tlsSettings(
  authority: string | undefined,
  shown?: ClientCertificate,
): { readonly secureContext?: SecureContext } {
  if (authority === undefined && shown === undefined) return {};
  const tls = process.getBuiltinModule("node:tls");
  const trusted = "getCACertificates" in tls ? (tls.getCACertificates as () => string[])() : tls.rootCertificates;
  const ca = authority === undefined ? {} : { ca: [...trusted, authority] };
  return { secureContext: tls.createSecureContext({ ...ca, ...shown }) };
}

/** Whether a host is an IP address in a network (`10.0.0.0/8`, `fd00::/8`). False for host names and invalid networks. */
export function isInNetwork(host: string, network: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule("node:net");
  const [address = "", length = ""] = network.split("/");
  const family = isIP(address);
  if (family === 0 || family !== isIP(host) || !/^\d{1,3}$/.test(length)) return false;
  if (Number(length) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const type = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(address, Number(length), type);
  return list.check(host, type);
}
