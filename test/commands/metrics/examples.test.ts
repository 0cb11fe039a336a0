import { expect, test } from "vitest";
import { tongsBytes } from "./bytes.ts";

test("the examples of the help of metrics come first: collectd.conf, serve, stat, plot", async () => {
  const { stdout } = await tongsBytes(["metrics", "--help"]);
  const places = ["LoadPlugin grpc", "metrics serve --to", "metrics stat", "metrics plot", "USAGE"];
  const found = places.map((place) => stdout.toString().indexOf(place));
  expect(found.every((at) => at > 0)).toBe(true);
  expect(found).toEqual([...found].sort((one, other) => one - other));
});
