import { describe, expect, test } from "vitest";
import { dataBytes, delimitedMessages, edgeCases } from "./data.ts";
import { genericNdjson, oraclePrinter, sameJson } from "./differential.ts";
import { oracleSupports } from "./oracle.ts";

describe("an independent decoder (protobuf-es)", () => {
  const independent = oraclePrinter();

  test("agrees with ours on each of the 5,000 captured readings", () => {
    const messages = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
    expect(messages.filter((message) => !sameJson(genericNdjson(message), independent(message)))).toEqual([]);
  });

  const judged = edgeCases().filter(({ decodes, hex }) => !decodes || oracleSupports(Buffer.from(hex, "hex")));
  test.each(judged.filter(({ name }) => name !== "length-2-32-plus-1"))("agrees with ours on $name", ({ hex }) => {
    const bytes = Buffer.from(hex, "hex");
    const [ours, theirs] = [genericNdjson(bytes), independent(bytes)];
    expect(sameJson(ours, theirs), `${ours} and ${theirs}`).toBe(true);
  });
});
