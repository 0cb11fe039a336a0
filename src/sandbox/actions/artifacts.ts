import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { crc32, deflateRawSync } from "node:zlib";
import type { Site } from "../site.ts";
import type { ArtifactFile, ArtifactRecord, JobRecord } from "../state/records/actions.ts";
import { stepTimes } from "../state/run-state.ts";

const day = 86_400_000;

/** Adds the artifacts that a job uploads, reusing the given ids first. */
export function addUploads(site: Site, job: JobRecord, numbers: number[]): void {
  for (const { step, start, end, outcome } of stepTimes(job)) {
    if (step.upload === undefined || outcome !== "success" || end < start) continue;
    const { name, files: content, days, generation } = step.upload;
    const { repoId, runId, id: jobId } = job;
    const size = createZip(content).length;
    const times = { created: end, expires: end + days * day };
    addArtifact(site, { repoId, runId, jobId, name, generation, content, size, ...times }, numbers.shift());
  }
}

/** Adds an artifact, with a given or a new id. */
export function addArtifact(
  { store }: Site,
  given: Omit<ArtifactRecord, "id" | "cleaned">,
  id = store.nextId("artifacts"),
): ArtifactRecord {
  return store.table("artifacts").put({ id, cleaned: false, ...given });
}

/** Deletes the artifacts that match and returns their ids. */
export function deleteArtifacts({ store }: Site, which: (artifact: ArtifactRecord) => boolean): number[] {
  return store
    .table("artifacts")
    .remove(which)
    .map(({ id }) => id);
}

/** The zip file of an artifact. */
export const artifactZip = ({ content }: ArtifactRecord): Buffer =>
  typeof content === "string" ? Buffer.from(content, "base64") : createZip(content);

/** Whether an artifact expired before the last cleanup: the nightly one or a requested one. */
export function isExpired({ clock }: Pick<Site, "clock">, { expires, cleaned }: ArtifactRecord): boolean {
  return cleaned || expires <= Math.floor(clock() / day) * day;
}

/** Marks all artifacts past their retention as expired. */
export function expireArtifacts({ store, clock }: Site): void {
  const now = clock();
  for (const artifact of store.table("artifacts").filter(({ expires }) => expires <= now)) {
    store.table("artifacts").put({ ...artifact, cleaned: true });
  }
}

/** Signs the download URL of an artifact. The key is derived from the folder of the sandbox. */
export function artifactSignature(
  { folder }: Pick<Site, "folder">,
  repoId: number,
  id: number,
  expires: string,
): string {
  return createHmac("sha256", folder)
    .update(JSON.stringify([repoId, id, expires]))
    .digest("base64url");
}

/** Whether the query of a download URL has a valid signature. Does not check its expiry. */
export function isSigned(site: Pick<Site, "folder">, repoId: number, id: number, query: URLSearchParams): boolean {
  const expected = Buffer.from(artifactSignature(site, repoId, id, query.get("expires") ?? ""));
  const given = Buffer.from(query.get("sig") ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Creates a zip file with deflated entries, UTF-8 names and a fixed date. Equal files give equal bytes. */
function createZip(files: readonly ArtifactFile[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of files) {
    const plain = typeof content === "string" ? Buffer.from(content) : incompressibleBytes(path, content);
    const packed = deflateRawSync(plain);
    const name = Buffer.from(path);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x0800, 2);
    facts.writeUInt16LE(8, 4);
    // 1 January 2026, midnight.
    facts.writeUInt16LE(((2026 - 1980) << 9) | (1 << 5) | 1, 8);
    facts.writeUInt32LE(crc32(plain), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(plain.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), facts, name, packed]);
    const more = Buffer.alloc(14);
    // Mode 0644.
    more.writeUInt32LE(0o100644 * 0x10000, 6);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0003", "latin1"), facts, more, name]));
    bodies.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listing, end]);
}

/** Deterministic bytes that do not compress. */
function incompressibleBytes(seed: string, length: number): Buffer {
  const pieces: Buffer[] = [];
  for (let made = 0; made < length; made += 32) pieces.push(createHash("sha256").update(`${seed}${made}`).digest());
  return Buffer.concat(pieces).subarray(0, length);
}
