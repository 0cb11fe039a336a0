import { setTimeout } from "node:timers/promises";
import { Server, ServerCredentials, type ServerReadableStream, type ServerWritableStream, status } from "@grpc/grpc-js";
import type { Address } from "../address.ts";
import { QueryValuesRequest } from "../generated/collectd/collectd.ts";
import { decodeReading, type Reading } from "../reading/codec.ts";
import { identityParts } from "../reading/identity.ts";
import { WireFault } from "../wire/fields.ts";
import { unwrap } from "../wire/unwrap.ts";
import { type Front, type FrontOptions, startFront } from "./front.ts";
import { createReadingCache } from "./reading-cache.ts";
import { type QueryPatterns, rejectionReason, service, wrap } from "./service.ts";

/** A running server. */
export interface Endpoint {
  readonly port: number;
  /** Waits up to a second for running calls, longer if this process is busy. */
  readonly close: () => Promise<void>;
}

/** How the server runs. */
export interface EndpointOptions extends Pick<FrontOptions, "tls" | "verifyPeer"> {
  /**
   * A text that this returns says why the reading cannot be taken now: the sender gets it as UNAVAILABLE. The sender waits
   * for a promise, which must not be rejected.
   */
  readonly onReading: (encoded: Uint8Array, reading: Reading) => unknown;
  /** Called before a call is answered with OK, and returns why it cannot be, as `onReading`. */
  readonly onCallEnd?: () => string | undefined;
  /** Called with why a connection was refused. */
  readonly onRefused?: FrontOptions["onRefused"];
  readonly now?: () => Date;
}

/**
 * Starts `collectd.Collectd` (port 0 picks a free port). Calls `onReading` with the bytes as sent. Accepts strings that are
 * not UTF-8, because collectd sends them. Rejects what collectd rejects, with the same messages, and also invalid messages,
 * which collectd silently drops.
 */
export async function startEndpoint(address: Address, options: EndpointOptions): Promise<Endpoint> {
  const { onReading, onCallEnd, onRefused = () => {}, now = () => new Date(), tls, verifyPeer } = options;
  const cache = createReadingCache({ now });

  /** Returns the error that ends the call, or a promise to wait for. */
  function receive(request: Buffer): CallError | Promise<unknown> | undefined {
    try {
      const inner = unwrap(request, 0, request.length);
      if (inner === undefined) return invalid(rejectionReason(decodeReading(request, 0, 0, { lenient: true })));
      const encoded = inner.from.slice(inner.start, inner.end);
      const reading = decodeReading(encoded, 0, encoded.length, { lenient: true });
      const rejection = rejectionReason(reading);
      if (rejection !== undefined) return invalid(rejection);
      const taken = onReading(encoded, reading);
      if (typeof taken === "string") return unavailable(taken);
      cache.keep(reading, encoded);
      return taken instanceof Promise ? taken : undefined;
    } catch (error) {
      if (error instanceof WireFault) return invalid(`byte ${error.at}: ${error.message}`);
      throw error;
    }
  }

  const server = new Server({ "grpc.max_receive_message_length": 16 * 1024 * 1024 });
  server.addService(service, {
    PutValues: (call: ServerReadableStream<Buffer, Buffer>, answer: (error: object | null, value?: Buffer) => void) => {
      let failed = false;
      call.on("data", (request: Buffer) => {
        if (failed) return;
        const result = receive(request);
        if (result === undefined) return;
        if (result instanceof Promise) {
          call.pause();
          void result.then(() => call.resume());
          return;
        }
        failed = true;
        answer(result);
      });
      call.on("end", () => {
        if (failed) return;
        const problem = onCallEnd?.();
        if (problem === undefined) answer(null, Buffer.alloc(0));
        else answer(unavailable(problem));
      });
    },
    QueryValues: (call: ServerWritableStream<Buffer, Buffer>) => {
      const patterns = readPatterns(call.request);
      if (patterns === undefined) {
        call.emit("error", { code: status.INVALID_ARGUMENT, details: "the request is not a valid QueryValuesRequest" });
        return;
      }
      for (const encoded of cache.query(patterns)) call.write(wrap(encoded));
      call.end();
    },
  });
  // The library listens on no address of its own: a TLS handshake has its own server.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const front = await startFront(address, {
    ...(tls === undefined ? {} : { tls, verifyPeer: verifyPeer ?? false }),
    onRefused,
    onConnection: (socket) => injector.injectConnection(socket),
  });
  return { port: front.port, close: () => close(server, front) };
}

interface CallError {
  readonly code: status;
  readonly details: string;
}

function unavailable(details: string): CallError {
  return { code: status.UNAVAILABLE, details };
}

function invalid(details: string | undefined): CallError | undefined {
  return details === undefined ? undefined : { code: status.INVALID_ARGUMENT, details };
}

// Far more than the 128 bytes that a name has in collectd.
const maxPattern = 1024;

function readPatterns(request: Buffer): QueryPatterns | undefined {
  try {
    const { identifier } = QueryValuesRequest.decode(request);
    if (identifier !== undefined && identityParts.some((part) => identifier[part].length > maxPattern))
      return undefined;
    return identifier ?? { host: "", plugin: "", plugin_instance: "", type: "", type_instance: "" };
  } catch {
    return undefined;
  }
}

const [steps, stepMilliseconds] = [20, 50];

/**
 * Ends when the connections have: on Node 24, the library says that its sessions are closed before their calls are answered.
 * Time is counted in steps, between which a busy process answers.
 */
async function close(server: Server, front: Front): Promise<void> {
  front.stop();
  server.tryShutdown(() => {});
  for (let step = 0; step < steps && front.isBusy(); step += 1) await setTimeout(stepMilliseconds);
  if (front.isBusy()) server.forceShutdown();
  front.destroy();
}
