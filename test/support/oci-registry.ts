import { createHash } from "node:crypto";
import { type Handler, type Reply, type Seen, serve, type TestServer } from "./server.ts";

/** A version of a package, as the API lists it; of an image with its manifest. */
interface Stored {
  readonly id: number;
  readonly owner: string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly created_at: string;
  readonly repository: string | undefined;
  readonly manifest: string | undefined;
}

/** A server with packages, and a registry by the pull part of the OCI distribution specification. */
export interface PackageServer extends TestServer {
  readonly stored: Stored[];
  /** Adds a version that is so many days old. */
  add(name: string, days: number, more?: Partial<Pick<Stored, "owner" | "repository">>): void;
  /** Pushes a manifest by a tag, or without one; returns its digest. */
  push(image: string, tag: string | undefined, days: number, manifest: Manifest): string;
  /** `name@version` of what is left, sorted. */
  left(): string[];
}

interface Manifest {
  readonly manifests?: readonly string[];
  readonly subject?: string;
  /** What makes it another manifest. */
  readonly content?: string;
}

export const now = new Date("2026-08-01T12:00:00Z");

/** The digest of a manifest. */
const digestOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** The user and the organization that have packages. */
export const owners = ["mara", "tidewater"] as const;

/** Starts a server below `prefix`; its registry is at the root. `first` can answer a request in its place. */
export async function packageServer(first: Handler = () => undefined, prefix = ""): Promise<PackageServer> {
  const stored: Stored[] = [];
  let id = 0;
  const put = (more: Omit<Stored, "id" | "created_at">, days: number) => {
    id += 1;
    stored.push({ ...more, id, created_at: new Date(now.getTime() - days * 86_400e3).toISOString() });
  };
  const handler: Handler = async (seen, request, response) => {
    const given = await first(seen, request, response);
    return given ?? (response.headersSent || request.socket.destroyed ? undefined : answer(seen));
  };
  const answer = ({ method, url, headers }: Seen): Reply => {
    const [path = "", query = ""] = url.split("?");
    const parts = path.split("/").map(decodeURIComponent);
    if (path.startsWith("/v2/")) {
      const [user] = Buffer.from(String(headers.authorization).replace("Basic ", ""), "base64").toString().split(":");
      if (user !== "token") return { status: 401, body: { errors: [{ code: "UNAUTHORIZED", message: "" }] } };
      const [, owner, image, reference] =
        /^\/v2\/([^/]+)\/(.+)\/manifests\/([^/]+)$/.exec(decodeURIComponent(path)) ?? [];
      const found = stored.find((one) => {
        const isWanted = one.version === reference || digestOf(one.manifest ?? "") === reference;
        return one.owner === owner && one.name === image && isWanted && one.manifest !== undefined;
      });
      if (found?.manifest === undefined) return { status: 404, body: { errors: [{ code: "MANIFEST_UNKNOWN" }] } };
      return { headers: { "docker-content-digest": digestOf(found.manifest) }, body: found.manifest };
    }
    const [root, owner, type, name, version] = parts.slice(prefix.split("/").length + 2);
    if (root === "user") return { body: user("mara", 1) };
    if (root === "admin")
      return { body: owner === "users" ? [user("mara", 1)] : [{ ...user("tidewater", 2), name: "tidewater" }] };
    const fits = (one: Stored) =>
      one.owner === owner && (type === undefined || one.type === type) && (name === undefined || one.name === name);
    const all = stored.filter(fits).sort((one, other) => other.id - one.id);
    if (version === undefined) {
      const asked = new URLSearchParams(query);
      const [page, limit] = [Number(asked.get("page") ?? 1), Number(asked.get("limit") ?? 50)];
      const listed = all.filter((one) => (asked.get("type") ?? one.type) === one.type);
      const slice = listed.slice((page - 1) * limit, page * limit);
      return { headers: { "x-total-count": String(listed.length) }, body: slice.map(record) };
    }
    const found = all.find((one) => one.version === version);
    if (found === undefined) return { status: 404, body: { message: "package does not exist" } };
    if (method !== "DELETE") return { body: record(found) };
    stored.splice(stored.indexOf(found), 1);
    return { status: 204 };
  };
  const server = await serve(handler);
  return {
    ...server,
    url: server.url + prefix,
    stored,
    add(named, days, more = {}) {
      const [, type = "", name = "", version = ""] = /^([^/]+)\/(.+)@([^@]+)$/.exec(named) ?? [];
      put({ owner: "mara", repository: undefined, manifest: undefined, ...more, type, name, version }, days);
    },
    push(image, tag, days, { manifests, subject, content = "" }) {
      const parts = manifests?.map((digest) => ({ digest, size: 2 }));
      const manifest = JSON.stringify({
        schemaVersion: 2,
        manifests: parts,
        subject: subject && { digest: subject },
        content,
      });
      const version = tag ?? digestOf(manifest);
      put({ owner: "mara", type: "container", name: image, version, repository: undefined, manifest }, days);
      return digestOf(manifest);
    },
    left: () => stored.map(({ name, version }) => `${name}@${version.slice(0, 19)}`).sort(),
  };
}

const user = (login: string, id: number) => ({ id, login, username: login });

function record({ manifest: _read, repository, owner, ...one }: Stored) {
  const of = { ...user(owner, owners.indexOf("mara") + 1) };
  return {
    ...one,
    owner: of,
    creator: of,
    repository: repository === undefined ? null : { full_name: repository },
    html_url: "",
  };
}
