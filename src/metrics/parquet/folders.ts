import { sep } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { noBucket } from "./times.ts";

/** What folders are made for. */
export type Partition = "day" | "hour" | "host";

/** How Hive names the folder of null. */
const missing = "__HIVE_DEFAULT_PARTITION__";

/** The folder of a bucket of time and a host, as Hive names it; an `hour` is within its `day`. Times are UTC. */
export function folderOf(bucket: number, host: string, by: readonly Partition[]): string {
  const span = timeSpan(by);
  const milliseconds = bucket * (span === "hour" ? 3_600_000 : 86_400_000);
  const [day = "", clock = ""] =
    bucket === noBucket || span === undefined ? [missing, missing] : new Date(milliseconds).toISOString().split("T");
  return [
    ...(span === undefined ? [] : [`day=${day}`]),
    ...(span === "hour" ? [`hour=${bucket === noBucket ? missing : clock.slice(0, 2)}`] : []),
    ...(by.includes("host") ? [`host=${hostName(host)}`] : []),
  ].join(sep);
}

/** The span of time that folders are made for. */
export function timeSpan(by: readonly Partition[]): "day" | "hour" | undefined {
  return by.includes("hour") ? "hour" : by.includes("day") ? "day" : undefined;
}

/** What Hive and Spark escape, and what Windows has no names with. Spark cannot decode other characters. */
const special = /[^ -~\u0080-\u{10ffff}]|["#%'*/:<=>?[\\\]^{|}]/gu;

/**
 * A host as Hive escapes it in folders. What readers take for null is escaped, too. No folder can say that a host is empty:
 * all readers take it for null.
 */
function hostName(name: string): string {
  if (name === "") return missing;
  const escaped = name.replace(special, hex);
  if (Buffer.byteLength(escaped) > 200) {
    throw new Failure("name_too_long", `The host name is too long for a directory: ${name.slice(0, 60)}…`);
  }
  return name === missing || /^null$/i.test(name) ? escaped.replace(/^./, hex) : escaped;
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
