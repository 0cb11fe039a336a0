import type { PlainContext } from "../../app/context.ts";
import type { FlagValues } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { readAddress } from "../../metrics/address.ts";
import type { MessageHandler } from "../../metrics/stream/messages.ts";
import { slack } from "../../metrics/wire/block.ts";
import { fullPath } from "../../system/files.ts";
import type { tlsFlags } from "./flags.ts";

/**
 * The encoded readings in the cache of a collectd gRPC server, or of collectd's unixsock plugin (`unix:PATH`), that `identifier` may match, and the test for whether it does.
 * Throws a usage error for an invalid address, and a `Failure` without a response.
 */
export async function currentReadings(
  server: string,
  identifier: string,
  flags: FlagValues<typeof tlsFlags>,
  { system, options }: Pick<PlainContext, "system" | "options">,
) {
  if (server.startsWith("unix:")) {
    if (flags.tls) throw new UsageError("--tls does not apply to a socket of this machine");
    const [{ askUnixSocket }, { identifierPattern }] = await Promise.all([
      import("../../metrics/unix-socket.ts"),
      import("../../metrics/grpc/identifier-pattern.ts"),
    ]);
    const { matches } = identifierPattern(identifier);
    const settings = { timeout: options.timeout ?? 30, signal: system.signal, matches };
    return { found: await askUnixSocket(fullPath(server.slice("unix:".length), system), settings), matches };
  }
  const address = readAddress(server);
  // The gRPC library takes longer to load than a short command takes.
  const [{ connectCollectd }, { loadTls }, { identifierPattern }] = await Promise.all([
    import("../../metrics/grpc/client.ts"),
    import("../../metrics/grpc/tls.ts"),
    import("../../metrics/grpc/identifier-pattern.ts"),
  ]);
  const tls = loadTls(system, flags);
  const { patterns, matches } = identifierPattern(identifier);
  const client = connectCollectd(address, { timeout: options.timeout ?? 30, tls, signal: system.signal });
  const found = await client.query(patterns).finally(() => client.close());
  return { found, matches };
}

/** Handles a message that stands alone. */
export function handleAlone(handle: MessageHandler, encoded: Uint8Array): void {
  const padded = new Uint8Array(encoded.length + slack);
  padded.set(encoded);
  handle(padded, new DataView(padded.buffer), 0, encoded.length);
}
