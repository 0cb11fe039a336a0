// A server of accounts: it answers writes, and lists users page by page. Words: DELAY for each answer, in milliseconds,
// and COUNT of users. Below /untold nothing says how many there are, so pages can only be read one after the other.
import http from "node:http";

const [delay, count] = process.argv.slice(2).map(Number);

const user = (id, login) => ({
  id,
  login,
  username: login,
  login_name: "",
  source_id: 0,
  full_name: "",
  email: `${login}@example.org`,
  is_admin: false,
  active: true,
  created: new Date().toISOString(),
  last_login: "1970-01-01T00:00:00Z",
  restricted: false,
  prohibit_login: false,
  location: "",
  website: "",
  description: "",
  visibility: "public",
});

const all = Array.from({ length: count }, (_, index) => user(index + 1, `u${index}`));

function answer({ method, url }, body, response) {
  if (method === "POST") {
    const { username } = JSON.parse(body.toString());
    return response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(user(1, username)));
  }
  if (method !== "GET") return response.writeHead(204).end();
  const query = new URL(url, "http://x").searchParams;
  const size = Math.min(50, Number(query.get("limit")) || 30);
  const page = Number(query.get("page")) || 1;
  const told = url.startsWith("/untold/") ? {} : { "x-total-count": String(count) };
  const items = /\/admin\/(users|emails)\?/.test(url) ? all.slice((page - 1) * size, page * size) : undefined;
  if (items === undefined) return response.writeHead(404, { "content-type": "application/json" }).end("{}");
  response.writeHead(200, { "content-type": "application/json", ...told }).end(JSON.stringify(items));
}

const server = http.createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    const now = () => answer(request, Buffer.concat(pieces), response);
    if (delay === 0) now();
    else setTimeout(now, delay);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
process.stdin.on("end", () => process.exit()).resume();
