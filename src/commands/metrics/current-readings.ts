import type { PlainContext } from "../../app/context.ts";
import type { FlagValues } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { readAddress } from "../../metrics/address.ts";
import { createDecoder } from "../../metrics/decode/decoder.ts";
import { seriesOf } from "../../metrics/decode/series.ts";
import { identifierPattern } from "../../metrics/grpc/identifier-pattern.ts";
import { isParquet, readInputs } from "../../metrics/inputs.ts";
import { seriesKey } from "../../metrics/reading/identity.ts";
import { type IdentityTest, partTest } from "../../metrics/reading/select.ts";
import type { MessageHandler } from "../../metrics/stream/messages.ts";
import { fullPath } from "../../system/files.ts";
import type { tlsFlags } from "./flags.ts";

/**
 * The encoded readings in the cache of a collectd gRPC server, or of collectd's unixsock plugin (`unix:PATH`), that `identifier` may match, and the test for whether it does;
 * of Parquet files, the last readings.
 * Throws a usage error for an invalid address, and a `Failure` without a response.
 */
export async function currentReadings(
  server: string,
  identifier: string,
  flags: FlagValues<typeof tlsFlags>,
  { system, options, out }: Pick<PlainContext, "system" | "options" | "out">,
) {
  const { patterns, matches } = identifierPattern(identifier);
  if (server.startsWith("unix:")) {
    if (flags.tls) throw new UsageError("--tls does not apply to a socket of this machine");
    const { askUnixSocket } = await import("../../metrics/unix-socket.ts");
    const settings = { timeout: options.timeout ?? 30, signal: system.signal, matches };
    return { found: await askUnixSocket(fullPath(server.slice("unix:".length), system), settings), matches };
  }
  if (isParquet(fullPath(server, system))) {
    const selected = { filter: matches, host: patterns.host };
    return { found: await lastReadings(server, { system, out }, selected), matches };
  }
  const address = readAddress(server);
  // The gRPC library takes longer to load than a short command takes.
  const [{ connectCollectd }, { loadTls }] = await Promise.all([
    import("../../metrics/grpc/client.ts"),
    import("../../metrics/grpc/tls.ts"),
  ]);
  const tls = loadTls(system, flags);
  const client = connectCollectd(address, { timeout: options.timeout ?? 30, tls, signal: system.signal });
  const found = await client.query(patterns).finally(() => client.close());
  return { found, matches };
}

/** The last readings of the series in Parquet files. Throws a `Failure` if one is damaged. */
async function lastReadings(
  name: string,
  context: Pick<PlainContext, "system" | "out">,
  { filter, host }: { readonly filter: IdentityTest; readonly host: string },
): Promise<readonly Uint8Array[]> {
  const found = new Map<string, Uint8Array>();
  const keys: string[] = [];
  const { read } = createDecoder({
    lenient: true,
    filter,
    added: (entry, fields) => {
      keys[entry] = seriesKey(seriesOf(fields));
    },
  });
  const handle: MessageHandler = (bytes, view, start, end) => {
    const key = keys[read(bytes, view, start, end)];
    if (key !== undefined) found.set(key, bytes.slice(start, end));
    return true;
  };
  const wanted = { timeRange: {}, filter, mayBe: partTest({ host: [host] }) };
  const { failure } = await readInputs(context, [name], {
    flags: { framing: "auto", skipErrors: false },
    handle,
    wanted,
  });
  if (failure !== undefined) throw failure;
  return [...found.values()];
}
