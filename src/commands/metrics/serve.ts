import { existsSync } from "node:fs";
import { defineCommand } from "../../app/define.ts";
import { text, textOr } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Address, addressText, readListenAddress } from "../../metrics/address.ts";
import { defaultTypesDb, loadTypesDb } from "../../metrics/encode/types-db.ts";
import type { TakeHttpOptions } from "../../metrics/status/take-http.ts";
import { isLoopback } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { serverTlsFlags } from "./flags.ts";
import { recordDetails, recordFlags, recordSession, refusedExit, statusDetails, whichProtocol } from "./record.ts";
import { readingRecord } from "./records.ts";
import { createRejections } from "./rejections.ts";

const standard = { host: "127.0.0.1", port: 50_051 };
const standardHttp = { host: "127.0.0.1", port: 8080 };

export const serve = defineCommand({
  summary: "Receive readings from collectd over gRPC",
  details:
    "Runs a collectd gRPC server until interrupted: PutValues, and QueryValues for the last reading of each series that was taken, which " +
    `expires after two intervals as in collectd. ${recordDetails}\n\n` +
    "With --to, OK means that the readings are in the file; if it is removed, serve stops. While the disk is full, senders get UNAVAILABLE, and the exit " +
    "code is later 11. collectd then logs an error and drops the reading. push sends its call again, up to three times and " +
    "with --resume; what the file already had of that call is then in it twice. Calls beyond 20,000 under way get UNAVAILABLE.\n\n" +
    `${statusDetails}\n\n${whichProtocol}\n\n` +
    "With --http, also takes what collectd's write_http plugin posts, as JSON or PUTVAL lines, with or without gzip: 200 means " +
    "that all readings of the body are in the file; 400 says what is wrong with it, and none is taken; 503 is a full disk. " +
    "collectd drops the readings of both, and logs it only with LogHttpError true. " +
    "Notifications are printed as warnings and counted, not recorded. It has no TLS.\n\n" +
    "Without --tls and --verify-peer there is no encryption or authentication, so be careful with addresses other than " +
    "127.0.0.1.\n\nIn collectd.conf:\n\n" +
    "  LoadPlugin grpc\n  <Plugin grpc>\n" +
    '    <Server "127.0.0.1" "50051">\n    </Server>\n  </Plugin>\n\n' +
    "With --http 127.0.0.1:8080:\n\n  LoadPlugin write_http\n  <Plugin write_http>\n" +
    '    <Node "tongs">\n      URL "http://127.0.0.1:8080/"\n      Format "JSON"\n      LogHttpError true\n    </Node>\n  </Plugin>',
  on: "nothing",
  effect: "read",
  asTool: "none",
  flags: {
    listen: textOr(addressText(standard), "address to listen on; port 0 picks a free port", {
      names: "address",
      placeholder: "HOST:PORT",
    }),
    http: text("take what collectd's write_http plugin posts, too", { names: "address", placeholder: "HOST:PORT" }),
    typesDb: text(`with --http: types of PUTVAL lines (default: ${defaultTypesDb})`, {
      names: "input file",
      placeholder: "FILE",
    }),
    ...recordFlags,
    ...serverTlsFlags,
  },
  output: list(readingRecord),
  exits: { refused: refusedExit, partly: "calls were refused, as the disk was full, or readings were not forwarded" },
  examples: [
    ["Print what collectd sends", "tongs metrics serve"],
    [
      "Record to hourly files, and keep them for a week",
      "tongs metrics serve --to readings.bin --rotate 1h --keep 168",
    ],
    [
      "Let Prometheus read the last readings, and how receiving goes",
      "tongs metrics serve --to readings.bin --expose 127.0.0.1:9103 --status-address 127.0.0.1:9104",
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
    const http = flags.http === undefined ? undefined : readListenAddress(flags.http, standardHttp);
    if (http === undefined && flags.typesDb !== undefined) throw new UsageError("--types-db requires --http");
    const rules = {
      // Without the default file, only PUTVAL lines are refused.
      types: flags.typesDb !== undefined || existsSync(defaultTypesDb) ? loadTypesDb(system, flags.typesDb) : undefined,
      now: () => system.now().getTime(),
    };
    const { loadTls } = await import("../../metrics/grpc/tls.ts");
    const tls = loadTls(system, flags);
    return recordSession({ system, options, out, flags }, { answers: true }, async ({ take, settled, query }) => {
      // The gRPC library takes longer to load than a short command takes.
      const { startEndpoint } = await import("../../metrics/grpc/serve.ts");
      const rejections = createRejections(out, ["Refused", "connection", "connections"], system.now);
      const onRefused = (peer: string, reason: string) =>
        rejections.add(`Refused ${peer.replace(/:\d+$/, "")}: ${reason}`);
      const taking = { onReading: take, settled, query, onRefused };
      const endpoint = await startEndpoint(address, { tls, verifyPeer, ...taking });
      out.note(`Listening on ${addressText({ ...address, port: endpoint.port })}`);
      if (tls === undefined && !isLoopback(address.host))
        out.warn("Anyone who reaches this port can send readings, and read the last ones: use --tls and --verify-peer");
      if (http !== undefined && !isLoopback(http.host))
        out.warn("Anyone who reaches the port of --http can send readings: it has no TLS");
      const bodies = createRejections(out, ["Refused", "body", "bodies"], system.now);
      const notifications = createRejections(out, ["Received", "notification", "notifications"], system.now);
      const all = [rejections, bodies, notifications];
      const posted =
        http &&
        (await postedTo(http, {
          onReading: take,
          settled,
          rules,
          hosts: [http.host, ...flags.allowHost],
          // What could not be written is counted by readings, and warned of.
          onRefused: (reason, status) => status !== 503 && bodies.add(`Refused a body: ${reason}`),
          onNotification: (text) => notifications.add(`Notification: ${text}`),
        }));
      return {
        tick: () => all.forEach(({ tick }) => void tick()),
        counts: () => ({
          notifications: http && notifications.count(),
          refused: {
            calls: endpoint.counts().refused,
            connections: rejections.count(),
            ...(http !== undefined && { "posted bodies": bodies.count() }),
          },
        }),
        close: () => Promise.all([endpoint.close(), posted?.close()]).then(() => all.forEach(({ end }) => void end())),
      };

      /** Takes bodies; a failure also ends the server that listens already. */
      async function postedTo(address: Address, options: TakeHttpOptions) {
        try {
          const { takeHttp } = await import("../../metrics/status/take-http.ts");
          const server = await takeHttp(address, options);
          out.note(`Taking write_http at http://${addressText({ ...address, port: server.port })}/`);
          return server;
        } catch (error) {
          await endpoint.close();
          throw error;
        }
      }
    });
  },
});
