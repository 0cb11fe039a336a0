import type { Transform } from "node:stream";
import { BrokenAnswerError } from "./errors.ts";
import { incomingBody } from "./incoming-body.ts";
import { requestFailure } from "./no-answer-error.ts";
import type { Body, WireHead, WireRequest, WireResponse } from "./transport.ts";

type Coding = "gzip" | "deflate" | "br";

/** Decompression fails if it gets this many bytes without any result, such as empty gzip members without end. */
const maxFruitless = 1024 * 1024;

/** The content encoding of a body, if there is one that can be decoded. */
function contentEncoding({ headers }: WireHead): Coding | undefined {
  const coding = headers["content-encoding"]
    ?.trim()
    .toLowerCase()
    .replace(/^x-gzip$/, "gzip");
  return coding === "gzip" || coding === "deflate" || coding === "br" ? coding : undefined;
}

/**
 * The body of a response as a stream, decompressed as it is read. An empty body stays empty, whatever its encoding. Fails
 * with a `BrokenAnswerError` if it cannot be decompressed.
 */
export function decodedBody(response: WireResponse, request: WireRequest): Body {
  const coding = contentEncoding(response);
  if (coding === undefined) return response.body;
  const zlib = process.getBuiltinModule("node:zlib");
  const { Readable } = process.getBuiltinModule("node:stream");
  const [decoder, empty]: [Transform, () => Buffer] = {
    gzip: (): [Transform, () => Buffer] => [zlib.createGunzip(), () => zlib.gzipSync("")],
    deflate: (): [Transform, () => Buffer] => [zlib.createInflate(), () => zlib.deflateSync("")],
    br: (): [Transform, () => Buffer] => [zlib.createBrotliDecompress(), () => zlib.brotliCompressSync("")],
  }[coding]();
  const broken = () =>
    new BrokenAnswerError(`The response from ${request.url.host} could not be decompressed`, {
      status: response.status,
      method: request.method,
      path: request.url.pathname,
    });
  let fruitless = 0;
  decoder.on("data", () => {
    fruitless = 0;
  });
  async function* encodedPieces(): AsyncGenerator<Buffer, void, undefined> {
    let received = false;
    for await (const piece of response.body) {
      received ||= piece.length > 0;
      fruitless += piece.length;
      if (fruitless > maxFruitless) throw broken();
      yield piece;
    }
    // Of nothing at all a decoder says that the end is missing.
    if (!received) yield empty();
  }
  const encoded = Readable.from(encodedPieces());
  encoded.on("error", (error) => decoder.destroy(error));
  decoder.on("close", () => encoded.destroy());
  return incomingBody(encoded.pipe(decoder), (error) =>
    isZlibError(error) ? broken() : requestFailure(error, request, "sent"),
  );
}

/** Zlib's codes begin with `Z_`, Brotli's with `ERR__ERROR_` or `ERR_BROTLI_`. */
function isZlibError(error: NodeJS.ErrnoException): boolean {
  return /^(Z_|ERR__ERROR_|ERR_BROTLI_)/.test(error.code ?? "");
}
