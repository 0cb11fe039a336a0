import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readFileHead } from "../../src/download/download.ts";
import { incomingBody } from "../../src/http/incoming-body.ts";

const changed = "Sat, 21 Nov 2026 09:53:48 GMT";
const empty = () => incomingBody(Readable.from([]), (error) => error);
const read = (status: number, headers: Readonly<Record<string, string>>) =>
  readFileHead({ status, headers, body: empty(), url: new URL("https://storage.example.org/x") }, "it");

describe("the response head of a download", () => {
  it("identifies the file by a strong ETag, or by the modification time", () => {
    const validator = (headers: Readonly<Record<string, string>>) => read(200, { "content-length": "5", ...headers });
    expect(validator({ etag: '"a"', "last-modified": changed })).toMatchObject({ identity: { validator: '"a"' } });
    expect(validator({ etag: 'W/"a"', "last-modified": changed })).toMatchObject({ identity: { validator: changed } });
    expect(validator({})).toEqual({ brings: "all", identity: { source: "it", total: 5, validator: undefined } });
  });

  it("names the range of the body, which must reach the end of the file", () => {
    expect(read(206, { "content-range": "bytes 3-9/10" })).toMatchObject({ brings: "rest", from: 3 });
    for (const range of ["bytes 3-8/10", "bytes 3-9/*", "items 3-9/10", ""]) {
      expect(read(206, { "content-range": range })).toEqual({ brings: "nothing" });
    }
    expect(read(204, {})).toEqual({ brings: "nothing" });
  });

  it("gives no length and cannot be resumed when the body has a content encoding", () => {
    const packed = { "content-encoding": "gzip", "content-length": "5", etag: '"a"' };
    expect(read(200, packed)).toMatchObject({ identity: { total: undefined, validator: undefined } });
    expect(read(206, { ...packed, "content-range": "bytes 3-9/10" })).toEqual({ brings: "nothing" });
  });

  it("is refused for a web page", () => {
    expect(() => read(200, { "content-type": "text/html; charset=utf-8" })).toThrow("a web page");
  });
});
