import type { Exchange } from "./exchange.ts";

const signedPath = /^(.*\/actions\/artifacts\/\d+\/zip)\/raw\?sig=([\w-]+)&expires=(\d+)$/;
/** How long signed URLs are valid, in milliseconds. */
const holdsFor = 3_600_000;

/** Replaces signed URLs of the recording with those of the sandbox. */
export interface Signed {
  /** Signs the URLs signed by a time; called before each exchange. */
  upTo(time: number): Promise<void>;
  /** The path with a signature of the sandbox, and the time of the request if it differs from the recording. */
  translate(exchange: Exchange, then: number): Promise<{ readonly path: string; readonly at: number }>;
}

/** `sign` requests the URL of a download at a time and returns its query. */
export function signed(
  exchanges: readonly Exchange[],
  sign: (path: string, at: number) => Promise<URLSearchParams>,
): Signed {
  const known = new Map<string, string>();
  const pending = exchanges.flatMap(({ label, request }) => {
    const [, path = "", sig = "", expires = ""] = signedPath.exec(request.path) ?? [];
    const isOne = sig !== "" && !label.includes("damaged") && !label.includes("another expiry");
    return isOne ? [{ path, sig, at: Number(expires) * 1000 - holdsFor }] : [];
  });
  return {
    async upTo(time) {
      for (const { path, sig, at } of pending) {
        if (at > time || at < time - holdsFor || known.has(sig)) continue;
        const query = await sign(path, at);
        known.set(sig, query.get("sig") ?? "");
      }
    },
    async translate({ request }, then) {
      const [, path = "", sig = "", expires = ""] = signedPath.exec(request.path) ?? [];
      if (sig === "") return { path: request.path, at: then };
      const over = then - Number(expires) * 1000;
      if (over <= 0) return { path: request.path.replace(sig, known.get(sig) ?? sig), at: then };
      // It expired long ago; here a new one is used after it has expired.
      const query = await sign(path, then);
      return { path: `${path}/raw?${query}`, at: then + holdsFor + over };
    },
  };
}
