import { type Handler, type Seen, serve, type TestServer } from "./server.ts";

// Small servers written from what GitHub (docs.github.com/rest/repos/repos) and GitLab (docs.gitlab.com/api/projects) publish
// of their interfaces. They were compared with no real one.

/** A repository of a source, whichever server it is on. */
export interface AtSource {
  readonly path: string;
  readonly visibility?: "public" | "private" | "internal";
  readonly archived?: boolean;
  readonly fork?: boolean;
  readonly empty?: boolean;
  readonly description?: string | null;
  readonly issues?: number;
  /** What it has, by the names of the lists: `branches`, `issues`, `pulls`, `labels`, `issues/comments`. */
  readonly has?: Readonly<Record<string, number>>;
}

/** A list of a repository, as it is asked how many there are: `issues?type=pulls` has the pull requests. */
export function counted({ has }: Pick<AtSource, "has">, list: string, seen: Seen) {
  const query = new URL(seen.url, "http://source").searchParams;
  const key = list === "issues" && query.get("type") === "pulls" ? "pulls" : list;
  const count = has?.[key] ?? 0;
  const name = (id: number) => ({ name: `one-${id}`, title: "One", tag_name: `v${id}` });
  const state = list.endsWith("/reviews") ? "APPROVED" : "closed";
  const review_comments = (id: number) => (id === 1 ? (has?.["review comments"] ?? 0) : 0);
  const reviews = (id: number) => (list === "pulls" ? { review_comments: review_comments(id) } : {});
  const record = (id: number) => ({
    ...name(id),
    ...reviews(id),
    comments: id === 1 ? (has?.["comments of issues"] ?? 0) : 0,
    id: list === "tags" ? `${id}` : id,
    number: id,
    state,
  });
  const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
  const all = Array.from({ length: count }, (_, index) => record(index + 1));
  return { body: all.slice((page - 1) * limit, page * limit), headers: { "x-total-count": `${count}` } };
}

export interface SourceServer extends TestServer {
  /** What it has; a test can change it. */
  repos: AtSource[];
}

interface Faults {
  /** Answers instead of the server if it returns something. */
  readonly instead?: Handler;
  /** The present paths of repositories that were renamed or transferred, by their old ones; 404 there if it is not visible. */
  readonly moved?: Readonly<Record<string, string>>;
}

const nameOf = ({ path }: AtSource) => path.split("/").at(-1) ?? "";
const pageOf = <T>(all: readonly T[], seen: Seen, size: string, largest: number, mostlyBy = 30) => {
  const query = new URL(seen.url, "http://source").searchParams;
  const length = Math.min(Number(query.get(size) ?? mostlyBy), largest);
  const page = Number(query.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(all.length / length));
  const link = (to: number, rel: string) => `<https://elsewhere.example.org/?page=${to}>; rel="${rel}"`;
  return {
    body: all.slice((page - 1) * length, page * length),
    headers: last > 1 && page < last ? { link: `${link(page + 1, "next")}, ${link(last, "last")}` } : {},
  };
};

async function started(
  repos: AtSource[],
  { instead }: Faults,
  answer: (seen: Seen, path: string, repos: readonly AtSource[]) => ReturnType<Handler>,
  saysVersion: boolean,
): Promise<SourceServer> {
  const state = { repos };
  const server = await serve(
    async (seen, request, response) => {
      const reply = await instead?.(seen, request, response);
      const path = decodeURIComponent(new URL(seen.url, "http://source").pathname);
      return reply ?? answer(seen, path, state.repos) ?? { status: 404, body: { message: "Not Found" } };
    },
    { saysVersion },
  );
  return Object.assign(state, server);
}

/** GitHub Enterprise, which has the interface of GitHub below /api/v3, with the organization acme and the user octavia. */
export function githubServer(repos: AtSource[], faults: Faults = {}): Promise<SourceServer> {
  const record = (repo: AtSource, index: number) => ({
    id: index + 1,
    name: nameOf(repo),
    full_name: repo.path,
    private: (repo.visibility ?? "public") !== "public",
    visibility: repo.visibility ?? "public",
    archived: repo.archived ?? false,
    fork: repo.fork ?? false,
    size: repo.empty ? 0 : 42,
    description: repo.description ?? null,
    open_issues_count: repo.issues ?? 0,
    has_issues: true,
    clone_url: "https://attacker.example.org/other.git",
  });
  return started(
    repos,
    faults,
    (seen, path, all) => {
      const list = (some: readonly AtSource[]) => pageOf(some.map(record), seen, "per_page", 100);
      const open = all.filter(({ visibility = "public" }) => visibility === "public");
      const isSigned = seen.headers["authorization"] !== undefined;
      if (path === "/api/v3/users/acme") return { body: { login: "acme", type: "Organization" } };
      if (path === "/api/v3/users/octavia") return { body: { login: "octavia", type: "User" } };
      if (path === "/api/v3/orgs/acme/repos") return list(isSigned ? all : open);
      if (path === "/api/v3/user") return { body: { login: "octavia", type: "User" } };
      if (path === "/api/v3/user/repos") return list(all);
      if (path === "/api/v3/user/memberships/orgs/acme") return { body: { role: "admin" } };
      if (path === "/api/v3/users/octavia/repos") return list(open);
      const [, at = ""] = /^\/api\/v3\/repos\/([^/]+\/[^/]+)$/.exec(path) ?? [];
      const found = all.find((repo) => at.toLowerCase() === repo.path.toLowerCase());
      return found === undefined ? undefined : { body: record(found, 0) };
    },
    true,
  );
}

