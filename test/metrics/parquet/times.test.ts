import { expect, test } from "vitest";
import type { Moment } from "../../../src/metrics/decode/fields.ts";
import { microseconds, nanoseconds } from "../../../src/metrics/parquet/times.ts";

function moment(seconds: number, nanos: number): Moment {
  const exact = BigInt(seconds);
  return { isSet: true, seconds, nanos, high: Number(exact >> 32n), low: Number(BigInt.asIntN(32, exact)) };
}

/** A time in microseconds and nanoseconds. */
function timesAt(seconds: number, nanos: number) {
  const words = { high: 0, low: 0 };
  if (!nanoseconds(moment(seconds, nanos), words)) return undefined;
  const whole = () => BigInt.asIntN(64, (BigInt(words.high) << 32n) | BigInt(words.low >>> 0));
  const exact = whole();
  microseconds(words, words);
  return [whole(), exact];
}

test("a time is the microsecond that has begun and all nanoseconds, also before 1970", () => {
  expect(timesAt(1, 1999)).toEqual([1_000_001n, 1_000_001_999n]);
  expect(timesAt(-1, 999_999_999)).toEqual([-1n, -1n]);
  expect(timesAt(-1, 999_999_000)).toEqual([-1n, -1000n]);
  for (const seconds of [0, 4, 4.294967296e9, 1_767_225_600, 2 ** 33 - 1, 2 ** 33, 9e9, -9e9, -5]) {
    for (const nanos of [0, 1, 294_967_295, 294_967_296, 999_999_999]) {
      const exact = BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
      const floor = (exact - (((exact % 1000n) + 1000n) % 1000n)) / 1000n;
      expect(timesAt(seconds, nanos)).toEqual([floor, exact]);
    }
  }
});

test("a time that nanoseconds in 64 bits cannot hold is none", () => {
  expect([timesAt(1e12, 0), timesAt(-1e12, 0), timesAt(9_223_372_037, 0)]).toEqual([undefined, undefined, undefined]);
  expect(timesAt(9_223_372_036, 854_775_807)?.[1]).toBe(2n ** 63n - 1n);
});
