// A server for the benchmarks: one pull request, and a list of a hundred pages that takes its time for each.
import http from "node:http";

const latency = Number(process.argv[2] ?? 0);
const [pages, size] = [100, 50];

const pull = (number) => ({
  id: number,
  number,
  title: `Mend the quay, part ${number}`,
  state: "open",
  comments: 2,
  merged: false,
  user: { id: 1, login: "mara" },
  labels: [],
  assignees: null,
  milestone: null,
  draft: false,
  head: { label: `quay-${number}`, ref: `quay-${number}`, sha: "a".repeat(40), repo_id: 1 },
  base: { label: "main", ref: "main", sha: "b".repeat(40), repo_id: 1 },
  html_url: `https://example.org/mara/harbor/pulls/${number}`,
  created_at: "2026-11-01T10:00:00Z",
  body: "The tide took three stones. ".repeat(90),
});
const body = Array.from({ length: pages }, (_, page) =>
  Buffer.from(JSON.stringify(Array.from({ length: size }, (_, index) => pull(page * size + index + 1)))),
);
const one = Buffer.from(JSON.stringify(pull(12)));

const server = http.createServer((request, response) => {
  const url = new URL(request.url, "http://127.0.0.1");
  const page = Number(url.searchParams.get("page"));
  const content = page > 0 ? (body[page - 1] ?? Buffer.from("[]")) : one;
  const headers = { "content-type": "application/json", "content-length": content.length };
  // Below /untold nothing says how many pages there are, so they can only be read one after the other.
  if (page > 0 && !url.pathname.startsWith("/untold/")) headers["x-total-count"] = String(pages * size);
  const answer = () => response.writeHead(200, headers).end(content);
  if (latency > 0) setTimeout(answer, latency);
  else answer();
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on("end", () => process.exit()).resume();
