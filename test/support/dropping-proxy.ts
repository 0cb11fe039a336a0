import http from "node:http";
import type { AddressInfo } from "node:net";

/** A reverse proxy that closes the connection instead of passing on every fifth answer. */
export async function droppingProxy(to: string) {
  let count = 0;
  const server = http.createServer((request, response) => {
    const { method, headers, url = "" } = request;
    const host = new URL(to).host;
    const onward = http.request(new URL(url, to), { method, headers: { ...headers, host } }, (answer) => {
      count += 1;
      if (count % 5 === 0) {
        answer.resume().once("end", () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once("error", () => request.socket.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
