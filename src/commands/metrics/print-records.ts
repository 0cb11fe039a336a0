import type { Sink } from "../../metrics/stream/sink.ts";
import { utf8Bytes } from "../../metrics/wire/utf8.ts";

/** A sink that keeps NDJSON for what needs all records at once. */
export function recordSink(): Sink & { readonly lines: () => string[] } {
  const chunks: Uint8Array[] = [];
  return {
    write: (bytes) => {
      chunks.push(Uint8Array.from(bytes));
    },
    settled: () => undefined,
    lines: () => Buffer.concat(chunks).toString("utf8").split("\n").slice(0, -1),
  };
}

/** Prints records given as lines of JSON: through jq, or with only these fields. */
export async function printRecords(
  lines: readonly string[],
  sink: Sink,
  how: { readonly jq: string | undefined; readonly fields: readonly string[]; readonly lines: boolean },
): Promise<void> {
  let records = lines;
  if (how.fields.length > 0) {
    const [{ pick }, { jsonText }] = await Promise.all([import("../../shape/select.ts"), import("../../text/json.ts")]);
    records = lines.map((line) => jsonText(pick(JSON.parse(line), how.fields)));
  }
  if (how.jq !== undefined) {
    const { runJq } = await import("../../output/jq.ts");
    sink.write(utf8Bytes(await runJq(how.jq, `[${records.join()}]`)));
  } else {
    sink.write(utf8Bytes(how.lines ? records.map((line) => `${line}\n`).join("") : `[${records.join()}]\n`));
  }
}
