import { defineCommand } from "../../app/define.ts";
import { choice, integer, text, textOr, toggle } from "../../command/flags.ts";
import { frameHead } from "../../metrics/framing/framing.ts";
import { type Sink, withSink } from "../../metrics/outputs.ts";
import { createReadingWriter, readingFormats } from "../../metrics/reading-writer.ts";
import { slack } from "../../metrics/wire/block.ts";
import { WireFault } from "../../metrics/wire/fields.ts";

export const serve = defineCommand({
  summary: "Receive readings from collectd",
  details:
    "Runs a collectd gRPC server until interrupted: PutValues, and QueryValues for the last reading of each series. " +
    "Prints readings as decode does; with --to, writes the messages unchanged to a file, each preceded by its varint " +
    "length. There is no encryption or authentication, so be careful with addresses other than 127.0.0.1. In collectd.conf: " +
    '<Plugin grpc> <Server "127.0.0.1" "25826"> </Server> </Plugin>.',
  on: "nothing",
  effect: "read",
  flags: {
    listen: textOr("127.0.0.1:25826", "address to listen on; port 0 picks a free port", { placeholder: "HOST:PORT" }),
    to: text("write to a file instead of printing", { placeholder: "FILE" }),
    format: choice(readingFormats, "output format (ndjson; text on a terminal)"),
    count: integer("stop after this many readings", { min: 1 }),
    utc: toggle("with --format text: show times in UTC instead of local time"),
  },
  examples: [
    ["Print what collectd sends", "tongs metrics serve"],
    ["Record it to a file", "tongs metrics serve --to readings.bin"],
  ],
  async run({ system, options, out, flags }) {
    const { to, utc, count = Number.POSITIVE_INFINITY } = flags;
    const terminal = system.stdout.isTTY === true;
    const named = options.jsonl ? "ndjson" : options.csv ? "csv" : options.json === undefined ? undefined : "json";
    const format = flags.format ?? named ?? (terminal ? "text" : "ndjson");
    await withSink(system, to, async (sink) => {
      const recorder = to === undefined ? await printer(sink, format, utc) : fileRecorder(sink);
      let received = 0;
      let finish = () => {};
      let fail = (_error: unknown) => {};
      const done = new Promise<void>((resolve, reject) => {
        finish = resolve;
        fail = reject;
      });
      // The gRPC library takes longer to load than a short command takes.
      const { startEndpoint } = await import("../../metrics/grpc/serve.ts");
      const endpoint = await startEndpoint(flags.listen, (encoded) => {
        if (received >= count) return;
        received += 1;
        try {
          recorder.record(encoded);
          if (received === count) finish();
        } catch (error) {
          if (error instanceof WireFault) out.warn(`Skipped a reading: ${error.message}`);
          else fail(error);
        }
      });
      out.note(`Listening on ${flags.listen.replace(/:\d+$/, "")}:${endpoint.port}`);
      system.signal.addEventListener("abort", () => finish(), { once: true });
      try {
        if (!system.signal.aborted) await done;
      } finally {
        await endpoint.close();
        await recorder.end();
      }
      out.note(`Received ${received} ${received === 1 ? "reading" : "readings"}`);
    });
  },
});

interface Recorder {
  readonly record: (encoded: Uint8Array) => void;
  readonly end: () => Promise<void>;
}

function fileRecorder(sink: Sink): Recorder {
  return {
    record: (encoded) => sink.write(Buffer.concat([frameHead("delimited", encoded.length), encoded])),
    end: async () => {},
  };
}

async function printer(sink: Sink, format: (typeof readingFormats)[number], utc: boolean): Promise<Recorder> {
  // Accept strings that are not UTF-8, because collectd sends them.
  const writer = createReadingWriter(sink, { format, utc, lenient: true });
  await writer.loadDecoder();
  return {
    record: (encoded) => {
      const padded = new Uint8Array(encoded.length + slack);
      padded.set(encoded);
      writer.handle(padded, new DataView(padded.buffer), 0, encoded.length);
      void writer.flush();
    },
    end: async () => writer.end(),
  };
}
