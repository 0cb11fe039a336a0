import { Failure } from "../failure/failure.ts";
import { aboutServer } from "../forge/server.ts";
import type { Release } from "../forge/support.ts";
import { availableSince, hasOperation, needsText, releaseOf, sinceOf } from "../forge/support.ts";
import type { Http } from "../http/client.ts";
import { type Exchange, UnknownOperationError } from "../http/errors.ts";
import type { System } from "../system/system.ts";
import { cacheName, openCache } from "./cache.ts";

/** How long the version of a server is kept, in milliseconds: a day. */
const kept = 86_400_000;

/** What is known of the release of one server. */
export interface KnownRelease {
  /** Throws an `UnknownOperationError` if the release of the server does not have an operation, before it is sent. */
  require(operation: string, about: Pick<Exchange, "method" | "path" | "server">, http: Http): Promise<void>;
  /** Forgets the version: the server lacks an operation that its release should have. */
  forget(): void;
}

/**
 * The release of the server at `base`. Its version is asked for only where an operation is not in all known releases (GET
 * /version), and kept for a day in the cache folder; before a refusal it is asked for again. A server that does not say its
 * version lacks nothing.
 */
export function knownRelease(base: URL, system: Pick<System, "env" | "now">): KnownRelease {
  const cache = openCache(system, "servers", kept);
  const name = cacheName(base.href);
  let asked: Promise<Release | undefined> | undefined;

  const ask = (http: Http) => {
    asked ??= aboutServer(http).then(
      ({ version }) => {
        cache.write(name, version);
        return releaseOf(version);
      },
      (error: unknown) => {
        if (error instanceof Failure) return undefined;
        throw error;
      },
    );
    return asked;
  };

  return {
    async require(operation, { method, path, server }, http) {
      const since = sinceOf(operation);
      if (since === undefined) return;
      const cached = asked === undefined ? releaseOf(cache.read(name) ?? "") : undefined;
      if (cached !== undefined && hasOperation(cached, since) !== "no") return;
      const release = await ask(http);
      if (release === undefined || hasOperation(release, since) !== "no") return;
      const exchange = { method, path, status: 0, headers: {}, body: undefined, server };
      throw new UnknownOperationError(exchange, availableSince(since), needsText(release, since, server));
    },
    forget: () => cache.forget(name),
  };
}
