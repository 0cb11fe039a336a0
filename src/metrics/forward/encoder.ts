import { createDecoder } from "../decode/decoder.ts";
import type { Moment } from "../decode/fields.ts";
import { requireNanoseconds } from "../formats/check-time.ts";
import { createInfluxPrinter } from "../formats/influx.ts";
import { createOutput } from "../formats/output.ts";
import { faultOf, Unrepresentable } from "../formats/printer.ts";
import { createBlock, slack } from "../wire/block.ts";
import { WireFault } from "../wire/fields.ts";
import type { ForwardFormat } from "./formats.ts";
import { otlpBody, otlpHeaders } from "./otlp.ts";
import { remoteWriteBody, remoteWriteHeaders } from "./remote-write.ts";
import { createSeriesTable, type EngineSeries } from "./series.ts";

/** What a format makes of the readings of one body. */
type Part = Pick<Parameters<typeof createDecoder>[0], "tail" | "added"> & {
  readonly add: (decoder: ReturnType<typeof createDecoder>, entry: number) => void;
  readonly take: () => Uint8Array | undefined;
  readonly leftOut: () => number;
};

/** Creates the encoder of a format. It remembers names and labels, nothing else. */
export function createEncoder(format: ForwardFormat) {
  const headers = {
    "remote-write": remoteWriteHeaders,
    otlp: otlpHeaders,
    influx: { "content-type": "text/plain; charset=utf-8" },
  };
  const part = format === "influx" ? influxPart() : seriesPart(format === "otlp" ? otlpBody : remoteWriteBody);
  const decoder = createDecoder({ lenient: false, tail: part.tail, added: part.added });
  let block = createBlock(64 * 1024);

  function add(encoded: Uint8Array): void {
    if (encoded.length + slack > block.bytes.length) block = createBlock(2 * (encoded.length + slack));
    block.bytes.set(encoded);
    const entry = decoder.read(block.bytes, block.view, 0, encoded.length);
    requireTime(decoder.fields.time);
    if (format === "otlp" && decoder.fields.time.seconds < 0)
      throw new Unrepresentable("the time is before 1970, which OTLP does not have");
    part.add(decoder, entry);
  }

  /** The body for encoded readings. */
  function encode(readings: readonly Uint8Array[]) {
    /** The numbers of readings that the format has no form for, and the reasons. */
    const faults = new Map<number, string>();
    const before = part.leftOut();
    readings.forEach((encoded, number) => {
      try {
        add(encoded);
      } catch (error) {
        const fault = faultOf(error, 0);
        if (!(fault instanceof WireFault)) throw error;
        faults.set(number, fault.message);
      }
    });
    return { body: part.take(), faults, leftOut: part.leftOut() - before };
  }

  return { headers: headers[format], encode };
}

function seriesPart(bodyOf: (series: readonly EngineSeries[]) => Uint8Array): Part {
  const table = createSeriesTable();
  return {
    added: table.added,
    add: ({ fields }, entry) => table.add(fields, entry),
    take: () => {
      const series = table.take();
      return series.length === 0 ? undefined : bodyOf(series);
    },
    leftOut: () => 0,
  };
}

function influxPart(): Part {
  const pieces: Uint8Array[] = [];
  const out = createOutput({ write: (bytes) => void pieces.push(Uint8Array.from(bytes)), drained: () => undefined });
  const printer = createInfluxPrinter(out);
  return {
    tail: printer.tail,
    added: printer.added,
    add: ({ fields, tails }, entry) => printer.print(fields, tails, entry),
    take: () => {
      out.at = out.send(out.at);
      /** Undefined if nothing is left. */
      const body = Buffer.concat(pieces.splice(0));
      return body.length === 0 ? undefined : body;
    },
    /** How many values the format has no form for, though it has the reading: NaN in Influx lines. */
    leftOut: () => printer.leftOut?.() ?? 0,
  };
}

/** An engine would give a reading without a time its own. */
function requireTime(time: Moment): void {
  if (!time.isSet) throw new Unrepresentable("the reading has no time");
  requireNanoseconds(time);
}
