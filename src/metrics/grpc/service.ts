import type { ServiceDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { Fields } from "../decode/fields.ts";
import { readingOf } from "../decode/reading.ts";
import type { Reading } from "../reading/codec.ts";
import { type IdentityPart, partOf } from "../reading/identity.ts";
import { varint } from "../wire/fields.ts";

/** The five patterns of a `QueryValues` call; an empty one matches only an empty string. */
export type QueryPatterns = Readonly<Record<IdentityPart, string>>;

/** Method paths of `collectd.Collectd` in proto/collectd/collectd.proto. */
export const paths = { put: "/collectd.Collectd/PutValues", query: "/collectd.Collectd/QueryValues" } as const;

/** Passes messages through unchanged, so that recordings contain the bytes that were sent. */
export function asBytes(bytes: Buffer): Buffer {
  return bytes;
}

const unchanged = {
  requestSerialize: asBytes,
  requestDeserialize: asBytes,
  responseSerialize: asBytes,
  responseDeserialize: asBytes,
};

/** The service definition for a server; messages stay encoded. */
export const service: ServiceDefinition<UntypedServiceImplementation> = {
  PutValues: { path: paths.put, requestStream: true, responseStream: false, ...unchanged },
  QueryValues: { path: paths.query, requestStream: false, responseStream: true, ...unchanged },
};

/** Wraps a reading in a `PutValuesRequest` or `QueryValuesResponse`. */
export function wrap(reading: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.from(varint(reading.length, [0x0a])), reading]);
}

/** Creates it. All but the types of values is looked at once for a series. */
export function createRejections() {
  const ofSeries: (string | undefined)[] = [];
  return {
    /** Called with the entry of a series. */
    added: (entry: number, fields: Fields) => {
      ofSeries[entry] = rejectionReason({ ...readingOf(fields), values: [] });
    },
    /** Why a reading is rejected; undefined if it is accepted. */
    reason: (entry: number, { kinds, count }: Fields) => {
      const rejection = ofSeries[entry];
      if (rejection?.startsWith("missing") || !kinds.subarray(0, count).includes(0)) return rejection;
      return "unknown value type";
    },
  };
}

/** The same of a reading as an object. */
export function rejectionReason(reading: Reading): string | undefined {
  if (partOf(reading, "host") === "") return "missing host name";
  if (partOf(reading, "plugin") === "") return "missing plugin name";
  if (partOf(reading, "type") === "") return "missing type name";
  if (reading.values.some(({ value }) => value === undefined)) return "unknown value type";
  if ([...reading.meta_data.values()].some(({ value }) => value === undefined)) return "Metadata of unknown type";
  return undefined;
}
