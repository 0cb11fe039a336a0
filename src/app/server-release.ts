import { Failure, unlessFailed } from "../failure/failure.ts";
import { readDescription, reducedTo } from "../forge/description.ts";
import { operationsOf } from "../forge/openapi/operations.ts";
import { aboutServer } from "../forge/server.ts";
import type { Described, Http } from "../http/client.ts";
import type { System } from "../system/system.ts";
import { jsonText, parseJson } from "../text/json.ts";
import { cacheName, openCache } from "./cache.ts";

/** How long the version of a server is kept, in milliseconds. */
const day = 86_400_000;

/** The time for a description to arrive, in milliseconds: a command waits for it. */
const patience = 15_000;

/** What is known of the release of one server. */
export interface KnownRelease {
  /** The version of the server, undefined if it does not say one; a fresh one is asked for. */
  version(http: Http, options?: { readonly fresh?: boolean }): Promise<string | undefined>;
  /** What the server of a version describes of itself; undefined if it does not. */
  described(http: Http, version: string): Promise<Described | undefined>;
  /** Forgets both: the server lacks an operation that its release should have. */
  forget(): void;
}

/**
 * The release of the server at `base`. Its version is asked for only where an operation is not in all known releases (GET
 * /version), and kept for a day in the cache folder; before a refusal it is asked for again. Its description (GET
 * /swagger.v1.json) is read once for a version that no table has, and kept for a month, reduced to names.
 */
export function knownRelease(base: URL, system: Pick<System, "env" | "now">): KnownRelease {
  const versions = openCache(system, "servers", day);
  const descriptions = openCache(system, "descriptions", 30 * day);
  const name = cacheName(base.href);
  let cached: { readonly version: string | undefined } | undefined;
  let asked: Promise<string | undefined> | undefined;
  const read = new Map<string, Promise<Described | undefined>>();

  const ask = (http: Http) => {
    asked ??= unlessFailed(aboutServer(http)).then((about) => {
      if (about !== undefined) versions.write(name, about.version);
      return about?.version;
    });
    return asked;
  };

  const kept = () => {
    // Once for all pages of a list.
    cached ??= { version: versions.read(name) };
    return asked === undefined ? cached.version : undefined;
  };

  const describe = async (http: Http, version: string): Promise<Described | undefined> => {
    const file = cacheName([base.href, version]);
    const text = descriptions.read(file);
    const known = text === undefined ? undefined : await parseJson(text).catch(() => undefined);
    if (known !== undefined) return (known as Described | null) ?? undefined;
    const found = await descriptionOf(http, base);
    if (found !== undefined) descriptions.write(file, jsonText(found));
    return found ?? undefined;
  };

  return {
    version: async (http, { fresh = false } = {}) => (fresh ? undefined : kept()) ?? (await ask(http)),
    described(http, version) {
      const found = read.get(version) ?? describe(http, version);
      read.set(version, found);
      return found;
    },
    forget() {
      versions.forget(name);
      if (cached?.version !== undefined) descriptions.forget(cacheName([base.href, cached.version]));
      cached = undefined;
    },
  };
}

/** What a server describes of itself; null if it publishes nothing, and undefined if that is not known: it failed, or is slow. */
async function descriptionOf(http: Http, base: URL): Promise<Described | null | undefined> {
  const late = AbortSignal.timeout(patience);
  try {
    const document = await readDescription(http.until(late));
    return reducedTo(operationsOf(document, base.pathname.replace(/\/+$/, "")) ?? []);
  } catch (error) {
    if (error instanceof Failure) return error.code === "no_description" ? null : undefined;
    if (late.aborted) return undefined;
    throw error;
  }
}
