// The least that can be done: the requests of a file, over kept connections, `width` at once, each answer read and
// parsed. Nothing is tried again, checked or noted.
const http = require("node:http");
const { readFileSync } = require("node:fs");
const [address, file, width] = process.argv.slice(2);
const { hostname, port } = new URL(address);
const { reads, writes, requests, token } = JSON.parse(readFileSync(file, "utf8"));
for (const headers of [reads, writes]) headers.authorization = `token ${token}`;
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(width) });

const send = ([method, path, body]) =>
  new Promise((resolve, reject) => {
    const headers = method === "GET" ? reads : { ...writes, "content-length": Buffer.byteLength(body) };
    const request = http.request({ hostname, port, method, path, agent, headers }, (response) => {
      const pieces = [];
      response.on("data", (piece) => pieces.push(piece));
      response.on("end", () => resolve(JSON.parse(Buffer.concat(pieces).toString() || "null")));
    });
    request.on("error", reject);
    request.end(method === "GET" ? undefined : body);
  });

let next = 0;
const worker = async () => {
  while (next < requests.length) await send(requests[next++]);
};
Promise.all(Array.from({ length: Number(width) }, worker)).then(
  () => agent.destroy(),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
