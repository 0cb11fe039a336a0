import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Failure } from "../../failure/failure.ts";
import { anything, boolean, type Infer, integer, nullable, record, string } from "../../shape/shape.ts";
import { type Answer, guardedServer, requestBody } from "../../system/guarded-server.ts";
import { parseJson } from "../../text/json.ts";

/** A delivery of a webhook, as it is printed. */
export const delivery = record({
  /** `X-Gitea-Event`: the family (`pull_request`). */
  event: string,
  /** `X-Gitea-Event-Type`: the kind (`pull_request_label`). */
  type: string,
  action: nullable(string),
  /** `OWNER/NAME`. */
  repository: nullable(string),
  delivery: string,
  /** Whether the signature was checked. */
  verified: boolean,
  received_at: string,
  /** The status that the receiver of --forward answered. */
  forwarded: nullable(integer),
  body: anything,
});

export type Delivery = Infer<typeof delivery>;

/** A delivery before it is handed on: its bytes and headers, as they arrived. */
export interface RawDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** What the receiver does with deliveries. */
export interface Receiver {
  readonly port: number;
  readonly secret: string | undefined;
  /** Names in `Host` that deliveries without a signature may have, besides those of this machine. */
  readonly allowedHosts: readonly string[];
  readonly now: () => Date;
  /** Whether an event is wanted. Others are answered with 204 and dropped. */
  readonly wants: (delivery: Delivery) => boolean;
  /** Handles a delivery and returns the status to answer. */
  readonly take: (delivery: Delivery, raw: RawDelivery) => Promise<number>;
  readonly onRefused: (reason: string) => void;
  /** The deliveries that are kept, for GET requests from this machine. */
  readonly kept: () => readonly Delivery[];
}

/** The largest body that is accepted, in bytes. */
const maxBody = 32 * 1024 * 1024;

/** Listens on loopback. Throws a failure if the port is taken. */
export async function listenForDeliveries(receiver: Receiver) {
  const { onRefused, secret, allowedHosts } = receiver;
  // A signature says more than the host.
  const hosts = secret === undefined ? allowedHosts : undefined;
  const server = guardedServer({ hosts, onRefused }, (request) => respond(receiver, request));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const hint = "Choose another port, or pass --port 0 to use a free one.";
      const message = `Could not listen on 127.0.0.1:${receiver.port}: ${cause.message}`;
      reject(new Failure("cannot_listen", message, { hint, cause }));
    });
    server.listen(receiver.port, "127.0.0.1", resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : receiver.port,
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeIdleConnections();
        // A sender that does not end its request must not keep the process.
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      });
    },
  };
}

async function respond(receiver: Receiver, request: IncomingMessage): Promise<Answer> {
  const { headers } = request;
  const refuse = (status: number, reason: string): Answer => {
    receiver.onRefused(reason);
    return { status, text: reason };
  };
  if (request.method === "GET" || request.method === "HEAD") return showKept(receiver, request);
  if (request.method !== "POST") return { status: 405, text: "use POST" };
  const bytes = await requestBody(request, maxBody);
  if (bytes === undefined) return refuse(413, "the body is too large");
  const content = signedContent(headers, bytes);
  if (content === undefined) return refuse(400, "a form with other fields than one payload");
  if (receiver.secret !== undefined && !isSigned(headers, content, receiver.secret)) {
    return refuse(
      401,
      header(headers, "x-gitea-signature") === "" ? "the signature is missing" : "the signature is wrong",
    );
  }
  let body: unknown;
  try {
    body = await parseJson(content.toString("utf8"));
  } catch {
    return refuse(400, "the body is not JSON");
  }
  const found = deliveryOf(headers, body, receiver);
  if (!receiver.wants(found)) return { status: 204, text: "" };
  const status = await receiver.take(found, { headers, bytes });
  return { status, text: status < 300 ? "ok" : "the receiver refused the delivery" };
}

/** What proxies and tunnels add to a request. */
const forwardedBy = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "cf-connecting-ip"];

/**
 * A web page that another site sent under a name of its own must not read the deliveries, nor anyone at the other end of
 * a tunnel: the host is checked, and that nothing forwarded the request.
 */
function showKept({ kept }: Receiver, { headers }: IncomingMessage): Answer {
  const isForwarded = forwardedBy.some((name) => headers[name] !== undefined);
  if (isForwarded || !/^(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?$/i.test(headers.host ?? ""))
    return { status: 403, text: "ask on loopback" };
  return { status: 200, type: "application/json", text: `${JSON.stringify(kept(), asText)}\n` };
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? (value[0] ?? "") : (value ?? "");
}

/**
 * The bytes that are signed: the body, or the field `payload` of a form (docs/server-differences.md, "Hooks"). Undefined
 * if the form has more fields, which no signature covers.
 */
function signedContent(headers: IncomingHttpHeaders, bytes: Buffer): Buffer | undefined {
  if (!/^application\/x-www-form-urlencoded\b/i.test(header(headers, "content-type"))) return bytes;
  const [field, ...more] = new URLSearchParams(bytes.toString("utf8"));
  return field?.[0] === "payload" && more.length === 0 ? Buffer.from(field[1]) : undefined;
}

/** Whether one of the signature headers is the HMAC SHA-256 of the content; compared in constant time. */
export function isSigned(headers: IncomingHttpHeaders, content: Buffer, secret: string): boolean {
  const right = createHmac("sha256", secret).update(content).digest();
  const names = ["x-forgejo-signature", "x-gitea-signature", "x-gogs-signature", "x-hub-signature-256"];
  const given = names.map((name) => header(headers, name).replace(/^sha256=/, "")).filter((text) => text !== "");
  const matches = given.map((text) => {
    const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.alloc(32);
    return timingSafeEqual(bytes, right);
  });
  // Senders set all headers alike: a wrong one among them is not theirs.
  return matches.length > 0 && matches.every(Boolean);
}

function deliveryOf(headers: IncomingHttpHeaders, body: unknown, { secret, now }: Receiver): Delivery {
  const first = (...names: string[]) => names.map((name) => header(headers, name)).find((text) => text !== "") ?? "";
  const type = first("x-forgejo-event-type", "x-gitea-event-type", "x-github-event-type", "x-gogs-event-type");
  const event = first("x-forgejo-event", "x-gitea-event", "x-github-event", "x-gogs-event");
  const field = (value: unknown, name: string): unknown =>
    typeof value === "object" && value !== null && Object.hasOwn(value, name)
      ? (value as Readonly<Record<string, unknown>>)[name]
      : undefined;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    // Forgejo leaves the event of packages empty.
    event: event || type,
    type: type || event,
    action: text(field(body, "action")),
    repository: text(field(field(body, "repository"), "full_name")),
    delivery: first("x-forgejo-delivery", "x-gitea-delivery", "x-github-delivery", "x-gogs-delivery"),
    verified: secret !== undefined,
    received_at: now().toISOString(),
    forwarded: null,
    body,
  };
}
