import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The paths of a certificate and its key. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** An authority, and certificates of it for 127.0.0.1. */
export interface Certificates {
  readonly ca: string;
  readonly server: Pair;
  readonly client: Pair;
}

/** Makes certificates in a folder that are valid for a day; undefined without the openssl program. */
export function makeCertificates(folder: string): Certificates | undefined {
  const path = (name: string) => join(folder, name);
  const openssl = (...words: readonly string[]) => spawnSync("openssl", words, { cwd: folder }).status === 0;
  writeFileSync(path("names"), "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const authority = [
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=test",
    "-days",
    "1",
  ];
  if (!openssl(...authority)) return undefined;
  const pair = (name: string): Pair => {
    const request = ["req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`];
    const signed = ["x509", "-req", "-in", `${name}.csr`, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
    const made = openssl(...request) && openssl(...signed, "-extfile", "names", "-days", "1", "-out", `${name}.pem`);
    if (!made) throw new Error(`openssl could not make the certificate of ${name}`);
    return { cert: path(`${name}.pem`), key: path(`${name}.key`) };
  };
  return { ca: path("ca.pem"), server: pair("server"), client: pair("client") };
}
