import http from "node:http";
import { listen } from "./at-end.ts";

/**
 * A reverse proxy that closes the connection instead of passing on the answers that `drops` chooses, by default every fifth, or
 * answers with the status that it returns.
 * What `swallows` chooses does not reach the server, nor what `answers` has JSON for, nor what `misses` chooses, which is not
 * found; the answers that `breaks` chooses are 500. Answers lack the headers that it `hides`.
 */
export async function droppingProxy(
  to: string,
  {
    drops = (_, count) => count % 5 === 0,
    swallows = () => false,
    answers = () => undefined,
    misses = () => false,
    breaks = () => false,
    hides = [],
  }: {
    readonly drops?: (request: http.IncomingMessage, count: number) => boolean | number;
    readonly swallows?: (request: http.IncomingMessage) => boolean;
    readonly answers?: (url: string) => unknown;
    readonly misses?: (request: http.IncomingMessage) => boolean;
    readonly breaks?: (request: http.IncomingMessage) => boolean;
    readonly hides?: readonly string[];
  } = {},
) {
  let count = 0;
  const server = http.createServer((request, response) => {
    const { method, headers, url = "" } = request;
    const body = answers(url);
    if (body !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return;
    }
    if (misses(request)) {
      const json = { "content-type": "application/json" };
      request.resume().once("end", () => response.writeHead(404, json).end('{"message":"not found"}'));
      return;
    }
    if (swallows(request)) {
      request.resume().once("end", () => request.socket.destroy());
      return;
    }
    const host = new URL(to).host;
    const onward = http.request(to + url, { method, headers: { ...headers, host } }, (answer) => {
      count += 1;
      const dropped = drops(request, count);
      if (dropped !== false) {
        const end = () => (dropped === true ? request.socket.destroy() : response.writeHead(dropped).end());
        answer.resume().once("end", end);
        return;
      }
      if (breaks(request)) {
        answer.resume().once("end", () => response.writeHead(500).end());
        return;
      }
      for (const name of hides) delete answer.headers[name];
      response.sendDate = !hides.includes("date");
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once("error", () => request.socket.destroy());
    request.pipe(onward);
  });
  const { port, close } = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => void close(),
  };
}
