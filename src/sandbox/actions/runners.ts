import type { Site } from "../site.ts";
import type { RunnerRecord } from "../state/actions.ts";
import type { RepoRecord } from "../state/repos.ts";

/** The runners that would take a job: online, enabled, with all labels, of the repository, its owner or the server. */
export function runnersFor(site: Site, repo: RepoRecord, labels: readonly string[]): RunnerRecord[] {
  return site.store
    .table("runners")
    .filter(
      ({ level, of, disabled, online, labels: has }) =>
        online &&
        !disabled &&
        (level === "server" || (level === "owner" ? of === repo.ownerId : of === repo.id)) &&
        labels.every((label) => has.includes(label)),
    );
}

export function newRunner(
  site: Site,
  given: Pick<RunnerRecord, "name" | "labels"> & Partial<RunnerRecord>,
): RunnerRecord {
  const id = site.store.nextId("runners");
  const usual = { level: "server" as const, of: 0, disabled: false, online: true, ephemeral: false };
  return site.store.table("runners").put(id, { id, since: site.clock(), ...usual, ...given });
}

/** Whether a runner is at work. */
export function isBusy(site: Site, { id }: RunnerRecord): boolean {
  const now = site.clock();
  return site.store
    .table("jobs")
    .filter(({ runnerId }) => runnerId === id)
    .some(({ start, end }) => start !== null && start <= now && (end === null || now < end));
}
