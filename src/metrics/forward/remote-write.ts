import Long from "long";
import { WriteRequest } from "../generated/prometheus/remote.ts";
import { snappyCompress } from "../hyparquet-parts.ts";
import { nearestDouble } from "../series/samples.ts";
import type { EngineSeries } from "./series.ts";

/** The headers of Prometheus remote write 1.0. */
export const remoteWriteHeaders = {
  "content-type": "application/x-protobuf",
  "content-encoding": "snappy",
  "x-prometheus-remote-write-version": "0.1.0",
};

/** The body of a request of Prometheus remote write 1.0. Values are doubles, and times whole milliseconds. */
export function remoteWriteBody(series: readonly EngineSeries[]): Uint8Array {
  const timeseries = series.map(({ labels, points, kind: which }) => ({
    labels: [...labels],
    samples: points.map((point) => ({
      // One of the many NaNs marks the end of a series.
      value: Number.isNaN(point.gauge) ? Number.NaN : nearestDouble({ kind: which, ...point }),
      timestamp: Long.fromNumber(point.seconds * 1000 + Math.floor(point.nanos / 1e6)),
    })),
  }));
  return snappyCompress(WriteRequest.encode({ timeseries }).finish());
}
