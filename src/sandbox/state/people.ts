import type { Store } from "./store.ts";

/** A star; the key is `userId/repoId`. */
export interface StarRecord {
  readonly userId: number;
  readonly repoId: number;
}

/** Who follows or blocks whom; the key is `userId/targetId`. */
export interface PairRecord {
  readonly userId: number;
  readonly targetId: number;
}

/** A public key of a user. */
export interface KeyRecord {
  readonly id: number;
  readonly userId: number;
  readonly title: string;
  /** The line of an authorized_keys file. */
  readonly key: string;
  readonly fingerprint: string;
  readonly created: string;
}

/** A badge, and who has it. The API cannot make any. */
export interface BadgeRecord {
  readonly id: number;
  readonly slug: string;
  readonly description: string;
  readonly image_url: string;
  readonly holders: readonly number[];
}

/** A version of a package. */
export interface PackageRecord {
  readonly id: number;
  readonly ownerId: number;
  readonly creatorId: number;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly created: string;
}

export function newBadge(store: Store, slug: string, description: string): BadgeRecord {
  const id = store.nextId("badges");
  return store.table("badges").put(id, { id, slug, description, image_url: "", holders: [] });
}

export function newPackage(store: Store, given: Omit<PackageRecord, "id">): PackageRecord {
  const id = store.nextId("packages");
  return store.table("packages").put(id, { id, ...given });
}

/** Removes every pair that a user is in, on either side. */
export function forgetPairs(store: Store, name: "follows" | "blocks", userId: number): void {
  const table = store.table(name);
  for (const pair of table.filter((one) => one.userId === userId || one.targetId === userId)) {
    table.delete(`${pair.userId}/${pair.targetId}`);
  }
}

/** Removes the stars that fit a test. */
export function forgetStars(store: Store, fits: (star: StarRecord) => boolean): void {
  const table = store.table("stars");
  for (const star of table.filter(fits)) table.delete(`${star.userId}/${star.repoId}`);
}

/** Whether either of two users blocks the other. */
export function isBlocked(store: Store, one: number, other: number): boolean {
  const { get } = store.table("blocks");
  return get(`${one}/${other}`) !== undefined || get(`${other}/${one}`) !== undefined;
}
