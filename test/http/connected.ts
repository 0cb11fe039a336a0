import { json } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { type Handler, serve, type TestServer } from "../support/server.ts";
import { type Changes, clientFor, type TestClient } from "./client-for.ts";
import { type RawHandler, type RawServer, serveRaw } from "./raw-server.ts";

/** Servers with a client each, for tests of one request. */
export interface Connected {
  /** A server that writes bytes to the socket by hand. */
  raw(handler: RawHandler, changes?: Changes): Promise<RawServer & Omit<TestClient, "close">>;
  /** A server that answers requests. */
  scripted(handler: Handler, changes?: Changes): Promise<TestServer & Omit<TestClient, "close">>;
  /** Closes them all, the last one first; for `afterEach`. */
  closeAll(): Promise<void>;
}

/** Starts servers and clients for one test file. */
export function connected(): Connected {
  const closing: (() => unknown)[] = [];
  return {
    async raw(handler, changes) {
      const server = await serveRaw(handler);
      const client = clientFor(server.url, changes);
      closing.push(server.close, client.close);
      return { ...client, ...server };
    },
    async scripted(handler, changes) {
      const server = await serve(handler);
      const client = clientFor(server.url, changes);
      closing.push(server.close, client.close);
      return { ...client, ...server };
    },
    async closeAll() {
      for (const close of closing.splice(0).reverse()) await close();
    },
  };
}

/** Any path of the API. */
export const thing = path`/thing`;

/** Reads JSON at `thing`. */
export const read = (client: Pick<TestClient, "http">) => client.http.get(thing, { answers: json<unknown>() });

/** Sends a POST to `thing` that returns JSON. */
export const write = (client: Pick<TestClient, "http">) =>
  client.http.post(thing, { body: { a: 1 }, answers: json<unknown>() });
