/** "Never", where the servers send the zero time. */
export const zeroTime = "0001-01-01T00:00:00Z";
/** "Never", where they send the Unix epoch. */
export const epoch = "1970-01-01T00:00:00Z";

/** A time as the API writes it: RFC 3339, whole seconds, UTC. */
export function timestamp(time: Date | string | number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}
