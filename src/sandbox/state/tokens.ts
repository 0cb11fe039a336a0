import { randomBytes } from "node:crypto";
import type { Store } from "./store.ts";

export interface TokenRecord {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** 40 hex digits, in clear. */
  readonly secret: string;
  /** Normalised; `all` for every right. */
  readonly scopes: readonly string[];
  readonly created: string;
}

/** Makes a token of 40 random hex digits. */
export function newToken(
  store: Store,
  now: string,
  given: { readonly userId: number; readonly name: string; readonly scopes: readonly string[] },
): TokenRecord {
  const id = store.nextId("tokens");
  return store.table("tokens").put(id, { id, ...given, secret: randomBytes(20).toString("hex"), created: now });
}
