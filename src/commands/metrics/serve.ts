import { defineCommand } from "../../app/define.ts";
import { textOr } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { addressText, readListenAddress } from "../../metrics/address.ts";
import { list } from "../../shape/shape.ts";
import { serverTlsFlags } from "./flags.ts";
import { recordDetails, recordFlags, recordSession } from "./record.ts";
import { readingRecord } from "./records.ts";

const standard = { host: "127.0.0.1", port: 50_051 };

export const serve = defineCommand({
  summary: "Receive readings from collectd over gRPC",
  details:
    "Runs a collectd gRPC server until interrupted: PutValues, and QueryValues for the last reading of each series, which " +
    `expires after two intervals as in collectd. ${recordDetails}\n\n` +
    "With --to, OK means that the readings are in the file; if it is removed, serve stops. While the disk is full, senders get UNAVAILABLE, and the exit " +
    "code is later 11. collectd then logs an error and drops the reading. push sends its call again, up to three times and " +
    "with --resume; what the file already had of that call is then in it twice.\n\n" +
    "Without --tls and --verify-peer there is no encryption or authentication, so be careful with addresses other than " +
    "127.0.0.1.\n\nIn collectd.conf:\n\n" +
    "  LoadPlugin grpc\n  <Plugin grpc>\n" +
    '    <Server "127.0.0.1" "50051">\n    </Server>\n  </Plugin>',
  on: "nothing",
  effect: "read",
  asTool: "none",
  flags: {
    listen: textOr(addressText(standard), "address to listen on; port 0 picks a free port", {
      names: "address",
      placeholder: "HOST:PORT",
    }),
    ...recordFlags,
    ...serverTlsFlags,
  },
  output: list(readingRecord),
  exits: {
    refused: "another process records to the file or forwards from the spool, or they are something else",
    partly: "calls were refused, because the disk was full, or readings were not forwarded",
  },
  examples: [
    ["Print what collectd sends", "tongs metrics serve"],
    [
      "Record to hourly files, and keep them for a week",
      "tongs metrics serve --to readings.bin --rotate 1h --keep 168",
    ],
    [
      "Send everything on to VictoriaMetrics",
      "tongs metrics serve --forward http://127.0.0.1:8428/api/v1/write --spool spool",
    ],
    ["Record to hourly Parquet files", "tongs metrics serve --to readings.bin --rotate 1h --format parquet"],
    [
      "Accept only clients with a certificate",
      "tongs metrics serve --listen 0.0.0.0:50051 --tls --ca ca.pem --cert server.pem --key server.key --to readings.bin",
    ],
  ],
  async run({ system, options, out, flags }) {
    const address = readListenAddress(flags.listen, standard);
    const verifyPeer = flags.verifyPeer ?? flags.ca !== undefined;
    if (flags.tls && flags.cert === undefined) throw new UsageError("--tls requires --cert and --key");
    if (verifyPeer && flags.ca === undefined) throw new UsageError("--verify-peer requires --ca");
    const { loadTls } = await import("../../metrics/grpc/tls.ts");
    const tls = loadTls(system, flags);
    return recordSession({ system, options, out, flags }, { answers: true }, async (onReading, check) => {
      // The gRPC library takes longer to load than a short command takes.
      const { startEndpoint } = await import("../../metrics/grpc/serve.ts");
      const onRefused = (reason: string) => out.warn(reason);
      const taking = { onReading, onCallEnd: check, onRefused };
      const endpoint = await startEndpoint(address, { tls, verifyPeer, ...taking, now: system.now });
      out.note(`Listening on ${addressText({ ...address, port: endpoint.port })}`);
      return endpoint;
    });
  },
});
