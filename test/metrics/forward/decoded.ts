import { snappyUncompress } from "hyparquet/src/snappy.js";
import type { ForwardFormat } from "../../../src/metrics/forward/formats.ts";
import { ExportMetricsServiceRequest } from "../../../src/metrics/generated/opentelemetry/metrics.ts";
import { WriteRequest } from "../../../src/metrics/generated/prometheus/remote.ts";

/** A value as an engine gets it. */
export interface Sample {
  /** `NAME{LABEL="VALUE",…}`, labels by name; of Influx lines, the line up to the field. */
  readonly series: string;
  readonly value: number;
  /** In milliseconds. */
  readonly time: number;
}

/** The values in the body of a request, in its order. */
export function samplesIn(format: ForwardFormat, body: Uint8Array): Sample[] {
  if (format === "influx") return Buffer.from(body).toString().trimEnd().split("\n").flatMap(lineSamples);
  return format === "otlp" ? otlpSamples(body) : remoteWriteSamples(body);
}

/** The request in a body of remote write. */
export function writeRequestIn(body: Uint8Array): WriteRequest {
  let [size, shift, at] = [0, 0, 0];
  for (; ; at += 1, shift += 7) {
    size += ((body[at] ?? 0) & 0x7f) * 2 ** shift;
    if ((body[at] ?? 0) < 0x80) break;
  }
  const plain = new Uint8Array(size);
  snappyUncompress(body, plain);
  return WriteRequest.decode(plain);
}

function remoteWriteSamples(body: Uint8Array): Sample[] {
  return writeRequestIn(body).timeseries.flatMap(({ labels, samples }) => {
    const name = labels.find((label) => label.name === "__name__")?.value ?? "";
    const series = seriesText(
      name,
      labels.filter((label) => label.name !== "__name__").map((label) => [label.name, label.value]),
    );
    return samples.map(({ value, timestamp }) => ({ series, value, time: timestamp.toNumber() }));
  });
}

function otlpSamples(body: Uint8Array): Sample[] {
  const { resource_metrics } = ExportMetricsServiceRequest.decode(body);
  const metrics = resource_metrics.flatMap(({ scope_metrics }) => scope_metrics.flatMap((scope) => scope.metrics));
  return metrics.flatMap(({ name, data }) => {
    const points = data?.$case === "sum" ? data.sum.data_points : data?.$case === "gauge" ? data.gauge.data_points : [];
    return points.map(({ attributes, value, time_unix_nano }) => ({
      series: seriesText(
        name,
        attributes.map((one) => [one.key, one.value?.value?.string_value ?? ""]),
      ),
      value: value?.$case === "as_int" ? value.as_int.toNumber() : (value?.as_double ?? Number.NaN),
      time: Number(BigInt(time_unix_nano.toString()) / 1_000_000n),
    }));
  });
}

/** Of lines whose names have no escapes. */
function lineSamples(line: string): Sample[] {
  const [series = "", fields = "", time = ""] = line.split(" ");
  return fields.split(",").map((field) => {
    const [key = "", value = ""] = field.split("=");
    return {
      series: `${series} ${key}`,
      value: Number(value.replace(/[iu]$/, "")),
      time: Number(BigInt(time) / 1_000_000n),
    };
  });
}

/** A series as a key, with its labels by name. */
export function seriesText(name: string, labels: readonly (readonly [string, string])[]): string {
  const sorted = [...labels].sort(([one], [other]) => (one < other ? -1 : 1));
  return `${name}{${sorted.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join()}}`;
}

/** Values in one order, for comparison. */
export function sorted(samples: readonly Sample[]): string[] {
  return samples.map(({ series, value, time }) => `${series} ${time} ${value}`).sort();
}
