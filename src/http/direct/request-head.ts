import type { WireRequest } from "../transport.ts";
import { hasControl, isToken } from "./grammar.ts";

/** What the connection itself decides. */
const ours = /^(connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** The head of a request, with the empty line after it (RFC 9112 3). Throws where a header would become another. */
export function requestHead({ method, url, headers, body }: WireRequest): string {
  if (!isToken(method)) throw new Error("A method cannot be sent");
  let head = "";
  let host = url.host;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (ours.test(name)) continue;
    if (!isToken(name) || hasControl(value)) throw new Error(`The header ${name} cannot be sent`);
    if (name.length === 4 && name.toLowerCase() === "host") host = value;
    else head += `${name}: ${value}\r\n`;
  }
  const length =
    body !== undefined
      ? `content-length: ${Buffer.byteLength(body)}\r\n`
      : method === "POST" || method === "PUT" || method === "PATCH"
        ? "content-length: 0\r\n"
        : "";
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${host}\r\n${head}${length}connection: keep-alive\r\n\r\n`;
}
