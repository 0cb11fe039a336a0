import { createCipheriv, createHash, createHmac, timingSafeEqual } from "node:crypto";
import { zipSync } from "fflate";
import type { Site } from "../site.ts";
import type { ArtifactFile, ArtifactRecord, JobRecord } from "../state/records/actions.ts";
import { stepTimes } from "../state/run-state.ts";

const day = 86_400_000;

/** Adds the artifacts that a job uploads. */
export function addUploads(site: Site, job: JobRecord): void {
  for (const { step, start, end, outcome } of stepTimes(job)) {
    if (step.upload === undefined || outcome !== "success" || end < start) continue;
    const { name, files: content, days, generation } = step.upload;
    const { repoId, runId, id: jobId } = job;
    const size = createZip(content).length;
    const times = { created: end, expires: end + days * day };
    addArtifact(site, { repoId, runId, jobId, name, generation, content, size, ...times });
  }
}

/** Adds an artifact. */
export function addArtifact({ table }: Site, given: Omit<ArtifactRecord, "id" | "cleaned">): ArtifactRecord {
  return table("artifacts").add({ cleaned: false, ...given });
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

/** Creates a zip file with a fixed date. Equal files give equal bytes. */
function createZip(files: readonly ArtifactFile[]): Buffer {
  const entries = files.map(({ path, content }) => [
    path,
    typeof content === "string" ? Buffer.from(content) : incompressibleBytes(path, content),
  ]);
  // Made by Unix, with the mode 0644.
  return Buffer.from(
    zipSync(Object.fromEntries(entries), { mtime: new Date(2026, 0, 1), os: 3, attrs: 0o100644 << 16 }),
  );
}

/** Deterministic bytes that do not compress. */
function incompressibleBytes(seed: string, length: number): Buffer {
  const cipher = createCipheriv("aes-128-ctr", createHash("md5").update(seed).digest(), Buffer.alloc(16));
  return cipher.update(Buffer.alloc(length));
}
