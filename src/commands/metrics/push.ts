import { existsSync, statSync } from "node:fs";
import { defineCommand } from "../../app/define.ts";
import { any, one } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { addressText, readAddress } from "../../metrics/address.ts";
import type { Numbered } from "../../metrics/grpc/sender.ts";
import { readInputs } from "../../metrics/inputs.ts";
import { decodeReading } from "../../metrics/reading/codec.ts";
import { inTimeRange } from "../../metrics/reading/select.ts";
import type { MessageHandler } from "../../metrics/stream/messages.ts";
import { WireFault } from "../../metrics/wire/fields.ts";
import { integer, record, string } from "../../shape/shape.ts";
import { fullPath, type Place } from "../../system/files.ts";
import { readingFlags, selection, tlsFlags } from "./flags.ts";

// What a gRPC server accepts unless it is configured otherwise; collectd's cannot be.
const maxRequest = 4 * 1024 * 1024;
const wrapperSize = 5;

const { lenient: _lenient, ...pushFlags } = readingFlags;

export const push = defineCommand({
  summary: "Send readings to a collectd gRPC server",
  details:
    "Sends the messages unchanged, in order: those that a file holds when it is opened. Readings that collectd would reject or silently drop (strings that are not " +
    "UTF-8, messages of more than 4 MiB) are reported as bad data and not sent. collectd also answers OK to readings that " +
    "it then drops: types missing from its types.db, the wrong number of values, times older than the last one. Its write " +
    "threads can swap the readings of a series, so that it drops some; WriteThreads 1 in collectd.conf avoids that. Without a " +
    "response, or if the server cannot take them now, readings are sent again, up to three times; after that, or after " +
    "Ctrl-C, --resume continues where the push stopped, from FILE.journal beside the first file.",
  on: "nothing",
  effect: "write",
  asTool: "write",
  args: {
    server: one("address of a collectd gRPC server, as HOST:PORT", { names: "address" }),
    file: any("files with readings (default: stdin)", { dash: "stdin", names: "input file" }),
  },
  flags: { ...pushFlags, resume: toggle("continue an interrupted push"), ...tlsFlags },
  output: record({ server: string, sent: integer }),
  exits: {
    invalid: "bad data, or the server rejected a reading",
    noAnswer: "no response from HOST:PORT",
    serverFailed: "the server cannot take readings now",
    refused: "FILE.journal is not the journal of a push",
  },
  examples: [
    ["Replay a recording", "tongs metrics push 127.0.0.1:50051 readings.bin"],
    ["Continue it after an interruption", "tongs metrics push 127.0.0.1:50051 readings.bin --resume"],
  ],
  async run({ system, options, out, args, flags }) {
    const address = readAddress(args.server);
    const { file } = args;
    const { filter, timeRange } = selection(flags, system.now());
    // The gRPC library takes longer to load than a short command takes.
    const [{ connectCollectd }, { rejectionReason }, { createSender }, { loadTls }, journals] = await Promise.all([
      import("../../metrics/grpc/client.ts"),
      import("../../metrics/grpc/service.ts"),
      import("../../metrics/grpc/sender.ts"),
      import("../../metrics/grpc/tls.ts"),
      import("../../metrics/grpc/push-journal.ts"),
    ]);
    const tls = loadTls(system, flags);
    const [first] = file;
    const replayable = first !== undefined && file.every((name) => canReadAgain(system, name));
    if (flags.resume && !replayable)
      throw new UsageError("--resume requires FILE: a pipe or stdin cannot be read again");
    const { resume, tls: _tls, ca: _ca, cert: _cert, key: _key, ...selected } = flags;
    const paths = file.map((name) => fullPath(name, system));
    const journal = replayable
      ? journals.openPushJournal(
          fullPath(`${first}.journal`, system),
          [addressText(address), paths.map((path) => [path, journals.startOf(path)]), selected],
          resume,
          `${first}.journal`,
        )
      : journals.noJournal;
    const timeout = options.timeout ?? 30;
    let [message, rejected, done] = [0, 0, journal.start];
    const sender = createSender({
      connect: () => connectCollectd(address, { timeout, tls, signal: system.signal }),
      sleep: (milliseconds) => system.sleep(milliseconds, system.signal),
      onSent: (last) => {
        done = last;
        // For a process that is killed.
        if (system.now().getTime() - saved >= 1000) save();
      },
      onRejected: (number, failure) => {
        if (!flags.skipErrors) return false;
        rejected += 1;
        out.warn(`Skipped message ${number}: ${failure.message}`);
        return true;
      },
    });
    let pending: Numbered[] = [];
    let wouldSend = 0;
    let [begun, finished] = [false, false];
    let saved = system.now().getTime();

    function save(write = () => journal.save(done)): void {
      saved = system.now().getTime();
      try {
        write();
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        out.warn(error.message);
      }
    }

    const handle: MessageHandler = (bytes, _view, start, end) => {
      const reading = decodeReading(bytes, start, end, { lenient: false });
      const size = end - start + wrapperSize;
      if (size > maxRequest)
        throw new WireFault(start, `a message of ${size} bytes exceeds the 4 MiB that servers accept`);
      const rejection = rejectionReason(reading);
      const selects = inTimeRange(reading, timeRange) && filter?.(reading) !== false;
      if (selects && rejection !== undefined)
        throw new WireFault(start, `collectd would reject this reading: ${rejection}`);
      message += 1;
      if (selects && message > journal.start) pending.push({ message, encoded: bytes.slice(start, end) });
      return true;
    };
    const onIdle = async () => {
      const readings = pending;
      pending = [];
      system.signal.throwIfAborted();
      if (options.dryRun) wouldSend += readings.length;
      if (options.dryRun || readings.length === 0) return;
      if (!begun) save(journal.begin);
      begun = true;
      await sender.send(readings);
    };
    try {
      const { framing, skipErrors } = flags;
      const inputs = { framing, network: flags, skipErrors, handle, onIdle };
      const read = await readInputs({ system, out }, file, inputs);
      await onIdle();
      const sent = options.dryRun ? wouldSend : sender.sent();
      const readings = `${sent} ${sent === 1 ? "reading" : "readings"}`;
      if (options.dryRun) out.note(`Would send ${readings} to ${args.server}`);
      else await out.done(`Sent ${readings} to ${args.server}`, { record: { server: args.server, sent } });
      if (!options.dryRun) journal.finish();
      finished = true;
      if (read.failure !== undefined) throw read.failure;
      return read.skipped + rejected > 0 ? "invalid" : undefined;
    } catch (error) {
      if (!finished && replayable && done > 0) {
        save();
        out.note(`Run the same command with --resume to continue after message ${done}.`);
      }
      throw error;
    } finally {
      sender.close();
    }
  },
});

/** Whether an input is a regular file, or may become one: a missing file is reported when it is read. */
function canReadAgain(system: Place, name: string): boolean {
  const path = fullPath(name, system);
  return name !== "-" && (!existsSync(path) || statSync(path).isFile());
}
