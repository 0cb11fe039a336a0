import { setTimeout } from "node:timers/promises";
import { Server, ServerCredentials, type ServerReadableStream, type ServerWritableStream, status } from "@grpc/grpc-js";
import type { Address } from "../address.ts";
import { QueryValuesRequest } from "../generated/collectd/collectd.ts";
import { identityParts } from "../reading/identity.ts";
import type { Call } from "../recorder/recorder.ts";
import { type FrontOptions, startFront } from "./front.ts";
import { createReceiver, type Refusal, type Taker } from "./receive.ts";
import { type QueryPatterns, service, wrap } from "./service.ts";

/** How the server runs. */
export interface EndpointOptions extends Taker, Pick<FrontOptions, "tls" | "verifyPeer"> {
  readonly onRefused?: FrontOptions["onRefused"];
  /** The encoded readings that `QueryValues` answers with. */
  readonly query?: (patterns: QueryPatterns) => readonly Uint8Array[];
  /** How many calls may be under way; further ones get UNAVAILABLE. */
  readonly mostCalls?: number;
}

// collectd has one call under way for each of its threads.
const mostOfConnection = 1000;
const usualMostCalls = 20_000;

/** A running server. `close` waits up to a second for running calls, longer if this process is busy. */
export type Endpoint = Awaited<ReturnType<typeof startEndpoint>>;

/** Starts `collectd.Collectd` (port 0 picks a free port), which takes readings as `createReceiver` does. */
export async function startEndpoint(address: Address, options: EndpointOptions) {
  const { onRefused = () => {}, query = () => [], tls, verifyPeer } = options;
  const { mostCalls = usualMostCalls } = options;
  let [open, answered, refused] = [0, 0, 0];
  const receiver = createReceiver(options);

  // Further calls of a connection wait on the other side.
  const server = new Server({
    "grpc.max_receive_message_length": 16 * 1024 * 1024,
    "grpc.max_concurrent_streams": mostOfConnection,
  });
  server.addService(service, {
    PutValues: (call: ServerReadableStream<Buffer, Buffer>, answer: (error: object | null, value?: Buffer) => void) => {
      let failed = false;
      const own: Call = {};
      open += 1;
      const fail = (refusal: Refusal) => {
        failed = true;
        refused += 1;
        answer(errorOf(refusal));
      };
      call.once("close", () => {
        open -= 1;
      });
      if (open > mostCalls) fail({ code: "unavailable", details: `${mostCalls} calls are under way` });
      call.on("data", (request: Buffer) => {
        if (failed) return;
        const result = receiver.receive(request, own);
        if (result === undefined) return;
        if (!(result instanceof Promise)) return fail(result);
        call.pause();
        void result.then(() => call.resume());
      });
      call.on("end", () => {
        if (failed) return;
        void receiver.end(own).then((refusal) => {
          if (refusal !== undefined) return fail(refusal);
          answered += 1;
          answer(null, Buffer.alloc(0));
        });
      });
    },
    QueryValues: (call: ServerWritableStream<Buffer, Buffer>) => {
      const patterns = readPatterns(call.request);
      if (patterns === undefined) {
        call.emit("error", { code: status.INVALID_ARGUMENT, details: "the request is not a valid QueryValuesRequest" });
        return;
      }
      for (const encoded of query(patterns)) call.write(wrap(encoded));
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
  return { port: front.port, counts: () => ({ answered, refused }), close: () => close(server, front) };
}

function errorOf({ code, details }: Refusal): { readonly code: status; readonly details: string } {
  return { code: code === "invalid" ? status.INVALID_ARGUMENT : status.UNAVAILABLE, details };
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
async function close(server: Server, front: Awaited<ReturnType<typeof startFront>>): Promise<void> {
  front.stop();
  server.tryShutdown(() => {});
  for (let step = 0; step < steps && front.isBusy(); step += 1) await setTimeout(stepMilliseconds);
  if (front.isBusy()) server.forceShutdown();
  front.destroy();
}
