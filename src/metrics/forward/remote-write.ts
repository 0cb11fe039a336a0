import Long from "long";
import { kind } from "../decode/fields.ts";
import { WriteRequest } from "../generated/prometheus/remote.ts";
import { snappyCompress } from "../hyparquet-parts.ts";
import type { EngineSeries, Point } from "./series.ts";

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
      value: doubleOf(point, which),
      timestamp: Long.fromNumber(point.seconds * 1000 + Math.floor(point.nanos / 1e6)),
    })),
  }));
  return snappyCompress(WriteRequest.encode({ timeseries }).finish());
}

function doubleOf({ gauge, low, high }: Point, which: number): number {
  // One of the many NaNs marks the end of a series.
  if (which === kind.gauge) return Number.isNaN(gauge) ? Number.NaN : gauge;
  return (which === kind.derive ? high | 0 : high >>> 0) * 2 ** 32 + (low >>> 0);
}
