import { readFileSync } from "node:fs";
import { reasonOf } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import type { ClientCertificate } from "../system/network.ts";
import { utf8Text } from "../text/utf8.ts";

/**
 * The certificate authorities in a file (PEM), and those of NODE_EXTRA_CA_CERTS: Node drops the latter as soon as it is
 * given any. Throws a `Failure` if the file cannot be read or contains no certificate.
 */
export function readAuthorities(file: string, env: Readonly<Record<string, string | undefined>>): string {
  const content = read(file, "CA file");
  const unusable = unusableWith("Use a PEM file (-----BEGIN CERTIFICATE-----).");
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  const certificates =
    content.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END [A-Z0-9 ]+-----/g) ?? [];
  if (certificates.length === 0) throw unusable(`${file} contains no certificate`);
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw unusable(`${file} contains a certificate that is not valid`, error);
    }
  }
  const extra = env["NODE_EXTRA_CA_CERTS"];
  return extra === undefined || extra === "" ? content : `${content}\n${extraAuthorities(extra)}`;
}

/** Node warns of a file that cannot be read and ignores it; so does this. */
function extraAuthorities(file: string): string {
  try {
    return utf8Text(readFileSync(file));
  } catch {
    return "";
  }
}

/**
 * Reads a client certificate (PEM, with intermediate certificates if any) and its key, which may be in the same file. Throws
 * a `Failure` if a file cannot be read, has no certificate or key, or the key is encrypted or belongs to another
 * certificate. The message never contains the content of a file.
 */
export function readIdentity(certFile: string, keyFile: string): ClientCertificate {
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  const cert = read(certFile, "client certificate");
  const key = read(keyFile, "client key");
  const unusable = unusableWith("Set PEM files: tongs profile set NAME client_cert FILE, and client_key FILE.");
  if (!cert.includes("-----BEGIN CERTIFICATE-----")) throw unusable(`${certFile} contains no certificate`);
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key)) throw unusable(`${keyFile} contains no private key`);
  if (/ENCRYPTED/.test(key)) {
    const hint = `To decrypt it into a file that only you can read, run: umask 077; openssl pkey -in ${keyFile} -out FILE`;
    throw new Failure("config", `The private key in ${keyFile} is encrypted`, { hint });
  }
  let matches: boolean;
  try {
    matches = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw unusable(`${certFile} or ${keyFile} is not valid`, error);
  }
  if (!matches) throw unusable(`The private key in ${keyFile} does not belong to the certificate in ${certFile}`);
  return { cert, key };
}

function read(file: string, what: string): string {
  try {
    return utf8Text(readFileSync(file));
  } catch (error) {
    throw new Failure("config", `Could not read the ${what} ${file}: ${reasonOf(error)}`, { cause: error });
  }
}

function unusableWith(hint: string): (message: string, cause?: unknown) => Failure {
  return (message, cause) => new Failure("config", message, { hint, cause });
}
