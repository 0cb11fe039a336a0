// Two servers for measurements: one that answers any write at once, one that lists users page by page, slowly.
import http from "node:http";

async function listening(handler) {
  const server = http.createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => handler(request, Buffer.concat(pieces), response));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

const user = (id, login) => ({
  ...{ id, login, username: login, login_name: "", source_id: 0, full_name: "", email: `${login}@example.org` },
  ...{ is_admin: false, active: true, created: new Date().toISOString(), last_login: "1970-01-01T00:00:00Z" },
  ...{ restricted: false, prohibit_login: false, location: "", website: "", description: "", visibility: "public" },
});

/** Answers each request after `delay` milliseconds: a made account for POST, nothing for other writes. */
export function trivialServer(delay = 0) {
  return listening((request, body, response) => {
    const answer = () => {
      if (request.method !== "POST") return response.writeHead(204).end();
      const { username } = JSON.parse(body.toString());
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(user(1, username)));
    };
    if (delay === 0) answer();
    else setTimeout(answer, delay);
  });
}

/** `count` users in pages of at most 50, each page after `delay` milliseconds. */
export function listServer(count, delay) {
  const all = Array.from({ length: count }, (_, index) => user(index + 1, `u${index}`));
  return listening((request, _body, response) => {
    const query = new URL(request.url, "http://x").searchParams;
    const size = Math.min(50, Number(query.get("limit")) || 30);
    const page = Number(query.get("page")) || 1;
    const body = JSON.stringify(all.slice((page - 1) * size, page * size));
    const headers = { "content-type": "application/json", "x-total-count": String(count) };
    setTimeout(() => response.writeHead(200, headers).end(body), delay);
  });
}
