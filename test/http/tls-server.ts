import { readFileSync } from "node:fs";
import type http from "node:http";
import https from "node:https";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { pull } from "../commands/pr/pulls.ts";
import { listen } from "../support/at-end.ts";

const folder = join(import.meta.dirname, "..", "data", "tls");

/** Certificate files. */
export const files = {
  ca: join(folder, "ca.pem"),
  otherCa: join(folder, "other-ca.pem"),
  expired: join(folder, "expired.pem"),
  elsewhere: join(folder, "elsewhere.pem"),
  /** A client certificate, signed by `clientCa`, and its key; both in one file; and a key of another certificate. */
  client: join(folder, "client.pem"),
  clientKey: join(folder, "client.key"),
  clientBoth: join(folder, "client-both.pem"),
  clientCa: join(folder, "client-ca.pem"),
  encryptedKey: join(folder, "client-encrypted.key"),
  otherKey: join(folder, "self-signed.key"),
};

/** The certificate of the test authority. */
export const ca = readFileSync(files.ca, "utf8");

/** The server's certificate and key, for `localhost`, `forge.test` and `127.0.0.1`. */
export const identity = {
  cert: readFileSync(join(folder, "server.pem"), "utf8"),
  key: readFileSync(join(folder, "server.key"), "utf8"),
};

const key = readFileSync(join(folder, "self-signed.key"), "utf8");

/** A server that accepts only clients with a certificate. */
export const demanding = {
  ...identity,
  ca: readFileSync(files.clientCa, "utf8"),
  requestCert: true,
  rejectUnauthorized: true,
};

/** A certificate that signed itself and expired in 2021. */
export const expiredIdentity = { cert: readFileSync(files.expired, "utf8"), key };

/** A certificate that signed itself, for another host name. */
export const elsewhereIdentity = { cert: readFileSync(files.elsewhere, "utf8"), key };

const passing: http.RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(pull(12, { title: "Secure" })));
};

/** A TLS server that returns a pull request and records the server names, tokens and client certificates of requests. */
export async function serveTls(shown: https.ServerOptions = identity, answer = passing) {
  const names: (string | false | undefined)[] = [];
  const authorizations: (string | undefined)[] = [];
  const clients: (string | undefined)[] = [];
  const server = https.createServer(shown, (request, response) => {
    const socket = request.socket as TLSSocket & { readonly servername?: string | false };
    names.push(socket.servername);
    authorizations.push(request.headers.authorization);
    clients.push([socket.getPeerCertificate()?.subject?.CN].flat()[0]);
    answer(request, response);
  });
  server.on("tlsClientError", () => undefined);
  const { port, close } = await listen(server);
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    names,
    authorizations,
    clients,
    close,
  };
}
