import { isIP } from "node:net";
import { checkServerIdentity } from "node:tls";
import {
  type ChannelCredentials,
  Client,
  credentials,
  Metadata,
  type ServiceError,
  type StatusObject,
  status,
} from "@grpc/grpc-js";
import { Failure } from "../../failure/failure.ts";
import type { Outcome } from "../../failure/outcomes.ts";
import { type Address, addressText } from "../address.ts";
import { QueryValuesRequest } from "../generated/collectd/collectd.ts";
import { WireFault } from "../wire/fields.ts";
import { unwrap } from "../wire/unwrap.ts";
import { explain } from "./explain.ts";
import { asBytes, paths, type QueryPatterns, wrap } from "./service.ts";
import type { TlsFiles } from "./tls.ts";

/** How to connect. */
export interface ConnectOptions {
  /** Per call, in seconds; 0 means no timeout. */
  readonly timeout: number;
  readonly tls?: TlsFiles | undefined;
  /** Aborts the calls. */
  readonly signal?: AbortSignal;
}

/** A connection to a collectd gRPC server. Both calls throw a `Failure` with the error of the server or the network. */
export type CollectdClient = ReturnType<typeof connectCollectd>;

/** Connects to a server, with TLS if its files are given. */
export function connectCollectd(address: Address, { timeout, tls, signal }: ConnectOptions) {
  // Ignore proxy settings in the environment.
  const settings = { "grpc.enable_http_proxy": 0, "grpc.enable_retries": 0, "grpc.use_local_subchannel_pool": 1 };
  const client = new Client(addressText(address), credentialsOf(tls, address), { ...settings, ...serverName(address) });
  const options = () => (timeout === 0 ? {} : { deadline: Date.now() + timeout * 1000 });

  /** Runs a call. Its `fail` makes a `Failure` of the error of the library. */
  function call<T>(start: (resolve: (result: T) => void, fail: (error: ServiceError) => void) => { cancel(): void }) {
    return new Promise<T>((resolve, reject) => {
      signal?.throwIfAborted();
      const fail = (error: ServiceError) => {
        signal?.removeEventListener("abort", cancel);
        if (signal?.aborted) reject(signal.reason);
        else failureOf(error, address, { timeout, tls }).then(reject, reject);
      };
      const done = (result: T) => {
        signal?.removeEventListener("abort", cancel);
        resolve(result);
      };
      const running = start(done, fail);
      const cancel = () => running.cancel();
      signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Sends readings in one call, in order. */
  const put = (readings: readonly Uint8Array[]) =>
    call<void>((resolve, fail) => {
      const answer = (error: ServiceError | null) => (error === null ? resolve() : fail(error));
      const running = client.makeClientStreamRequest(paths.put, asBytes, asBytes, new Metadata(), options(), answer);
      for (const reading of readings) running.write(wrap(reading));
      running.end();
      return running;
    });

  /** Returns the matching encoded readings from the cache of the server. */
  const query = async (patterns: QueryPatterns) => {
    const answers = await call<Buffer[]>((resolve, fail) => {
      const request = Buffer.from(QueryValuesRequest.encode({ identifier: { ...patterns } }).finish());
      const running = client.makeServerStreamRequest(paths.query, asBytes, asBytes, request, new Metadata(), options());
      const received: Buffer[] = [];
      running.on("data", (answer: Buffer) => {
        received.push(answer);
      });
      running.on("error", fail);
      // An error comes after the end, too: wait for both the end and the status.
      let pending = 2;
      const finish = () => {
        pending -= 1;
        if (pending === 0) resolve(received);
      };
      running.on("end", finish);
      running.on("status", ({ code }: StatusObject) => {
        if (code === status.OK) finish();
      });
      return running;
    });
    return answers.flatMap((answer) => readingIn(answer, address));
  };

  return { put, query, close: () => client.close() };
}

/** The encoded reading in an answer to a query; empty if it has none. Throws a `Failure` for an invalid answer. */
function readingIn(answer: Buffer, address: Address): Uint8Array[] {
  try {
    const inner = unwrap(answer, 0, answer.length);
    return inner === undefined ? [] : [inner.from.slice(inner.start, inner.end)];
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    const message = `${addressText(address)} sent an invalid response: byte ${error.at}: ${error.message}`;
    throw new Failure("bad_data", message, { hint: "Check that a collectd gRPC server listens there." });
  }
}

function credentialsOf(tls: TlsFiles | undefined, { host }: Address): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  return credentials.createSsl(tls.ca ?? null, tls.own?.key ?? null, tls.own?.cert ?? null, {
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  });
}

/** TLS has no server names that are IP addresses; the library would send one. */
function serverName({ host }: Address): { "grpc.ssl_target_name_override"?: string } {
  return isIP(host) === 0 ? {} : { "grpc.ssl_target_name_override": "localhost" };
}

const outcomes: Readonly<Partial<Record<number, Outcome>>> = {
  [status.INVALID_ARGUMENT]: "invalid",
  [status.PERMISSION_DENIED]: "forbidden",
  [status.UNAUTHENTICATED]: "not_signed_in",
};

/** The failure for an error of the library, whose own words are not printed; those of the server are. */
async function failureOf(
  error: ServiceError,
  address: Address,
  { timeout, tls }: Pick<ConnectOptions, "timeout" | "tls">,
): Promise<Failure> {
  const name = addressText(address);
  const fail = (code: Outcome, message: string, hint?: string) => new Failure(code, message, { hint, cause: error });
  switch (error.code) {
    case status.UNAVAILABLE: {
      // Unlike an error of the connection, what a server sends has metadata.
      if (Object.keys(error.metadata.getMap()).length > 0)
        return fail("server_failed", `${name} cannot take readings now: ${error.details}`);
      const { reason, hint } = await explain(address.host, address.port, tls);
      return fail("no_answer", `No response from ${name}: ${reason}`, hint);
    }
    case status.DEADLINE_EXCEEDED:
      return fail("timeout", `No response from ${name} within ${timeout} seconds`, "Use --timeout to wait longer.");
    case status.UNIMPLEMENTED:
      return fail(
        "unknown_operation",
        `${name} is not a collectd gRPC server`,
        "Check that collectd with its grpc plugin listens there.",
      );
    case status.RESOURCE_EXHAUSTED:
      return fail("invalid", `${name} rejected a message as too large`);
    case status.INVALID_ARGUMENT:
    case status.PERMISSION_DENIED:
    case status.UNAUTHENTICATED:
      return fail(outcomes[error.code] ?? "invalid", `${name} rejected it: ${error.details}`);
    default:
      return fail("server_failed", `${name} failed (gRPC status ${status[error.code] ?? error.code})`);
  }
}
