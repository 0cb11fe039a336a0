import { readFileSync } from "node:fs";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { pull } from "../commands/pr/pulls.ts";

const folder = join(import.meta.dirname, "..", "data", "tls");

/** Certificate files. */
export const files = {
  ca: join(folder, "ca.pem"),
  otherCa: join(folder, "other-ca.pem"),
  expired: join(folder, "expired.pem"),
  elsewhere: join(folder, "elsewhere.pem"),
};

/** The certificate of the test authority. */
export const ca = readFileSync(files.ca, "utf8");

/** The server's certificate and key, for `localhost`, `forge.test` and `127.0.0.1`. */
export const identity = {
  cert: readFileSync(join(folder, "server.pem"), "utf8"),
  key: readFileSync(join(folder, "server.key"), "utf8"),
};

const key = readFileSync(join(folder, "self-signed.key"), "utf8");

/** A certificate that signed itself and expired in 2021. */
export const expiredIdentity = { cert: readFileSync(files.expired, "utf8"), key };

/** A certificate that signed itself, for another host name. */
export const elsewhereIdentity = { cert: readFileSync(files.elsewhere, "utf8"), key };

/** A TLS server that returns a pull request and records the server names and tokens of requests. */
export async function serveTls(shown = identity) {
  const names: (string | false | undefined)[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = https.createServer(shown, (request, response) => {
    const name = "servername" in request.socket ? (request.socket.servername as string | false) : undefined;
    names.push(name);
    authorizations.push(request.headers.authorization);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(pull(12, { title: "Secure" })));
  });
  const open = new Set<Socket>();
  server.on("tlsClientError", () => undefined);
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    names,
    authorizations,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
