import { Failure } from "../failure/failure.ts";
import type { Since } from "../forge/generated/since.ts";
import { aboutServer } from "../forge/server.ts";
import { availableSince, hasOperation, needsText, type Release, releaseOf } from "../forge/support.ts";
import type { Http } from "../http/client.ts";
import { type Exchange, UnknownOperationError } from "../http/errors.ts";
import type { System } from "../system/system.ts";
import { cacheName, openCache } from "./cache.ts";

/** How long the version of a server is kept, in milliseconds. */
const day = 86_400_000;

/** What is known of the release of one server. */
export interface KnownRelease {
  /** The version of the server, undefined if it does not say one. */
  version(http: Http): Promise<string | undefined>;
  /** The release of the server if it does not have what came with `since`. */
  lacks(since: Since, http: Http): Promise<Release | undefined>;
  /** Throws an `UnknownOperationError` if the release of the server does not have what came with `since`, before it is sent. */
  require(since: Since, about: Pick<Exchange, "method" | "path" | "server">, http: Http): Promise<void>;
  /** Forgets the version: the server lacks an operation that its release should have. */
  forget(): void;
}

/**
 * The release of the server at `base`. Its version is asked for only where an operation is not in all known releases (GET
 * /version), and kept for a day in the cache folder; before a refusal it is asked for again. A server that does not say its
 * version lacks nothing.
 */
export function knownRelease(base: URL, system: Pick<System, "env" | "now">): KnownRelease {
  const cache = openCache(system, "servers", day);
  const name = cacheName(base.href);
  let cached: { readonly version: string | undefined } | undefined;
  let asked: Promise<string | undefined> | undefined;

  const ask = (http: Http) => {
    asked ??= aboutServer(http).then(
      ({ version }) => {
        cache.write(name, version);
        return version;
      },
      (error: unknown) => {
        if (error instanceof Failure) return undefined;
        throw error;
      },
    );
    return asked;
  };

  const kept = () => {
    // Once for all pages of a list.
    cached ??= { version: cache.read(name) };
    return asked === undefined ? cached.version : undefined;
  };

  const lacks = async (since: Since, http: Http) => {
    const known = releaseOf(kept() ?? "");
    if (known !== undefined && hasOperation(known, since) !== "no") return undefined;
    const release = releaseOf((await ask(http)) ?? "");
    return release !== undefined && hasOperation(release, since) === "no" ? release : undefined;
  };

  return {
    version: async (http) => kept() ?? (await ask(http)),
    lacks,
    async require(since, { method, path, server }, http) {
      const release = await lacks(since, http);
      if (release === undefined) return;
      const exchange = { method, path, status: 0, headers: {}, body: undefined, server };
      throw new UnknownOperationError(exchange, availableSince(since), needsText(release, since, server));
    },
    forget() {
      cached = undefined;
      cache.forget(name);
    },
  };
}
