// A server for the benchmark of policies: an organization with COUNT repositories that each have ten labels, three
// milestones, two protections and a hook. Words: DELAY for each answer, in milliseconds, and COUNT.
import http from "node:http";

const [delay, count] = process.argv.slice(2).map(Number);
const time = "2026-11-01T10:00:00Z";
const name = (index) => `tidewater/charts-${index}`;

const repository = (full_name) => ({
  id: Number(/\d+$/.exec(full_name)[0]),
  name: full_name.split("/")[1],
  full_name,
  owner: { id: 1, login: "tidewater" },
  private: false,
  description: "Charts of the coast",
  website: "",
  has_wiki: false,
  has_issues: true,
  default_branch: "main",
  default_merge_style: "squash",
  allow_rebase: true,
  allow_squash_merge: true,
  archived: false,
  topics: ["tides"],
  html_url: `http://127.0.0.1/${full_name}`,
  clone_url: `http://127.0.0.1/${full_name}.git`,
  updated_at: time,
});
const protection = (rule_name, required_approvals) => ({
  rule_name,
  branch_name: rule_name,
  required_approvals,
  enable_push: false,
  status_check_contexts: [],
  created_at: time,
  updated_at: time,
});
const label = (id) => ({ id, name: `label-${id}`, color: "ff0000", description: "of the harbor", exclusive: false });
const milestone = (id) => ({ id, title: `v${id}.0`, description: "", state: "open", due_on: null });

/** What is in each repository, by the end of the path. */
const lists = {
  labels: Array.from({ length: 10 }, (_, id) => label(id + 1)),
  milestones: Array.from({ length: 3 }, (_, id) => milestone(id + 1)),
  branch_protections: [protection("main", 1), protection("release/**", 2)],
  tag_protections: [{ id: 1, name_pattern: "v*", whitelist_usernames: ["mara"], whitelist_teams: [] }],
  hooks: [{ id: 1, type: "gitea", active: true, events: ["push"], config: { url: "https://ci.example.org/hook" } }],
  variables: [{ name: "PORT", data: "8080", description: "" }],
  collaborators: [{ id: 2, login: "jonas" }],
  teams: [{ id: 1, name: "Owners", permission: "owner" }],
  members: [{ id: 1, login: "mara" }],
  assignees: [
    { id: 1, login: "mara" },
    { id: 2, login: "jonas" },
  ],
  keys: [{ id: 1, title: "deploy", read_only: true }],
  secrets: [{ name: "DEPLOY", created_at: time }],
};

function answer(url) {
  const { pathname, searchParams } = new URL(url, "http://x");
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  const page = Number(searchParams.get("page") ?? 1);
  const size = Math.min(50, Number(searchParams.get("limit") ?? 50));
  if (pathname.endsWith("/orgs/tidewater/repos")) {
    const all = Array.from({ length: count }, (_, index) => name(index));
    return [all.slice((page - 1) * size, page * size).map(repository), count];
  }
  const repo = /\/repos\/(tidewater\/[\w-]+)$/.exec(pathname)?.[1];
  if (repo !== undefined) return [repository(repo)];
  if (last === "topics") return [{ topics: ["tides"] }, 1];
  const login = /\/users\/(mara|jonas)$/.exec(pathname)?.[1];
  if (login !== undefined) return [{ id: login === "mara" ? 1 : 2, login }];
  if (last === "permission") return [{ permission: "write", user: { id: 2, login: "jonas" } }];
  if (Object.hasOwn(lists, last)) return [page === 1 ? lists[last] : [], lists[last].length];
  return [undefined];
}

const server = http.createServer((request, response) => {
  const [body, total] = answer(request.url);
  const content = JSON.stringify(body ?? { message: "not found" });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(content) };
  if (total !== undefined) headers["x-total-count"] = String(total);
  setTimeout(() => response.writeHead(body === undefined ? 404 : 200, headers).end(content), delay);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on("end", () => process.exit()).resume();
