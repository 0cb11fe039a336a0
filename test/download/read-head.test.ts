import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readHead } from "../../src/download/download.ts";
import { readableBody } from "../../src/http/readable-body.ts";

const changed = "Sat, 21 Nov 2026 09:53:48 GMT";
const empty = () => readableBody(Readable.from([]), (error) => error);
const read = (status: number, headers: Readonly<Record<string, string>>) =>
  readHead({ status, headers, body: empty(), url: new URL("https://storage.example.org/x") }, "it");

describe("the head of a download's answer", () => {
  it("is told apart from another file's by a strong ETag, else by the time of change", () => {
    const validator = (headers: Readonly<Record<string, string>>) => read(200, { "content-length": "5", ...headers });
    expect(validator({ etag: '"a"', "last-modified": changed })).toMatchObject({ identity: { validator: '"a"' } });
    expect(validator({ etag: 'W/"a"', "last-modified": changed })).toMatchObject({ identity: { validator: changed } });
    expect(validator({})).toEqual({ brings: "all", identity: { of: "it", total: 5, validator: undefined } });
  });

  it("says which bytes come, and is of no use when it does not, or stops before the end", () => {
    expect(read(206, { "content-range": "bytes 3-9/10" })).toMatchObject({ brings: "rest", from: 3 });
    for (const range of ["bytes 3-8/10", "bytes 3-9/*", "items 3-9/10", ""]) {
      expect(read(206, { "content-range": range })).toEqual({ brings: "nothing" });
    }
    expect(read(204, {})).toEqual({ brings: "nothing" });
  });

  it("gives no length and nothing to go on from when the body is packed for the way", () => {
    const packed = { "content-encoding": "gzip", "content-length": "5", etag: '"a"' };
    expect(read(200, packed)).toMatchObject({ identity: { total: undefined, validator: undefined } });
    expect(read(206, { ...packed, "content-range": "bytes 3-9/10" })).toEqual({ brings: "nothing" });
  });

  it("is refused when it is that of a web page", () => {
    expect(() => read(200, { "content-type": "text/html; charset=utf-8" })).toThrow("a web page");
  });
});
