import { defineCommand } from "../../app/define.ts";
import { any, one } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { readInputs } from "../../metrics/inputs.ts";
import { decodeReading } from "../../metrics/reading/codec.ts";
import { inTimeRange } from "../../metrics/reading/select.ts";
import type { MessageHandler } from "../../metrics/stream/messages.ts";
import { WireFault } from "../../metrics/wire/fields.ts";
import { integer, record, string } from "../../shape/shape.ts";
import { readingFlags, selection } from "./selection.ts";

// Large enough to make the overhead of a call negligible, small enough to locate an error.
const batchSize = 500;

const { lenient: _lenient, ...pushFlags } = readingFlags;

export const push = defineCommand({
  summary: "Send readings to a collectd gRPC server",
  details:
    "Sends the messages unchanged, in order. Readings that collectd would reject or silently drop (strings that are not " +
    "UTF-8) are reported as bad data and not sent. collectd also answers OK to readings that it then drops: types " +
    "missing from its types.db, the wrong number of values, times older than the last one.",
  on: "nothing",
  effect: "write",
  args: {
    server: one("address of a collectd gRPC server, as HOST:PORT"),
    file: any("files with readings; reads stdin if omitted or -"),
  },
  flags: pushFlags,
  output: record({ server: string, sent: integer }),
  exits: { invalid: "bad data, or the server rejected a reading", noAnswer: "no response from HOST:PORT" },
  examples: [["Replay a recording", "tongs metrics push 127.0.0.1:25826 readings.bin"]],
  async run({ system, options, out, args, flags }) {
    const { server, file } = args;
    if (!/^(\[[^\]]+\]|[^:\s]+):\d{1,5}$/.test(server))
      throw new UsageError(`Invalid address '${server}': expected HOST:PORT`);
    const { filter, timeRange } = selection({ ...flags, lenient: false }, system.now());
    // The gRPC library takes longer to load than a short command takes.
    const [{ connectCollectd }, { rejectionReason }] = await Promise.all([
      import("../../metrics/grpc/client.ts"),
      import("../../metrics/grpc/service.ts"),
    ]);
    const client = connectCollectd(server, options.timeout ?? 30);
    let pending: Uint8Array[] = [];
    let sent = 0;

    const handle: MessageHandler = (bytes, _view, start, end) => {
      const reading = decodeReading(bytes, start, end, { lenient: false });
      if (!inTimeRange(reading, timeRange) || filter?.(reading) === false) return true;
      const rejection = rejectionReason(reading);
      if (rejection !== undefined) throw new WireFault(start, `collectd would reject this reading: ${rejection}`);
      pending.push(bytes.slice(start, end));
      return true;
    };
    const onIdle = async () => {
      const readings = pending;
      pending = [];
      for (let at = 0; at < readings.length; at += batchSize) {
        system.signal.throwIfAborted();
        const batch = readings.slice(at, at + batchSize);
        if (!options.dryRun) await client.put(batch);
        sent += batch.length;
      }
    };
    try {
      const { framing, skipErrors } = flags;
      const read = await readInputs({ system, out }, file, {
        framing,
        skipErrors,
        handle,
        onIdle,
        loadDecoder: async () => {},
      });
      await onIdle();
      const readings = `${sent} ${sent === 1 ? "reading" : "readings"}`;
      if (options.dryRun) out.note(`Would send ${readings} to ${server}`);
      else await out.done(`Sent ${readings} to ${server}`, { record: { server, sent } });
      if (read.failure !== undefined) throw read.failure;
      return read.skipped > 0 ? "invalid" : undefined;
    } finally {
      client.close();
    }
  },
});
