import type { ServiceDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { Reading } from "../reading/codec.ts";
import { type IdentityPart, partOf } from "../reading/identity.ts";
import { varint } from "../wire/fields.ts";

/** The five patterns of a `QueryValues` call; an empty one matches only an empty text. */
export type QueryPatterns = Readonly<Record<IdentityPart, string>>;

/** The paths of collectd's service, `collectd.Collectd` in proto/collectd/collectd.proto. */
export const paths = { put: "/collectd.Collectd/PutValues", query: "/collectd.Collectd/QueryValues" } as const;

/** Messages cross the wire as they are: what is recorded is what was sent. */
export function asBytes(bytes: Buffer): Buffer {
  return bytes;
}

/** The service for a server; both sides see encoded messages. */
export const service: ServiceDefinition<UntypedServiceImplementation> = {
  PutValues: {
    path: paths.put,
    requestStream: true,
    responseStream: false,
    requestSerialize: asBytes,
    requestDeserialize: asBytes,
    responseSerialize: asBytes,
    responseDeserialize: asBytes,
  },
  QueryValues: {
    path: paths.query,
    requestStream: false,
    responseStream: true,
    requestSerialize: asBytes,
    requestDeserialize: asBytes,
    responseSerialize: asBytes,
    responseDeserialize: asBytes,
  },
};

/** A reading inside `PutValuesRequest` or `QueryValuesResponse`: field 1, its length, its bytes. */
export function wrap(reading: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.from(varint(reading.length, [0x0a])), reading]);
}

/** What collectd answers INVALID_ARGUMENT to, in its own words; undefined for a reading that it takes. */
export function rejectionReason(reading: Reading): string | undefined {
  if (partOf(reading, "host") === "") return "missing host name";
  if (partOf(reading, "plugin") === "") return "missing plugin name";
  if (partOf(reading, "type") === "") return "missing type name";
  if (reading.values.some(({ value }) => value === undefined)) return "unknown value type";
  if ([...reading.meta_data.values()].some(({ value }) => value === undefined)) return "Metadata of unknown type";
  return undefined;
}
