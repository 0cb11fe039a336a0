import { existsSync, statSync } from "node:fs";
import { defineCommand } from "../../app/define.ts";
import { any, one } from "../../command/args.ts";
import { choice, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { createDecoder } from "../../metrics/decode/decoder.ts";
import { forwardFormats } from "../../metrics/forward/formats.ts";
import * as journals from "../../metrics/grpc/push-journal.ts";
import type { Numbered } from "../../metrics/grpc/sender.ts";
import { readInputs } from "../../metrics/inputs.ts";
import type { MessageHandler } from "../../metrics/stream/messages.ts";
import { WireFault } from "../../metrics/wire/fields.ts";
import { integer, record, string } from "../../shape/shape.ts";
import { fullPath, type Place } from "../../system/files.ts";
import { readingFlags, selection, tlsFlags } from "./flags.ts";
import { toCollectd, toEngine } from "./push-targets.ts";

const { lenient: _lenient, ...pushFlags } = readingFlags;

export const push = defineCommand({
  summary: "Send readings to a collectd gRPC server or a time series engine",
  details:
    "Without --format, sends the messages unchanged, in order: those that a file holds when it is opened. Readings that collectd would reject or silently drop (strings that are not " +
    "UTF-8, messages of more than 4 MiB) are reported as bad data and not sent. collectd also answers OK to readings that " +
    "it then drops: types missing from its types.db, the wrong number of values, times older than the last one. Its write " +
    "threads can swap the readings of a series, so that it drops some; WriteThreads 1 in collectd.conf avoids that. Without a " +
    "response, or if the server cannot take them now, readings are sent again, up to three times; after that, or after " +
    "Ctrl-C, --resume continues where the push stopped, from FILE.journal beside the first file.\n\n" +
    "With --format, sends them to an engine over HTTP: Prometheus remote write (Prometheus, Mimir, Thanos, VictoriaMetrics), " +
    "Influx lines (InfluxDB, QuestDB, Telegraf, VictoriaMetrics), or OTLP (OpenTelemetry collectors, Prometheus 3). Names and " +
    "labels are those of collectd's write_prometheus, as with decode --format openmetrics. What the engine refuses is halved " +
    "until the readings that it refuses are found: they are named and counted, and not sent again. If it takes nothing of the " +
    "first readings, push stops, unless --skip-errors is given. When it is sent to too fast or fails, push waits as it asks " +
    "(Retry-After), and tries three times more. A token, a user (then the token is the password), headers, a client certificate " +
    "and a proxy come from the profile for the address, or --profile: tongs profile set vm host https://vm.example.org, " +
    "then its token_command. After an interruption, some readings may arrive twice; VictoriaMetrics keeps one of them with " +
    "-dedup.minScrapeInterval=1ms.",
  on: "nothing",
  effect: "write",
  asTool: "write",
  args: {
    server: one("HOST:PORT of a collectd gRPC server, or with --format the URL of an engine", { names: "address" }),
    file: any("files with readings, or directories of Parquet files (default: stdin)", {
      dash: "stdin",
      names: "input file",
    }),
  },
  flags: {
    ...pushFlags,
    format: choice(forwardFormats, "send to an engine over HTTP instead of a collectd gRPC server"),
    resume: toggle("continue an interrupted push"),
    ...tlsFlags,
  },
  output: record({ server: string, sent: integer, refused: integer }),
  exits: {
    invalid: "bad data, or the server rejected a reading",
    noAnswer: "no response from the server",
    serverFailed: "the server cannot take readings now",
    denied: "the engine requires other credentials",
    notFound: "nothing takes readings at this URL",
    rateLimited: "the engine takes no more readings now",
    refused: "FILE.journal is not the journal of a push",
  },
  examples: [
    ["Replay a recording", "tongs metrics push 127.0.0.1:50051 readings.bin"],
    ["Continue it after an interruption", "tongs metrics push 127.0.0.1:50051 readings.bin --resume"],
    [
      "Send a recording to Prometheus or VictoriaMetrics",
      "tongs metrics push http://127.0.0.1:8428/api/v1/write readings.bin --format remote-write",
    ],
  ],
  async run(context) {
    const { system, options, out, args, flags } = context;
    const { file } = args;
    let [message, done] = [0, 0];
    const target = await (flags.format === undefined ? toCollectd : toEngine)(args.server, {
      ...context,
      onSent: (last) => {
        done = last;
        // For a process that is killed.
        if (system.now().getTime() - saved >= 1000) save();
      },
    });
    const [first] = file;
    const replayable = first !== undefined && file.every((name) => canReadAgain(system, name));
    if (flags.resume && !replayable)
      throw new UsageError("--resume requires FILE: a pipe or stdin cannot be read again");
    const { resume, format: _format, tls: _tls, ca: _ca, cert: _cert, key: _key, ...selected } = flags;
    const paths = file.map((name) => fullPath(name, system));
    const journal = replayable
      ? journals.openPushJournal(
          fullPath(`${first}.journal`, system),
          [target.name, paths.map((path) => [path, journals.startOf(path)]), selected],
          resume,
          `${first}.journal`,
        )
      : journals.noJournal;
    done = journal.start;
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

    const { fields, read } = createDecoder({ lenient: false, ...selection(flags, system.now()), added: target.added });
    const handle: MessageHandler = (bytes, view, start, end) => {
      const entry = read(bytes, view, start, end);
      const problem = entry < 0 ? undefined : target.problem?.(entry, fields, end - start);
      if (problem !== undefined) throw new WireFault(start, problem);
      message += 1;
      if (entry >= 0 && message > journal.start) pending.push({ message, encoded: bytes.slice(start, end) });
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
      await target.send(readings);
    };
    try {
      const inputs = { flags, isStrict: true, handle, onIdle };
      const { failure, skipped } = await readInputs({ system, out }, file, inputs);
      await onIdle();
      const sent = options.dryRun ? wouldSend : target.sent();
      const readings = `${sent} ${sent === 1 ? "reading" : "readings"}`;
      const refused = target.refused();
      const besides = refused === 0 ? "" : `; ${refused} ${refused === 1 ? "was" : "were"} refused`;
      if (options.dryRun) out.note(`Would send ${readings} to ${args.server}`);
      else
        await out.done(`Sent ${readings} to ${args.server}${besides}`, {
          record: { server: args.server, sent, refused },
        });
      if (!options.dryRun) journal.finish();
      finished = true;
      if (failure !== undefined) throw failure;
      return skipped + refused > 0 ? "invalid" : undefined;
    } catch (error) {
      if (!finished && replayable && done > 0) {
        save();
        out.note(`Run the same command with --resume to continue after message ${done}.`);
      }
      throw error;
    } finally {
      target.close();
    }
  },
});

/** Whether an input is a regular file, or may become one: a missing file is reported when it is read. */
function canReadAgain(system: Place, name: string): boolean {
  const path = fullPath(name, system);
  return name !== "-" && (!existsSync(path) || statSync(path).isFile());
}
