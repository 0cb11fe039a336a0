import type { ServiceDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";

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
  const head = [0x0a];
  let length = reading.length;
  for (; length > 0x7f; length >>>= 7) head.push((length & 0x7f) | 0x80);
  return Buffer.concat([Uint8Array.from([...head, length]), reading]);
}