/** GitLab with the group acme, its subgroups, and the user octavia. Only a token in PRIVATE-TOKEN is taken. */
export function gitlabServer(repos: AtSource[], faults: Faults = {}): Promise<SourceServer> {
  const record = (repo: AtSource, index: number) => ({
    id: index + 1,
    path: nameOf(repo),
    name: `The ${nameOf(repo)}`,
    path_with_namespace: repo.path,
    visibility: repo.visibility ?? "public",
    archived: repo.archived ?? false,
    ...(repo.fork ? { forked_from_project: { id: 7 } } : {}),
    empty_repo: repo.empty ?? false,
    description: repo.description ?? null,
    open_issues_count: repo.issues ?? 0,
    issues_enabled: true,
    merge_requests_enabled: true,
  });
  return started(
    repos,
    faults,
    (seen, path, all) => {
      const isSigned = seen.headers["private-token"] !== undefined;
      const visible = all.filter(({ visibility = "public" }) => isSigned || visibility === "public");
      if (path === "/api/v4/version")
        return isSigned ? { body: { version: "17.0.0" } } : { status: 401, body: { message: "401 Unauthorized" } };
      if (path === "/api/v4/user") return { body: { id: 9, username: "octavia" } };
      if (path === "/api/v4/groups/acme/members/all/9") return { body: { access_level: 10 } };
      const group = /^\/api\/v4\/groups\/(acme.*)\/projects$/.exec(path)?.[1];
      if (group !== undefined)
        return pageOf(
          visible.filter((repo) => repo.path.startsWith(`${group}/`)).map(record),
          seen,
          "per_page",
          100,
          20,
        );
      if (path === "/api/v4/users")
        return {
          body:
            new URL(seen.url, "http://x").searchParams.get("username") === "octavia"
              ? [{ id: 9, username: "octavia" }]
              : [],
        };
      if (path === "/api/v4/users/9/projects") return pageOf(visible.map(record), seen, "per_page", 100, 20);
      const found = visible.find((repo) => path.toLowerCase() === `/api/v4/projects/${repo.path}`.toLowerCase());
      return found === undefined ? undefined : { body: record(found, 0) };
    },
    true,
  );
}

/** What of Gitea an import asks a source, with the organization acme; its pages have at most 50 records. */
export function giteaSource(repos: AtSource[], { moved = {}, ...faults }: Faults = {}): Promise<SourceServer> {
  const record = (repo: AtSource, index: number) => ({
    id: index + 1,
    name: nameOf(repo),
    full_name: repo.path,
    private: repo.visibility === "private",
    internal: repo.visibility === "internal",
    archived: repo.archived ?? false,
    fork: repo.fork ?? false,
    empty: repo.empty ?? false,
    description: repo.description ?? "",
    open_issues_count: repo.issues ?? 0,
    has_issues: true,
    has_pull_requests: true,
  });
  return started(
    repos,
    faults,
    (seen, path, all) => {
      if (path === "/api/v1/users/acme") return { body: { id: 2, login: "acme" } };
      if (path === "/api/v1/version") return { body: { version: "1.26.0" } };
      if (path === "/api/v1/user") return { body: { id: 2, login: "acme" } };
      if (path === "/api/v1/users/acme/repos") {
        const listed = all.map(record).filter(({ full_name }) => full_name.startsWith("acme/"));
        const page = pageOf(listed, seen, "limit", 50);
        return { ...page, headers: { ...page.headers, "x-total-count": `${listed.length}` } };
      }
      const [, at = "", list] = /^\/api\/v1\/repos\/([^/]+\/[^/]+)(?:\/(.+))?$/.exec(path) ?? [];
      const found = all.find((repo) => repo.path.toLowerCase() === at.toLowerCase());
      const now = moved[at];
      if (found === undefined && now !== undefined)
        return { status: 301, headers: { location: seen.url.replace(at, now) } };
      if (found !== undefined && list !== undefined) return counted(found, list, seen);
      return found === undefined ? undefined : { body: record(found, 0) };
    },
    true,
  );
}
