import { createHmac, timingSafeEqual } from "node:crypto";
import type { Site } from "../site.ts";

/** The signature of an artifact's address: made with a key of this sandbox's own folder. */
export function signatureOf({ folder }: Pick<Site, "folder">, repoId: number, id: number, expires: string): string {
  return createHmac("sha256", folder)
    .update(JSON.stringify([repoId, id, expires]))
    .digest("base64url");
}

export function isSigned(site: Pick<Site, "folder">, repoId: number, id: number, query: URLSearchParams): boolean {
  const expected = Buffer.from(signatureOf(site, repoId, id, query.get("expires") ?? ""));
  const given = Buffer.from(query.get("sig") ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
