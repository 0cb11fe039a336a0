import type { Site } from "../site.ts";
import type { ArtifactRecord, JobRecord } from "../state/actions.ts";
import { stepTimes } from "./log.ts";
import { zipOf } from "./zip.ts";

const day = 86_400_000;

/** Adds what the steps of a job upload, under numbers given back before, as long as there are any. */
export function addUploads(site: Site, job: JobRecord, numbers: number[]): void {
  for (const { step, start, end, outcome } of stepTimes(job)) {
    if (step.upload === undefined || outcome !== "success" || end < start) continue;
    const { name, files: content, days, generation } = step.upload;
    const { repoId, runId, id: jobId } = job;
    const size = zipOf(content).length;
    const times = { created: end, expires: end + days * day };
    addArtifact(site, { repoId, runId, jobId, name, generation, content, size, ...times }, numbers.shift());
  }
}

export function addArtifact(
  { store }: Site,
  given: Omit<ArtifactRecord, "id" | "cleaned">,
  id = store.nextId("artifacts"),
): ArtifactRecord {
  return store.table("artifacts").put(id, { id, cleaned: false, ...given });
}

/** Removes artifacts that are not there yet; answers their numbers. */
export function forgetUploads({ store }: Site, which: (artifact: ArtifactRecord) => boolean): number[] {
  const ids = store
    .table("artifacts")
    .filter(which)
    .map(({ id }) => id);
  for (const id of ids) store.table("artifacts").delete(id);
  return ids;
}

/** The zip file of an artifact. */
export const archiveOf = ({ content }: ArtifactRecord): Buffer =>
  typeof content === "string" ? Buffer.from(content, "base64") : zipOf(content);

/** Past its time, and found so by a clean-up: the one of every midnight, or one that was asked for. */
export function isExpired({ clock }: Pick<Site, "clock">, { expires, cleaned }: ArtifactRecord): boolean {
  return cleaned || expires <= Math.floor(clock() / day) * day;
}

/** Cleans up now. */
export function cleanUp({ store, clock }: Site): void {
  const now = clock();
  for (const artifact of store.table("artifacts").filter(({ expires }) => expires <= now)) {
    store.table("artifacts").put(artifact.id, { ...artifact, cleaned: true });
  }
}
