import { defineCommand } from "../../command/define.ts";
import { choice, integer, text, textOr, toggle } from "../../command/flags.ts";
import { frameHead } from "../../metrics/framing/framing.ts";
import { startEndpoint } from "../../metrics/grpc/serve.ts";
import { type Sink, withSink } from "../../metrics/outputs.ts";
import { createReadingWriter, readingFormats } from "../../metrics/reading-writer.ts";
import { slack } from "../../metrics/wire/block.ts";
import { WireFault } from "../../metrics/wire/fields.ts";

export const serve = defineCommand({
  summary: "Receive readings from collectd",
  details:
    "A collectd gRPC endpoint (PutValues, and QueryValues on the last reading of each series) that runs until it is " +
    "interrupted. It prints what arrives as decode does, or with --to records the messages, byte for byte, behind varint " +
    "lengths. There is no encryption and no password: think before you listen on more than 127.0.0.1. In collectd.conf: " +
    '<Plugin grpc> <Server "127.0.0.1" "25826"> </Server> </Plugin>.',
  on: "nothing",
  effect: "read",
  flags: {
    listen: textOr("127.0.0.1:25826", "where to listen; port 0 picks a free one", { placeholder: "HOST:PORT" }),
    to: text("record to this file instead of printing", { placeholder: "FILE" }),
    format: choice(readingFormats, "ndjson (when piped), text (on a terminal), json, csv or putval"),
    count: integer("stop after so many readings", { min: 1 }),
    utc: toggle("text: times in UTC, not local"),
  },
  examples: [
    ["Watch what a collectd sends", "tongs metrics serve"],
    ["Record it", "tongs metrics serve --to readings.bin"],
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
      const endpoint = await startEndpoint(flags.listen, (encoded) => {
        if (received >= count) return;
        received += 1;
        try {
          recorder.record(encoded);
          if (received === count) finish();
        } catch (error) {
          if (error instanceof WireFault) out.warn(`Not printed: ${error.message}`);
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
  // What is not UTF-8 is shown as such: an endpoint cannot ask again.
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
