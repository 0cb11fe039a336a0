import type { ServerResponse } from "node:http";
import { type Reply, type Seen, serve, type TestServer } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";

/** An artifact on the test server. */
export interface Kept {
  readonly id: number;
  readonly name: string;
  content: Buffer;
  etag?: string;
  readonly expired?: boolean;
  readonly run?: number;
}

/** Responds to a request for a signed address; "usual" is the default response. `count` counts these requests from 1. */
export type Storage = (
  seen: Seen,
  response: ServerResponse,
  kept: Kept,
  count: number,
) => Reply | undefined | "usual" | Promise<Reply | undefined | "usual">;

export interface ArtifactServer {
  readonly api: TestServer;
  /** The server of the signed addresses, another origin. */
  readonly storage: TestServer;
  readonly env: Readonly<Record<string, string>>;
  run(argv: readonly string[], world?: World): Promise<Ran>;
  close(): Promise<void>;
}

/**
 * A server with artifacts in mara/harbor (docs/server-differences.md, "Artifacts"), and a storage server whose responses
 * tests can replace.
 */
export async function serveArtifacts(all: readonly Kept[], respond: Storage = () => "usual"): Promise<ArtifactServer> {
  let signed = 0;
  let fetched = 0;
  const storage = await serve(async (seen, _request, response) => {
    const kept = all.find(({ id }) => seen.url.startsWith(`/stored/${id}?`));
    if (kept === undefined) return { status: 404, body: "gone" };
    fetched += 1;
    const reply = await respond(seen, response, kept, fetched);
    return reply === "usual" ? usual(seen, kept) : reply;
  });
  const api = await serve(({ url, method }) => {
    if (url === "/api/v1/repos/mara/harbor") return { body: { id: 1 } };
    const place = /^\/api\/v1\/repos\/mara\/harbor\/actions\/(.*)$/.exec(url)?.[1] ?? "";
    const [, run] = /^runs\/(\d+)\/artifacts/.exec(place) ?? [];
    const name = new URLSearchParams(url.split("?")[1]).get("name");
    if (run !== undefined || /^artifacts(\?|$)/.test(place)) {
      const list = all.filter((one) => run === undefined || (one.run ?? 20) === Number(run));
      const found = list.filter((one) => name === null || one.name === name).map(record);
      return { body: { artifacts: found, total_count: found.length } };
    }
    if (/^runs(\?|$)/.test(place)) {
      const runs = new URLSearchParams(url.split("?")[1]).get("branch") === "tides" ? [runRecord(19)] : [runRecord(20)];
      return { body: { workflow_runs: runs, total_count: 1 } };
    }
    const [, id, zipped] = /^artifacts\/(\d+)(\/zip)?$/.exec(place) ?? [];
    const kept = all.find((one) => one.id === Number(id));
    if (kept === undefined) return { status: 404, body: { message: "artifact not found", url: "" } };
    if (method === "DELETE") return { status: 204 };
    if (zipped === undefined) return { body: record(kept) };
    if (kept.expired) return { status: 404, body: { message: "Artifact has expired", url: "" } };
    signed += 1;
    return { status: 302, headers: { location: `${storage.url}/stored/${id}?sig=${signed}` } };
  });
  const env = { TONGS_HOST: api.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return {
    api,
    storage,
    env,
    run: (argv, world) => tongs(["artifact", ...argv], { env, ...world }),
    async close() {
      await Promise.all([api.close(), storage.close()]);
    },
  };
}

/** The response of a correct storage server, with ranges and conditions. */
export function usual({ headers }: Pick<Seen, "headers">, { content, etag }: Kept): Reply {
  const about = { "content-type": "application/zip", ...(etag === undefined ? {} : { etag }) };
  const [, from] = /^bytes=(\d+)-$/.exec(String(headers["range"] ?? "")) ?? [];
  const changed = headers["if-range"] !== undefined && headers["if-range"] !== etag;
  if (from === undefined || changed) {
    return { headers: { ...about, "content-length": String(content.length) }, body: content };
  }
  if (Number(from) >= content.length) {
    return { status: 416, headers: { "content-range": `bytes */${content.length}` }, body: "invalid start range\n" };
  }
  const rest = content.subarray(Number(from));
  const range = `bytes ${from}-${content.length - 1}/${content.length}`;
  return {
    status: 206,
    headers: { ...about, "content-length": String(rest.length), "content-range": range },
    body: rest,
  };
}

/** Sends the right head and some bytes of the body, then closes the connection. */
export async function cut(response: ServerResponse, reply: Reply, bytes: number): Promise<undefined> {
  response.writeHead(reply.status ?? 200, { ...reply.headers });
  const body = reply.body as Buffer;
  await new Promise<void>((resolve) => {
    if (bytes === 0) {
      response.flushHeaders();
      setImmediate(resolve);
    } else response.write(body.subarray(0, bytes), () => resolve());
  });
  response.socket?.end();
  response.socket?.destroySoon();
  return undefined;
}

function record({ id, name, content, expired = false, run = 20 }: Kept) {
  const at = "2026-11-21T09:53:48Z";
  const url = `http://192.0.2.1/api/v1/repos/mara/harbor/actions/artifacts/${id}`;
  return {
    id,
    name,
    size_in_bytes: content.length,
    url,
    archive_download_url: `${url}/zip`,
    expired,
    workflow_run: { id: run, repository_id: 1, head_sha: "ec57610b8e917b1914ee60e3e657175d17574b96" },
    created_at: at,
    updated_at: at,
    expires_at: "2027-02-19T09:53:48Z",
  };
}

/** A workflow run, with the fields that the commands read. */
function runRecord(id: number) {
  return { id, run_number: id, path: "ci.yml@refs/heads/main", status: "completed", head_sha: "a".repeat(40) };
}
