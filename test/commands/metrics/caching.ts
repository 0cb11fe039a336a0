import { createDecoder } from "../../../src/metrics/decode/decoder.ts";
import { startEndpoint } from "../../../src/metrics/grpc/serve.ts";
import { createLastReadings } from "../../../src/metrics/status/last-readings.ts";

/** A server that keeps the last reading of each series, as `metrics serve` does; none expires by a clock that stands still. */
export function startCaching(port = 0, now = new Date(0)) {
  const last = createLastReadings(() => now);
  const { read, fields } = createDecoder({ lenient: true, added: last.added });
  return startEndpoint(
    { host: "127.0.0.1", port },
    {
      query: last.query,
      onReading: (bytes, view, start, end) => {
        const series = last.series(read(bytes, view, start, end));
        last.keep({ series, bytes, start, end, time: fields.time });
      },
    },
  );
}
