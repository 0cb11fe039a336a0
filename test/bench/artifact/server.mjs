// A forge that has artifacts and nothing else, for the benches: files on disk, streamed, after a delay.
// Usage: node server.mjs DELAY_MS FILE... prints its address, serves until its input ends.
import { createReadStream, statSync } from "node:fs";
import http from "node:http";

const [delay, ...files] = process.argv.slice(2);
const record = (file, index) => ({
  id: index + 1,
  name: `artifact-${index + 1}`,
  size_in_bytes: statSync(file).size,
  expired: false,
  created_at: "2026-11-21T09:53:48Z",
  updated_at: "2026-11-21T09:53:48Z",
  expires_at: "2027-02-19T09:53:48Z",
});
const server = http.createServer((request, response) => {
  const answer = () => {
    const [, id, rest] = /artifacts\/(\d+)(.*)$/.exec(request.url ?? "") ?? [];
    const file = files[Number(id) - 1];
    if (file === undefined) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ artifacts: files.map(record), total_count: files.length }));
    } else if (rest === "") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(record(file, Number(id) - 1)));
    } else if (rest === "/zip") response.writeHead(302, { location: `${request.url}/raw?sig=1` }).end();
    else {
      response.writeHead(200, { "content-type": "application/zip", "content-length": statSync(file).size });
      createReadStream(file, { highWaterMark: 1024 * 1024 }).pipe(response);
    }
  };
  if (Number(delay) > 0) setTimeout(answer, Number(delay));
  else answer();
});
process.stdin.on("end", () => process.exit()).resume();
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
