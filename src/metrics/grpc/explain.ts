import { connect, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { type TlsFiles, tlsProblem } from "./tls.ts";

const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host name cannot be resolved now",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  ETIMEDOUT: "connection timed out",
};

const waitForServer = 2000;
// A server that requires a client certificate says so after the handshake.
const waitForAlert = 300;

/** Connects once more, without gRPC, to find out why it failed: the network, the certificates, or TLS on one side only. */
export async function explain(host: string, port: number, tls: TlsFiles | undefined) {
  const network = await connects(host, port);
  if (network !== undefined) return { reason: networkReasons[network] ?? network };
  const failed = await handshake(host, port, tls);
  const speaksTls = failed === undefined || /ALERT|CERT|VERIFY|ISSUER/.test(failed.code ?? "");
  if (tls === undefined) {
    if (!speaksTls) return { reason: "the connection was closed" };
    return { reason: "the server uses TLS", hint: "Use --tls, and --ca FILE with its certificate authority." };
  }
  if (failed === undefined && tls.own === undefined) {
    const reason = "the server closed the connection; it may require a client certificate";
    return { reason, hint: "Use --cert FILE and --key FILE." };
  }
  if (failed === undefined) return { reason: "the connection was closed" };
  if (!speaksTls && failed.code !== "ECONNRESET") {
    return { reason: "the server does not use TLS", hint: "Omit --tls, or set EnableSSL in its configuration." };
  }
  return { reason: tlsProblem(failed, "server"), ...hintOf(failed.code ?? "") };
}

function hintOf(code: string): { readonly hint?: string } {
  if (code.includes("ALERT")) return { hint: "Use --cert FILE and --key FILE." };
  return /SIGNED|ISSUER|VERIFY/.test(code) ? { hint: "Use --ca FILE with its certificate authority." } : {};
}

/** Returns the code of the error; undefined if the server accepts connections. */
function connects(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: waitForServer });
    const end = (code?: string) => {
      socket.destroy();
      resolve(code);
    };
    socket.once("connect", () => end());
    socket.once("timeout", () => end("ETIMEDOUT"));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? "ETIMEDOUT"));
  });
}

function handshake(host: string, port: number, tls: TlsFiles | undefined): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const trust = { ca: tls?.ca, rejectUnauthorized: tls !== undefined };
    const socket = connectTls({ host, port, ...servername, ...trust, ...tls?.own, ALPNProtocols: ["h2"] });
    const timer = setTimeout(() => end(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })), waitForServer);
    const end = (error?: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(error);
    };
    let secured = false;
    socket.once("secureConnect", () => {
      secured = true;
      setTimeout(() => end(), waitForAlert);
    });
    // After the handshake, only an alert says why.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (!secured || error.code?.includes("ALERT")) end(error);
    });
  });
}
