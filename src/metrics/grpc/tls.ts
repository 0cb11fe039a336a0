import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { diskFailure } from "../../failure/disk.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { fullPath, type Place } from "../../system/files.ts";

/** The TLS flags of a command; files are PEM. The names of collectd's options are in the help. */
export interface TlsFlags {
  readonly tls: boolean;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** PEM contents for a connection with TLS. */
export interface TlsFiles {
  readonly ca?: Buffer;
  /** The own certificate with its key. */
  readonly own?: { readonly cert: Buffer; readonly key: Buffer };
}

/** Reads the files; undefined without TLS. Throws a usage error for flags that do not fit, and a `Failure` for bad files. */
export function loadTls(system: Place, { tls, ca, cert, key }: TlsFlags): TlsFiles | undefined {
  if (!tls) {
    if (ca === undefined && cert === undefined && key === undefined) return undefined;
    throw new UsageError("--ca, --cert and --key require --tls");
  }
  if ((cert === undefined) !== (key === undefined)) throw new UsageError("--cert and --key must be used together");
  const files: TlsFiles = {
    ...(ca === undefined ? {} : { ca: read(system, ca) }),
    ...(cert === undefined || key === undefined ? {} : { own: { cert: read(system, cert), key: read(system, key) } }),
  };
  try {
    createSecureContext({ ca: files.ca, ...files.own });
  } catch (error) {
    const names = [ca, cert, key].filter((name) => name !== undefined).join(", ");
    throw new Failure("invalid_certificate", `Cannot use ${names}: ${reasonOf(error)}`, { cause: error });
  }
  return files;
}

function read(system: Place, file: string): Buffer {
  try {
    return readFileSync(fullPath(file, system));
  } catch (error) {
    throw diskFailure(error, file, { tried: "read" }) ?? error;
  }
}

function reasonOf(error: unknown): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code.includes("KEY_VALUES_MISMATCH")) return "the key does not belong to the certificate";
  return "not a PEM certificate with its key";
}

const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate authority is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate authority is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate authority is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate authority is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: "no client certificate was sent",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "a client certificate is required",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "the other side does not trust the certificate authority",
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: "the other side rejected the certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: "the other side rejected the certificate",
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: "no common TLS version or cipher, or no client certificate",
};

const closed = {
  server: "the server closed the TLS handshake; it may not use TLS",
  client: "the client closed the TLS handshake",
} as const;

/** Why a TLS handshake with the other side failed. */
export function tlsProblem(error: unknown, other: keyof typeof closed): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "ECONNRESET") return closed[other];
  return reasons[code] ?? `the TLS handshake failed (${code === "" ? "no reason given" : code})`;
}
