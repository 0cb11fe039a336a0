import { readFileSync } from "node:fs";
import { reasonOf } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import { utf8Text } from "../text/utf8.ts";

/**
 * The certificate authorities in a file (PEM), and those of NODE_EXTRA_CA_CERTS: Node drops the latter as soon as it is
 * given any. Throws a `Failure` if the file cannot be read or contains no certificate.
 */
export function readAuthorities(file: string, env: Readonly<Record<string, string | undefined>>): string {
  const content = read(file);
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  const certificates = certificatesIn(content);
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

/** The PEM blocks of the certificates in a text. */
function certificatesIn(text: string): string[] {
  return text.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END [A-Z0-9 ]+-----/g) ?? [];
}

function read(file: string): string {
  try {
    return utf8Text(readFileSync(file));
  } catch (error) {
    throw new Failure("config", `Could not read the CA file ${file}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Node warns of a file that cannot be read and ignores it; so does this. */
function extraAuthorities(file: string): string {
  try {
    return utf8Text(readFileSync(file));
  } catch {
    return "";
  }
}

function unusable(message: string, cause?: unknown): Failure {
  const hint = "Use a PEM file (-----BEGIN CERTIFICATE-----).";
  return new Failure("config", message, { hint, cause });
}
