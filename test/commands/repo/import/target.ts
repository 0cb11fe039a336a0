import { type Seen, serve, type TestServer } from "../../../support/server.ts";
import { counted } from "../../../support/source-servers.ts";

/** How a migration fails. */
interface Refused {
  readonly status: number;
  readonly keeps: boolean;
  readonly message?: string;
}

/** A repository of the server that is imported to. */
export interface Here {
  name: string;
  original_url?: string;
  empty?: boolean;
  archived?: boolean;
  private?: boolean;
  mirror?: boolean;
  created_at?: string;
  open_issues_count?: number;
  description?: string;
  /** What it has, by the names of the lists: `branches`, `issues`, `pulls`, `labels`, `issues/comments`. */
  has?: Readonly<Record<string, number>>;
}

export interface TargetServer extends TestServer {
  readonly repos: Map<string, Here>;
  /** `POST boat-1`, `PATCH boat-1`: the writes that changed something. */
  readonly changes: string[];
  /** The bodies of the migrations. */
  readonly bodies: Readonly<Record<string, unknown>>[];
}

export interface Faults {
  readonly onRequest?: (seen: Seen) => void;
  /** Whether to close the connection instead of answering, after the request took effect. */
  readonly loses?: (seen: Seen) => boolean;
  /** Answers a migration instead; `here` is what it leaves behind. */
  readonly migrates?: (name: string, here: Here) => Refused | undefined;
  readonly settings?: object;
  /** Called when a repository is read. */
  readonly onRead?: (here: Here) => void;
}

/** A server with the organization fleet, which "copies" at once. Its pages have at most 50 records. */
export async function targetServer({
  onRequest = () => {},
  loses = () => false,
  migrates = () => undefined,
  settings = {},
  onRead = () => {},
}: Faults = {}): Promise<TargetServer> {
  const repos: TargetServer["repos"] = new Map();
  const changes: string[] = [];
  const bodies: Record<string, unknown>[] = [];
  const record = (here: Here, index = 0) => ({
    id: index + 1,
    full_name: `fleet/${here.name}`,
    html_url: `http://fleet.example.org/fleet/${here.name}`,
    empty: false,
    private: false,
    archived: false,
    ...here,
    has: undefined,
  });
  const answer = (seen: Seen) => {
    const { pathname, searchParams } = new URL(seen.url, "http://target");
    const path = decodeURIComponent(pathname).replace("/api/v1", "");
    if (path === "/settings/repository") return { body: settings };
    if (path === "/user") return { body: { id: 1, login: "fleet" } };
    if (path === "/users/fleet") return { body: { id: 9, login: "fleet" } };
    if (path === "/users/fleet/repos") {
      const [page, limit] = [Number(searchParams.get("page")), Math.min(50, Number(searchParams.get("limit")))];
      const all = [...repos.values()].map(record);
      return { body: all.slice((page - 1) * limit, page * limit), headers: { "x-total-count": `${all.length}` } };
    }
    if (path === "/repos/migrate") {
      const body = JSON.parse(seen.body) as { repo_name: string; clone_addr: string } & Record<string, unknown>;
      bodies.push(body);
      const { repo_name: name, clone_addr: original_url } = body;
      if (repos.has(name))
        return { status: 409, body: { message: "The repository with the same name already exists." } };
      const here: Here = {
        name,
        original_url,
        private: body["private"] === true,
        created_at: new Date().toISOString(),
        mirror: body["mirror"] === true,
        description: String(body["description"] ?? ""),
      };
      const failed = migrates(name, here);
      if (failed === undefined || failed.keeps) repos.set(name, here);
      if (failed !== undefined)
        return { status: failed.status, body: { message: failed.message ?? "Migration failed" } };
      changes.push(`POST ${name}`);
      return { status: 201, body: record(here) };
    }
    const [, name = "", list] = /^\/repos\/fleet\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    const here = repos.get(name);
    if (here !== undefined && list !== undefined) return counted(here, list, seen);
    if (here === undefined) return { status: 404, body: { message: "not found" } };
    if (seen.method === "DELETE") {
      repos.delete(name);
      changes.push(`DELETE ${name}`);
      return { status: 204 };
    }
    if (seen.method === "PATCH") {
      Object.assign(here, JSON.parse(seen.body));
      changes.push(`PATCH ${name}`);
    } else onRead(here);
    return { body: record(here) };
  };
  const server = await serve((seen, request) => {
    onRequest(seen);
    const reply = answer(seen);
    if (!loses(seen)) return reply;
    request.socket.destroy();
    return undefined;
  });
  return { ...server, repos, changes, bodies };
}
