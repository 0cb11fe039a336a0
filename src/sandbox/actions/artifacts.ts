import { createHmac, timingSafeEqual } from "node:crypto";
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
    site.table("artifacts").add({ repoId, runId, jobId, name, generation, content, size, ...times });
  }
}

/** The zip file of an artifact. */
export const artifactZip = ({ content }: ArtifactRecord): Buffer =>
  typeof content === "string" ? Buffer.from(content, "base64") : createZip(content);

/** Whether an artifact expired before the last cleanup: the nightly one or a requested one. */
export function isExpired({ clock }: Pick<Site, "clock">, { expires, cleaned }: ArtifactRecord): boolean {
  return cleaned === true || expires <= Math.floor(clock() / day) * day;
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
  const entries = files.map(({ path, content }) => [path, Buffer.from(content)]);
  // Made by Unix, with the mode 0644.
  return Buffer.from(
    zipSync(Object.fromEntries(entries), { mtime: new Date(2026, 0, 1), os: 3, attrs: 0o100644 << 16 }),
  );
}
