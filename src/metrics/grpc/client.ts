import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type { ExitName } from "../../failure/exit-codes.ts";
import { Failure } from "../../failure/failure.ts";
import { QueryValuesRequest } from "../generated/collectd/collectd.ts";
import { unwrap } from "../wire/unwrap.ts";
import { asBytes, paths, type QueryPatterns, wrap } from "./service.ts";

/** A connection to a collectd gRPC server. Both calls throw a `Failure` with the error of the server or the network. */
export interface CollectdClient {
  /** Sends readings in one call, in order. */
  readonly put: (readings: readonly Uint8Array[]) => Promise<void>;
  /** Returns the matching encoded readings from the cache of the server. */
  readonly query: (patterns: QueryPatterns) => Promise<Uint8Array[]>;
  readonly close: () => void;
}

/** Connects to `HOST:PORT` without TLS. `timeout` is per call, in seconds; 0 means no timeout. */
export function connectCollectd(address: string, timeout: number): CollectdClient {
  // Ignore proxy settings in the environment.
  const client = new Client(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  const options = () => (timeout === 0 ? {} : { deadline: Date.now() + timeout * 1000 });

  const put = (readings: readonly Uint8Array[]) =>
    new Promise<void>((resolve, reject) => {
      const call = client.makeClientStreamRequest(paths.put, asBytes, asBytes, new Metadata(), options(), (error) => {
        if (error === null) resolve();
        else reject(failureOf(error, address));
      });
      for (const reading of readings) call.write(wrap(reading));
      call.end();
    });

  const query = (patterns: QueryPatterns) =>
    new Promise<Uint8Array[]>((resolve, reject) => {
      const request = Buffer.from(QueryValuesRequest.encode({ identifier: { ...patterns } }).finish());
      const call = client.makeServerStreamRequest(paths.query, asBytes, asBytes, request, new Metadata(), options());
      const readings: Uint8Array[] = [];
      call.on("data", (answer: Buffer) => {
        const inner = unwrap(answer, 0, answer.length);
        if (inner !== undefined) readings.push(inner.from.slice(inner.start, inner.end));
      });
      call.on("error", (error: ServiceError) => reject(failureOf(error, address)));
      call.on("end", () => resolve(readings));
    });

  return { put, query, close: () => client.close() };
}

const exits: Readonly<Partial<Record<number, ExitName>>> = {
  [status.UNAVAILABLE]: "noAnswer",
  [status.DEADLINE_EXCEEDED]: "noAnswer",
  [status.INVALID_ARGUMENT]: "invalid",
  [status.PERMISSION_DENIED]: "denied",
  [status.UNAUTHENTICATED]: "denied",
  [status.UNIMPLEMENTED]: "notFound",
};

function failureOf(error: ServiceError, address: string): Failure {
  const exit = exits[error.code] ?? "serverFailed";
  const rejected = `${address} answered ${status[error.code] ?? error.code}: ${error.details}`;
  const message = exit === "noAnswer" ? `No response from ${address}: ${error.details}` : rejected;
  const hint = exit === "notFound" ? "Check that collectd with its grpc plugin listens there." : undefined;
  return new Failure("grpc", exit, message, { hint, cause: error });
}
