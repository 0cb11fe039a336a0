import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from "node:tls";
import { aborted } from "node:util";
import { Failure } from "../../failure/failure.ts";
import { readAuthorities, readIdentity } from "../../http/pem.ts";
import type { Server } from "../../profiles/server.ts";
import type { System } from "../../system/system.ts";
import { type Finding, note, ok } from "./finding.ts";

/** How long each step may take, in milliseconds. */
const limit = 5000;

/** From this many days before its end, a certificate is noted. */
const soon = 21;

/** A host and a port. */
interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Checks the way to the server step by step: its name, the connection, and the certificate with its dates and chain. A step
 * that fails is the last. Whether that is a problem shows the request that follows.
 */
export async function checkNetwork(server: Server, { env, now, signal }: System): Promise<Finding[]> {
  const secure = server.base.protocol === "https:";
  const place = placeOf(server.base);
  const { host, port } = place;
  const way = await checkWay(place, signal, {
    name: `Check the name: tongs profile show. Then ask your resolver: nslookup ${host}`,
    port: `Check that the server runs, and that no firewall blocks port ${port}.`,
  });
  if (!way.isOpen || !secure) return way.findings;
  try {
    const { clientCert, clientKey } = server;
    const ca = server.ca === undefined ? undefined : readAuthorities(server.ca, env);
    const shown = clientCert === undefined ? {} : readIdentity(clientCert, clientKey ?? clientCert);
    const name = isIP(host) === 0 ? { servername: host } : {};
    // Certificates that are not trusted are reported; nothing is sent.
    const trust = { rejectUnauthorized: false, ...(ca === undefined ? {} : { ca }) };
    const encrypted = connectTls({ ...place, ...name, ...trust, ...shown });
    await opened(encrypted, "secureConnect", signal);
    const found = certificateFindings(encrypted, server, now());
    encrypted.destroy();
    return [...way.findings, ...found];
  } catch (error) {
    if (signal.aborted) throw error;
    const fix = "Check that the port is that of an HTTPS server.";
    return [...way.findings, note("TLS", `no TLS connection: ${reasonOf(error)}`, fix)];
  }
}

/** Checks the way to a proxy: its name and the connection. The request that follows goes through it. */
export async function checkProxyNetwork(proxy: URL, { signal }: Pick<System, "signal">): Promise<Finding[]> {
  const place = placeOf(proxy);
  const { findings } = await checkWay(place, signal, {
    name: `Check the address of the proxy. Then ask your resolver: nslookup ${place.host}`,
    port: `Check that the proxy runs, and that no firewall blocks port ${place.port}.`,
  });
  return findings.map((finding) => ({ ...finding, check: `${finding.check} of the proxy` }));
}

function placeOf({ protocol, hostname, port }: URL): Place {
  const host = hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(port || (protocol === "https:" ? 443 : 80)) };
}

/** Looks a name up and connects; `fixes` says what to do if that fails. */
async function checkWay(
  { host, port }: Place,
  signal: AbortSignal,
  fixes: { readonly name: string; readonly port: string },
): Promise<{ readonly findings: Finding[]; readonly isOpen: boolean }> {
  const findings: Finding[] = [];
  let step: "DNS" | "TCP" = "DNS";
  try {
    if (isIP(host) === 0) {
      const found = await within(lookup(host, { all: true }), signal);
      findings.push(ok(step, `${host} is ${found.map(({ address }) => address).join(", ")}`));
    }
    step = "TCP";
    const socket = connect({ host, port });
    await opened(socket, "connect", signal);
    socket.destroy();
    findings.push(ok(step, `port ${port} of ${host} is open`));
    return { findings, isOpen: true };
  } catch (error) {
    if (signal.aborted) throw error;
    const [what, fix] = step === "DNS" ? [host, fixes.name] : [`port ${port} of ${host}`, fixes.port];
    findings.push(
      note(step, `${what} ${step === "DNS" ? "was not found" : "cannot be reached"}: ${reasonOf(error)}`, fix),
    );
    return { findings, isOpen: false };
  }
}

/** The code of an error of the system, or the message of a failure. */
function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

function certificateFindings(socket: TLSSocket, { profile = "NAME" }: Server, now: Date): Finding[] {
  const certificate = socket.getPeerCertificate(true);
  const until = new Date(certificate.valid_to);
  const from = new Date(certificate.valid_from);
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const dates = `valid from ${day(from)} to ${day(until)}`;
  const left = Math.floor((until.getTime() - now.getTime()) / 86_400_000);
  const ask = "Ask the administrator of the server to renew it.";
  const clock = "Check the clock of this machine.";
  const chain = ok("certificate chain", chainOf(certificate).join(" ← "));
  if (!socket.authorized) {
    const trust = `If you trust its authority, run: tongs profile set ${profile} ca FILE`;
    const code = String(socket.authorizationError);
    const reason = until < now ? `it has expired (${code})` : code;
    const fix = until < now ? ask : code === "CERT_NOT_YET_VALID" ? clock : trust;
    return [note("TLS", `the certificate is not accepted: ${reason}; ${dates}`, fix), chain];
  }
  if (left < soon)
    return [note("TLS", `the certificate expires in ${left} ${left === 1 ? "day" : "days"}; ${dates}`, ask)];
  return [ok("TLS", `${socket.getProtocol() ?? "TLS"}, certificate ${dates}`), chain];
}

/** The subjects of a certificate and its issuers. The last one is its own issuer. */
function chainOf(certificate: DetailedPeerCertificate): string[] {
  const names: string[] = [];
  const seen = new Set<string>();
  let at: DetailedPeerCertificate | undefined = certificate;
  while (at?.fingerprint256 !== undefined && !seen.has(at.fingerprint256)) {
    seen.add(at.fingerprint256);
    const { CN, O } = at.subject;
    names.push([CN ?? O ?? "(no name)"].flat().join(", "));
    at = at.issuerCertificate;
  }
  return names;
}

async function opened(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<void> {
  await within(once(socket, event), signal).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

/** Rejects when the time is up, or on Ctrl-C. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = aborted(AbortSignal.any([signal, AbortSignal.timeout(limit)]), work).then(() => {
    throw signal.aborted ? signal.reason : new Error(`no response in ${limit / 1000} s`);
  });
  return Promise.race([work, ended]);
}
