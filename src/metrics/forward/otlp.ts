import Long from "long";
import { kind } from "../decode/fields.ts";
import { isTotal } from "../formats/prometheus-names.ts";
import {
  AggregationTemporality,
  ExportMetricsServiceRequest,
  ExportMetricsServiceResponse,
  type Metric,
  type NumberDataPoint,
} from "../generated/opentelemetry/metrics.ts";
import type { EngineSeries, Point } from "./series.ts";

/** The headers of OTLP over HTTP. */
export const otlpHeaders = { "content-type": "application/x-protobuf" };

const cumulative = AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;

/**
 * The body of a request of OTLP over HTTP: counters and derives are cumulative sums, which are monotonic unless a derive is
 * negative; other values are gauges. collectd does not say when a counter began, so that sums have no start. The labels are
 * attributes of the points, so that engines name a series as they do with remote write.
 */
export function otlpBody(series: readonly EngineSeries[]): Uint8Array {
  const metrics = new Map<string, { readonly metric: Metric; readonly points: NumberDataPoint[] }>();
  for (const { name, kind: which, labels, points } of series) {
    const attributes = labels
      .filter((label) => label.name !== "__name__")
      .map(({ name: key, value }) => ({
        key,
        value: { value: { $case: "string_value" as const, string_value: value } },
      }));
    for (const point of points) {
      const isMonotonic = which === kind.counter || point.high <= 0x7fffffff;
      const key = `${name} ${isTotal(which)} ${isTotal(which) && isMonotonic}`;
      const known = metrics.get(key) ?? newMetric(name, which, isMonotonic);
      metrics.set(key, known);
      known.points.push(pointOf(point, which, attributes));
    }
  }
  const scope = { name: "tongs", version: "" };
  const scope_metrics = [{ scope, metrics: [...metrics.values()].map(({ metric }) => metric) }];
  return ExportMetricsServiceRequest.encode({ resource_metrics: [{ scope_metrics }] }).finish();
}

function newMetric(name: string, which: number, is_monotonic: boolean) {
  const points: NumberDataPoint[] = [];
  const data: Metric["data"] = isTotal(which)
    ? { $case: "sum", sum: { data_points: points, aggregation_temporality: cumulative, is_monotonic } }
    : { $case: "gauge", gauge: { data_points: points } };
  return { metric: { name, data }, points };
}

function pointOf(point: Point, which: number, attributes: NumberDataPoint["attributes"]): NumberDataPoint {
  const time = Long.fromNumber(point.seconds, true).multiply(1e9).add(point.nanos);
  return { start_time_unix_nano: Long.UZERO, time_unix_nano: time, value: numberOf(point, which), attributes };
}

function numberOf({ gauge, low, high }: Point, which: number): NumberDataPoint["value"] {
  if (which === kind.gauge) return { $case: "as_double", as_double: gauge };
  // Integers are signed there.
  if (which !== kind.derive && high > 0x7fffffff)
    return { $case: "as_double", as_double: new Long(low, high, true).toNumber() };
  return { $case: "as_int", as_int: new Long(low, high) };
}

/** How many points an answer says were rejected, and why. Throws an error if it is not an answer of OTLP. */
export function rejectedPoints(answer: Uint8Array): { readonly rejected: number; readonly reason: string } {
  const { partial_success } = ExportMetricsServiceResponse.decode(answer);
  const rejected = partial_success?.rejected_data_points.toNumber() ?? 0;
  return { rejected, reason: partial_success?.error_message ?? "" };
}
