// The least that can be done: the same requests over kept connections, `width` at once, and nothing else.
const http = require("node:http");
const { readFileSync } = require("node:fs");
const [address, token, file, width] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(width) });
const url = new URL("/api/v1/admin/users", address);
const rows = readFileSync(file, "utf8").trim().split("\n").slice(1);
const post = (row) =>
  new Promise((resolve, reject) => {
    const [username, email, password] = row.split(",");
    const body = JSON.stringify({ username, email, password });
    const headers = {
      authorization: `token ${token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      const done = () => (response.statusCode === 201 ? resolve() : reject(new Error(`status ${response.statusCode}`)));
      response.on("end", done);
    });
    request.on("error", reject);
    request.end(body);
  });
let next = 0;
const worker = async () => {
  while (next < rows.length) await post(rows[next++]);
};
Promise.all(Array.from({ length: Number(width) }, worker)).then(
  () => agent.destroy(),
  (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
