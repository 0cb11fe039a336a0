// Writes down what a command sends, so that a bare client can send the same.
import http from "node:http";

const dropped = new Set(["host", "connection", "content-length", "transfer-encoding", "keep-alive"]);
const kept = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));

/** Passes requests on to `address` while `run(url)` goes; returns them, and the headers of reads and writes. */
export async function recorded(address, run) {
  const found = { reads: {}, writes: {}, requests: [] };
  const server = http.createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const { method, url } = request;
    found.requests.push([method, url, body.toString()]);
    found[method === "GET" ? "reads" : "writes"] = kept(request.headers);
    const headers = { ...kept(request.headers), "content-length": body.length };
    const onward = http.request(new URL(url, address), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, kept(answer.headers));
      answer.pipe(response);
    });
    onward.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  await run(`http://127.0.0.1:${server.address().port}`);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return found;
}
